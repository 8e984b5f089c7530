use super::*;
use crate::{Status, Step};

fn call(end: AttemptEnd, attempt: u32, tokens: Option<u64>) -> CallFact {
    CallFact {
        line: CallLine { agent: "writer".into(), model: "m".into(), server: "h:1".into() },
        end,
        attempt,
        repeats: 0,
        usage: Usage { prompt_tokens: tokens, completion_tokens: tokens.map(|_| 10), cached_tokens: tokens },
        waited_ms: Some(40),
        worked_ms: Some(2_000),
        prompt_bytes: Some(100),
        answer_bytes: None,
        cost: tokens.map(|_| (0.25, "EUR".to_owned())),
    }
}

#[test]
fn calls_are_counted_by_how_they_ended_and_an_answer_that_was_known_cost_nothing() {
    let mut facts = Facts::default();
    facts.add_call(call(AttemptEnd::Failed, 1, None));
    facts.add_call(call(AttemptEnd::Unusable, 2, Some(90)));
    facts.add_call(CallFact { repeats: 1, ..call(AttemptEnd::Answered, 3, Some(90)) });
    facts.add_call(call(AttemptEnd::Answered, 1, None));
    facts.add_call(call(AttemptEnd::Known, 1, Some(90)));
    let (_, found) = facts.calls.pop_first().unwrap();
    assert_eq!((found.answered, found.unusable, found.failed, found.known), (2, 1, 1, 1));
    assert_eq!((found.retries, found.repeats, found.uncounted), (2, 1, 1));
    assert_eq!((found.prompt_tokens, found.completion_tokens, found.cached_tokens), (180, 20, 180));
    assert_eq!((found.waited.count(), found.worked.sum(), found.prompt_bytes), (4, 8_000, 400));
    assert_eq!(found.cost, BTreeMap::from([("EUR".to_owned(), 0.5)]));
    assert_eq!(found.contexts, Contexts { tasks: 1, context_tokens: 100, output_tokens: 10 });
}

#[test]
fn two_periods_add_up_to_one() {
    let mut whole = Facts::default();
    let mut parts = Facts::default();
    for (end, attempt, tokens) in [(AttemptEnd::Answered, 1, Some(90)), (AttemptEnd::Failed, 1, None)] {
        let mut part = Facts::default();
        for facts in [&mut whole, &mut part] {
            facts.add_call(call(end, attempt, tokens));
            facts.tools.entry("search_web".into()).or_default().worked.add(285);
            facts.tools.entry("search_web".into()).or_default().done += 1;
            facts.pools.entry("writer".into()).or_default().waited.add(3);
            facts.look_ups.asked += 2;
            facts.coverage.questions += 3;
            let verdict = Event::VerdictGiven { step: Step::Draft, excerpt: String::new(), status: Status::Rewrite };
            facts.add_event(&verdict, None);
            facts.add_event(&Event::StepDead { step: Step::Draft, error: String::new() }, None);
            let closed = Event::RunClosed {
                success: tokens.is_some(),
                rounds: 2,
                open_concerns: 1,
                flags: vec!["a flag".into()],
                error: None,
                extract: false,
            };
            facts.add_event(&closed, Some(135_000));
        }
        parts.merge(&part);
    }
    assert_eq!(parts, whole);
    assert_eq!((whole.runs.succeeded, whole.runs.failed, whole.runs.flagged), (1, 1, 2));
    assert_eq!(whole.verdicts, BTreeMap::from([("REWRITE".to_owned(), 2)]));
    assert_eq!(whole.contexts().reduction(), Some(0.9));
    assert_eq!(Facts::default().contexts().reduction(), None);
}
