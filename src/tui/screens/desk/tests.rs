//! The list of stories, and what is said and asked anywhere.

use crate::editorial::{decisions::tests::at_gate, next_steps::tests::opening};
use crate::newsroom::ListedRun;
use crate::ports::RunKey;
use crate::tui::{
    app::{
        effects::Effect,
        messages::{Beginning, Request},
        model::{Overlay, Screen},
        news::News,
        tests::seat::*,
        trouble::Trouble,
    },
    screens::desk::model::{DeskRow, Hands, StoryState},
};
use std::sync::Arc;

#[test]
fn what_was_said_at_the_same_time_can_be_read_afterwards() {
    let mut seat = Seat::at_desk();
    seat.hear(News::Trouble(Trouble::new("the disk is full")));
    seat.hear(News::Done("saved".into()));
    assert!(seat.state().ends_with("Trouble: The disk is full\n"), "{}", seat.state());
    assert_eq!(seat.model.notice.as_ref().unwrap().others, 1);
    seat.keys("! j");
    assert!(seat.state().ends_with("what was said, from row 1\n"), "{}", seat.state());
    let said: Vec<&str> = seat.model.notices.iter().map(|said| said.text.as_str()).collect();
    assert_eq!(said, ["Saved", "The disk is full"]);
    seat.keys("esc");
    assert!(seat.model.overlays.is_empty() && seat.model.notice.is_none());
}

#[test]
fn the_desk_shows_what_needs_somebody_first_and_filters_as_one_types() {
    let mut seat = Seat::at_desk();
    let all = "\
desk: filter \"\" what needs you first
> desk/park waits for you
  desk/fire flagged
  city/water passed";
    is(&seat, all);
    seat.keys("down down down");
    assert_eq!(seat.model.desk.selected().unwrap().run.story, "city/water");
    seat.keys("/ \"fi\"");
    is(&seat, "desk: filter \"fi\" what needs you first\n> desk/fire flagged");
    seat.keys("esc");
    is(&seat, &all.replace("> desk/park", "  desk/park").replace("  desk/fire", "> desk/fire"));
    seat.keys("/ \"FLAGGED\" enter");
    is(&seat, "desk: filter \"FLAGGED\" what needs you first\n> desk/fire flagged");
    seat.keys("esc s s");
    is(
        &seat,
        "desk: filter \"\" by name\n  city/water passed\n> desk/fire flagged\n  desk/park waits for you\nDone: Sorted: by name",
    );
    seat.keys("enter");
    assert_eq!(seat.asked(), [Request::Open(RunKey(2))]);
}

#[test]
fn quitting_asks_only_if_something_would_stop() {
    let mut seat = Seat::at_desk();
    seat.keys("q");
    assert!(seat.model.leaving);
    let mut seat = Seat::at_desk();
    seat.hear(News::Hands(vec![("city/water".into(), crate::tui::screens::desk::model::Hands::Ours)]));
    seat.keys("q");
    assert!(seat.state().contains("question: Quit? enter: quit"), "{}", seat.state());
    let Some(Overlay::Question(question)) = seat.model.overlays.last() else { panic!() };
    assert!(question.text.contains("run `copydesk resume`"), "{}", question.text);
    seat.keys("esc");
    assert!(!seat.model.leaving);
    seat.keys("q enter");
    assert!(seat.model.leaving);
}

#[test]
fn the_palette_runs_any_action_by_its_name_and_says_why_not() {
    let mut seat = Seat::at_desk();
    seat.keys("ctrl-p \"sample-story\" enter");
    assert_eq!(seat.asked(), [Request::Begin(Beginning::Sample)]);
    seat.keys("ctrl-p \"sign-off\" enter");
    assert_eq!(seat.model.notice.as_ref().unwrap().text, "Sign off: open a story first");
}

#[test]
fn a_story_that_begins_is_at_work_as_soon_as_its_row_is_there() {
    let mut seat = Seat::at_desk();
    // The worker says who has it before the records know it.
    seat.hear(News::Hands(vec![("desk/storm".into(), Hands::Ours), ("desk/fire".into(), Hands::Others)]));
    seat.hear(News::Runs { changed: vec![(RunKey(4), listed("desk/storm", "open"))], gone: vec![] });
    assert_eq!(seat.model.desk.row("desk/storm").map(DeskRow::standing), Some(StoryState::AtWork));
    // So leaving would stop it.
    seat.keys("q");
    assert!(!seat.model.leaving);
    assert!(matches!(seat.model.overlays.last(), Some(Overlay::Question(question)) if question.title == "Quit?"));
}

#[test]
fn a_story_that_has_begun_is_opened_whichever_way_its_row_comes() {
    let storm = || (RunKey(4), listed("desk/storm", "open"));
    let key = opening().topic.story();
    let of = |key: &crate::newsroom::StoryKey| listed(&key.to_string(), "open");
    let changed = vec![(RunKey(5), of(&key))];
    for list in [News::Desk(vec![storm(), (RunKey(5), of(&key))]), News::Runs { changed, gone: vec![] }] {
        let mut seat = Seat::at_desk();
        seat.model.desk.set(vec![]);
        seat.hear(News::Begun { ticket: None, story: key.clone(), run: RunKey(5) });
        seat.effects.clear();
        seat.hear(list);
        assert_eq!(seat.asked(), [Request::Open(RunKey(5))]);
    }
}

#[test]
fn a_story_that_waits_for_a_place_is_opened_once_it_has_one() {
    let mut seat = Seat::at_desk();
    let key = opening().topic.story();
    let hands = |hands| News::Hands(vec![(key.to_string(), hands)]);
    seat.hear(hands(Hands::OursSoon));
    seat.hear(News::Runs { changed: vec![(RunKey(5), listed(&key.to_string(), "open"))], gone: vec![] });
    seat.hear(News::Begun { ticket: None, story: key.clone(), run: RunKey(5) });
    assert_eq!(seat.asked(), []);
    seat.hear(hands(Hands::Ours));
    seat.hear(hands(Hands::Ours));
    assert_eq!(seat.asked(), [Request::Open(RunKey(5))], "once");
}

#[test]
fn a_story_that_is_begun_anew_opens_in_its_new_run_though_the_list_still_has_the_run_before() {
    let mut seat = Seat::at_desk();
    let key = opening().topic.story();
    let row = |run| vec![(RunKey(run), listed(&key.to_string(), "open"))];
    seat.hear(News::Desk(row(4)));
    seat.hear(News::Begun { ticket: None, story: key.clone(), run: RunKey(5) });
    assert_eq!(seat.asked(), []);
    seat.hear(News::Runs { changed: row(5), gone: vec![] });
    assert_eq!(seat.asked(), [Request::Open(RunKey(5))]);
}

#[test]
fn a_story_that_comes_late_does_not_fetch_back_who_has_gone_elsewhere() {
    let mut seat = Seat::at_desk();
    seat.keys("enter");
    seat.asked();
    let first = seat.ticket;
    seat.keys("down enter");
    seat.asked();
    let opened = |ticket| News::Opened {
        ticket: Some(ticket),
        key: RunKey(1),
        run: listed("desk/park", "open"),
        journal: Arc::new(at_gate()),
        seq: 0,
    };
    seat.hear(opened(first));
    assert!(seat.model.story.is_none(), "another story was asked for since");
    seat.hear(opened(seat.ticket));
    assert!(seat.model.story.is_some());
    seat.keys("7 enter");
    seat.keys("esc esc");
    seat.hear(opened(seat.ticket));
    assert_eq!(seat.model.screen, Screen::Desk);
}

#[test]
fn what_other_programs_do_is_said_and_rings() {
    let mut seat = Seat::at_desk();
    let mut water = listed("city/water", "open");
    let changed = |run: &ListedRun| News::Runs { changed: vec![(RunKey(3), run.clone())], gone: vec![] };
    seat.hear(changed(&water));
    assert_eq!(seat.effects, []);
    water.waits = Some("r1.gate".into());
    seat.hear(changed(&water));
    assert_eq!(seat.effects, [Effect::Bell]);
    assert_eq!(seat.model.notice.as_ref().unwrap().text, "city/water: waits for you");
    seat.effects.clear();
    seat.hear(changed(&water));
    assert_eq!(seat.effects, [], "once");
    seat.open(at_gate());
    seat.hear(News::Runs { changed: vec![], gone: vec![RunKey(1)] });
    assert_eq!((seat.model.screen, seat.model.desk.row("desk/park")), (Screen::Desk, None));
    assert_eq!(seat.model.notice.as_ref().unwrap().text, "desk/park was deleted");
}
