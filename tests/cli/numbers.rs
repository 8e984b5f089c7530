//! The cost of each step and each attempt at a call: time, tokens, bytes, money. It is stored with its row, and shown.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{
    many::until,
    newsroom::{Newsroom, done},
    script,
    server::{Call, Latch, Reply, Server},
};

/// A whole answer with these counts, after a moment.
fn counted(text: &str, usage: &Value) -> Reply {
    let body = json!({"choices": [{"message": {"content": text}, "finish_reason": "stop"}], "usage": usage});
    Reply::Late(Duration::from_millis(60), Box::new(Reply::raw("application/json", body.to_string())))
}

/// The steps and the calls of `show --json`.
fn shown(newsroom: &Newsroom) -> (Vec<Value>, Vec<Value>) {
    let shown: Value = serde_json::from_str(&newsroom.ran(&["show", "park", "--json"]).out).unwrap();
    let list = |key: &str| shown[key].as_array().unwrap().clone();
    (list("steps"), list("calls"))
}

fn of<'a>(rows: &'a [Value], step: &str) -> Vec<&'a Value> {
    rows.iter().filter(|row| row["step"] == step).collect()
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn each_attempt_has_its_numbers_and_its_step_their_sum() {
    let server = Server::start(|call: &Call| {
        if (call.agent.as_str(), call.before) == ("writer", 0) {
            return counted("Sorry.", &json!({"prompt_tokens": 90, "completion_tokens": 2}));
        }
        let cached = json!({"cached_tokens": 64});
        let usage = json!({"prompt_tokens": 100, "completion_tokens": 50, "prompt_tokens_details": cached});
        counted(&script::text(call), &usage)
    });
    let price = "prices:\n  - model: your-model-name\n    currency: EUR\n    prompt_per_million: 10000\n    \
                 completion_per_million: 20000\n    cached_per_million: 1000";
    let newsroom = Newsroom::at_with(&server.base(), |yaml| {
        yaml.replace("prices: null", price)
            .replace("specialists_of_a_story: 1", "specialists_of_a_story: 5")
            .replace("requests_at_once: 16", "requests_at_once: 1")
    });
    let run = newsroom.auto(&newsroom.topic());
    assert_eq!(run.code, 0, "{}", run.err);
    let (steps, calls) = shown(&newsroom);

    let drafts = of(&calls, "draft");
    assert_eq!(drafts.len(), 2, "{drafts:?}");
    let host = server.base().replace("http://", "").replace("/v1", "");
    for (draft, (attempt, state, usage, bytes, cost)) in drafts.iter().zip([
        (1, "rejected", (90, 2, Value::Null), "Sorry.".len(), 0.94),
        (2, "answered", (100, 50, json!(64)), script::article(1).len(), 1.424),
    ]) {
        assert_eq!(
            (&draft["attempt"], &draft["state"], &draft["host"]),
            (&json!(attempt), &json!(state), &json!(host))
        );
        let (sent, received, cached) = usage;
        let usage = json!({"prompt_tokens": sent, "completion_tokens": received, "cached_tokens": cached});
        assert_eq!((&draft["usage"], &draft["answer_bytes"]), (&usage, &json!(bytes)));
        assert!(number(&draft["prompt_bytes"]) > 500 && number(&draft["worked_ms"]) >= 60, "{draft}");
        assert_eq!(draft["cost"]["currency"], "EUR");
        assert!((draft["cost"]["amount"].as_f64().unwrap() - cost).abs() < 1e-9, "{}", draft["cost"]);
    }
    let step = of(&steps, "draft")[0];
    assert_eq!(step["usage"], json!({"prompt_tokens": 190, "completion_tokens": 52, "cached_tokens": 64}));
    let sum = |key: &str| drafts.iter().map(|draft| number(&draft[key])).sum::<u64>();
    assert_eq!((number(&step["waited_ms"]), number(&step["worked_ms"])), (sum("waited_ms"), sum("worked_ms")));

    // The server takes one call at a time, so each specialist but the first waits.
    let mut waits: Vec<u64> =
        (1..=5).map(|concern| number(&of(&steps, &format!("r1.c{concern}.judge"))[0]["waited_ms"])).collect();
    waits.sort_unstable();
    assert!(waits[0] < waits[1] && waits[4] >= 200, "{waits:?}");
    // Steps without a model are done at once.
    for local in ["r1.parse", "r1.gate", "r1.feedback", "publish"] {
        let step = of(&steps, local)[0];
        assert!(step["waited_ms"].is_null() && step["worked_ms"].is_u64(), "{step}");
    }
    // The table of the batch counts the same.
    let total: f64 = calls.iter().map(|call| call["cost"]["amount"].as_f64().unwrap()).sum();
    assert!(run.out.contains(&format!("EUR {total:.2}")), "{total}: {}", run.out);
    assert_eq!(newsroom.run(&["replay", "park"]).code, 0);
}

#[test]
fn what_a_server_does_not_say_is_null() {
    let server = Server::start(|call: &Call| match call.agent.as_str() {
        "writer" => Reply::Bare(script::text(call)),
        _ => script::usual(call),
    });
    let newsroom = Newsroom::at_with(&server.base(), |yaml| {
        let price =
            "prices:\n  - {model: your-model-name, currency: EUR, prompt_per_million: 1, completion_per_million: 1}";
        yaml.replace("prices: null", price)
    });
    assert_eq!(newsroom.auto(&newsroom.topic()).code, 0);
    let (steps, calls) = shown(&newsroom);
    let (draft, review) = (of(&calls, "draft")[0], of(&calls, "r1.review")[0]);
    let nothing = json!({"prompt_tokens": null, "completion_tokens": null, "cached_tokens": null});
    assert_eq!((&draft["usage"], &draft["cost"]), (&nothing, &Value::Null), "it did not say what it used");
    assert!(draft["worked_ms"].is_u64() && draft["answer_bytes"].is_u64(), "{draft}");
    assert_eq!((&review["usage"]["prompt_tokens"], &review["usage"]["cached_tokens"]), (&json!(100), &Value::Null));
    assert!(review["cost"]["amount"].is_f64(), "{review}");
    assert_eq!(of(&steps, "draft")[0]["usage"], nothing);
    let unpriced = Newsroom::at(&server.base());
    assert_eq!(unpriced.auto(&unpriced.topic()).code, 0);
    assert!(shown(&unpriced).1.iter().all(|call| call["cost"].is_null()));
}

#[test]
fn a_step_that_another_program_takes_waits_from_when_it_could_be_taken() {
    let latch = Latch::default();
    let server = Server::start(script::held(&latch));
    let newsroom = Newsroom::at(&server.base());
    let topic = newsroom.topic();
    let first = newsroom.start(&["run", "--auto", topic.to_str().unwrap()]);
    until("the draft is on its way", || server.count("writer") == 1);
    newsroom.ran(&["set", "park", "--pause"]);
    latch.open();
    done(first.wait_with_output().unwrap());
    std::thread::sleep(Duration::from_millis(1_500));
    let unpaused = Instant::now();
    newsroom.ran(&["set", "park", "--unpause"]);
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(newsroom.run(&["worker", "--until-empty"]).code, 0);
    let since = unpaused.elapsed().as_millis();
    let (steps, calls) = shown(&newsroom);
    let (waited, again) = (number(&of(&steps, "r1.review")[0]["waited_ms"]), &of(&calls, "r1.review")[0]["waited_ms"]);
    assert_eq!(json!(waited), *again);
    // Not the pause, in which it could not begin.
    assert!(waited >= 500 && u128::from(waited) <= since, "{waited} of {since}");
}
