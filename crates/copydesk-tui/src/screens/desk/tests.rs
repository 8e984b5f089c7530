//! The list of stories, and what is said and asked anywhere.

use crate::app::model::Question;
use crate::{
    app::{
        Effect,
        messages::{Beginning, Request},
        model::Screen,
        news::News,
        tests::seat::*,
        trouble::Trouble,
    },
    screens::desk::model::{DeskRow, StoryHolder, StoryState},
};
use copydesk_core::editorial::{testing::at_gate, testing::opening};
use copydesk_core::ports::RunKey;
use copydesk_newsroom::ListedRun;
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
    seat.keys("esc ctrl-o ctrl-o");
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
    seat.hear(News::StoryHolder(vec![("city/water".into(), crate::screens::desk::model::StoryHolder::Ours)]));
    seat.keys("q");
    assert!(seat.state().contains("question: Quit? enter: quit"), "{}", seat.state());
    let Some(question) = seat.model.on_top::<Question>() else { panic!() };
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
    seat.hear(News::StoryHolder(vec![
        ("desk/storm".into(), StoryHolder::Ours),
        ("desk/fire".into(), StoryHolder::Others),
    ]));
    seat.hear(News::Runs { changed: vec![(RunKey(4), listed("desk/storm", "open"))], gone: vec![] });
    assert_eq!(seat.model.desk.row("desk/storm").map(DeskRow::standing), Some(StoryState::AtWork));
    // So leaving would stop it.
    seat.keys("q");
    assert!(!seat.model.leaving);
    assert!(seat.model.on_top::<Question>().is_some_and(|question| question.title == "Quit?"));
}

#[test]
fn a_story_that_has_begun_is_opened_whichever_way_its_row_comes() {
    let storm = || (RunKey(4), listed("desk/storm", "open"));
    let key = opening().topic.story();
    let of = |key: &copydesk_newsroom::StoryKey| listed(&key.to_string(), "open");
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
    let hands = |hands| News::StoryHolder(vec![(key.to_string(), hands)]);
    seat.hear(hands(StoryHolder::OursSoon));
    seat.hear(News::Runs { changed: vec![(RunKey(5), listed(&key.to_string(), "open"))], gone: vec![] });
    seat.hear(News::Begun { ticket: None, story: key.clone(), run: RunKey(5) });
    assert_eq!(seat.asked(), []);
    seat.hear(hands(StoryHolder::Ours));
    seat.hear(hands(StoryHolder::Ours));
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
    assert!(seat.effects.contains(&Effect::Bell), "{:?}", seat.effects);
    assert_eq!(seat.model.notice.as_ref().unwrap().text, "city/water: waits for you");
    seat.effects.clear();
    seat.hear(changed(&water));
    assert_eq!(seat.effects, [], "once");
    seat.open(at_gate());
    seat.hear(News::Runs { changed: vec![], gone: vec![RunKey(1)] });
    assert_eq!((seat.model.screen, seat.model.desk.row("desk/park")), (Screen::Desk, None));
    assert_eq!(seat.model.notice.as_ref().unwrap().text, "desk/park was deleted");
}

#[test]
fn a_deadline_and_an_editor_are_set_by_keys_and_only_what_waits_for_me_can_be_shown() {
    let mut seat = Seat::at_desk();
    seat.keys("d \"+2h\" enter");
    let story: copydesk_newsroom::StoryKey = copydesk_newsroom::StoryKey::new(
        copydesk_newsroom::PathName::new("desk").unwrap(),
        copydesk_newsroom::PathName::new("park").unwrap(),
    );
    assert_eq!(seat.asked(), [Request::SetDue { story: story.clone(), typed: "+2h".into() }]);
    seat.answer(Err("\"soon\" is no time"));
    assert!(seat.model.overlays.len() == 1, "the form stays with its problem");
    seat.keys("esc @ enter");
    assert_eq!(seat.asked(), [Request::Assign { story, editor: Some("Ada".into()) }]);
    seat.answer(Ok(()));
    let shown = |seat: &Seat| seat.model.desk.shown().map(|row| row.run.story.clone()).collect::<Vec<_>>();
    let mut theirs = listed("desk/fire", "failed");
    theirs.flags = vec!["rounds used up with concerns open".into()];
    theirs.assigned = Some("Ben".into());
    seat.hear(News::Runs { changed: vec![(RunKey(2), theirs)], gone: vec![] });
    seat.keys("i");
    assert_eq!(shown(&seat), ["desk/park"], "a colleague's story does not wait for me");
    seat.keys("esc");
    assert_eq!(shown(&seat).len(), 3);
}

#[test]
fn what_is_due_first_comes_first_and_what_is_late_is_counted_until_it_is_done() {
    let mut seat = Seat::at_desk();
    let due = |story: &str, state: &str, at: &str| {
        let mut run = listed(story, state);
        run.due = Some(at.to_owned());
        run
    };
    seat.hear(News::Runs {
        changed: vec![
            (RunKey(2), due("desk/fire", "open", "2026-10-06T12:04:00.000Z")),
            (RunKey(3), due("city/water", "success", "2026-10-06T11:00:00.000Z")),
        ],
        gone: vec![],
    });
    seat.keys("ctrl-o ctrl-o ctrl-o");
    let rows: Vec<_> =
        seat.model.desk.shown().map(|row| (row.run.story.as_str(), row.is_late(seat.model.now))).collect();
    assert_eq!(rows, [("desk/fire", true), ("desk/park", false), ("city/water", false)]);
}

#[test]
fn a_story_that_waits_or_fails_is_notified_once_in_a_while_and_not_while_somebody_types() {
    let mut seat = Seat::at_desk();
    let news = |story: &str, state: &str, waits: Option<&str>| {
        let mut run = listed(story, state);
        run.waits = waits.map(str::to_owned);
        run
    };
    let notified = |seat: &mut Seat, runs: Vec<ListedRun>| -> Vec<String> {
        let changed = runs
            .into_iter()
            .enumerate()
            .map(|(place, run)| (RunKey(20 + i64::try_from(place).unwrap()), run))
            .collect();
        seat.hear(News::Runs { changed, gone: vec![] });
        let text = |effect| if let Effect::Notify(text) = effect { Some(text) } else { None };
        std::mem::take(&mut seat.effects).into_iter().filter_map(text).collect()
    };
    let begun = vec![news("desk/a", "open", None), news("desk/b", "open", None)];
    assert_eq!(notified(&mut seat, begun), [] as [&str; 0]);
    let both = vec![news("desk/a", "open", Some("r1.gate")), news("desk/b", "failed", None)];
    assert_eq!(notified(&mut seat, both), ["About desk/a: waits for you (+1 more)"]);
    assert_eq!(notified(&mut seat, vec![news("desk/a", "open", Some("r2.gate"))]), [] as [&str; 0], "just told");
    seat.model.now += jiff::SignedDuration::from_secs(60);
    seat.keys("down");
    assert_eq!(notified(&mut seat, vec![news("desk/a", "open", Some("r3.gate"))]), [] as [&str; 0], "somebody types");
    seat.model.now += jiff::SignedDuration::from_secs(60);
    let long = ListedRun { title: "x".repeat(10_000), ..news("desk/a", "open", Some("r4.gate")) };
    let told = notified(&mut seat, vec![long]);
    assert!(told.len() == 1 && told[0].len() < 100, "{told:?}");
    seat.model.house.notifies = false;
    seat.model.now += jiff::SignedDuration::from_secs(60);
    assert_eq!(notified(&mut seat, vec![news("desk/a", "open", Some("r5.gate"))]), [] as [&str; 0]);
}

#[test]
fn tabs_the_footer_and_the_palette_take_clicks_and_a_drag_says_how_text_is_selected() {
    use crate::{
        app::update::{Arrival, update},
        screens::story::tabs::Tab,
    };
    use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
    use ratatui::{buffer::Buffer, layout::Rect};
    fn draw(seat: &mut Seat) -> Vec<String> {
        let area = Rect::new(0, 0, 80, 24);
        let mut buffer = Buffer::empty(area);
        let ways = crate::app::offer::offer(&seat.model);
        crate::app::view::view(&mut seat.model, &ways, area, &mut buffer);
        (0..24).map(|y| (0..80).map(|x| buffer[(x, y)].symbol()).collect()).collect()
    }
    fn mouse(seat: &mut Seat, kind: MouseEventKind, text: &str) {
        let rows = draw(seat);
        let (row, line) = rows.iter().enumerate().rev().find(|(_, line)| line.contains(text)).expect(text);
        let column = line[..line.find(text).unwrap()].chars().count();
        let event = MouseEvent {
            kind,
            column: u16::try_from(column).unwrap(),
            row: u16::try_from(row).unwrap(),
            modifiers: KeyModifiers::NONE,
        };
        let effects = update(&mut seat.model, Arrival::Mouse(event));
        seat.take(effects);
    }
    let click = MouseEventKind::Down(MouseButton::Left);
    let mut seat = Seat::at_gate();
    mouse(&mut seat, click, "Changes");
    assert_eq!(seat.model.story.as_ref().unwrap().tab, Tab::Changes);
    mouse(&mut seat, click, "Back");
    assert_eq!(seat.model.screen, Screen::Desk);
    seat.keys("ctrl-p \"filter\"");
    mouse(&mut seat, click, "› Filter");
    assert!(seat.model.desk.filtering && seat.model.overlays.is_empty());
    seat.keys("esc x");
    seat.hear(News::StoryHolder(vec![("desk/park".into(), StoryHolder::Ours)]));
    seat.keys("q");
    mouse(&mut seat, click, "No");
    assert!(seat.model.overlays.is_empty() && !seat.model.leaving);
    seat.keys("q");
    mouse(&mut seat, click, "Quit   esc");
    assert!(seat.model.leaving, "the footer's words are the question's own");
    let drag = MouseEventKind::Drag(MouseButton::Left);
    mouse(&mut seat, drag, "About");
    assert!(seat.state().contains("hold shift and drag"), "{}", seat.state());
    seat.model.notice = None;
    mouse(&mut seat, drag, "About");
    assert!(seat.model.notice.is_none(), "said once");
}
