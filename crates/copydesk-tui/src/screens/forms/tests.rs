//! Tests typing, pasting and saved texts in forms.

use crate::app::frame::help::HelpPage;
use crate::screens::forms::model::Form;
use crate::{
    app::{
        Effect,
        messages::{Beginning, Request},
        news::{News, StandingRun},
        tests::seat::*,
        ticket::Ticket,
        trouble::Trouble,
        update::{Arrival, update},
    },
    screens::forms::{field_name::FieldName, kept::stored},
    widgets::field::Input as FormInput,
};
use copydesk_core::editorial::{
    testing::decide,
    testing::{article, opening},
};
use copydesk_core::ports::RunKey;
use copydesk_newsroom::Choice;

#[test]
fn what_was_wrong_is_said_in_the_form_and_nothing_typed_is_lost() {
    let mut seat = Seat::at_gate();
    seat.keys("2 o tab \"Because.\" ctrl-s");
    seat.asked();
    seat.answer(Err("the database is locked"));
    is(
        &seat,
        "desk/park: Concerns round 1 concern 1 of 2 pane List waits r1.gate
  1 KEEP
  2 REWRITE
form: Overrule the verdict on concern 1
  Verdict: \"REWRITE\"
> Reason: \"Because.\"
  To do: \"\"
  problem: the database is locked",
    );
    seat.keys("esc");
    assert!(seat.state().contains("question: Discard it? enter: discard it"), "{}", seat.state());
    seat.keys("esc");
    assert!(seat.state().contains("> Reason: \"Because.\""));
    seat.keys("esc enter");
    assert!(seat.model.overlays.is_empty());
}

#[test]
fn letters_at_a_list_are_the_reason_and_close_or_send_no_form() {
    let mut seat = Seat::at_gate();
    seat.keys("2 o \"nobody says yes here, quite\"");
    assert_eq!(seat.asked(), []);
    assert!(seat.state().contains("> Reason: \"nobody says yes here, quite\""), "{}", seat.state());
    seat.keys("ctrl-s");
    let [Request::Decide { choice: Choice::Override { concern: 1, reason, .. }, .. }] = &seat.asked()[..] else {
        panic!("{}", seat.state());
    };
    assert_eq!(reason, "nobody says yes here, quite");
    // A list of settings has no reason: it says what to press.
    let mut seat = Seat::at_desk();
    seat.keys("O tab n y q");
    assert!(seat.model.on_top::<Form>().is_some_and(|form| !form.is_sent()), "{}", seat.state());
    assert!(seat.state().contains("this is a list: the arrow keys choose"), "{}", seat.state());
}

#[test]
fn a_field_that_is_gone_to_gives_its_old_value_up_for_what_is_typed() {
    let mut seat = Seat::at_desk();
    let fields = vec![
        crate::widgets::Field::line(FieldName::Find, "", ""),
        crate::widgets::Field::line(FieldName::Length, "", "900-1200"),
    ];
    let form = Form::read_by("Two fields", "", fields, |_| Err(Trouble::new("no")));
    seat.model.lay_over(form);
    seat.keys("tab \"250\"");
    let Some(form) = seat.model.on_top::<Form>() else { panic!("{}", seat.state()) };
    assert_eq!(form.value(FieldName::Length), "250");
}

#[test]
fn a_hand_edit_is_kept_as_it_is_typed_and_comes_back() {
    let mut seat = Seat::at_gate();
    seat.keys("e");
    assert_eq!(seat.asked(), [Request::ReadKept { run: RunKey(1), what: "r1.edit".into() }]);
    seat.keys("\"Oh. \"");
    assert_eq!(seat.asked(), [], "what is typed waits for what was kept");
    seat.answer(Ok(()));
    seat.keys("end \"Yes.\"");
    let kept: Vec<Request> = seat.asked();
    assert_eq!(kept.len(), 5, "once for what waited, then one a key: {kept:?}");
    let Some(Request::Keep { what, text, .. }) = kept.last() else { panic!("{kept:?}") };
    assert_eq!(what, "r1.edit");
    let (what, text) = (what.clone(), text.clone());
    // The program ends in the middle of it, and is started again.
    let mut again = Seat::at_gate();
    let kept = |text: &str| News::Kept {
        run: RunKey(1),
        what: what.clone(),
        text: Some((text.to_owned(), "2026-10-06T12:04:00.000Z".into())),
    };
    again.hear(kept(&text));
    again.keys("c");
    assert!(again.state().contains("question: Continue without your edit?"), "{}", again.state());
    again.keys("esc e");
    again.asked();
    again.hear(kept(&text));
    again.answer(Ok(()));
    let Some(form) = again.model.on_top::<Form>() else { panic!() };
    assert!(
        form.value(FieldName::Text).contains("Oh. ") && form.value(FieldName::Text).contains("Yes."),
        "{}",
        form.value(FieldName::Text)
    );
    assert_eq!(form.kept_at.as_deref(), Some("2026-10-06T12:04:00.000Z"));
    again.keys("ctrl-s");
    let made = again.asked();
    assert!(
        matches!(&made[..], [Request::Decide { at, choice: Choice::Edit { .. } }] if (at.run, at.round()) == (RunKey(1), 1)),
        "{made:?}"
    );
}

#[test]
fn a_question_on_the_desk_becomes_a_story_that_is_researched_first() {
    let mut seat = Seat::at_desk();
    seat.keys("Q ctrl-s");
    assert!(seat.state().contains("problem: say what the story is to be about"), "{}", seat.state());
    seat.keys("\"What does the pool cost?\" ctrl-s");
    let asked = seat.asked();
    let [Request::Begin(Beginning::Question { question, desk })] = &asked[..] else { panic!("{asked:?}") };
    assert_eq!((question.as_str(), desk.as_str()), ("What does the pool cost?", ""));
}

#[test]
fn what_is_pasted_over_a_selected_text_is_shown_from_its_first_line() {
    let mut seat = Seat::at_desk();
    seat.keys("ctrl-v");
    let long = "A line of the notes.\n".repeat(60);
    for text in [long.as_str(), "New line 1.\nNew line 2.\nNew line 3."] {
        seat.keys("ctrl-a");
        update(&mut seat.model, Arrival::Paste(text.into()));
        seat.shown(80, 24);
    }
    let shown = seat.shown(80, 24);
    assert!(shown.contains("New line 1.") && shown.contains("New line 3."), "{shown}");
}

#[test]
fn pasted_text_on_the_desk_becomes_a_new_story() {
    let mut seat = Seat::at_desk();
    let effects = update(&mut seat.model, Arrival::Paste("Minutes.\r\n\x1b[31mThe council voted.".into()));
    seat.effects.extend(effects);
    is(
        &seat,
        "desk: filter \"\" what needs you first
> desk/park waits for you
  desk/fire flagged
  city/water passed
form: New story from pasted text
> Source: \"Minutes.\\nThe council voted.\"
  Title: \"\"",
    );
    seat.keys("ctrl-s");
    let asked = seat.asked();
    assert!(
        matches!(&asked[..], [Request::Begin(Beginning::Text { text, .. })] if text == "Minutes.\nThe council voted."),
        "{asked:?}"
    );
    seat.answer(Err("the source is empty"));
    assert!(seat.state().contains("problem: the source is empty"), "{}", seat.state());
}

#[test]
fn a_megabyte_too_much_is_refused_and_the_form_stays() {
    let mut seat = Seat::at_desk();
    seat.keys("ctrl-v");
    update(&mut seat.model, Arrival::Paste("x".repeat(9 << 20)));
    assert!(seat.state().contains("problem: the text is larger than 8 MB"), "{}", seat.state().len());
}

#[test]
fn deleting_wants_the_slug() {
    let mut seat = Seat::at_desk();
    seat.keys("D \"par\" ctrl-s");
    assert_eq!(seat.asked(), []);
    assert!(seat.state().contains("problem: that is not park; nothing was deleted"), "{}", seat.state());
    seat.keys("\"k\" ctrl-s");
    let story = opening().topic.story();
    assert_eq!(seat.asked(), [Request::Delete(story.clone())]);
    seat.hear(News::Deleted(story));
    seat.answer(Ok(()));
    assert!(seat.model.overlays.is_empty());
    assert!(!seat.state().contains("desk/park waits"), "{}", seat.state());
}

#[test]
fn what_is_typed_in_one_line_stays_one_line() {
    let mut seat = Seat::at_desk();
    seat.keys("B ctrl-a");
    update(&mut seat.model, Arrival::Paste("a\nb".into()));
    let Some(form) = seat.model.on_top::<Form>() else { panic!() };
    assert!(matches!(form.fields[0].input, FormInput::Line(_)));
    assert_eq!(form.value(FieldName::File), "a b");
}

#[test]
fn an_answer_reaches_only_the_form_that_waits_for_it() {
    let mut seat = Seat::at_gate();
    seat.keys("2 o tab \"Because.\" ctrl-s");
    seat.asked();
    let ours = seat.ticket;
    seat.hear(News::Answered { ticket: Ticket(ours.0 + 1), result: Err(Trouble::new("no room on the disk")) });
    seat.hear(News::Trouble(Trouble::new("city/water: the server is down")));
    seat.hear(News::Done("saved: a.md".into()));
    assert!(seat.state().contains("form: Overrule the verdict on concern 1 (sent)"), "{}", seat.state());
    // An overlay above the form does not keep the answer from it.
    let place = crate::app::hints::place(&seat.model);
    seat.model.overlays.push(Box::new(HelpPage { top: 0, place }));
    seat.answer(Ok(()));
    assert!(seat.model.overlays.len() == 1 && seat.model.on_top::<HelpPage>().is_some());
}

#[test]
fn a_kept_edit_can_be_thrown_away() {
    let mut seat = Seat::at_gate();
    seat.keys("e");
    seat.asked();
    seat.answer(Ok(()));
    seat.keys("\"Oh. \" ctrl-t");
    assert!(seat.state().contains("question: Discard your edit?"), "{}", seat.state());
    seat.asked();
    seat.keys("enter");
    assert_eq!(seat.asked(), [Request::Forget { run: RunKey(1), what: "r1.edit".into() }]);
    seat.keys("c");
    assert_eq!(seat.commit(), [Choice::Continue], "nothing is asked");
}

#[test]
fn the_persons_own_editor_begins_with_what_was_kept() {
    let mut seat = Seat::at_gate();
    seat.keys("E");
    assert_eq!(seat.asked(), [Request::ReadKept { run: RunKey(1), what: "r1.edit".into() }]);
    let mut kept = article("Half a sentence");
    kept.headline = "H".into();
    let text = stored(kept);
    let at = "2026-10-06T12:04:00.000Z".to_owned();
    seat.hear(News::Kept { run: RunKey(1), what: "r1.edit".into(), text: Some((text, at)) });
    seat.answer(Ok(()));
    assert_eq!(seat.effects, [Effect::EditOutside("Half a sentence".into())]);
}

fn kept(text: &str) -> News {
    let text = stored(article(text));
    let text = Some((text, "2026-10-06T12:04:00.000Z".to_owned()));
    News::Kept { run: RunKey(1), what: "r1.edit".into(), text }
}

#[test]
fn what_lies_over_a_hand_edit_takes_nothing_from_it() {
    let mut seat = Seat::at_gate();
    seat.keys("E");
    seat.asked();
    seat.keys("f1");
    seat.hear(kept("Half a sentence"));
    seat.answer(Ok(()));
    assert_eq!(seat.effects, [Effect::EditOutside("Half a sentence".into())]);
    seat.effects.clear();
    let back = Arrival::EditedOutside { text: Some("A whole sentence".into()), problem: None };
    let effects = update(&mut seat.model, back);
    assert!(matches!(&effects[..], [Effect::Ask(Request::Keep { text, .. }), ..] if text.contains("A whole sentence")));
    seat.keys("esc");
    let Some(form) = seat.model.on_top::<Form>() else { panic!() };
    assert_eq!(form.value(FieldName::Text), "A whole sentence");
}

#[test]
fn what_cannot_be_read_is_not_typed_over() {
    let mut seat = Seat::at_gate();
    seat.keys("e \"Oh. \"");
    seat.asked();
    seat.answer(Err("the database is locked"));
    assert!(seat.model.overlays.is_empty());
    assert_eq!(seat.asked(), []);
    assert_eq!(
        seat.model.notice.as_ref().unwrap().text,
        "Your earlier edit cannot be read now; try again: the database is locked"
    );
}

#[test]
fn keys_before_the_text_is_there_go_where_they_would_have_gone_and_it_is_saved() {
    let mut seat = Seat::at_gate();
    seat.keys("e \"abc\" tab \"def\"");
    seat.keys("esc");
    assert!(seat.state().contains("problem: your earlier edit is still loading; try"), "{}", seat.state());
    seat.keys("ctrl-s");
    seat.asked();
    seat.answer(Ok(()));
    let made = seat.commit();
    let [Choice::Edit { article }] = &made[..] else { panic!("{made:?}") };
    assert!(article.articleBody.starts_with("abc") && article.headline.ends_with("def"), "{article:?}");
}

#[test]
fn an_edit_under_another_page_is_not_saved_unseen() {
    let mut seat = Seat::at_gate();
    seat.keys("e \"abc\" ctrl-s f1");
    seat.asked();
    seat.answer(Ok(()));
    assert_eq!(seat.commit(), []);
    seat.keys("esc ctrl-s");
    assert!(matches!(&seat.commit()[..], [Choice::Edit { article }] if article.articleBody.starts_with("abc")));
}

#[test]
fn an_unfinished_edit_is_not_saved_before_it_was_seen() {
    let mut seat = Seat::at_gate();
    seat.keys("e ctrl-s");
    seat.asked();
    seat.hear(kept("Half a sentence"));
    seat.answer(Ok(()));
    assert_eq!(seat.commit(), []);
    assert!(seat.state().contains("problem: your edit is loaded now: read it, and save again"), "{}", seat.state());
    seat.keys("ctrl-s");
    assert!(matches!(&seat.commit()[..], [Choice::Edit { article }] if article.articleBody == "Half a sentence"));
}

#[test]
fn an_edit_says_whether_it_is_kept() {
    let mut seat = Seat::at_gate();
    seat.keys("e");
    seat.asked();
    seat.answer(Ok(()));
    seat.keys("\"Oh. \"");
    let what = || "r1.edit".to_owned();
    seat.hear(News::IsKept { run: RunKey(1), what: what(), kept: Ok("2026-10-06T12:04:00.000Z".into()) });
    let Some(form) = seat.model.on_top::<Form>() else { panic!() };
    assert!(form.kept_at.is_some());
    let problem = "What you type cannot be kept now: no room; it is tried again";
    seat.hear(News::IsKept { run: RunKey(1), what: what(), kept: Err(Trouble::new(problem)) });
    assert!(seat.state().contains(problem), "{}", seat.state());
    seat.keys("esc");
    assert!(seat.model.notice.as_ref().unwrap().text.contains("is being kept, but is not in the story yet"));
    // With the form closed, it is said at the foot.
    seat.hear(News::IsKept { run: RunKey(1), what: what(), kept: Err(Trouble::new(problem)) });
    assert_eq!(seat.model.notice.as_ref().unwrap().text, problem);
}

#[test]
fn an_edit_that_is_being_saved_is_neither_thrown_away_nor_forgotten() {
    let mut seat = Seat::at_gate();
    seat.keys("e");
    seat.asked();
    seat.answer(Ok(()));
    seat.keys("\"Oh. \" ctrl-s");
    seat.asked();
    seat.keys("ctrl-t");
    assert!(seat.model.notice.as_ref().unwrap().text.contains("it is being saved"));
    seat.keys("esc");
    assert!(seat.model.overlays.is_empty());
    seat.answer(Err("the database is locked"));
    seat.keys("c");
    assert!(seat.state().contains("question: Continue without your edit?"), "{}", seat.state());
}

#[test]
fn an_edit_whose_gate_was_left_can_be_written_to_a_file() {
    let mut seat = Seat::at_gate();
    seat.keys("e");
    seat.asked();
    seat.answer(Ok(()));
    seat.keys("\"Oh. \"");
    seat.asked();
    let mut journal = (*seat.model.story.as_ref().unwrap().journal).clone();
    let before = i64::try_from(journal.entries().len()).unwrap();
    decide(&mut journal, 1, Choice::Continue);
    let entry = journal.entries().last().unwrap().clone();
    seat.hear(News::Added { key: RunKey(1), entries: vec![(before + 1, entry)] });
    assert!(seat.state().contains("problem: Round 1 was decided elsewhere"), "{}", seat.state());
    // A person who types on loses nothing either.
    seat.keys("\"So. \"");
    seat.asked();
    seat.keys("esc");
    assert!(seat.state().contains("question: The story has moved on enter: write the file"), "{}", seat.state());
    seat.keys("enter");
    let asked = seat.asked();
    let [Request::Write { path, bytes }] = &asked[..] else { panic!("{asked:?}") };
    assert_eq!(path.to_str(), Some("park-round-1-edit.md"));
    let text = String::from_utf8_lossy(bytes);
    assert!(text.contains("Oh. So. "), "{text}");
    seat.answer(Err("there is such a file"));
    assert!(seat.state().contains("problem: there is such a file"), "{}", seat.state());
    seat.keys("esc enter");
    seat.asked();
    seat.answer(Ok(()));
    assert!(seat.model.overlays.is_empty());
}

#[test]
fn any_text_of_a_form_can_be_edited_outside() {
    let mut seat = Seat::at_desk();
    seat.keys("ctrl-v \"Minutes\" ctrl-e");
    assert_eq!(seat.effects, [Effect::EditOutside("Minutes".into())]);
}

#[test]
fn who_asks_for_the_palette_does_not_type_into_the_text() {
    let mut seat = Seat::at_gate();
    seat.keys("f \"abc\" ctrl-p");
    let Some(form) = seat.model.on_top::<Form>() else { panic!() };
    assert_eq!(form.value(FieldName::ToDos), "abc");
    assert!(seat.model.notice.as_ref().unwrap().text.contains("Close the form first"));
    // Only a text of some length is worth a question.
    seat.keys("esc enter / \"abc\" esc");
    assert!(seat.model.overlays.is_empty(), "{}", seat.state());
}

#[test]
fn the_form_that_overrules_a_verdict_shows_it_in_a_small_window() {
    let mut seat = Seat::at_gate();
    seat.keys("2 o");
    let ways = crate::app::offer::offer(&seat.model);
    let area = ratatui::layout::Rect::new(0, 0, 60, 15);
    let mut buffer = ratatui::buffer::Buffer::empty(area);
    crate::app::view::view(&mut seat.model, &ways, area, &mut buffer);
    let shown = crate::testing::dump::dump(&buffer);
    assert!(shown.contains("KEEP:") && shown.contains("Reason:"), "{shown}");
}

#[test]
fn a_story_that_is_signed_already_is_asked_about_before_a_new_version_begins() {
    let mut seat = Seat::at_desk();
    update(&mut seat.model, Arrival::Paste("The council voted.".into()));
    seat.keys("ctrl-s");
    seat.asked();
    let (ticket, run) = (Some(seat.ticket), RunKey(3));
    let standing = StandingRun { run, said: "“Water” is already signed (26 Nov, Ada)".into(), is_signed: true };
    seat.hear(News::Stands { ticket, standing: standing.clone() });
    seat.answer(Ok(()));
    assert!(seat.state().contains("form: Already signed"), "{}", seat.state());
    assert_eq!(seat.asked(), [], "the editor says which is meant");
    seat.keys("enter");
    assert_eq!(seat.asked(), [Request::Open(RunKey(3))]);
    // The new version is the second choice.
    let mut seat = Seat::at_desk();
    update(&mut seat.model, Arrival::Paste("The council voted.".into()));
    seat.keys("ctrl-s");
    seat.asked();
    seat.hear(News::Stands { ticket: Some(seat.ticket), standing: standing.clone() });
    seat.answer(Ok(()));
    seat.keys("down enter");
    assert_eq!(seat.asked(), [Request::BeginVersion(RunKey(3))]);
    // One who went elsewhere is told.
    seat.hear(News::Stands { ticket: None, standing });
    assert!(seat.model.notice.as_ref().unwrap().text.contains("already signed"), "{}", seat.state());
}
