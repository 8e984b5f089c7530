//! A gate while time passes, other stories open and questions stand.

use super::*;
use crate::screens::forms::model::Form;
use copydesk_core::editorial::testing::research::assigned;
use copydesk_newsroom::Gates;

#[test]
fn a_clock_never_ends_a_run() {
    let mut journal = at_gate();
    journal.opening.settings.max_rounds = 1;
    let mut seat = Seat::at_desk();
    seat.model.house.countdown = Some(30);
    seat.open(journal);
    assert_eq!(seat.model.continues_at, None);
}

#[test]
fn the_questions_of_an_assignment_are_changed_on_the_screen_before_anything_is_searched() {
    let mut journal = assigned();
    journal.opening.gates = Gates::Editor;
    add(&mut journal, Step::Plan, Outcome::Questions(vec!["Who voted?".into()]));
    let mut seat = Seat::with(journal);
    assert!(seat.state().contains(" waits plan\n"), "{}", seat.state());
    seat.keys("f");
    assert!(seat.state().contains("form: Questions\n> Questions: \"Who voted?\"\n"), "{}", seat.state());
    seat.keys("enter \"What does it cost?\" enter \"Outline\" enter \"The vote\" ctrl-s");
    let text = "Who voted?\nWhat does it cost?\nOutline\nThe vote".to_owned();
    match seat.asked().as_slice() {
        [Request::Decide { choice, .. }] => assert_eq!(*choice, Choice::Plan { text }),
        other => panic!("{other:?}"),
    }
}

/// How many decisions are asked for.
fn decided(effects: &[Effect]) -> usize {
    effects.iter().filter(|effect| matches!(effect, Effect::AskFor(_, Request::Decide { .. }))).count()
}

#[test]
fn a_gate_counts_down_only_where_nobody_touches_a_key() {
    let mut seat = Seat::at_desk();
    seat.model.house.countdown = Some(30);
    seat.open(at_gate());
    let at = |seconds: i64| seat.model.now.checked_add(jiff::SignedDuration::from_secs(seconds)).unwrap();
    let (early, late) = (at(29), at(31));
    assert_eq!(decided(&update(&mut seat.model, Arrival::Tick(early))), 0);
    let effects = update(&mut seat.model, Arrival::Tick(late));
    assert!(
        matches!(&effects[..], [Effect::AskFor(_, Request::Decide { choice: Choice::Continue, .. })]),
        "{effects:?}"
    );
    let mut seat = Seat::at_desk();
    seat.model.house.countdown = Some(30);
    seat.open(at_gate());
    seat.keys("down");
    assert_eq!(decided(&update(&mut seat.model, Arrival::Tick(late))), 0, "somebody is there");
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
    journal.opening.settings.max_rounds = 1;
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
    for (open, title) in [("f", "Feedback to the writer"), ("ctrl-s", "Save the article"), ("/", "Search")] {
        let mut seat = Seat::at_gate();
        seat.keys("w");
        seat.asked();
        seat.keys(open);
        seat.hear(late(&seat));
        assert!(seat.state().starts_with("desk/park: ") && seat.state().contains(title), "{}", seat.state());
    }
    // A story that begins meanwhile only sends a message.
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
    let Some(form) = seat.model.on_top::<Form>() else { panic!() };
    assert!(form.explanation.contains("This overrules concern 1, 2."), "{}", form.explanation);
    assert_eq!(form.value(FieldName::Reason), "So be it.");
    seat.keys("ctrl-s");
    assert_eq!(made(&seat.asked()), 1);
}

#[test]
fn no_clock_passes_over_an_edit_that_is_kept() {
    let mut seat = Seat::at_desk();
    seat.model.house.countdown = Some(30);
    seat.open(at_gate());
    assert!(seat.model.continues_at.is_some());
    let text = crate::screens::forms::kept::stored(article("Half a sentence"));
    let at = "2026-10-06T12:04:00.000Z".to_owned();
    seat.hear(News::Kept { run: RunKey(1), what: "r1.edit".into(), text: Some((text, at)) });
    assert_eq!(seat.model.continues_at, None);
    let late = seat.model.now.checked_add(jiff::SignedDuration::from_secs(99)).unwrap();
    assert_eq!(decided(&update(&mut seat.model, Arrival::Tick(late))), 0);
}

/// The first line above the footer.
fn question(seat: &Seat) -> String {
    let area = ratatui::layout::Rect::new(0, 0, 120, 36);
    crate::screens::gate::view::lines(&seat.model, area)[0].to_string()
}

#[test]
fn a_fact_sheet_is_not_said_to_have_no_concerns() {
    let mut journal = copydesk_newsroom::Journal::new(copydesk_newsroom::Opening {
        extract: true,
        gates: Gates::Editor,
        ..opening()
    });
    add_round(&mut journal, 1, &[]);
    let said = question(&Seat::with(journal.clone()));
    assert_eq!(said, "? Round 1 waits for you: a fact sheet, not an article yet. Next: sign-off.");
    journal.opening.extract = false;
    assert_eq!(question(&Seat::with(journal)), "? Round 1 waits for you: no concerns. Next: sign-off.");
}

#[test]
fn a_round_without_a_concern_says_how_many_claims_are_to_be_read() {
    use copydesk_core::editorial::testing::claim;
    let mut journal = copydesk_newsroom::Journal::new(copydesk_newsroom::Opening { gates: Gates::Editor, ..opening() });
    add_round(&mut journal, 1, &[]);
    let claims = vec![claim("It cost $4.", false), claim("It is open.", true)];
    let claims = copydesk_newsroom::Claims { claims, words_only: None };
    add(&mut journal, Step::Claims { round: 1 }, Outcome::Claims(claims));
    let mut seat = Seat::with(journal);
    assert!(question(&seat).contains("no concerns, 1 claim to read yourself (9)."), "{}", question(&seat));
    seat.keys("2");
    let shown = seat.shown(160, 30);
    assert!(shown.contains("No concerns. 1 claim to read"), "{shown}");
}

#[test]
fn a_claim_that_a_source_contradicts_hides_behind_nothing() {
    use copydesk_core::editorial::testing::{claim, contradicted};
    let mut journal = copydesk_newsroom::Journal::new(copydesk_newsroom::Opening { gates: Gates::Editor, ..opening() });
    add_round(&mut journal, 1, &[]);
    let claims = vec![claim("It cost $4.", false), contradicted("It has seven stalls.")];
    let claims = copydesk_newsroom::Claims { claims, words_only: None };
    add(&mut journal, Step::Claims { round: 1 }, Outcome::Claims(claims));
    let mut seat = Seat::with(journal);
    let said = "no concerns; a source contradicts 1 claim, 1 to read yourself (9).";
    assert!(question(&seat).contains(said), "{}", question(&seat));
    let shown = seat.shown(120, 40);
    assert!(shown.contains("! Check first (a source says otherwise): “It has seven stalls.”"), "{shown}");
    assert!(shown.contains("! A source contradicts 1 claim (9)") && !shown.contains("Nothing left to fix"), "{shown}");
    seat.keys("c");
    seat.commit();
    assert!(question(&seat).contains("sign-off: a source contradicts 1 claim"), "{}", question(&seat));
}
