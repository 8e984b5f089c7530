//! The walk through the review queue.

use crate::screens::forms::model::Form;
use crate::{
    app::{
        messages::Request,
        model::{Opens, Screen},
        news::News,
        tests::seat::*,
    },
    screens::{
        desk::model::{DeskRow, StoryState},
        review::model::Walk,
    },
};
use copydesk_core::editorial::{
    testing::opening,
    testing::{at_gate, decide, go_on},
};
use copydesk_core::ports::RunKey;
use copydesk_newsroom::{Choice, ListedRun, Priority};
use std::sync::Arc;

const GATE: RunKey = RunKey(1);
const FLAGGED: RunKey = RunKey(2);
const URGENT: RunKey = RunKey(3);

/// Since that minute.
fn since(run: ListedRun, minute: u32) -> ListedRun {
    ListedRun { stands_since: format!("2026-10-06T12:{minute:02}:00.000Z"), ..run }
}

fn flagged() -> ListedRun {
    let mut run = since(listed("desk/park", "failed"), 2);
    run.flags = vec!["a sensitive topic: “park”".into(), "the writer left to-dos undone".into()];
    run
}

/// Three stories in review, the urgent one the newest, and two without a question to an editor.
fn rows() -> Vec<(RunKey, ListedRun)> {
    let at = |story: &str, gate: &str, minute| ListedRun {
        waits: Some(gate.into()),
        ..since(listed(story, "open"), minute)
    };
    let urgent = ListedRun { priority: Priority::High, ..at("desk/storm", "r1.gate", 3) };
    let settled = ListedRun { settled_by: Some("Ada".into()), story: "desk/known".into(), ..flagged() };
    vec![
        (FLAGGED, flagged()),
        (GATE, at("desk/fire", "r1.gate", 1)),
        (RunKey(4), settled),
        (RunKey(5), listed("city/water", "success")),
        (URGENT, urgent),
    ]
}

/// A test user at a desk with these stories.
fn seat() -> Seat {
    let mut seat = Seat::at_desk();
    seat.hear(News::Desk(rows()));
    seat
}

/// The run that the walk asks for is read and shown.
#[track_caller]
fn comes_to(seat: &mut Seat, key: RunKey, words: &str) {
    assert_eq!(seat.asked(), [Request::Open(key)]);
    let (_, run) = rows().into_iter().find(|(of, _)| *of == key).unwrap();
    let mut journal = at_gate();
    if run.waits.is_none() {
        decide(&mut journal, 1, Choice::Continue);
        go_on(&mut journal);
    }
    let seq = i64::try_from(journal.entries().len()).unwrap();
    let story = run.story.clone();
    seat.hear(News::Opened { ticket: Some(seat.ticket), key, run, journal: Arc::new(journal), seq });
    seat.answer(Ok(()));
    assert_eq!(seat.model.story.as_ref().unwrap().run.story, story);
    assert_eq!(Walk::words(&seat.model.desk, &story, seat.model.now), words);
    assert_eq!(seat.model.walk.as_ref().unwrap().story, story);
    seat.asked();
}

/// The records say that a story has left the queue.
fn leaves(seat: &mut Seat, key: RunKey) {
    let (_, mut run) = rows().into_iter().find(|(of, _)| *of == key).unwrap();
    if run.waits.take().is_none() {
        run.settled_by = Some("Ada".into());
    }
    seat.hear(News::Runs { changed: vec![(key, run)], gone: vec![] });
}

fn notice(seat: &Seat) -> &str {
    &seat.model.notice.as_ref().unwrap().text
}

#[test]
fn the_most_urgent_is_read_first_then_the_oldest_and_nothing_is_decided_by_going_on() {
    let mut seat = seat();
    seat.keys("w");
    comes_to(&mut seat, URGENT, "1 of 3 in review");
    seat.keys("w");
    comes_to(&mut seat, GATE, "2 of 3 in review");
    seat.keys("w");
    comes_to(&mut seat, FLAGGED, "3 of 3 in review");
    seat.keys("w");
    comes_to(&mut seat, URGENT, "1 of 3 in review");
    seat.keys("W");
    comes_to(&mut seat, FLAGGED, "3 of 3 in review");
    seat.keys("W");
    comes_to(&mut seat, GATE, "2 of 3 in review");
    seat.keys("esc");
    assert_eq!((seat.model.screen, &seat.model.walk), (Screen::Desk, &None));
    seat.asked();
    seat.keys("W");
    comes_to(&mut seat, FLAGGED, "3 of 3 in review");
}

#[test]
fn each_decision_goes_on_to_the_next_and_the_last_one_back_to_the_desk() {
    let mut seat = seat();
    seat.keys("w");
    comes_to(&mut seat, URGENT, "1 of 3 in review");
    // A decision that keeps the story at its gate keeps it on the screen.
    seat.keys("a");
    assert_eq!(seat.commit(), [Choice::AnotherRound]);
    assert_eq!(seat.asked(), []);
    seat.keys("c");
    leaves(&mut seat, URGENT);
    assert_eq!(seat.commit(), [Choice::Continue]);
    comes_to(&mut seat, GATE, "1 of 2 in review");
    seat.keys("X \"No.\" ctrl-s");
    leaves(&mut seat, GATE);
    assert_eq!(seat.commit(), [Choice::Spike { reason: "No.".into() }]);
    assert!(seat.model.overlays.is_empty(), "the form goes with its story");
    comes_to(&mut seat, FLAGGED, "1 of 1 in review");
    seat.keys("w");
    assert_eq!(notice(&seat), "No other story is in review");

    seat.keys("T");
    let form = "form: Accept the flags?\n> Reason: \"\"\n";
    assert!(seat.state().ends_with(form), "{}", seat.state());
    let Some(asked) = seat.model.on_top::<Form>() else { panic!() };
    let flags = "Flagged: a sensitive topic: “park”; the writer left to-dos undone.";
    assert!(asked.explanation.starts_with(flags), "{}", asked.explanation);
    seat.keys("ctrl-s");
    assert!(seat.state().ends_with("problem: enter a reason for accepting the flags\n"), "{}", seat.state());
    seat.keys("\"Ours to cover.\" ctrl-s");
    let story = opening().topic.story();
    assert_eq!(seat.asked(), [Request::AcceptFlags { run: FLAGGED, story, reason: "Ours to cover.".into() }]);
    leaves(&mut seat, FLAGGED);
    seat.hear(News::Settled(FLAGGED));
    seat.answer(Ok(()));
    assert_eq!(seat.asked(), [Request::CloseStory]);
    assert_eq!((seat.model.screen, &seat.model.walk), (Screen::Desk, &None));
    assert_eq!(notice(&seat), "The review queue is empty: no story waits for you, and none is flagged");
    assert_eq!(seat.model.desk.row("desk/park").map(DeskRow::standing), Some(StoryState::Failed));
    seat.keys("w");
    assert!(notice(&seat).starts_with("The review queue is empty"), "{}", notice(&seat));
    assert_eq!(seat.asked(), []);
}

#[test]
fn the_walk_goes_on_from_where_a_story_stood_also_from_the_middle() {
    let mut seat = seat();
    seat.keys("w");
    comes_to(&mut seat, URGENT, "1 of 3 in review");
    seat.keys("w");
    comes_to(&mut seat, GATE, "2 of 3 in review");
    seat.keys("c");
    leaves(&mut seat, GATE);
    seat.commit();
    comes_to(&mut seat, FLAGGED, "2 of 2 in review");
    seat.hear(News::Settled(FLAGGED));
    comes_to(&mut seat, URGENT, "1 of 2 in review");
}

#[test]
fn who_does_not_walk_stays_where_a_story_was_decided() {
    let mut seat = seat();
    seat.keys("enter");
    seat.asked();
    let run = rows().remove(4).1;
    seat.hear(News::Opened { ticket: Some(seat.ticket), key: URGENT, run, journal: Arc::new(at_gate()), seq: 0 });
    seat.asked();
    seat.keys("c");
    seat.commit();
    assert_eq!((seat.asked(), seat.model.screen), (vec![], Screen::Story));
}

#[test]
fn what_lies_over_a_story_keeps_it_and_the_walk_goes_on_from_there() {
    let mut seat = seat();
    seat.keys("w");
    comes_to(&mut seat, URGENT, "1 of 3 in review");
    seat.keys("c ?");
    leaves(&mut seat, URGENT);
    seat.commit();
    assert_eq!(seat.asked(), []);
    assert_eq!(Walk::words(&seat.model.desk, "desk/storm", seat.model.now), "2 in review", "it is in it no more");
    seat.keys("esc w");
    comes_to(&mut seat, GATE, "1 of 2 in review");
}

#[test]
fn keys_that_are_quicker_than_stories_are_read_go_on_all_the_same() {
    let mut seat = seat();
    seat.keys("w");
    comes_to(&mut seat, URGENT, "1 of 3 in review");
    seat.keys("w w");
    assert_eq!(seat.asked(), [Request::Open(GATE), Request::Open(FLAGGED)]);
    seat.keys("W W");
    assert_eq!(seat.asked(), [Request::Open(GATE), Request::Open(URGENT)]);
    // A form over the shown story holds it there: the walk continues from it.
    seat.keys("w X");
    assert_eq!(seat.asked(), [Request::Open(GATE)]);
    seat.keys("\"No.\" ctrl-s");
    leaves(&mut seat, URGENT);
    assert_eq!(seat.commit(), [Choice::Spike { reason: "No.".into() }]);
    comes_to(&mut seat, GATE, "1 of 2 in review");
}

#[test]
fn that_a_story_ends_is_no_news_to_whoever_ended_it() {
    let mut seat = seat();
    seat.keys("w");
    comes_to(&mut seat, URGENT, "1 of 3 in review");
    seat.keys("X \"No.\" ctrl-s");
    leaves(&mut seat, URGENT);
    seat.commit();
    comes_to(&mut seat, GATE, "1 of 2 in review");
    seat.keys("esc");
    let ended = |key, story: &str| News::Runs { changed: vec![(key, listed(story, "failed"))], gone: vec![] };
    seat.hear(ended(URGENT, "desk/storm"));
    assert_eq!(seat.model.notice, None);
    seat.hear(ended(GATE, "desk/fire"));
    assert_eq!(notice(&seat), "desk/fire: failed");
}

#[test]
fn another_story_ends_the_walk() {
    let mut seat = seat();
    seat.keys("w");
    comes_to(&mut seat, URGENT, "1 of 3 in review");
    // From the search, for example.
    let water = listed("city/water", "success");
    seat.model.next.ticket = Some(seat.ticket);
    let opened =
        News::Opened { ticket: Some(seat.ticket), key: RunKey(5), run: water, journal: Arc::new(at_gate()), seq: 0 };
    seat.hear(opened);
    assert_eq!(seat.model.walk, None);
}

#[test]
fn the_command_opens_the_first_of_the_queue_and_says_where_there_is_none() {
    let mut seat = Seat::at_desk();
    seat.model.next.opens = Opens::Review;
    seat.hear(News::Desk(rows()));
    comes_to(&mut seat, URGENT, "1 of 3 in review");
    let mut seat = Seat::at_desk();
    seat.model.next.opens = Opens::Review;
    seat.hear(News::Desk(vec![(RunKey(5), listed("city/water", "success"))]));
    assert_eq!(seat.asked(), []);
    assert!(notice(&seat).starts_with("The review queue is empty"), "{}", notice(&seat));
}

#[test]
fn flags_are_accepted_only_where_there_are_any_that_are_open() {
    let mut seat = seat();
    seat.keys("ctrl-p \"accept-flags\" enter");
    assert_eq!(notice(&seat), "Accept the flags: open a story first");
    seat.keys("w");
    comes_to(&mut seat, URGENT, "1 of 3 in review");
    seat.keys("T");
    assert_eq!(
        notice(&seat),
        "This story has not ended. Accepting flags is possible only for a flagged story that nobody has decided"
    );
}
