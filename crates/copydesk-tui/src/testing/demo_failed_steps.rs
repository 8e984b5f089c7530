//! Failed steps, for the snapshots: with the story of one's attempts, before that is read, many of them, none any more.

use crate::{
    app::{self, actions::Action, model::Model, news::News},
    testing::demo,
};
use copydesk_core::desk::{FailedStep, Happening};
use copydesk_core::ports::{CallNumbers, CallRow, CallState, RunKey};
use copydesk_newsroom::{Event, EventRecord, PathName, Step, StoryKey, Usage};

const HOST: &str = "127.0.0.1:1234";
const REFUSED: &str = "the model server at 127.0.0.1:1234 answered 503: the model is still being loaded; see its log, or name \
                       another model";

fn failed(key: i64, story: (&str, &str), step: Step, redeliveries: u32, error: &str) -> FailedStep {
    let (channel, slug) = story;
    FailedStep {
        run: RunKey(key),
        run_id: demo::RUN.into(),
        story: StoryKey::new(PathName::new(channel).unwrap(), PathName::new(slug).unwrap()),
        step,
        since: "2026-10-06T12:03:07.250Z".into(),
        redeliveries,
        error: error.into(),
    }
}

pub(crate) fn failed_steps() -> Vec<FailedStep> {
    let judge = Step::Judge { round: 1, concern: 3 };
    vec![
        failed(1, ("local-news", "miller-park-vote"), Step::Review { round: 1 }, 1, REFUSED),
        failed(7, ("science", "公園の話"), judge, 0, "no answer within 120 s\u{1b}[31m"),
        failed(3, ("business", "harbour-budget-and-who-pays-for-it"), Step::Draft, 3, REFUSED),
    ]
}

fn asked(attempt: u32, asked_at: &str, ended_at: Option<&str>, error: Option<&str>) -> Happening {
    let call = CallRow {
        run: RunKey(1),
        step: Step::Review { round: 1 },
        attempt,
        agent: "article_review".into(),
        model: "qwen3-30b-a3b".into(),
        host: HOST.into(),
        state: CallState::Rejected,
        error: error.map(str::to_owned),
        usage: Usage::default(),
        numbers: CallNumbers::default(),
        prompt_bytes: None,
        answer_bytes: None,
        asked_at: asked_at.into(),
        ended_at: ended_at.map(str::to_owned),
        repeats: u32::from(error.is_none()),
        removed_at: None,
    };
    Happening::Asked { run: demo::RUN.into(), call }
}

fn noted(at: &str, event: Event) -> Happening {
    Happening::Noted(EventRecord {
        at: at.into(),
        story: "local-news/miller-park-vote".into(),
        run: demo::RUN.into(),
        event,
    })
}

/// The attempts at the first of them, over midnight and in two runs.
pub(crate) fn tried() -> Vec<Happening> {
    let step = Step::Review { round: 1 };
    let at = "2026-10-06T12:00:01.000Z";
    vec![
        asked(1, "2026-10-05T23:59:50.000Z", Some("2026-10-05T23:59:50.240Z"), Some(REFUSED)),
        asked(2, "2026-10-05T23:59:52.000Z", Some("2026-10-06T00:01:57.000Z"), Some("no answer within 120 s")),
        noted("2026-10-06T00:01:57.000Z", Event::StepDead { step, error: REFUSED.into() }),
        noted(at, Event::RunForked { from: "20261005T235900Z_0123abcd".into(), at: Some(step) }),
        asked(1, at, None, None),
        noted(at, Event::StepRedelivered { step, redelivery: 1, of: 1, again_in_seconds: 5.2 }),
        noted(at, Event::StepParked { step, server: HOST.into() }),
        noted(
            at,
            Event::ServerDown { server: HOST.into(), again_in_seconds: 60.0, error: "connection refused".into() },
        ),
        noted("2026-10-06T12:03:01.000Z", Event::ServerBack { server: HOST.into() }),
        asked(2, "2026-10-06T12:03:07.000Z", Some("2026-10-06T12:03:07.250Z"), Some(REFUSED)),
        noted("2026-10-06T12:03:07.250Z", Event::StepDead { step, error: REFUSED.into() }),
    ]
}

fn hear(model: &mut Model, news: News) {
    app::update::update(model, app::update::Arrival::News(Box::new(news)));
}

/// A desk with so many failed steps.
fn desk(failed_steps: Vec<FailedStep>) -> Model {
    let mut model = demo::desk();
    hear(&mut model, News::FailedSteps(failed_steps));
    model
}

/// Their page, with what was tried for the first of them.
fn opened(failed_steps: Vec<FailedStep>) -> Model {
    let mut model = desk(failed_steps);
    app::perform::perform(&mut model, Action::ShowFailedSteps);
    hear(&mut model, News::Attempts(RunKey(1), tried()));
    model
}

fn then(mut model: Model, actions: &[Action]) -> Model {
    for action in actions {
        app::perform::perform(&mut model, *action);
    }
    model
}

fn many() -> Vec<FailedStep> {
    (1..=30).map(|key| failed(key, ("desk", &format!("story-{key}")), Step::Draft, 3, REFUSED)).collect()
}

pub(crate) fn page() -> Model {
    opened(failed_steps())
}

/// Every state of them.
pub(crate) fn screens() -> Vec<(&'static str, Model)> {
    let mut none = opened(failed_steps());
    hear(&mut none, News::FailedSteps(vec![]));
    vec![
        ("desk_failed_steps", desk(failed_steps())),
        ("failed_steps", page()),
        ("failed_steps_text", then(page(), &[Action::NextPane])),
        ("failed_steps_reading", then(page(), &[Action::MoveDown])),
        ("failed_steps_many", then(opened(many()), &[Action::PageDown])),
        ("failed_steps_none", none),
        ("failed_steps_retry", then(page(), &[Action::RetryFailedStep])),
        ("failed_steps_drop", then(page(), &[Action::DropFailedStep])),
    ]
}
