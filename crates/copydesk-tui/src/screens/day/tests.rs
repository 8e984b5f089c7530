//! The day in numbers: which days are read and when, and the calls that are opened from it.

use jiff::tz::TimeZone;
use ratatui::{buffer::Buffer, layout::Rect};

use crate::{
    app::{
        messages::Request,
        news::News,
        tests::seat::*,
        ticket::Ticket,
        trouble::Trouble,
        update::{Arrival, update},
    },
    screens::day::{
        model::{DayNumbers, QueueNow},
        model::{DayPage, DayStage},
        view,
    },
    testing::{
        demo_day::{TODAY, date, numbers, slowest},
        dump::dump,
    },
    widgets::page::Page,
};
use copydesk_core::ports::{CallText, MessageState, PeriodFacts, QueueBacklog, RunKey};
use copydesk_newsroom::{Answer, CallFacts, CallLine, Facts, Pool, Prompt, hours_of};

fn page(seat: &Seat) -> &DayPage {
    seat.model.overlays[0].page().unwrap()
}

/// The day that was asked for, its ticket, and whether it is today.
fn asked_for(seat: &mut Seat) -> Option<(String, Ticket, bool)> {
    let mut days = seat.asked().into_iter().filter_map(|request| match request {
        Request::ReadDay { ticket, date, live } => Some((date.to_string(), ticket, live)),
        _ => None,
    });
    let day = days.next();
    assert_eq!(days.next(), None, "one at a time");
    day
}

fn tick(seat: &mut Seat, seconds: i64) {
    let now = seat.model.now + jiff::SignedDuration::from_secs(seconds);
    let effects = update(&mut seat.model, Arrival::Tick(now));
    seat.take(effects);
}

fn tell(seat: &mut Seat, ticket: Ticket, day: &str) {
    let numbers = Ok(Box::new(numbers(day, true, day == TODAY)));
    seat.hear(News::Day { ticket, took: 3, numbers });
}

fn at_day() -> Seat {
    let mut seat = Seat::at_desk();
    seat.model.now = "2026-10-06T12:10:00Z".parse().unwrap();
    seat.keys("#");
    let (day, ticket, live) = asked_for(&mut seat).unwrap();
    assert_eq!((day.as_str(), live), (TODAY, true));
    assert!(page(&seat).shown(seat.model.now).is_none());
    tell(&mut seat, ticket, TODAY);
    seat
}

#[test]
fn today_is_read_again_as_it_goes_on_and_no_more_than_once_a_second() {
    let mut seat = at_day();
    assert_eq!(asked_for(&mut seat), None);
    seat.hear(News::StoryHolder(vec![]));
    assert_eq!(asked_for(&mut seat), None, "it was read just now");
    tick(&mut seat, 1);
    let (_, ticket, _) = asked_for(&mut seat).unwrap();
    tick(&mut seat, 30);
    assert_eq!(asked_for(&mut seat), None, "one reading at a time");
    seat.hear(News::Day { ticket: Ticket::default(), took: 3, numbers: Err(Trouble::new("old")) });
    assert!(page(&seat).trouble.is_none(), "of another question");
    // A day that takes long to read is read less often.
    let busy = Ok(Box::new(numbers(TODAY, true, true)));
    seat.hear(News::Day { ticket, took: 700, numbers: busy });
    seat.hear(News::Missed);
    tick(&mut seat, 6);
    assert_eq!(asked_for(&mut seat), None);
    tick(&mut seat, 1);
    let (_, ticket, _) = asked_for(&mut seat).unwrap();
    tell(&mut seat, ticket, TODAY);
    tick(&mut seat, 4);
    assert_eq!(asked_for(&mut seat), None, "nothing was heard of");
    tick(&mut seat, 1);
    let (_, ticket, _) = asked_for(&mut seat).unwrap();
    seat.hear(News::Day { ticket, took: 3, numbers: Err(Trouble::new("the disk is gone")) });
    assert_eq!(page(&seat).trouble.as_deref(), Some("the disk is gone"));
    assert!(page(&seat).shown(seat.model.now).is_some(), "what was read stays");
    seat.keys("esc");
    tick(&mut seat, 60);
    assert_eq!(asked_for(&mut seat), None, "nobody looks");
}

#[test]
fn other_days_are_gone_to_and_read_once() {
    let mut seat = at_day();
    seat.keys(".");
    assert!(seat.state().contains("Day after: this is today"), "{}", seat.state());
    seat.keys(",");
    let (day, ticket, live) = asked_for(&mut seat).unwrap();
    assert_eq!((day.as_str(), live), ("2026-10-05", false));
    // Further back before it is read: the day that is read first is not shown, and then the wanted day is asked for.
    seat.keys("left left");
    assert_eq!(asked_for(&mut seat), None);
    tell(&mut seat, ticket, "2026-10-05");
    assert!(page(&seat).shown(seat.model.now).is_none());
    let (day, ticket, _) = asked_for(&mut seat).unwrap();
    assert_eq!(day, "2026-10-03");
    tell(&mut seat, ticket, "2026-10-03");
    seat.hear(News::Missed);
    tick(&mut seat, 3_600);
    assert_eq!(asked_for(&mut seat), None, "it is over");
    seat.keys("right");
    assert_eq!(asked_for(&mut seat).unwrap().0, "2026-10-04");
    seat.keys("right right");
    assert_eq!(page(&seat).day, None);
}

#[test]
fn a_reading_that_fails_is_tried_again_later_and_is_no_trouble_of_another_day() {
    let mut seat = Seat::at_desk();
    seat.model.now = "2026-10-06T12:10:00Z".parse().unwrap();
    seat.keys("#");
    let failed = |seat: &mut Seat, ticket| {
        seat.hear(News::Day { ticket, took: 3, numbers: Err(Trouble::new("the disk is gone")) });
    };
    let (_, ticket, _) = asked_for(&mut seat).unwrap();
    failed(&mut seat, ticket);
    assert_eq!(page(&seat).trouble.as_deref(), Some("the disk is gone"));
    assert_eq!(asked_for(&mut seat), None, "the first reading failed just now");
    tick(&mut seat, 5);
    let (_, ticket, _) = asked_for(&mut seat).unwrap();
    seat.keys(",");
    failed(&mut seat, ticket);
    assert_eq!(page(&seat).trouble, None, "of the day before nothing is known");
    let (day, ticket, _) = asked_for(&mut seat).unwrap();
    assert_eq!(day, "2026-10-05");
    tell(&mut seat, ticket, "2026-10-05");
    assert!(page(&seat).shown(seat.model.now).is_some());
}

#[test]
fn at_midnight_the_page_of_today_goes_on_to_the_new_day() {
    let mut seat = at_day();
    tick(&mut seat, 12 * 3_600);
    assert_eq!(asked_for(&mut seat).map(|(day, ..)| day).as_deref(), Some("2026-10-07"));
    assert_eq!(page(&seat).date(seat.model.now), date("2026-10-07"));
}

#[test]
fn the_slowest_calls_open_with_their_texts_and_esc_comes_back() {
    let mut seat = at_day();
    seat.keys("down down");
    assert_eq!((page(&seat).top, page(&seat).stage), (2, DayStage::Numbers));
    seat.keys("enter down");
    assert!(seat.state().contains("day 2026-10-06, Calls, Some(\"science/公園の話\")"), "{}", seat.state());
    seat.asked();
    seat.keys("enter");
    let call = slowest()[1].clone();
    let read = Request::ReadCall { run: RunKey(7), step: call.step, attempt: 1 };
    assert_eq!(seat.asked(), [read]);
    let answer = Some(Answer { text: "Bees do well.".into(), ..Answer::default() });
    let text = CallText { prompt: Prompt::new(vec![]), answer, error: None, removed_at: None };
    let of = |run| News::Call { run: RunKey(run), step: call.step, attempt: 1, text: Some(Box::new(text.clone())) };
    seat.hear(of(8));
    assert_eq!(seat.asked(), [], "another call's");
    seat.hear(of(7));
    let Some(Request::LayCall { laid, .. }) = seat.asked().pop() else { panic!("its texts are laid out") };
    seat.hear(News::CallLaid { laid, page: Box::new(Page::new("Received\nBees do well.".into())) });
    assert!(page(&seat).open.as_ref().unwrap().page.text().contains("Bees do well."));
    seat.keys(",");
    assert!(seat.state().contains("Day before: close the call first"), "{}", seat.state());
    // Numbers that arrive meanwhile do not move the selection to another call.
    seat.hear(News::Missed);
    tick(&mut seat, 2);
    let (_, ticket, _) = asked_for(&mut seat).unwrap();
    let mut more = numbers(TODAY, true, true);
    more.slowest.insert(0, slowest()[0].clone());
    seat.hear(News::Day { ticket, took: 3, numbers: Ok(Box::new(more)) });
    seat.keys("esc");
    assert!(seat.state().contains("Calls, Some(\"science/公園の話\")"), "{}", seat.state());
    seat.keys("tab");
    assert_eq!(page(&seat).stage, DayStage::Numbers);
    seat.keys("esc");
    assert!(seat.model.overlays.is_empty());
}

#[test]
fn a_call_whose_story_was_deleted_meanwhile_is_said() {
    let mut seat = at_day();
    seat.keys("tab enter");
    let call = &slowest()[0];
    seat.hear(News::Call { run: call.run, step: call.step, attempt: 1, text: None });
    assert_eq!(page(&seat).stage, DayStage::Calls);
    assert!(seat.state().contains("That call is no longer there"), "{}", seat.state());
}

#[test]
fn a_day_without_calls_has_none_to_open() {
    let mut seat = at_day();
    seat.keys(",");
    let (_, ticket, _) = asked_for(&mut seat).unwrap();
    seat.hear(News::Day { ticket, took: 3, numbers: Ok(Box::new(numbers("2026-10-05", false, false))) });
    seat.keys("tab");
    assert_eq!(page(&seat).stage, DayStage::Numbers);
    seat.keys("enter");
    assert!(seat.state().contains("Open: there is no call"), "{}", seat.state());
}

/// The page as it is drawn in a window that is high enough for all of it.
fn drawn(seat: &mut Seat) -> String {
    let (now, theme) = (seat.model.now, seat.model.theme);
    let area = Rect::new(0, 0, 78, 90);
    let mut buffer = Buffer::empty(area);
    let Some(page) = seat.model.on_top_mut::<DayPage>() else { panic!("the page is open") };
    view::page(page, now, area, &mut buffer, &theme);
    dump(&buffer)
}

#[test]
fn each_currency_has_its_row_and_pools_of_other_programs_are_told_of() {
    let mut seat = at_day();
    seat.hear(News::Missed);
    tick(&mut seat, 2);
    let (_, ticket, _) = asked_for(&mut seat).unwrap();
    let mut parts = vec![Facts::default(); 24];
    let line = |agent: &str| CallLine { agent: agent.into(), model: "m\u{1b}[31m".into(), server: "s:1".into() };
    let with = |currency: &str, cost| CallFacts {
        answered: 1,
        cost: [(currency.to_owned(), cost)].into(),
        ..CallFacts::default()
    };
    parts[3].calls.insert(line("writer"), with("EUR", 1.5));
    parts[4].calls.insert(line("opinion"), with("USD", 0.25));
    parts[4].runs.opened = 1_200;
    let messages = vec![(Pool::Writer, MessageState::Leased, 3), (Pool::Writer, MessageState::Held, 2)];
    let waiting = QueueNow { slots: Vec::new(), backlog: QueueBacklog { messages, ..QueueBacklog::default() } };
    let hours = hours_of(date(TODAY), &TimeZone::UTC);
    let read = PeriodFacts { parts, slowest: vec![] };
    let day = DayNumbers::of(date(TODAY), &hours, read, Some(waiting));
    seat.hear(News::Day { ticket, took: 3, numbers: Ok(Box::new(day)) });
    let said = drawn(&mut seat);
    for line in [
        "1,200 runs begun",
        "Cost in EUR        1.50  ······██",
        "Cost in USD        0.25  ········██",
        "Writer        ■■■       3 at work elsewhere · 2 held",
        "Writer · m ",
        "1 call · EUR 1.50",
        "No call was made.",
    ] {
        assert!(said.contains(line), "{line}\n{said}");
    }
    assert!(!said.contains('\u{1b}'), "{said}");
    tick(&mut seat, 6);
    let (_, ticket, _) = asked_for(&mut seat).unwrap();
    seat.hear(News::Day { ticket, took: 3, numbers: Err(Trouble::new("the disk is gone")) });
    let said = drawn(&mut seat);
    assert!(said.contains("The numbers cannot be read: the disk is gone") && said.contains("1,200 runs"), "{said}");
}
