//! Servers that lie: escapes, redirections, reviews that are none, absurd numbers. What they send is never believed further
//! than it can be checked, and never reaches a screen or a file as it came.

use std::{
    io::{Read as _, Write as _},
    net::TcpListener,
    time::Duration,
};

use serde_json::{Value, json};

use crate::support::{
    newsroom::{Newsroom, own_key},
    script,
    server::{NOBODY, Reply, Server},
};

/// A listener that answers each connection with `bytes` and then dribbles on, whatever it is asked.
fn dribbling(bytes: &'static [u8]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}/v1", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for connection in listener.incoming() {
            let mut connection = connection.unwrap();
            std::thread::spawn(move || {
                let _ = connection.read(&mut [0; 8192]);
                let _ = connection.write_all(bytes);
                while !bytes.is_empty() && connection.write_all(b": still here\n\n").is_ok() {
                    std::thread::sleep(Duration::from_millis(50));
                }
            });
        }
    });
    base
}

#[test]
fn nobody_there_no_http_and_a_stream_that_never_ends() {
    let closed = format!("http://{NOBODY}/v1");
    let endless = dribbling(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n");
    for (base, says) in [
        (closed, "Connection refused (os error 111); is the model server running there? (2 attempts)"),
        (dribbling(b""), "it accepted the connection but sent no answer"),
        (dribbling(b"220 smtp.example ESMTP ready\r\n"), "it accepted the connection but sent no answer (invalid HTTP"),
        (endless, "was still answering after 3 s, the longest time for max_tokens 1"),
    ] {
        let newsroom = Newsroom::at_with(&base, |yaml| {
            own_key(&own_key(&yaml, "writer", "timeout_seconds: 1.0"), "writer", "max_tokens: 1")
        });
        let done = newsroom.auto(&newsroom.topic());
        let error = newsroom.canonical()["error"].as_str().unwrap().to_owned();
        assert!(done.code == 1 && error.contains(says), "{says}: {error}");
    }
}

#[test]
fn a_redirection_to_another_host_is_not_followed() {
    let elsewhere = Server::start(script::usual);
    for status in [301, 302, 303, 307, 308] {
        let location = format!("{}/chat/completions", elsewhere.base());
        let server = Server::start(move |_| Reply::Status(status, vec![("location", location.clone())], String::new()));
        let newsroom = Newsroom::at(&server.base());
        assert_eq!(newsroom.auto(&newsroom.topic()).code, 1);
        let error = newsroom.canonical()["error"].as_str().unwrap().to_owned();
        assert!(error.contains(&format!("answered {status}")), "{error}");
    }
    assert_eq!(elsewhere.calls().len(), 0);
}

#[test]
fn control_characters_and_escapes_of_an_answer_reach_neither_screen_nor_files() {
    let hostile = "\u{1b}[2J\u{1b}]0;owned\u{7}\u{9b}31m\u{202e}\0";
    let server = Server::start(move |call| {
        let text = script::text(call);
        if text.is_empty() {
            return Reply::Text(text);
        }
        // Once as JSON escapes inside every string, once as they are around the answer.
        let escaped = serde_json::to_string(hostile).unwrap();
        let text = text.replace("council", &format!("council{}", escaped.trim_matches('"')));
        let text = text.replace("Rationale", &format!("Rationale{}", escaped.trim_matches('"')));
        Reply::Text(format!("{hostile}{}{hostile}", text.replace("- “", &format!("- {hostile}“"))))
    });
    let newsroom = Newsroom::at(&server.base());
    let done = newsroom.auto(&newsroom.topic());
    assert_eq!(done.code, 0, "{}", done.err);
    let shown = ["show", "log"].map(|command| newsroom.run(&[command, "park"]).out).concat();
    let unwanted = |c: char| c.is_control() && c != '\n' || matches!(c, '\u{202e}');
    for said in [&done.out, &done.err, &shown] {
        assert!(!said.contains(unwanted), "{said:?}");
    }
    for (name, bytes) in newsroom.files().into_iter().filter(|(name, _)| name.starts_with("data/output")) {
        let text = String::from_utf8(bytes).unwrap();
        assert!(!text.contains(unwanted) && !text.contains("\\u001b") && !text.contains("owned"), "{name}: {text}");
    }
}

#[test]
fn a_field_that_holds_nothing_but_escapes_is_empty() {
    let server = Server::start(|call| match call.agent.as_str() {
        "writer" | "revision" => Reply::changed(&script::article(2), |it| it["headline"] = json!("\u{1b}[0m")),
        _ => script::usual(call),
    });
    let newsroom = Newsroom::at(&server.base());
    assert_eq!(newsroom.auto(&newsroom.topic()).code, 1);
    assert!(newsroom.canonical()["error"].as_str().unwrap().contains("headline is empty"));
}

#[test]
fn a_review_without_content_is_no_review() {
    let body = |message: Value| Reply::raw("application/json", json!({"choices": [message]}).to_string());
    for (name, reply) in [
        ("a choice of nothing", body(json!({}))),
        ("a refusal", body(json!({"message": {"content": null, "refusal": "I cannot."}, "finish_reason": "stop"}))),
        ("a tool call", body(json!({"message": {"content": null, "tool_calls": [{}]}, "finish_reason": "stop"}))),
        ("escapes alone", Reply::Text("\u{1b}]0;- “April” is not in the source.".into())),
    ] {
        let server = Server::start(script::but("article_review", 9, reply));
        let newsroom = Newsroom::at(&server.base());
        let done = newsroom.auto(&newsroom.topic());
        assert_eq!((done.code, server.count("article_review")), (1, 2), "{name}: {}", done.err);
    }
}

#[test]
fn absurd_token_counts_do_no_harm() {
    let usage = json!({"prompt_tokens": u64::MAX, "completion_tokens": u64::MAX});
    let server = Server::start(move |call| {
        let choice = json!({"message": {"content": script::text(call)}, "finish_reason": "stop"});
        Reply::raw("application/json", json!({"choices": [choice], "usage": usage}).to_string())
    });
    // A budget adds them all up.
    let newsroom =
        Newsroom::at_with(&server.base(), |yaml| yaml.replacen("story_tokens: null", "story_tokens: 1000000", 1));
    let done = newsroom.auto(&newsroom.topic());
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(newsroom.run(&["list"]).code, 0);
}

#[test]
fn an_answer_that_a_filter_stopped_is_not_blamed_on_max_tokens() {
    let server = Server::start(script::but("writer", 9, Reply::Finish(script::article(1), "content_filter")));
    let newsroom = Newsroom::at(&server.base());
    assert_eq!(newsroom.auto(&newsroom.topic()).code, 1);
    let error = newsroom.canonical()["error"].as_str().unwrap().to_owned();
    assert!(error.contains("content_filter") && !error.contains("max_tokens"), "{error}");
}

#[test]
fn one_endless_line_is_refused_for_its_size_not_read_until_time_is_up() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}/v1", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for mut connection in listener.incoming().flatten() {
            let _ = connection.read(&mut [0; 8192]);
            let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\ndata: {\"choices\":[{\"delta\":{\"content\":\"";
            let _ = connection.write_all(head.as_bytes());
            let packets = (0..5 << 10).take_while(|_| connection.write_all(&[b'x'; 1 << 10]).is_ok());
            let _ = packets.count();
        }
    });
    let newsroom = Newsroom::at_with(&base, |yaml| {
        own_key(&own_key(&yaml, "writer", "timeout_seconds: 3"), "writer", "max_retries: 0")
    });
    assert_eq!(newsroom.auto(&newsroom.topic()).code, 1);
    let error = newsroom.canonical()["error"].as_str().unwrap().to_owned();
    assert!(error.contains("is larger than 2 MB"), "{error}");
}

#[test]
fn a_connection_that_is_broken_off_at_any_point_is_tried_again_later() {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";
    let event = "data: {\"id\":\"1\",\"object\":\"chat.completion.chunk\",\"choi";
    for (phase, sent, says) in [
        ("before an answer", String::new(), "it accepted the connection but sent no answer"),
        ("in the headers", head[..30].to_owned(), "it accepted the connection but sent no answer"),
        ("after the headers", head.to_owned(), "stopped in the middle of its answer"),
        ("within the first event", format!("{head}{event}"), "stopped in the middle of its answer"),
    ] {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}/v1", listener.local_addr().unwrap());
        let asked = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
        let count = std::sync::Arc::clone(&asked);
        std::thread::spawn(move || {
            for mut connection in listener.incoming().flatten() {
                count.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
                // The system breaks a connection off if bytes that were sent are not read.
                let _ = connection.peek(&mut [0; 1]);
                let _ = std::io::Write::write_all(&mut connection, sent.as_bytes());
            }
        });
        let newsroom = Newsroom::at(&base);
        assert_eq!(newsroom.auto(&newsroom.topic()).code, 1, "{phase}");
        let dead = newsroom.run(&["dead", "list"]);
        assert!(dead.out.contains(says) && dead.out.contains("desk/park"), "{phase}: {} {}", dead.out, dead.err);
        assert_eq!(asked.load(std::sync::atomic::Ordering::SeqCst), 2, "{phase}");
    }
}
