use std::{collections::HashSet, sync::Arc};

use serde_json::json;

use super::{super::pools::tests::rules, *};
use crate::ports::{Schema, StoredCall, Times};
use copydesk_newsroom::{Agent, Answer, Message, Part, Prompt, Role, Tool, ToolCall, ToolEffect, Usage};

fn card() -> ModelProfile {
    ModelProfile {
        model: "m".into(),
        host: "h".into(),
        max_retries: 1,
        retry_delay: Duration::from_secs(2),
        max_tokens: 100,
        shape: String::new(),
    }
}

fn call(attempt: u32, digest: &str, answer: Option<&str>, rejected: bool) -> StoredCall {
    StoredCall {
        key: CallKey { step: Step::Draft, attempt },
        digest: digest.into(),
        answer: answer.map(|text| Answer { text: text.into(), ..Answer::default() }),
        rejected,
        error: rejected.then(|| "no use".to_owned()),
        usage: Usage { prompt_tokens: Some(10), ..Usage::default() },
        times: Times { waited_ms: None, worked_ms: Some(7) },
    }
}

fn question(digest: &str) -> PosedQuestion {
    let ask = Ask { agent: Agent::Writer, prompt: Prompt::new(vec![]), schema: None, shown: None };
    PosedQuestion { ask: Arc::new(ask), digest: digest.into(), less: false }
}

#[test]
fn a_rejected_attempt_is_followed_by_its_own_question_after_a_resume_and_in_a_fork() {
    // The next question depends on the rejected answer.
    let next = |before: &PosedQuestion, call: &StoredCall| match &call.answer {
        Some(answer) => question(&format!("{}+{}", before.digest, answer.text)),
        None => before.clone(),
    };
    let begin = |calls: Vec<StoredCall>| {
        let (begins, asked, _) = History::new(calls, HashSet::new()).begin(Step::Draft, &question("d"), &next);
        (begins, asked.digest.to_string())
    };
    let first = || call(1, "d", Some("x"), true);
    let answer = |text: &str| Answer { text: text.into(), ..Answer::default() };
    assert_eq!(begin(vec![first()]), (CallBegins::New { attempt: 2 }, "d+x".into()), "killed before the second");
    assert_eq!(begin(vec![first(), call(2, "d+x", None, false)]), (CallBegins::Again { attempt: 2 }, "d+x".into()));
    let answered = CallBegins::Answered { attempt: 2, answer: answer("y") };
    assert_eq!(begin(vec![first(), call(2, "d+x", Some("y"), false)]), (answered, "d+x".into()));
    let lost = || call(2, "d+x", None, true);
    assert_eq!(
        begin(vec![first(), lost(), call(3, "d+x", None, false)]).0,
        CallBegins::Again { attempt: 3 },
        "a time-out"
    );
    let changed = vec![call(1, "old", Some("x"), true), call(2, "old+x", Some("y"), false)];
    assert_eq!(begin(changed), (CallBegins::New { attempt: 3 }, "d".into()), "its input has changed");
    let mut earlier = EarlierCalls::default();
    earlier.add(vec![first(), lost(), call(3, "d+x", Some("y"), false)]);
    let found = |digest: &str| {
        let found = earlier.answer(Step::Draft, &question(digest), &next);
        found.map(|(asked, answer)| (asked.digest.to_string(), answer.text))
    };
    assert_eq!(found("d"), Some(("d+x".into(), "y".into())));
    assert_eq!(found("e"), None);
}

#[test]
fn a_resumed_step_finds_its_answer_and_repeats_only_what_was_in_flight() {
    let same = |before: &PosedQuestion, _: &StoredCall| before.clone();
    let begin =
        |calls: Vec<StoredCall>| History::new(calls, HashSet::new()).begin(Step::Draft, &question("d"), &same).0;
    assert_eq!(begin(vec![]), CallBegins::New { attempt: 1 });
    let answer = Answer { text: "x".into(), ..Answer::default() };
    assert_eq!(begin(vec![call(1, "d", Some("x"), false)]), CallBegins::Answered { attempt: 1, answer });
    assert_eq!(begin(vec![call(1, "d", None, false)]), CallBegins::Again { attempt: 1 });
    assert_eq!(begin(vec![call(1, "d", None, true)]), CallBegins::New { attempt: 2 });
    assert_eq!(begin(vec![call(1, "other input", None, true)]), CallBegins::New { attempt: 2 });
    assert_eq!(begin(vec![call(1, "d", None, true), call(2, "d", None, false)]), CallBegins::Again { attempt: 2 });
    assert_eq!(begin(vec![call(1, "other input", Some("x"), false)]), CallBegins::New { attempt: 2 });
    let spent = History::new(vec![call(1, "d", None, true), call(2, "d", Some("x"), false)], HashSet::new())
        .begin(Step::Draft, &question("d"), &same)
        .2;
    let usage = Usage { prompt_tokens: Some(10), ..Usage::default() };
    let times = Times { waited_ms: None, worked_ms: Some(14) };
    assert_eq!(
        spent,
        Spent { usage, times },
        "tokens of the rejected attempt, as the answer brings its own; times of both"
    );
}

#[test]
fn the_wait_is_the_longer_of_delay_and_retry_after() {
    let seconds = Duration::from_secs;
    assert_eq!(next_wait(&card(), 1, true, None), Some(seconds(2)));
    assert_eq!(next_wait(&card(), 1, true, Some(seconds(9))), Some(seconds(9)));
    assert_eq!(next_wait(&card(), 1, true, Some(seconds(3600))), None, "an hour is no pause");
    assert_eq!(next_wait(&card(), 2, true, None), None, "max_retries is 1");
    assert_eq!(next_wait(&card(), 1, false, None), None);
}

#[test]
fn a_step_whose_call_failed_is_tried_again_then_delivered_again_then_given_up() {
    let rules = rules();
    let down = CallError::TimedOut { host: "h".into(), seconds: 1.0, wait: crate::ports::WaitedFor::FirstByte };
    let next = |error: &CallError, parks, attempts, redeliveries| {
        let delivery = Delivery { attempts, redeliveries };
        let next = NextTry::of(&Useless::of(error, parks), &card(), &rules, delivery, ("R", Step::Draft));
        let after = next.delivery(delivery);
        (next, after.attempts, after.redeliveries)
    };
    let later = |number| NextTry::Redelivery(rules.back_off("R", Step::Draft, number));
    assert_eq!(next(&down, false, 0, 0), (NextTry::Attempt(Duration::from_secs(2)), 1, 0));
    assert_eq!(next(&down, false, 1, 0), (later(1), 0, 1));
    assert_eq!(next(&down, false, 1, 2), (later(3), 0, 3));
    assert_eq!(next(&down, false, 1, 3), (NextTry::Never { dead: true }, 0, 3));
    assert_eq!(next(&down, true, 1, 3), (NextTry::Park, 0, 3), "it is the server's fault");
    let asks = |seconds| CallError::Status {
        host: "h".into(),
        status: 429,
        message: String::new(),
        retry_after: Some(Duration::from_secs(seconds)),
    };
    assert_eq!(next(&asks(3_600), false, 0, 0), (NextTry::Redelivery(Duration::from_hours(1)), 0, 1));
    for seconds in [3_601, 86_400, 1_000_000_000_000, u64::MAX] {
        assert_eq!(next(&asks(seconds), false, 0, 0), (NextTry::Never { dead: true }, 0, 0), "{seconds} s");
        assert_eq!(next(&asks(seconds), true, 0, 0), (NextTry::Never { dead: true }, 0, 0), "{seconds} s");
    }
    let refused = CallError::Status { host: "h".into(), status: 401, message: String::new(), retry_after: None };
    assert_eq!(next(&refused, false, 0, 0), (NextTry::Never { dead: false }, 0, 0));
}

#[test]
fn a_prompt_without_tools_keeps_its_digest_and_whatever_a_model_is_told_of_tools_changes_it() {
    let message = |role, text: &str| Message::new(role, vec![Part { name: "p".into(), text: text.into() }]);
    let prompt = Prompt::new(vec![message(Role::System, "Write."), message(Role::User, "The park.")]);
    let schema = Some(Schema { name: "any", schema: json!({"type": "object"}) });
    let plain = Ask { agent: Agent::Writer, prompt, schema, shown: None };
    let of = |ask: &Ask| digest(ask, &card());
    // The digest of a version without tools: stored calls are found by it.
    assert_eq!(of(&plain), "329b03966e53d3495219826450e0ebf765b8f98b89e1eb99b088c2e2e0a3e657");
    let mut seen = HashSet::from([of(&plain)]);
    let mut new = |ask: &Ask| assert!(seen.insert(of(ask)));
    let mut talk = plain;
    let tool = Tool {
        name: "search".into(),
        description: "Searches.".into(),
        parameters: json!({"type": "object"}),
        effect: ToolEffect::Reads,
    };
    talk.prompt.tools.push(tool);
    new(&talk);
    talk.prompt.tools[0].parameters = json!({});
    new(&talk);
    talk.prompt.messages.push(message(Role::Assistant, ""));
    new(&talk);
    let call = ToolCall { id: "a".into(), name: "search".into(), arguments: "{}".into() };
    talk.prompt.messages[2].calls.push(call);
    new(&talk);
    talk.prompt.messages[2].calls[0].arguments = "{\"q\":1}".into();
    new(&talk);
    talk.prompt.messages.push(message(Role::Tool, "Nothing."));
    new(&talk);
    talk.prompt.messages[3].answers = Some("a".into());
    new(&talk);
}
