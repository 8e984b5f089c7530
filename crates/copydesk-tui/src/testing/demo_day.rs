//! The day in numbers, for the snapshots and the tests of its keys: a busy day until noon, a quiet one, one that is read.

use std::collections::BTreeMap;

use jiff::{Timestamp, civil::Date, tz::TimeZone};

use crate::{
    app::{self, Effect, actions::Action, messages::Request, model::Model, news::News, update::Arrival},
    screens::day::model::{DayNumbers, QueueNow},
    testing::demo,
};
use copydesk_core::ports::{MessageState, PeriodFacts, QueueBacklog, RunKey, ServerDown, SlowCall};
use copydesk_newsroom::{
    AttemptEnd, CallFact, CallLine, Event, Facts, PathName, Pool, Status, Step, StoryKey, Usage, hours_of,
};

pub(crate) const TODAY: &str = "2026-10-06";

pub(crate) fn date(day: &str) -> Date {
    day.parse().unwrap()
}

fn call(agent: &str, model: &str, end: AttemptEnd, worked_ms: u64, cost: Option<f64>) -> CallFact {
    CallFact {
        line: CallLine { agent: agent.into(), model: model.into(), server: "127.0.0.1:1234".into() },
        end,
        attempt: 1,
        repeats: 0,
        usage: Usage { prompt_tokens: Some(2_310), completion_tokens: Some(412), cached_tokens: Some(1_024) },
        waited_ms: Some(20),
        worked_ms: Some(worked_ms),
        prompt_bytes: Some(9_000),
        answer_bytes: (end != AttemptEnd::Failed).then_some(1_600),
        cost: cost.map(|cost| (cost, "EUR".into())),
    }
}

fn hour(number: u64) -> Facts {
    let mut facts = Facts::default();
    if !(8..=12).contains(&number) {
        return facts;
    }
    let closed =
        |success| Event::RunClosed { success, rounds: 2, open_concerns: 1, flags: vec![], error: None, extract: false };
    for story in 0..number - 7 {
        facts.add_event(&Event::RunOpened { title: String::new(), engine: "llm".into(), max_rounds: 2 }, None);
        facts.add_event(&closed(story != 2), Some(95_000));
        let judge = Step::Judge { round: 1, concern: 1 };
        let status = if story == 1 { Status::Rewrite } else { Status::Keep };
        facts.add_event(&Event::VerdictGiven { step: judge, excerpt: String::new(), status }, None);
        facts.add_call(call("writer", "qwen3-30b-a3b", AttemptEnd::Answered, 8_300 + story * 900, Some(0.0123)));
        facts.add_call(call("article_review", "qwen3-30b-a3b", AttemptEnd::Answered, 3_100, None));
        facts.add_call(call("fact_check", "qwen3-8b", AttemptEnd::Answered, 950, None));
    }
    if number == 11 {
        facts.add_call(call("fact_check", "qwen3-8b", AttemptEnd::Failed, 120_000, None));
        facts.add_call(call("fact_check", "qwen3-8b", AttemptEnd::Known, 0, None));
        let (step, error) = (Step::Review { round: 1 }, String::new());
        facts.add_event(&Event::StepDead { step, error }, None);
        (facts.look_ups.asked, facts.look_ups.remembered) = (9, 2);
        (facts.look_ups.retrieved_tokens, facts.look_ups.source_tokens) = (4_100, 91_000);
    }
    facts
}

fn slow(run: i64, story: (&str, &str), step: Step, agent: &str, end: AttemptEnd, worked_ms: u64) -> SlowCall {
    let story = StoryKey::new(PathName::new(story.0).unwrap(), PathName::new(story.1).unwrap());
    SlowCall {
        run: RunKey(run),
        story,
        step,
        attempt: 1,
        agent: agent.into(),
        model: "qwen3-8b".into(),
        end,
        worked_ms,
    }
}

pub(crate) fn slowest() -> Vec<SlowCall> {
    let judge = Step::Judge { round: 1, concern: 3 };
    vec![
        slow(1, ("local-news", "miller-park-vote"), judge, "fact_check", AttemptEnd::Failed, 120_000),
        slow(7, ("science", "公園の話"), Step::Draft, "writer", AttemptEnd::Answered, 11_900),
        slow(3, ("business", "harbour-budget-and-who-pays-for-it"), Step::Draft, "writer", AttemptEnd::Answered, 8_300),
        slow(
            1,
            ("local-news", "miller-park-vote"),
            Step::Map { round: 1 },
            "concern_mapping",
            AttemptEnd::Unusable,
            900,
        ),
    ]
}

fn waiting() -> QueueNow {
    let now = "2026-10-06T12:10:00Z".parse::<Timestamp>().unwrap().as_millisecond();
    let server =
        ServerDown { server: "127.0.0.1:1234".into(), since: None, until: now, error: Some("503: loading".into()) };
    let backlog = QueueBacklog {
        messages: vec![
            (Pool::Writer, MessageState::Leased, 2),
            (Pool::Review, MessageState::Leased, 1),
            (Pool::Review, MessageState::Waiting, 3),
            (Pool::Specialist, MessageState::Later, 1),
        ],
        longest: vec![(Pool::Review, now - 125_000)],
        stories: BTreeMap::from([(("open", false), 4), (("open", true), 2)]),
        down: vec![server],
    };
    QueueNow { slots: vec![(Pool::Writer, 4), (Pool::Review, 4), (Pool::Specialist, 8)], backlog }
}

/// A day's numbers as the worker makes them: busy, or without anything.
pub(crate) fn numbers(day: &str, busy: bool, live: bool) -> DayNumbers {
    let hours = hours_of(date(day), &TimeZone::UTC);
    let parts = (0..24).map(|number| if busy { hour(number) } else { Facts::default() }).collect();
    let read = PeriodFacts { parts, slowest: if busy { slowest() } else { Vec::new() } };
    DayNumbers::of(date(day), &hours, read, live.then(waiting))
}

/// Answers the page's question with `numbers`.
pub(crate) fn answered(model: &mut Model, asked: &[Effect], numbers: DayNumbers) -> Vec<Effect> {
    let ticket = asked.iter().find_map(|effect| match effect {
        Effect::Ask(Request::ReadDay { ticket, .. }) => Some(*ticket),
        _ => None,
    });
    let news = News::Day { ticket: ticket.unwrap(), took: 3, numbers: Ok(Box::new(numbers)) };
    app::update::update(model, Arrival::News(Box::new(news)))
}

/// The page over the desk, with these numbers of today, or while they are read.
pub(crate) fn page(numbers: Option<DayNumbers>) -> Model {
    let mut model = demo::desk();
    app::perform::perform(&mut model, Action::ShowDay);
    let now = model.now;
    let asked = app::update::update(&mut model, Arrival::Tick(now));
    if let Some(numbers) = numbers {
        answered(&mut model, &asked, numbers);
    }
    model
}

pub(crate) fn busy() -> Model {
    page(Some(numbers(TODAY, true, true)))
}

fn at_calls() -> Model {
    let mut model = busy();
    app::perform::perform(&mut model, Action::Open);
    app::perform::perform(&mut model, Action::MoveDown);
    model
}

fn before() -> Model {
    let mut model = busy();
    app::perform::perform(&mut model, Action::PreviousDay);
    let now = model.now;
    let asked = app::update::update(&mut model, Arrival::Tick(now));
    answered(&mut model, &asked, numbers("2026-10-05", false, false));
    model
}

pub(crate) fn screens() -> Vec<(&'static str, Model)> {
    vec![
        ("day", busy()),
        ("day_calls", at_calls()),
        ("day_empty", page(Some(numbers(TODAY, false, true)))),
        ("day_before", before()),
        ("day_reading", page(None)),
    ]
}
