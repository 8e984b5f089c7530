use std::collections::{BTreeMap, HashMap};

use super::super::{
    Store,
    testing::{AT, draft, intent, open, opening_of, store, store_in_a_file},
};
use copydesk_core::ports::{
    Archive as _, CallNumbers, Commit, Intent, QueueChanges, QueuedStep, Records as _, Rejected, Stories as _,
};
use copydesk_newsroom::{
    Answer, CallKey, Cost, Covered, Entry, LookUp, QuestionCoverage, ResearchErrand, Status, Usage,
};

use super::*;

const LATER: &str = "2026-10-06T12:00:09.000Z";
const NEXT_DAY: &str = "2026-10-07T00:00:00.000Z";

fn key(step: Step, attempt: u32) -> CallKey {
    CallKey { step, attempt }
}

fn took(worked_ms: u64, cost: Option<f64>) -> CallNumbers {
    let cost = cost.map(|amount| Cost { amount, currency: "EUR".into() });
    CallNumbers { times: Times { waited_ms: Some(40), worked_ms: Some(worked_ms) }, cost }
}

fn looked_up() -> Outcome {
    Outcome::LookUp(LookUp { retrieved_tokens: Some(40), source_tokens: Some(900), ..LookUp::default() })
}

/// A run of `slug` with all that is counted. Its draft came at the second attempt, and a tool was called twice.
async fn worked(store: &Store, slug: &str) -> RunKey {
    let run = open(store, opening_of(slug, slug, "The council voted."), None).await;
    let usage = Usage { prompt_tokens: Some(90), completion_tokens: Some(10), cached_tokens: Some(64) };
    let tool = Step::Tool { errand: ResearchErrand::Pass(1), turn: 1, call: 1 };
    let tried = |end, worked_ms| ToolTried {
        step: tool,
        tool: "search_web".into(),
        end,
        times: Times { waited_ms: Some(3), worked_ms: Some(worked_ms) },
    };
    let later = |step, outcome| Entry { step, outcome, at: LATER.into(), ..draft("") };
    let covered = |answered| Covered { answered, why: String::new() };
    let coverage = QuestionCoverage { questions: vec![covered(true), covered(false)], requests: vec![] };
    let verdict = Event::VerdictGiven {
        step: Step::Judge { round: 1, concern: 1 },
        excerpt: String::new(),
        status: Status::Remove,
    };
    let closed =
        Event::RunClosed { success: true, rounds: 2, open_concerns: 0, flags: vec![], error: None, extract: false };
    let commit = Commit {
        at: LATER.into(),
        intents: vec![intent(Step::Draft, 1, "a"), intent(Step::Draft, 2, "a")],
        rejected: vec![Rejected { key: key(Step::Draft, 1), error: "cut off".into(), answer: None }],
        answers: vec![(key(Step::Draft, 2), Answer { text: "Déjà".into(), usage, ..Answer::default() })],
        numbers: HashMap::from([
            (key(Step::Draft, 1), took(100, None)),
            (key(Step::Draft, 2), took(2_000, Some(0.25))),
        ]),
        times: HashMap::from([(Step::Draft, Times { waited_ms: Some(80), worked_ms: Some(2_100) })]),
        entries: vec![
            Entry { at: LATER.into(), ..draft("A draft.") },
            later(Step::LookUp { round: 1, concern: 1 }, looked_up()),
            later(Step::Coverage { pass: 1 }, Outcome::Coverage(coverage)),
        ],
        tools: vec![tried(ToolEnd::Lost, 30_000), tried(ToolEnd::Done, 285)],
        events: vec![
            verdict,
            Event::StepRedelivered { step: tool, redelivery: 1, of: 3, again_in_seconds: 2.0 },
            closed,
        ],
        ..Commit::default()
    };
    store.commit(run, commit, None).await.unwrap();
    run
}

#[tokio::test]
async fn the_numbers_of_a_period_are_those_of_what_ended_in_it() {
    let (_folder, store) = store();
    worked(&store, "park").await;
    let facts = store.facts(AT, NEXT_DAY).await.unwrap();
    let (line, calls) = facts.calls.first_key_value().unwrap();
    assert_eq!((line.agent.as_str(), line.model.as_str(), line.server.as_str()), ("writer", "m", "localhost"));
    assert_eq!((calls.answered, calls.failed, calls.unusable, calls.retries), (1, 1, 0, 1));
    assert_eq!((calls.prompt_tokens, calls.completion_tokens, calls.cached_tokens), (90, 10, 64));
    assert_eq!((calls.worked.count(), calls.worked.sum(), calls.waited.sum()), (2, 2_100, 80));
    assert_eq!((calls.answer_bytes, &calls.cost), (6, &BTreeMap::from([("EUR".to_owned(), 0.25)])));
    assert_eq!(facts.contexts().reduction(), Some(0.9));
    let tool = &facts.tools["search_web"];
    assert_eq!((tool.done, tool.lost, tool.failed, tool.unknown), (1, 1, 0, 0));
    assert_eq!((tool.worked.sum(), tool.waited.count()), (30_285, 2));
    assert_eq!((facts.pools["writer"].steps, facts.pools["writer"].waited.sum()), (1, 80));
    assert_eq!((facts.runs.opened, facts.runs.succeeded, facts.runs.took.sum()), (1, 1, 9_000));
    assert_eq!((facts.queue.redelivered, facts.verdicts["REMOVE"]), (1, 1));
    assert_eq!((facts.coverage.questions, facts.coverage.answered), (2, 1));
    assert_eq!((facts.look_ups.asked, facts.look_ups.remembered, facts.look_ups.retrieved_tokens), (1, 0, 40));
    assert_eq!(facts.look_ups.source_tokens, 900);

    let mut parts = store.facts(AT, LATER).await.unwrap();
    assert_eq!((parts.runs.opened, parts.runs.succeeded, parts.calls.len()), (1, 0, 0), "the end is not in it");
    parts.merge(&store.facts(LATER, NEXT_DAY).await.unwrap());
    assert_eq!(parts, facts);
    assert_eq!(store.facts(NEXT_DAY, NEXT_DAY).await.unwrap(), Facts::default());
}

#[tokio::test]
async fn what_a_fork_took_over_is_counted_once_and_what_was_deleted_not_at_all() {
    let (_folder, store) = store();
    let first = worked(&store, "park").await;
    let before = store.facts(AT, NEXT_DAY).await.unwrap();
    let mut opening = opening_of("park", "fork", "The council voted.");
    opening.opened_at = NEXT_DAY.into();
    let fork = open(&store, opening, Some(first)).await;
    let known = Commit {
        at: NEXT_DAY.into(),
        entries: vec![Entry { at: LATER.into(), ..draft("A draft.") }],
        intents: vec![Intent { reckoned: (0, 0), ..intent(Step::Review { round: 1 }, 1, "a") }],
        answers: vec![(key(Step::Review { round: 1 }, 1), Answer::default())],
        ..Commit::default()
    };
    store.commit(fork, known, None).await.unwrap();
    let mut after = store.facts(AT, "2026-10-08T00:00:00.000Z").await.unwrap();
    let calls = after.calls.values_mut().next().unwrap();
    assert_eq!(std::mem::take(&mut calls.known), 1, "nobody was asked again");
    after.runs.opened -= 1;
    assert_eq!(after, before);
    let park = crate::testing::story("park");
    store.delete_story(&park, "Ada", NEXT_DAY).await.unwrap();
    assert_eq!(store.facts(AT, NEXT_DAY).await.unwrap(), Facts::default());
    assert!(store.audit(vec![]).await.unwrap().flaws.is_empty());
}

#[tokio::test]
async fn what_waits_is_counted_by_pool_and_state() {
    let (_folder, store) = store();
    for slug in ["park", "mill"] {
        let run = open(&store, opening_of(slug, slug, "One."), None).await;
        let queue = QueueChanges {
            put: vec![
                QueuedStep::new(Some(Step::Draft), Pool::Writer),
                QueuedStep {
                    not_before: Some(i64::MAX),
                    ..QueuedStep::new(Some(Step::Prove { round: 1 }), Pool::Review)
                },
            ],
            ..QueueChanges::default()
        };
        store.commit(run, Commit { at: AT.into(), queue, ..Commit::default() }, None).await.unwrap();
    }
    let now = milliseconds(AT).unwrap();
    let backlog = store.backlog(now).await.unwrap();
    let expected = [(Pool::Review, MessageState::Later, 2), (Pool::Writer, MessageState::Waiting, 2)];
    assert_eq!(backlog.messages, expected);
    assert_eq!(backlog.longest, [(Pool::Writer, now)]);
    assert_eq!(backlog.stories, BTreeMap::from([((RunState::Open.as_str(), false), 2)]));
    assert_eq!(backlog.down, []);
}

#[tokio::test]
async fn the_parts_of_a_day_add_up_to_the_day() {
    let (_folder, store) = store();
    worked(&store, "park").await;
    worked(&store, "mill").await;
    // The second bound is the very time of the commits: they belong to the part that begins with it.
    let bounds = [AT, "2026-10-06T12:00:05.000Z", LATER, "2026-10-06T12:00:09.001Z", NEXT_DAY].map(str::to_owned);
    let read = store.period(bounds.to_vec(), 10).await.unwrap();
    assert_eq!(read.parts.iter().map(|part| part.runs.succeeded).collect::<Vec<_>>(), [0, 0, 2, 0]);
    assert_eq!(read.parts[0].runs.opened, 2);
    let mut whole = Facts::default();
    for part in &read.parts {
        whole.merge(part);
    }
    assert_eq!(whole, store.facts(AT, NEXT_DAY).await.unwrap());
    assert_eq!(store.period(vec![], 10).await.unwrap(), PeriodFacts::default());
    let one = store.period(bounds[..1].to_vec(), 10).await.unwrap();
    assert_eq!(one, PeriodFacts::default(), "one time is no period");
}

#[tokio::test]
async fn the_slowest_calls_of_a_period_are_found_through_the_index_with_their_stories() {
    let (_folder, store) = store_in_a_file();
    let park = worked(&store, "park").await;
    let mill = worked(&store, "mill").await;
    let bounds = || vec![AT.to_owned(), NEXT_DAY.to_owned()];
    let slowest = store.period(bounds(), 3).await.unwrap().slowest;
    let seen: Vec<_> = slowest.iter().map(|call| (call.run, call.attempt, call.worked_ms, call.end)).collect();
    let answered = AttemptEnd::Answered;
    assert_eq!(seen[..2], [(park, 2, 2_000, answered), (mill, 2, 2_000, answered)]);
    assert_eq!((seen.len(), seen[2].2, seen[2].3), (3, 100, AttemptEnd::Failed));
    let first = &slowest[0];
    assert_eq!((first.story.to_string().as_str(), first.step), ("desk/park", Step::Draft));
    assert_eq!((first.agent.as_str(), first.model.as_str()), ("writer", "m"));
    // An answer that an earlier run paid for took no time.
    let known = Commit {
        at: LATER.into(),
        intents: vec![Intent { reckoned: (0, 0), ..intent(Step::Review { round: 1 }, 1, "a") }],
        answers: vec![(key(Step::Review { round: 1 }, 1), Answer::default())],
        numbers: HashMap::from([(key(Step::Review { round: 1 }, 1), took(9_000, None))]),
        ..Commit::default()
    };
    store.commit(park, known, None).await.unwrap();
    assert_eq!(store.period(bounds(), 1).await.unwrap().slowest[0].worked_ms, 2_000);
    assert_eq!(store.period(vec![NEXT_DAY.to_owned(); 2], 3).await.unwrap().slowest, []);
    let plan = store
        .read(|db| {
            let mut plan = Vec::new();
            db.each(&format!("EXPLAIN QUERY PLAN {SLOWEST}"), params![AT, NEXT_DAY, 3], |row| {
                plan.push(row.get::<String>(3)?);
                Ok(())
            })?;
            Ok(plan)
        })
        .await
        .unwrap();
    let is_found = |way: &&String| way.contains("llm_call USING INDEX llm_call_ended (ended_at>? AND ended_at<?)");
    assert_eq!(plan.iter().filter(is_found).count(), 1, "{plan:#?}");
    assert!(!plan.iter().any(|way| way.starts_with("SCAN") && !way.contains("slow")), "{plan:#?}");
}
