//! Decisions at a gate, and what is said of them.

use super::*;
use crate::app::model::Question;
use crate::screens::forms::model::Form;

#[test]
fn a_story_that_waits_opens_at_its_draft() {
    let mut seat = Seat::at_gate();
    assert_eq!(seat.model.story.as_ref().unwrap().tab, Tab::Article);
    seat.keys("2");
    is(&seat, "desk/park: Concerns round 1 concern 1 of 2 pane List waits r1.gate\n  1 KEEP\n  2 REWRITE");
}

#[test]
fn an_overruling_is_shown_once_it_is_in_the_database() {
    let mut seat = Seat::at_gate();
    seat.keys("2 j o");
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
Done: Undone: overruled the verdict on concern 2, REWRITE, with REWRITE: Legal checked it. To do: the agent's fix",
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
        "This story has not reached its next gate. Continuing is possible only while a story waits for you"
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
fn the_last_round_asks_before_it_ends_the_run() {
    let mut journal = at_gate();
    journal.opening.settings.max_rounds = 1;
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
    assert_eq!(seat.commit(), [Choice::SignOff { chain: String::new(), as_notes: false }]);
    let story = seat.model.story.as_ref().unwrap();
    assert_eq!(story.waits(), None);
    assert!(shown_article(&story.journal, 1).is_some());
}

#[test]
fn a_fact_sheet_is_asked_for_its_headline_and_is_notes_without_one() {
    let mut seat = Seat::with(crate::testing::demo_story::extracted());
    seat.keys("c");
    assert_eq!(seat.commit(), [Choice::Continue]);
    seat.keys("S");
    let state = seat.state();
    assert!(state.contains("form: Article, or notes?") && state.contains("Headline: \"\""), "{state}");
    seat.keys("\"Bridge closes\" enter");
    let [Choice::Edit { article }] = &seat.commit()[..] else { panic!("{}", seat.state()) };
    assert_eq!(article.headline, "Bridge closes");
    let mut seat = Seat::with(crate::testing::demo_story::extracted());
    seat.keys("c");
    seat.commit();
    seat.keys("S enter");
    assert!(seat.state().contains("problem: Type a headline; or ctrl-s publishes it as notes"), "{}", seat.state());
    assert_eq!(seat.asked(), []);
    seat.keys("ctrl-s");
    assert_eq!(seat.commit(), [Choice::SignOff { chain: String::new(), as_notes: true }]);
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
        crate::screens::gate::view::lines(&seat.model, area).iter().map(ToString::to_string).collect()
    };
    seat.keys("1");
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
    let Some(asked) = seat.model.on_top::<Question>() else { panic!("{}", seat.state()) };
    let left = "Not done: Delete “an x”. Not done: Delete “with”. Not done: Replace “Draft” with “Text”. Look yourself: Make it livelier.";
    assert!(asked.text.ends_with(&format!("becomes the story's article. {left}")), "{}", asked.text);
}

#[test]
fn the_worst_claim_that_no_source_carries_stands_above_the_footer() {
    use crate::testing::demo_claims::{checked, claims};
    let lines = |seat: &Seat| -> Vec<String> {
        let area = ratatui::layout::Rect::new(0, 0, 80, 24);
        crate::screens::gate::view::lines(&seat.model, area).iter().map(ToString::to_string).collect()
    };
    let mut seat = Seat::with(checked(at_gate(), Some(Outcome::Claims(claims()))));
    assert_eq!(lines(&seat).len(), 1, "the draft needs the rows");
    seat.keys("2");
    let shown = lines(&seat);
    assert!(
        shown[1].starts_with("! Check first (money): “The work costs 1.2 million dollars, most of it"),
        "{shown:?}"
    );
    seat.keys("9");
    assert_eq!(lines(&seat).len(), 1, "its page shows it");
    let mut carried = claims();
    carried.claims.iter_mut().for_each(|claim| claim.verified = true);
    let mut seat = Seat::with(checked(at_gate(), Some(Outcome::Claims(carried))));
    seat.keys("2");
    assert_eq!(lines(&seat).len(), 1, "a source carries each");
}

#[test]
fn weak_sources_are_said_at_the_gate_and_before_the_sign_off_with_the_reason() {
    use copydesk_core::editorial::testing::research;
    let mut journal = research::assigned();
    journal.opening.gates = copydesk_newsroom::Gates::Editor;
    research::rest_on(&mut journal, &[research::found("https://me.blogspot.com/x", "It voted.")]);
    add_round(&mut journal, 1, &[]);
    go_on(&mut journal);
    let mut seat = Seat::with(journal);
    let line = |seat: &Seat| {
        let area = ratatui::layout::Rect::new(0, 0, 150, 24);
        crate::screens::gate::view::lines(&seat.model, area).get(1).map(ToString::to_string)
    };
    let said = "Its sources are weak: one page of credibility 0.28, https://me.blogspot.com/x (published where anybody may publish, no \
                byline, no date of publication).";
    assert!(line(&seat).is_some_and(|line| line.starts_with("! Its sources are weak: one page of credibility 0.28, ")));
    let noted = |seat: &mut Seat| {
        let story = seat.model.story.as_deref_mut().unwrap();
        story.lay_signing();
        story.article.signing.notes.iter().any(|note| note.text == said)
    };
    assert!(noted(&mut seat));
    seat.keys("c");
    seat.commit();
    assert!(line(&seat).is_some() && noted(&mut seat), "at the sign-off");
}

#[test]
fn forking_names_the_step_and_asks_first() {
    let mut journal = at_gate();
    decide(&mut journal, 1, overrule(2, Status::Keep, None));
    let mut seat = Seat::with(journal);
    seat.keys("F");
    let Some(question) = seat.model.on_top::<Question>() else { panic!("{}", seat.state()) };
    assert!(question.text.contains("from this step: Round 1, review."), "{}", question.text);
    seat.keys("enter");
    let story = opening().topic.story();
    assert_eq!(
        seat.asked(),
        [Request::Fork { run: RunKey(1), story, at: Step::Review { round: 1 }, known: ForkedAnswer::Taken }]
    );
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
    seat.keys("2 o");
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
    let Some(form) = seat.model.on_top::<Form>() else { panic!() };
    assert_eq!(form.value(FieldName::Reason), "I know about 1!", "the cursor stands behind what is filled in");
    seat.keys("esc enter c");
    let Some(question) = seat.model.on_top::<Question>() else { panic!("{}", seat.state()) };
    assert!(
        question.text.starts_with("concern 1: you said REMOVE in round 1, the verdict says KEEP again. "),
        "{}",
        question.text
    );
    assert_eq!(seat.asked(), []);
    seat.keys("enter");
    assert_eq!(seat.commit(), [Choice::Continue]);
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
fn a_fix_that_names_its_words_is_made_with_a_key_and_any_other_stays_with_the_writer() {
    let mut seat = Seat::with(at_gate());
    seat.keys("2 j u");
    assert_eq!(seat.asked(), []);
    assert_eq!(seat.model.notice.as_ref().unwrap().text, "No exact fix for concern 2; e edits");
    assert!(!seat.shown(120, 36).contains("u Take the fix"), "{}", seat.shown(120, 36));
    let mut journal = at_gate();
    decide(&mut journal, 1, overrule(2, Status::Rewrite, Some("Replace “Draft” with “Text”.")));
    let mut seat = Seat::with(journal);
    seat.keys("2 u");
    assert!(seat.model.notice.as_ref().unwrap().text.contains("concern 1 needs no change"));
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
fn what_cannot_be_undone_says_so_by_its_name() {
    let mut journal = at_gate();
    decide(&mut journal, 1, Choice::Continue);
    go_on(&mut journal);
    let mut seat = Seat::with(journal);
    seat.keys("z");
    let said = &seat.model.notice.as_ref().unwrap().text;
    assert_eq!(said, "Nothing to undo here");
}

#[test]
fn at_sign_off_undo_goes_back_to_the_gate_in_a_new_run() {
    let mut journal = at_gate();
    decide(&mut journal, 1, overrule(2, Status::Keep, None));
    decide(&mut journal, 1, Choice::Continue);
    go_on(&mut journal);
    let mut seat = Seat::with(journal);
    let shown = seat.shown(80, 24);
    assert!(shown.contains("z Back to the gate"), "{shown}");
    seat.keys("z");
    assert!(seat.state().contains("question: Back to the gate of round 1? enter: go back"), "{}", seat.state());
    seat.keys("enter");
    let asked = seat.asked();
    let [Request::Fork { run: RunKey(1), at, known: ForkedAnswer::Taken, .. }] = &asked[..] else {
        panic!("{asked:?}")
    };
    // The overruled verdict stands again; the decision to go on does not.
    assert_eq!(*at, Step::Decide { round: 1, number: 2 });
}

#[test]
fn a_reader_of_an_earlier_draft_is_shown_the_one_that_is_signed_and_its_changes() {
    let mut journal = at_second_gate();
    decide(&mut journal, 2, Choice::Stet { reason: "It is right.".into() });
    go_on(&mut journal);
    let mut seat = Seat::with(journal);
    seat.keys("3");
    let compared = |seat: &Seat| {
        let story = seat.model.story.as_ref().unwrap();
        story.changes.compared.as_ref().map(crate::screens::changes::model::Compared::pair)
    };
    assert_eq!(compared(&seat), Some((1, 2)));
    // An earlier round is read, and the text is edited: the new draft is the one that is shown.
    seat.keys("2 , e");
    assert_eq!(seat.model.story.as_ref().unwrap().round, 1);
    seat.asked();
    seat.answer(Ok(()));
    seat.keys("\"Late news: \" ctrl-s");
    assert!(matches!(seat.commit()[..], [Choice::Edit { .. }]));
    seat.keys("3");
    let mut journal = (*seat.model.story.as_ref().unwrap().journal).clone();
    let before = journal.entries().len();
    add_round(&mut journal, 3, &[]);
    let entries = (before + 1..).zip(&journal.entries()[before..]);
    let entries = entries.map(|(seq, entry)| (i64::try_from(seq).unwrap(), entry.clone())).collect();
    seat.hear(News::Added { key: RunKey(1), entries });
    assert_eq!(seat.model.story.as_ref().unwrap().round, 3, "{}", seat.state());
    assert_eq!(compared(&seat), Some((2, 3)), "it is shown as soon as it is there");
}

#[test]
fn the_draft_that_is_signed_is_shown_before_it_is_signed() {
    let mut journal = at_second_gate();
    decide(&mut journal, 2, Choice::Stet { reason: "It is right.".into() });
    go_on(&mut journal);
    let mut seat = Seat::with(journal);
    seat.keys("2 , 4 S");
    let story = seat.model.story.as_ref().unwrap();
    assert_eq!((story.round, story.tab, seat.model.overlays.len()), (2, Tab::Article, 0));
    assert_eq!(said(&seat), "You read draft 1, but you sign draft 2: read it first");
    seat.keys("S");
    assert!(seat.state().contains("question: Sign off?"), "{}", seat.state());
}

#[test]
fn a_draft_that_would_come_back_as_it_is_is_not_sent_to_a_writer_without_a_model() {
    let mut by_rules = at_gate();
    by_rules.opening.by_rules = true;
    let mut seat = Seat::with(by_rules.clone());
    seat.keys("c");
    assert_eq!(seat.asked(), []);
    assert_eq!(said(&seat), "Nothing here can be done without a model; e edits");
    decide(&mut by_rules, 1, overrule(2, Status::Rewrite, Some("Replace “Draft” with “Text”.")));
    let mut seat = Seat::with(by_rules);
    seat.keys("c");
    assert_eq!(seat.commit(), [Choice::Continue]);
}

#[test]
fn a_stet_overrules_only_what_is_still_open() {
    let mut journal = at_gate();
    let fixed = article("Text 7");
    decide(&mut journal, 1, overrule(1, Status::Rewrite, Some("Replace “Draft” with “Text”.")));
    decide(&mut journal, 1, Choice::Applied { concern: 1, article: fixed });
    let mut seat = Seat::with(journal);
    seat.keys("s");
    let Some(form) = seat.model.on_top::<Form>() else { panic!("{}", seat.state()) };
    assert!(form.explanation.contains("This overrules concern 2."), "{}", form.explanation);
}

#[test]
fn a_correction_that_corrects_nothing_is_asked_about_before_it_is_signed() {
    use copydesk_core::editorial::corrections;
    let mut signed = at_gate();
    decide(&mut signed, 1, Choice::Stet { reason: "It is right.".into() });
    go_on(&mut signed);
    let waits = signed.clone();
    decide(&mut signed, 1, Choice::SignOff { chain: String::new(), as_notes: false });
    go_on(&mut signed);
    let correction = corrections::correction(&signed, "It was 4.", "Ada", "2026-10-08T12:00:00.000Z", 1).unwrap();
    let mut correcting = copydesk_newsroom::Journal::new(copydesk_newsroom::Opening {
        corrections: vec![correction],
        ..waits.opening.clone()
    });
    waits.entries().iter().for_each(|entry| correcting.push(entry.clone()));
    let mut seat = Seat::with(correcting);
    seat.keys("S");
    assert!(seat.state().contains("question: Nothing is corrected yet enter: sign the note alone"), "{}", seat.state());
    seat.keys("esc");
    assert_eq!(seat.asked(), []);
}

#[test]
fn ctrl_z_stops_the_program_and_takes_no_decision_back() {
    let mut journal = at_gate();
    decide(&mut journal, 1, overrule(2, Status::Keep, None));
    let mut seat = Seat::with(journal);
    seat.keys("2 ctrl-z");
    assert_eq!(seat.effects.last(), Some(&Effect::Suspend));
    assert_eq!(seat.asked(), []);
}

#[test]
fn a_stet_beside_an_own_text_says_what_follows() {
    let mut journal = at_gate();
    decide(&mut journal, 1, Choice::Edit { article: article("An own text.") });
    decide(&mut journal, 1, Choice::Feedback { text: "Name the chair.".into() });
    let mut seat = Seat::with(journal);
    seat.keys("s");
    let form: &Form = seat.model.on_top().unwrap();
    assert_eq!(
        form.explanation,
        "Your text becomes the next draft and is checked once more; then c goes to sign-off. This overrules concern 2. Your to-do goes to \
         no writer."
    );
    seat.keys("\"It is right.\" ctrl-s");
    seat.commit();
    assert_eq!(said(&seat), "Your text is accepted; it is checked once more, then c goes to sign-off");
}

#[test]
fn a_restart_says_which_decisions_it_drops() {
    let mut journal = at_gate();
    let mut seat = Seat::with(journal.clone());
    seat.keys("F");
    let shown = seat.shown(120, 36);
    assert!(shown.contains("Restart from here?") && !shown.contains("not taken along"), "{shown}");
    decide(&mut journal, 1, Choice::Feedback { text: "Name the chair.".into() });
    decide(&mut journal, 1, Choice::AnotherRound);
    let mut seat = Seat::with(journal);
    seat.keys("F");
    let shown = seat.shown(120, 36);
    assert!(shown.contains("decisions after this step are not taken along."), "{shown}");
}

#[test]
fn a_fix_is_shown_as_the_sentence_before_and_after_it_and_enter_takes_it() {
    let mut journal = at_gate();
    decide(&mut journal, 1, overrule(2, Status::Rewrite, Some("Replace “Draft” with “Text”.")));
    let before = journal.draft(1).unwrap().article.articleBody.clone();
    let mut seat = Seat::with(journal);
    seat.keys("2 j enter");
    assert_eq!(seat.asked(), [], "it is read first");
    let told = seat.model.story.as_ref().unwrap().concerns.verdict.text().to_string();
    let (now, then) = (format!("Now   {before}"), format!("Then  {}", before.replacen("Draft", "Text", 1)));
    assert!(told.contains(&now) && told.contains(&then) && told.contains("enter takes this fix"), "{told}");
    seat.keys("enter");
    assert!(matches!(&seat.commit()[..], [Choice::Applied { concern: 2, .. }]), "{}", seat.state());
    let told = seat.model.story.as_ref().unwrap().concerns.verdict.text().to_string();
    assert!(!told.contains("takes this fix"), "{told}");
}
