//! What an editor decides, at the keyboard.

use crate::desk::Known;
use crate::editorial::{
    decisions::tests::{at_gate, decide, go_on, overrule},
    next_steps::tests::{add, add_round, article, opening, verdict},
};
use crate::newsroom::{Choice, Outcome, Specialist, Status, Step};
use crate::ports::RunKey;
use crate::tui::{
    app::{
        effects::Effect,
        messages::Request,
        model::Overlay,
        news::News,
        tests::seat::*,
        update::{Arrival, update},
    },
    screens::{article::page::shown_article, forms::field_name::FieldName, story::tabs::Tab},
};
use std::sync::Arc;

#[test]
fn a_story_that_waits_opens_at_its_concerns() {
    let seat = Seat::at_gate();
    is(&seat, "desk/park: Concerns round 1 concern 1 of 2 pane List waits r1.gate\n  1 KEEP\n  2 REWRITE");
}

#[test]
fn an_overruling_is_shown_once_it_is_in_the_database() {
    let mut seat = Seat::at_gate();
    seat.keys("j o");
    is(
        &seat,
        "desk/park: Concerns round 1 concern 2 of 2 pane List waits r1.gate
  1 KEEP
  2 REWRITE
form: Overrule the verdict on concern 2
> Verdict: \"KEEP\"
  Reason: \"\"
  To do: \"the agent's fix\"",
    );
    seat.keys("right tab \"Legal checked it.\" ctrl-s");
    assert!(seat.state().contains("(sent)"), "{}", seat.state());
    assert!(seat.state().contains("  2 REWRITE\n"), "nothing is said before it is committed");
    let fix = Some("the agent's fix");
    let choice = Choice::Override {
        concern: 2,
        status: Status::Rewrite,
        fix: fix.map(str::to_owned),
        reason: "Legal checked it.".into(),
    };
    assert_eq!(seat.commit(), [choice]);
    is(
        &seat,
        "desk/park: Concerns round 1 concern 2 of 2 pane List waits r1.gate
  1 KEEP
  2 REWRITE, REWRITE by Ada: Legal checked it. [the agent's fix]
Done: Concern 2 overruled: REWRITE",
    );
    seat.keys("z");
    assert_eq!(seat.commit(), [Choice::Undo { number: 1 }]);
    is(
        &seat,
        "desk/park: Concerns round 1 concern 2 of 2 pane List waits r1.gate
  1 KEEP
  2 REWRITE
Done: Decision 1 undone; the record keeps both",
    );
}

#[test]
fn continuing_leaves_the_gate_and_shows_the_writer_at_work() {
    let mut seat = Seat::at_gate();
    seat.keys("f \"Name the chair.\" enter \"Say when.\" ctrl-s");
    assert_eq!(seat.commit(), [Choice::Feedback { text: "Name the chair.\nSay when.".into() }]);
    assert_eq!(seat.model.notice.as_ref().unwrap().text, "2 to-dos added");
    seat.keys("c");
    assert_eq!(seat.commit(), [Choice::Continue]);
    let story = seat.model.story.as_ref().unwrap();
    assert_eq!((story.tab, story.waits()), (Tab::Live, None));
    assert_eq!(story.journal.feedback(1).unwrap().todo_list, ["the agent's fix", "Name the chair.", "Say when."]);
    seat.keys("c");
    assert_eq!(
        seat.model.notice.as_ref().unwrap().text,
        "Continuing is possible while a story waits for you; this story has not reached its next gate"
    );
}

#[test]
fn a_key_that_is_pressed_twice_decides_once() {
    let mut seat = Seat::at_gate();
    seat.keys("c c c");
    assert_eq!(seat.commit(), [Choice::Continue]);
    let mut seat = Seat::at_gate();
    seat.keys("c");
    seat.asked();
    seat.answer(Err("the database is locked"));
    seat.keys("c");
    assert_eq!(seat.commit(), [Choice::Continue], "what was refused can be tried again");
}

#[test]
fn a_clock_never_ends_a_run() {
    let mut journal = at_gate();
    journal.opening.max_rounds = 1;
    let mut seat = Seat::at_desk();
    seat.model.house.countdown = Some(30);
    seat.open(journal);
    assert_eq!(seat.model.continues_at, None);
}

#[test]
fn the_last_round_asks_before_it_ends_the_run() {
    let mut journal = at_gate();
    journal.opening.max_rounds = 1;
    let mut seat = Seat::with(journal);
    seat.keys("c");
    assert!(seat.state().contains("question: The last round enter: end the run"), "{}", seat.state());
    assert_eq!(seat.asked(), []);
    seat.keys("n f");
    assert_eq!(
        seat.model.notice.as_ref().unwrap().text,
        "Feedback: this is the last round, and nobody would act on the feedback: add another round first"
    );
    seat.keys("a");
    assert_eq!(seat.commit(), [Choice::AnotherRound]);
    seat.keys("c");
    assert_eq!(seat.commit(), [Choice::Continue]);
}

#[test]
fn signing_off_after_stet() {
    let mut seat = Seat::at_gate();
    seat.keys("s \"It is right.\" ctrl-s");
    assert_eq!(seat.commit(), [Choice::Stet { reason: "It is right.".into() }]);
    assert_eq!(seat.model.story.as_ref().unwrap().tab, Tab::Article);
    seat.keys("o");
    assert!(seat.model.overlays.is_empty(), "no verdict can be overruled any more");
    seat.keys("S");
    assert!(seat.state().contains("question: Sign off? enter: sign off"), "{}", seat.state());
    assert_eq!(seat.asked(), []);
    seat.keys("enter");
    assert_eq!(seat.commit(), [Choice::SignOff { chain: String::new() }]);
    let story = seat.model.story.as_ref().unwrap();
    assert_eq!(story.waits(), None);
    assert!(shown_article(&story.journal, 1).is_some());
}

#[test]
fn what_the_revision_left_stands_above_the_footer_and_before_the_sign_off() {
    let mut journal = at_gate();
    let text = "Make it livelier.\nDelete “an x”.\nDelete “with”.\nReplace “Draft” with “Text”.";
    decide(&mut journal, 1, Choice::Feedback { text: text.into() });
    decide(&mut journal, 1, Choice::Continue);
    go_on(&mut journal);
    add_round(&mut journal, 2, &[]);
    let mut seat = Seat::with(journal);
    let lines = |seat: &Seat, height| -> Vec<String> {
        let area = ratatui::layout::Rect::new(0, 0, 80, height);
        crate::tui::screens::gate::view::lines(&seat.model, area).iter().map(ToString::to_string).collect()
    };
    assert_eq!(lines(&seat, 24).len(), 1, "the Live page has them itself");
    seat.keys("2");
    let question = "? Round 2 waits for you: no concerns. Next: sign-off.";
    let (one, two) = ("! Not done: Delete “an x”.", "! Not done: Delete “with”.");
    let three = "! Not done: Replace “Draft” with “Text”. 1 more on the Live page";
    assert_eq!(lines(&seat, 24), [question, one, two, three]);
    assert_eq!(lines(&seat, 12), [question, &format!("{one} 3 more on the Live page")]);
    seat.keys("c");
    seat.commit();
    seat.keys("4 S");
    let Some(Overlay::Question(asked)) = seat.model.overlays.last() else { panic!("{}", seat.state()) };
    let left = "Not done: Delete “an x”. Not done: Delete “with”. Not done: Replace “Draft” with “Text”. Look yourself: Make it livelier.";
    assert!(asked.text.ends_with(&format!("becomes the story's article. {left}")), "{}", asked.text);
}

#[test]
fn forking_names_the_step_and_asks_first() {
    let mut journal = at_gate();
    decide(&mut journal, 1, overrule(2, Status::Keep, None));
    let mut seat = Seat::with(journal);
    seat.keys("F");
    let Some(Overlay::Question(question)) = seat.model.overlays.last() else { panic!("{}", seat.state()) };
    assert!(question.text.contains("starts at this step: review of round 1."), "{}", question.text);
    seat.keys("enter");
    let story = opening().topic.story();
    assert_eq!(
        seat.asked(),
        [Request::Fork { run: RunKey(1), story, at: Step::Review { round: 1 }, known: Known::Taken }]
    );
}

#[test]
fn a_gate_counts_down_only_where_nobody_touches_a_key() {
    let mut seat = Seat::at_desk();
    seat.model.house.countdown = Some(30);
    seat.open(at_gate());
    let at = |seconds: i64| seat.model.now.checked_add(jiff::SignedDuration::from_secs(seconds)).unwrap();
    let (early, late) = (at(29), at(31));
    assert_eq!(update(&mut seat.model, Arrival::Tick(early)), []);
    let effects = update(&mut seat.model.clone(), Arrival::Tick(late));
    assert!(
        matches!(&effects[..], [Effect::AskFor(_, Request::Decide { choice: Choice::Continue, .. })]),
        "{effects:?}"
    );
    seat.keys("down");
    assert_eq!(update(&mut seat.model, Arrival::Tick(late)), [], "somebody is there");
}

#[test]
fn a_decision_says_at_which_gate_it_was_made() {
    let mut seat = Seat::at_gate();
    seat.keys("f \"Name the chair.\" ctrl-s");
    let asked = seat.asked();
    let [Request::Decide { at, .. }] = &asked[..] else { panic!("{asked:?}") };
    assert_eq!((at.seen.at.to_string(), at.seen.made), ("r1.gate".into(), 0));
    // While it is on its way, nothing else is decided, and the second form says so.
    seat.model.overlays.clear();
    seat.keys("X \"Dead.\" ctrl-s");
    assert!(seat.state().contains("problem: another decision is being saved"), "{}", seat.state());
}

#[test]
fn a_concern_that_comes_again_offers_what_was_decided_before_and_asks_before_it_is_passed_over() {
    let mut journal = at_gate();
    decide(&mut journal, 1, overrule(1, Status::Remove, Some("Cut it.")));
    decide(&mut journal, 1, Choice::Continue);
    go_on(&mut journal);
    add_round(&mut journal, 2, &[Specialist::Opinion]);
    let judged = Outcome::Verdict(verdict(1, Status::Keep, None));
    add(&mut journal, Step::Judge { round: 2, concern: 1 }, judged);
    let mut seat = Seat::with(journal);
    seat.keys("o");
    is(
        &seat,
        "desk/park: Concerns round 2 concern 1 of 1 pane List waits r2.gate
  1 KEEP
form: Overrule the verdict on concern 1
> Verdict: \"REMOVE\"
  Reason: \"I know about 1\"
  To do: \"Cut it.\"",
    );
    seat.keys("tab \"!\"");
    let Some(Overlay::Form(form)) = seat.model.overlays.last() else { panic!() };
    assert_eq!(form.value(FieldName::Reason), "I know about 1!", "the cursor stands behind what is filled in");
    seat.keys("esc enter c");
    let Some(Overlay::Question(question)) = seat.model.overlays.last() else { panic!("{}", seat.state()) };
    assert!(
        question.text.starts_with("concern 1: you said REMOVE in round 1, the verdict says KEEP again. "),
        "{}",
        question.text
    );
    assert_eq!(seat.asked(), []);
    seat.keys("enter");
    assert_eq!(seat.commit(), [Choice::Continue]);
}

/// Another story, read late.
fn late(seat: &Seat) -> News {
    News::Opened {
        ticket: Some(seat.ticket),
        key: RunKey(2),
        run: listed("desk/fire", "open"),
        journal: Arc::new(at_gate()),
        seq: 0,
    }
}

#[test]
fn a_question_decides_on_the_story_that_it_was_asked_about() {
    let mut journal = at_gate();
    journal.opening.max_rounds = 1;
    let mut seat = Seat::with(journal);
    seat.keys("w");
    assert_eq!(seat.asked(), [Request::Open(RunKey(2))]);
    seat.keys("c");
    assert!(seat.state().contains("question: The last round"), "{}", seat.state());
    seat.hear(late(&seat));
    seat.keys("enter");
    let asked = seat.asked();
    assert!(matches!(&asked[..], [Request::Decide { at, .. }] if at.run == RunKey(1)), "{asked:?}");
}

#[test]
fn a_form_keeps_its_story_and_a_file_its_article() {
    for (open, title) in [("f", "Feedback to the writer"), ("ctrl-s", "Save as Markdown"), ("/", "Search")] {
        let mut seat = Seat::at_gate();
        seat.keys("w");
        seat.asked();
        seat.keys(open);
        seat.hear(late(&seat));
        assert!(seat.state().starts_with("desk/park: ") && seat.state().contains(title), "{}", seat.state());
    }
    // What begins meanwhile says so, and no more.
    let mut seat = Seat::at_gate();
    seat.keys("f");
    seat.hear(News::Begun { ticket: Some(seat.ticket), story: opening().topic.story(), run: RunKey(5) });
    assert_eq!(seat.asked(), []);
}

#[test]
fn a_question_about_a_gate_that_was_left_decides_nothing() {
    let mut seat = Seat::at_gate();
    seat.model.story.as_mut().unwrap().gate.undecided_edit = Some(1);
    seat.keys("c");
    assert!(seat.state().contains("question: Continue without your edit?"), "{}", seat.state());
    // Another program decides.
    let mut journal = (*seat.model.story.as_ref().unwrap().journal).clone();
    let before = i64::try_from(journal.entries().len()).unwrap();
    decide(&mut journal, 1, overrule(1, Status::Remove, None));
    let entry = journal.entries().last().unwrap().clone();
    seat.hear(News::Added { key: RunKey(1), entries: vec![(before + 1, entry)] });
    seat.keys("enter");
    assert_eq!(seat.asked(), []);
    assert_eq!(
        seat.model.notice.as_ref().unwrap().text,
        "The story moved on since you were asked; nothing was decided"
    );
}

#[test]
fn a_form_is_sent_with_what_there_was_to_see_when_it_was_opened() {
    let mut seat = Seat::at_gate();
    seat.keys("s \"So be it.\"");
    let mut journal = (*seat.model.story.as_ref().unwrap().journal).clone();
    let before = i64::try_from(journal.entries().len()).unwrap();
    decide(&mut journal, 1, overrule(1, Status::Remove, None));
    let entry = journal.entries().last().unwrap().clone();
    seat.hear(News::Added { key: RunKey(1), entries: vec![(before + 1, entry)] });
    seat.keys("ctrl-s");
    let made = |asked: &[Request]| match asked {
        [Request::Decide { at, .. }] => at.seen.made,
        other => panic!("{other:?}"),
    };
    assert_eq!(made(&seat.asked()), 0, "the other decision was not seen");
    seat.answer(Err("something else was decided"));
    let Some(Overlay::Form(form)) = seat.model.overlays.last() else { panic!() };
    assert!(form.explanation.contains("This overrules concern 1, 2."), "{}", form.explanation);
    assert_eq!(form.value(FieldName::Reason), "So be it.");
    seat.keys("ctrl-s");
    assert_eq!(made(&seat.asked()), 1);
}

#[test]
fn while_a_decision_is_saved_another_one_says_so() {
    let mut seat = Seat::at_gate();
    seat.keys("a c");
    let asked = seat.asked();
    assert!(matches!(&asked[..], [Request::Decide { choice: Choice::AnotherRound, .. }]), "{asked:?}");
    assert_eq!(seat.model.notice.as_ref().unwrap().text, "Another decision is being saved; try again in a moment");
}

#[test]
fn no_clock_passes_over_an_edit_that_is_kept() {
    let mut seat = Seat::at_desk();
    seat.model.house.countdown = Some(30);
    seat.open(at_gate());
    assert!(seat.model.continues_at.is_some());
    let text = serde_json::to_string(&article("Half a sentence")).unwrap();
    let at = "2026-10-06T12:04:00.000Z".to_owned();
    seat.hear(News::Kept { run: RunKey(1), what: "r1.edit".into(), text: Some((text, at)) });
    assert_eq!(seat.model.continues_at, None);
    let late = seat.model.now.checked_add(jiff::SignedDuration::from_secs(99)).unwrap();
    assert_eq!(update(&mut seat.model, Arrival::Tick(late)), []);
}

#[test]
fn a_hand_edit_is_not_begun_beside_to_dos_that_no_writer_would_see() {
    let mut seat = Seat::at_gate();
    seat.keys("f \"Name the chair.\" ctrl-s");
    seat.commit();
    seat.keys("e");
    assert!(seat.model.overlays.is_empty());
    let said = &seat.model.notice.as_ref().unwrap().text;
    assert!(said.contains("your to-dos would be lost"), "{said}");
    seat.keys("z");
    seat.commit();
    seat.keys("e");
    assert_eq!(seat.asked(), [Request::ReadKept { run: RunKey(1), what: "r1.edit".into() }]);
}

/// A run in which a hand edit costs no round, at its gate.
fn free() -> crate::newsroom::Journal {
    let mut journal = at_gate();
    journal.opening.edits_freely = true;
    journal
}

#[test]
fn a_hand_edit_goes_with_to_dos_and_is_possible_in_the_last_round_and_at_sign_off() {
    let mut journal = free();
    journal.opening.max_rounds = 1;
    decide(&mut journal, 1, Choice::AnotherRound);
    decide(&mut journal, 1, Choice::Feedback { text: "Name the chair.".into() });
    let kept = Request::ReadKept { run: RunKey(1), what: "r1.edit".into() };
    let mut seat = Seat::with(journal);
    seat.keys("e");
    assert_eq!(seat.asked(), std::slice::from_ref(&kept));
    let mut journal = free();
    journal.opening.max_rounds = 1;
    let mut seat = Seat::with(journal);
    seat.keys("e");
    assert_eq!(seat.asked(), std::slice::from_ref(&kept), "the last round");
    let mut journal = free();
    decide(&mut journal, 1, Choice::Stet { reason: "It is right.".into() });
    go_on(&mut journal);
    let mut seat = Seat::with(journal);
    seat.keys("4 enter");
    assert_eq!(seat.asked(), [kept], "sign-off");
    seat.answer(Ok(()));
    seat.keys("\"Oh. \" ctrl-s");
    assert!(matches!(&seat.commit()[..], [Choice::Edit { article }] if article.articleBody.starts_with("Oh. ")));
    let said = &seat.model.notice.as_ref().unwrap().text;
    assert_eq!(said, "Your text is the next draft; it is checked and comes back to you");
}

#[test]
fn a_fix_that_names_its_words_is_made_with_a_key_and_any_other_stays_with_the_writer() {
    let mut seat = Seat::with(free());
    seat.keys("j u");
    assert_eq!(seat.asked(), []);
    assert_eq!(
        seat.model.notice.as_ref().unwrap().text,
        "The fix for concern 2 does not name words that stand in the text. It stays a to-do for the writer, or change the text yourself (e)"
    );
    let mut journal = free();
    decide(&mut journal, 1, overrule(2, Status::Rewrite, Some("Replace “Draft” with “Text”.")));
    let mut seat = Seat::with(journal);
    seat.keys("u");
    assert!(seat.model.notice.as_ref().unwrap().text.contains("nothing is to be changed for concern 1"));
    seat.keys("j u");
    let decided = seat.commit();
    assert!(matches!(&decided[..], [Choice::Applied { concern: 2, article }] if article.articleBody.contains("Text")));
    assert_eq!(seat.model.notice.as_ref().unwrap().text, "The fix for concern 2 is in your text");
    assert_eq!(seat.model.story.as_ref().unwrap().concerns.open(), 0);
    seat.keys("u");
    assert!(seat.model.notice.as_ref().unwrap().text.contains("is in your text already"));
    seat.keys("z");
    assert_eq!(seat.commit(), [Choice::Undo { number: 2 }]);
    assert_eq!(seat.model.story.as_ref().unwrap().concerns.open(), 1);
}

#[test]
fn a_hand_edit_is_proved_as_it_is_typed_and_its_undo_has_no_end() {
    let mut seat = Seat::with(free());
    let margin = |seat: &Seat| {
        let Some(Overlay::Form(form)) = seat.model.overlays.last() else { panic!("{}", seat.state()) };
        let margin = form.margin.as_deref().unwrap();
        let said = |note: &crate::tui::screens::forms::margin::MarginNote| note.about.clone();
        (form.draft.as_ref().unwrap().words(), margin.notes.iter().map(said).collect::<Vec<_>>())
    };
    seat.keys("e");
    seat.asked();
    seat.answer(Ok(()));
    let (words, before) = margin(&seat);
    seat.keys("\"It costs $131,500 in all. \"");
    let (more, now) = margin(&seat);
    assert_eq!(more, words + 5);
    let new: Vec<&String> = now.iter().filter(|note| !before.contains(note)).collect();
    assert!(new.iter().any(|note| note.contains("131,500")), "{now:?}");
    seat.keys(&"ctrl-z ".repeat(60));
    assert_eq!(margin(&seat), (words, before));
    // An edit that deletes everything is refused in words, and nothing is lost.
    seat.keys("ctrl-a backspace ctrl-s");
    seat.asked();
    seat.answer(Err("the edited draft lacks a headline, a description or a text"));
    assert!(seat.state().contains("problem: the edited draft lacks"), "{}", seat.state());
    seat.keys("ctrl-z");
    assert_eq!(margin(&seat).0, words);
}

/// The draft of a gate, open to be typed.
fn typing(journal: crate::newsroom::Journal) -> Seat {
    let mut seat = Seat::with(journal);
    seat.keys("e");
    seat.asked();
    seat.answer(Ok(()));
    seat
}

fn edited(seat: &Seat) -> &crate::tui::screens::forms::model::Form {
    let form = seat.model.overlays.iter().find_map(|overlay| match overlay {
        Overlay::Form(form) if form.keeps() => Some(form),
        _ => None,
    });
    form.unwrap_or_else(|| panic!("{}", seat.state()))
}

fn said(seat: &Seat) -> &str {
    &seat.model.notice.as_ref().unwrap().text
}

/// A gate whose draft rests on a short source.
fn with_source() -> crate::newsroom::Journal {
    let mut journal = free();
    journal.opening.topic.source_text = "The council voted to spend $131,500 on the swings.".into();
    journal
}

#[test]
fn notes_are_gone_through_accepted_and_rejected_without_leaving_the_text() {
    let mut seat = typing(with_source());
    seat.keys("ctrl-a \"The council voted to spend $137,500 on the swings.\"");
    seat.asked();
    seat.keys("home alt-n");
    let here = crate::tui::screens::gate::notes::note_here(&seat.model).unwrap();
    assert_eq!((here.about.as_str(), here.fix.as_deref()), ("$137,500", Some("$131,500")), "{here:?}");
    assert!(here.passage.as_ref().unwrap().text.contains("$131,500"));
    seat.keys("alt-a");
    assert_eq!(edited(&seat).value(FieldName::Text), "The council voted to spend $131,500 on the swings.");
    assert_eq!(said(&seat), "The fix is in your text; undo takes it back");
    seat.keys("ctrl-z");
    assert_eq!(edited(&seat).value(FieldName::Text), "The council voted to spend $137,500 on the swings.");
    seat.keys("ctrl-y");
    assert_eq!(edited(&seat).value(FieldName::Text), "The council voted to spend $131,500 on the swings.");
    seat.keys("alt-r");
    assert_eq!(said(&seat), "No note is here; go to one first");
}

#[test]
fn a_concern_is_accepted_or_rejected_from_the_draft_and_typing_goes_on() {
    let mut journal = free();
    decide(&mut journal, 1, overrule(2, Status::Rewrite, Some("Replace “Draft” with “Text”.")));
    let mut seat = typing(journal);
    let words = edited(&seat).value(FieldName::Text);
    seat.keys("home alt-n alt-a");
    let asked = seat.commit();
    assert!(matches!(&asked[..], [Choice::Applied { concern: 2, .. }]), "{asked:?}, {}", seat.state());
    assert_eq!(edited(&seat).value(FieldName::Text), words.replacen("Draft", "Text", 1));
    seat.keys("end \" Yes.\" ctrl-s");
    let made = seat.commit();
    assert!(matches!(&made[..], [Choice::Edit { article }] if article.articleBody.contains("Yes.")), "{made:?}");

    let mut seat = typing(free());
    seat.keys("home alt-n alt-r");
    assert!(seat.state().contains("form: Reject the note"), "{}", seat.state());
    seat.keys("tab ctrl-s");
    let made = seat.commit();
    let by_list = "The source says so elsewhere".to_owned();
    assert_eq!(made, [Choice::Override { concern: 2, status: Status::Keep, fix: None, reason: by_list }]);
    let open = edited(&seat).margin.as_ref().unwrap().notes.iter().filter(|note| note.concern == Some(2)).count();
    assert_eq!(open, 0, "the draft is still open, and the concern is not");
}

#[test]
fn a_comment_goes_to_the_record_and_to_nobody() {
    let mut seat = typing(free());
    seat.keys("home alt-m \"Ask Denise.\" ctrl-s");
    let made = seat.commit();
    assert!(matches!(&made[..], [Choice::Comment { about, text }] if !about.is_empty() && text == "Ask Denise."));
    let journal = &seat.model.story.as_ref().unwrap().journal;
    let before = free();
    assert_eq!(
        crate::editorial::decisions::feedback(journal, 1, vec![]),
        crate::editorial::decisions::feedback(&before, 1, vec![])
    );
    assert_eq!(said(&seat), "Your comment is in the record");
}

#[test]
fn words_are_found_and_replaced_and_one_undo_each_brings_them_back() {
    let mut seat = typing(free());
    seat.keys("ctrl-a \"The park. A park. No park.\" home");
    seat.keys("ctrl-f \"park\" enter");
    assert_eq!(edited(&seat).cursor().unwrap().byte, 4);
    seat.keys("ctrl-g");
    assert_eq!(edited(&seat).cursor().unwrap().byte, 12);
    seat.keys("ctrl-f tab \"pond\" tab right ctrl-s");
    assert_eq!(edited(&seat).value(FieldName::Text), "The park. A pond. No park.");
    seat.keys("ctrl-f tab tab right right ctrl-s");
    assert_eq!(edited(&seat).value(FieldName::Text), "The pond. A pond. No pond.");
    assert_eq!(said(&seat), "2 places replaced; undo takes it back");
    seat.keys("ctrl-z ctrl-z");
    assert_eq!(edited(&seat).value(FieldName::Text), "The park. A park. No park.");
    seat.keys("ctrl-f \"bench\" enter");
    assert_eq!(said(&seat), "“bench” does not stand in the draft");
}

/// The gate of a second draft.
fn at_second_gate() -> crate::newsroom::Journal {
    use crate::editorial::next_steps::tests::{add, add_round, verdict};
    let mut journal = free();
    decide(&mut journal, 1, Choice::Continue);
    go_on(&mut journal);
    add_round(&mut journal, 2, &[crate::newsroom::Specialist::Opinion]);
    let step = crate::newsroom::Step::Judge { round: 2, concern: 1 };
    add(&mut journal, step, crate::newsroom::Outcome::Verdict(verdict(1, Status::Rewrite, Some("Say when."))));
    journal
}

#[test]
fn each_change_of_a_later_draft_is_accepted_or_taken_back_alone() {
    let mut seat = Seat::with(at_second_gate());
    seat.keys("3 b");
    let made = seat.commit();
    assert!(
        matches!(&made[..], [Choice::Edit { article }] if article.articleBody == "Draft 1 with an x."),
        "{made:?}, {}",
        seat.state()
    );
    assert_eq!(said(&seat), "Your text becomes the next draft when you continue");
    seat.keys("b");
    assert!(said(&seat).contains("its words do not stand in your text as they did"), "{}", said(&seat));
    seat.keys("z");
    assert_eq!(seat.commit(), [Choice::Undo { number: 1 }]);
    seat.keys("o");
    assert_eq!(said(&seat), "You have accepted every change");
    // The first draft waits for nobody any more.
    let mut seat = Seat::with(at_gate());
    seat.keys("3 b");
    assert_eq!(seat.asked(), []);
}

#[test]
fn undo_and_redo_are_kept_over_a_restart() {
    let mut seat = typing(free());
    let before = edited(&seat).value(FieldName::Text);
    seat.keys("\"One. Two. \" ctrl-z");
    let kept = seat.asked();
    let Some(Request::Keep { text, .. }) = kept.last() else { panic!("{kept:?}") };
    let text = text.clone();
    let mut again = Seat::with(free());
    again.keys("e");
    again.asked();
    let at = "2026-10-06T12:04:00.000Z".to_owned();
    again.hear(News::Kept { run: RunKey(1), what: "r1.edit".into(), text: Some((text, at)) });
    again.answer(Ok(()));
    assert_eq!(edited(&again).value(FieldName::Text), format!("One. {before}"));
    assert_eq!(edited(&again).cursor().unwrap().byte, 0, "it opens at its beginning");
    again.keys("ctrl-y");
    assert_eq!(edited(&again).value(FieldName::Text), format!("One. Two. {before}"));
    again.keys("ctrl-z ctrl-z ctrl-z");
    assert_eq!(edited(&again).value(FieldName::Text), before);
}

#[test]
fn a_paste_that_no_draft_holds_is_refused_and_nothing_is_lost() {
    let mut seat = typing(free());
    let before = edited(&seat).value(FieldName::Text);
    update(&mut seat.model, Arrival::Paste("word ".repeat(1 << 20)));
    assert_eq!(edited(&seat).value(FieldName::Text), before);
    assert!(
        seat.state().contains("problem: a draft holds 1 MB, and the text that you pasted has 5.2 MB"),
        "{}",
        seat.state()
    );
}

#[test]
fn what_cannot_be_undone_says_so_by_its_name() {
    let mut journal = at_gate();
    decide(&mut journal, 1, Choice::Continue);
    go_on(&mut journal);
    let mut seat = Seat::with(journal);
    seat.keys("z");
    let said = &seat.model.notice.as_ref().unwrap().text;
    assert!(said.starts_with("Undoing a decision is possible while a story waits for you"), "{said}");
}
