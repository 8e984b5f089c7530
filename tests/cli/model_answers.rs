//! Answers as real servers give them, over real HTTP: what the model client makes of each.

use std::{
    path::Path,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use copydesk::{
    config,
    llm::Client,
    newsroom::{Agent, Answer, Message, Part, Prompt, Role},
    ports::{Ask, CallError, ModelClient, ModelProfile, RequestField, WaitedFor},
};
use serde_json::{Value, json};

use crate::support::{
    newsroom::{Newsroom, own_key},
    script,
    server::{Reply, Server},
};

fn client(base: &str, change: impl FnOnce(String) -> String) -> Client {
    let yaml = config::TEMPLATE.replace("engine: offline", "engine: llm").replace("http://127.0.0.1:1234/v1", base);
    let settings = config::load(Path::new("config.yaml"), &change(yaml), Path::new(env!("CARGO_MANIFEST_DIR")));
    Client::new(&settings.expect("a configuration"))
}

/// The template's configuration with one more value for the writer.
fn with(key: &'static str, value: &str) -> impl FnOnce(String) -> String {
    let line = format!("{key}: {value}");
    move |yaml| own_key(&yaml, "writer", &line)
}

fn question(text: &str) -> Ask {
    let message = |role, text: &str| Message::new(role, vec![Part { name: "task".into(), text: text.into() }]);
    let messages = vec![message(Role::System, "You are the Writer."), message(Role::User, text)];
    Ask { agent: Agent::Writer, prompt: Prompt::new(messages), schema: None, shown: None }
}

fn ask(client: &Client, ask: &Ask) -> Result<Answer, CallError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(client.ask(ask, &|_| {}))
}

/// The result of one reply.
fn answered(reply: Reply) -> Result<Answer, CallError> {
    let server = Server::start(move |_| reply.clone());
    ask(&client(&server.base(), |yaml| yaml), &question("Well?"))
}

fn chunk(text: &str) -> String {
    json!({"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": null}]}).to_string()
}

/// A stream of events of two pieces, with a reason.
fn events() -> String {
    let last = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]});
    format!("data: {}\n\ndata: {}\n\ndata: {last}\n\ndata: [DONE]\n\n", chunk("Good "), chunk("news"))
}

#[test]
fn a_body_is_what_it_is_whatever_it_is_announced_as() {
    let whole = json!({"choices": [{"message": {"content": "Good news"}, "finish_reason": "STOP"}]});
    let lines = format!(
        "{}\n{}\n{}\n",
        chunk("Good "),
        chunk("news"),
        json!({"choices": [{"delta": {}, "finish_reason": "eos_token"}]})
    );
    for kind in ["text/event-stream", "text/plain", "application/json", "application/x-ndjson", "text/html"] {
        for body in [
            events(),
            events().replace('\n', "\r\n"),
            whole.to_string(),
            serde_json::to_string_pretty(&whole).unwrap(),
            lines.clone(),
        ] {
            let answer = answered(Reply::raw(kind, body.clone())).unwrap();
            assert_eq!(answer.text, "Good news", "{kind}: {body}");
        }
    }
}

#[test]
fn a_reason_is_read_by_its_meaning() {
    // With the whole text and without a call, the last two are a server's slip.
    for reason in ["STOP", "eos_token", "end", "COMPLETE", "end_turn", "stop_sequence", "tool_calls", "function_call"] {
        assert_eq!(answered(Reply::Finish("Good news".into(), reason)).unwrap().text, "Good news", "{reason}");
    }
    for reason in ["length", "MAX_TOKENS", "model_length"] {
        let cut = CallError::EndedEarly { max_tokens: 8192 };
        assert_eq!(answered(Reply::Finish("Good".into(), reason)), Err(cut), "{reason}");
    }
    let nothing = answered(Reply::Finish(String::new(), "tool_calls")).unwrap_err();
    assert!(matches!(&nothing, CallError::Stopped { reason, .. } if reason == "tool_calls"), "{nothing}");
    for reason in ["content_filter", "SAFETY"] {
        let error = answered(Reply::Finish("Good".into(), reason)).unwrap_err();
        assert!(matches!(&error, CallError::Stopped { reason: said, .. } if said == reason), "{error}");
    }
}

#[test]
fn nothing_is_no_answer_and_says_what_there_was() {
    let delta = |delta: Value| {
        let last = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]});
        Reply::raw(
            "text/event-stream",
            format!("data: {}\n\ndata: {last}\n\ndata: [DONE]\n\n", json!({"choices": [{"delta": delta}]})),
        )
    };
    for (reply, says) in [
        (delta(json!({"role": "assistant"})), "it is empty: the server sent no text"),
        (
            delta(json!({"reasoning_content": "Let me see."})),
            "it is empty: the model only thought (3 words) and gave no answer",
        ),
        (delta(json!({"content": null})), "it is empty: the server sent no text"),
        (Reply::raw("text/event-stream", "data: [DONE]\n\n"), "it is empty: the server sent no text"),
        (Reply::Whole(String::new()), "it is empty: the server sent no text"),
        (Reply::Text(" \n".into()), "it is empty: it has only white space"),
        (Reply::Text("<|im_end|>".into()), "it is empty: it has only the mark of an answer's end"),
    ] {
        let error = answered(reply).unwrap_err();
        let CallError::NothingSaid { detail } = &error else { panic!("{error:?}") };
        assert!(detail.starts_with(says) && error.may_retry() && !error.passes(), "{error}");
    }
}

#[test]
fn an_overflow_is_one_with_any_status_and_is_no_outage() {
    let error = json!({"error": {"code": 400, "message": "the request exceeds the available context size. try increasing the context size",
        "type": "exceed_context_size_error", "n_prompt_tokens": 9800, "n_ctx": 4096}});
    let status = |status| Reply::Status(status, vec![], error.to_string());
    let words = "request (9800 tokens) exceeds the available context size (4096 tokens), try increasing it";
    for reply in [
        status(400),
        status(413),
        status(422),
        status(500),
        Reply::Status(500, vec![], words.into()),
        Reply::raw("application/json", error.to_string()),
        Reply::raw("text/event-stream", format!("data: {error}\n\n")),
        Reply::raw("text/event-stream", format!("event: error\ndata: {}\n\n", error["error"])),
        Reply::raw("text/event-stream", format!("data: {}\n\nerror: {}\n\n", chunk("Go"), error["error"])),
        Reply::raw("text/plain", words),
    ] {
        let failed = answered(reply.clone()).unwrap_err();
        assert!(
            matches!(failed, CallError::Overflow { sent: Some(9800), window: Some(4096), .. }),
            "{reply:?}: {failed:?}"
        );
        assert!(!failed.may_retry() && !failed.passes() && !failed.is_the_servers());
        assert!(failed.to_string().contains("9800 tokens sent, and it can see 4096"), "{failed}");
    }
    // Without a number of the server's, our own count is told.
    let openai = json!({"error": {"code": "context_length_exceeded", "message": "no"}});
    let failed = answered(Reply::Status(400, vec![], openai.to_string())).unwrap_err();
    assert!(matches!(failed, CallError::Overflow { sent: Some(1..20), window: None, .. }), "{failed:?}");
}

#[test]
fn a_prompt_that_ollama_cut_without_a_word_is_an_overflow() {
    let long = question(&"The council voted on the plan for the park. ".repeat(980));
    let read = |tokens: u64| {
        let body = json!({"choices": [{"message": {"content": "Good news"}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": tokens, "completion_tokens": 2}});
        let server = Server::start(move |_| Reply::raw("application/json", body.to_string()));
        ask(&client(&server.base(), |yaml| yaml), &long)
    };
    let failed = read(4096).unwrap_err();
    assert!(matches!(failed, CallError::Overflow { window: Some(4096), .. }), "{failed:?}");
    assert!(failed.to_string().contains("the server read only 4,096 of 9,8"), "{failed}");
    for tokens in [9800, 12_000, 5900, 20] {
        assert!(read(tokens).is_ok(), "{tokens}: a tokenizer may be denser, and a cache counted apart");
    }
}

/// Packets of a stream, each after so many milliseconds.
fn packets(kind: &'static str, stays_open: bool, packets: &[(u64, String)]) -> Reply {
    let packets = packets.iter().map(|(pause, text)| (Duration::from_millis(*pause), text.clone().into_bytes()));
    Reply::Packets(kind, packets.collect(), stays_open)
}

#[test]
fn time_runs_out_for_silence_alone() {
    let event = |text: &str| format!("data: {}\n\n", chunk(text));
    let asked = |reply: Reply| {
        let server = Server::start(move |_| reply.clone());
        ask(&client(&server.base(), with("timeout_seconds", "1")), &question("Well?"))
    };
    let slow: Vec<_> =
        (0..6).map(|_| (400, event("Good news. "))).chain([(400, "data: [DONE]\n\n".to_owned())]).collect();
    assert_eq!(asked(packets("text/event-stream", false, &slow)).unwrap().text, "Good news. ".repeat(6));
    // The answer has ended, and the connection has not.
    let open = [(0, events().replace("data: [DONE]\n\n", ""))];
    assert_eq!(asked(packets("text/event-stream", true, &open)).unwrap().text, "Good news");
    let whole = json!({"choices": [{"message": {"content": "Good news"}}]}).to_string();
    let (one, two) = whole.split_at(20);
    let halves = [(400, one.to_owned()), (2000, two.to_owned())];
    for (reply, wait, says) in [
        (Reply::Hang, WaitedFor::FirstByte, "sent nothing for 1 s (timeout_seconds), so no answer began"),
        (
            packets("text/event-stream", true, &[(0, event("Good"))]),
            WaitedFor::NextByte,
            "stopped in its answer and sent nothing for 1 s",
        ),
        (
            packets("application/json", false, &halves),
            WaitedFor::WholeAnswer,
            "did not finish its answer within 1 s (timeout_seconds); it sends an answer as a whole",
        ),
    ] {
        let error = asked(reply).unwrap_err();
        assert!(matches!(error, CallError::TimedOut { wait: waited, .. } if waited == wait), "{error:?}");
        assert!(error.to_string().contains(says), "{error}");
    }
}

#[test]
fn a_server_that_drips_for_ever_is_given_up_after_the_time_for_max_tokens() {
    let drips: Vec<_> = (0..40).map(|_| (300, ": still here\n\n".to_owned())).collect();
    let server = Server::start(move |_| packets("text/event-stream", true, &drips));
    let short = |yaml: String| with("max_tokens", "1")(with("timeout_seconds", "1")(yaml));
    let began = Instant::now();
    let error = ask(&client(&server.base(), short), &question("Well?")).unwrap_err();
    assert_eq!(
        error.to_string().split_once(' ').unwrap().1,
        "was still answering after 3 s, the longest time for max_tokens 1; choose a faster server, or a smaller model"
    );
    assert!(began.elapsed() < Duration::from_secs(9), "{:?}", began.elapsed());
}

#[test]
fn an_answer_that_repeats_itself_or_is_far_too_long_is_cut_off_while_it_comes() {
    let bullet = "- “The council voted seven to two on Tuesday” unsupported_fact: the source does not say so at all.\n";
    let endless: Vec<_> = std::iter::repeat_n((1, format!("data: {}\n\n", chunk(bullet))), 5000).collect();
    let began = Instant::now();
    let error = answered(packets("text/event-stream", true, &endless)).unwrap_err();
    assert!(error.to_string().starts_with("the answer cannot be used: it says the same again and again"), "{error}");
    assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
    let endless: Vec<_> =
        (0..5000).map(|n| (1, format!("data: {}\n\n", chunk(&format!("word{n} and another "))))).collect();
    let server = Server::start(move |_| packets("text/event-stream", true, &endless));
    let error = ask(&client(&server.base(), with("max_tokens", "100")), &question("Well?")).unwrap_err();
    assert_eq!(error, CallError::EndedEarly { max_tokens: 100 });
}

#[test]
fn a_server_gets_the_fields_that_it_wants() {
    let server = Server::start(|_| Reply::Whole("Good news".into()));
    let own = "{max_tokens: max_completion_tokens, stream_options: false, system_role: false, extra: {top_k: 3, temperature: null}}";
    let [usual, other] = [client(&server.base(), |yaml| yaml), client(&server.base(), with("request", own))];
    for client in [&usual, &other] {
        ask(client, &question("Well?")).unwrap();
    }
    let [first, second] = [0, 1].map(|at| server.calls()[at].body.clone());
    assert_eq!((&first["max_tokens"], &first["stream_options"]["include_usage"]), (&json!(8192), &json!(true)));
    let expected = json!({"model": "your-model-name", "stream": true, "max_completion_tokens": 8192, "top_k": 3,
        "messages": [{"role": "user", "content": "You are the Writer.\n\nWell?"}]});
    assert_eq!(second, expected);
    let shape = |client: &Client| -> ModelProfile { client.card(Agent::Writer) };
    assert_ne!(shape(&usual).shape, shape(&other).shape, "another answer may come of it");
}

#[test]
fn a_refused_field_says_which_key_to_set() {
    let refused =
        |message: &str| answered(Reply::Status(400, vec![], json!({"error": {"message": message}}).to_string()));
    let error = refused(
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    )
    .unwrap_err();
    assert!(
        error.to_string().contains("refuses the field max_tokens: set request.max_tokens: max_completion_tokens for local, or run copydesk init (it answered 400: Unsupported"),
        "{error}"
    );
    assert!(!error.may_retry() && !error.passes() && !error.is_the_servers());
    for (message, wanted) in [
        ("Unrecognized request argument supplied: stream_options", RequestField::StreamOptions),
        ("System role not supported", RequestField::SystemRole),
    ] {
        let error = refused(message).unwrap_err();
        assert!(matches!(&error, CallError::RefusedField { field, .. } if **field == wanted), "{error:?}");
    }
}

#[test]
fn a_server_with_one_slot_gets_one_request_and_nobody_times_out_while_waiting() {
    const TAKES: Duration = Duration::from_millis(400);
    let asked = Arc::new(Mutex::new(Vec::new()));
    let times = Arc::clone(&asked);
    let server = Server::start(move |call| {
        times.lock().unwrap().push(Instant::now());
        Reply::Late(TAKES, Box::new(Reply::Whole(script::text(call))))
    });
    let newsroom = Newsroom::at_with(&server.base(), |yaml| {
        let host = server.base().replace("http://", "").replace("/v1", "");
        let own = format!(
            "own:\n      - {{host: \"{host}\", requests_at_once: 1, requests_per_minute: null, tokens_per_minute: null}}"
        );
        let quick = ["180 ", "90", "60"]
            .iter()
            .fold(yaml, |yaml, seconds| yaml.replace(&format!("timeout_seconds: {seconds}"), "timeout_seconds: 1.2 "));
        quick.replace("own: null", &own).replace("specialists_of_a_story: 1", "specialists_of_a_story: 4")
    });
    let done = newsroom.auto(&newsroom.topic());
    let asked = asked.lock().unwrap();
    assert!(server.count("opinion") == 1 && asked.len() >= 8, "{}", done.err);
    for pair in asked.windows(2) {
        assert!(pair[1].duration_since(pair[0]) >= TAKES, "{:?}", pair[1].duration_since(pair[0]));
    }
    assert!(!done.err.contains("timeout_seconds"), "{}", done.err);
}
