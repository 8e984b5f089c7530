//! Servers that refuse, hang, break off or answer nonsense: one clear message each, the right exit code, nothing half written.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{
    newsroom::{Done, Newsroom, own_key},
    script,
    server::{Call, Reply, Server},
};

/// A story whose `agent` is answered by `reply`, what the canonical error then says, and how often the agent is asked.
struct Case {
    name: String,
    agent: &'static str,
    reply: Reply,
    says: &'static str,
    calls: usize,
}

fn case(name: &str, agent: &'static str, reply: Reply, says: &'static str, calls: usize) -> Case {
    Case { name: name.to_owned(), agent, reply, says, calls }
}

/// The case that a call belongs to: each source names its own, and each prompt holds the source.
fn name_of(call: &Call) -> String {
    let rest = call.user.split_once("case:").map_or("", |(_, rest)| rest);
    rest.split('.').next().unwrap_or_default().to_owned()
}

fn topics(newsroom: &Newsroom, names: &[String]) {
    for name in names {
        let topic = json!({
            "source_text": format!("The council of Eastbrook voted seven to two on Tuesday. The file is case:{name}."),
            "source_metadata": {
                "source_file": "x.json", "channel_name": "desk", "video_id": "v", "video_title": "Minutes",
                "publish_date": null, "topic_slug": name, "topic_title": "Council votes"
            },
        });
        newsroom.write(&format!("topics/{name}.json"), topic.to_string().as_bytes());
    }
}

/// One batch over all cases: each story's agent gets its reply the first `times` times.
fn batch(cases: &[Case], times: usize) -> (Newsroom, Vec<Call>, Done) {
    let script: Vec<(String, &'static str, Reply)> =
        cases.iter().map(|case| (case.name.clone(), case.agent, case.reply.clone())).collect();
    let asked = std::sync::Mutex::new(Vec::<String>::new());
    let server = Server::start(move |call| {
        let name = name_of(call);
        match script.iter().find(|(known, agent, _)| *known == name && *agent == call.agent) {
            Some((_, _, reply)) => {
                let mut asked = asked.lock().unwrap();
                let before = asked.iter().filter(|known| **known == name).count();
                asked.push(name);
                if before < times { reply.clone() } else { usual(call) }
            }
            None => usual(call),
        }
    });
    let newsroom = Newsroom::at(&server.base());
    topics(&newsroom, &cases.iter().map(|case| case.name.clone()).collect::<Vec<_>>());
    let done = newsroom.run(&["run", "--auto", "topics"]);
    (newsroom, server.calls(), done)
}

/// The usual story, whole: these tests make a thousand calls.
fn usual(call: &Call) -> Reply {
    Reply::Whole(script::text(call))
}

fn canonical(newsroom: &Newsroom, name: &str) -> Value {
    newsroom.json(&format!("data/output/articles/desk/{name}.json"))
}

/// Each case fails by itself with its message; the files are whole; nothing waits to be resumed.
fn all_fail(cases: &[Case]) {
    let (newsroom, calls, done) = batch(cases, usize::MAX);
    assert_eq!(done.code, 1, "{}", done.err);
    let mut wrong = Vec::new();
    for case in cases {
        let result = canonical(&newsroom, &case.name);
        let error = result["error"].as_str().unwrap_or_default();
        let asked = calls.iter().filter(|call| call.agent == case.agent && name_of(call) == case.name).count();
        let attempts = if asked > 1 { format!("({asked} attempts)") } else { String::new() };
        let drafted = result["article"].is_object();
        if result["success"] != json!(false)
            || !error.contains(case.says)
            || !error.ends_with(&attempts)
            || error.contains(char::is_control)
            || asked != case.calls
            || drafted == (case.agent == "writer")
            || !done.out.contains(&format!("desk/{} ", case.name))
        {
            wrong.push(format!("{}: asked {asked} times, {error:?}, a draft is kept: {drafted}", case.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let halves: Vec<String> =
        newsroom.files().into_iter().map(|(name, _)| name).filter(|name| name.contains("/.")).collect();
    assert_eq!(halves, Vec::<String>::new());
    assert_eq!(newsroom.run(&["resume"]).err.trim(), "Nothing to resume: every run has ended.");
}

/// The troubles that any agent may meet.
fn troubles() -> Vec<(&'static str, Reply, &'static str, usize)> {
    let error = |message: &str| json!({"error": {"message": message}}).to_string();
    let retry = |seconds: &str| vec![("retry-after", seconds.to_owned())];
    let stream = "text/event-stream";
    vec![
        ("401", Reply::Status(401, vec![], error("Incorrect API key")), "answered 401: Incorrect API key", 1),
        ("404", Reply::Status(404, vec![], error("no such model")), "answered 404: no such model", 1),
        ("429", Reply::Status(429, retry("0"), error("slow down")), "answered 429: slow down", 2),
        ("429-for-an-hour", Reply::Status(429, retry("3600"), error("come later")), "answered 429: come later", 1),
        ("500", Reply::Status(500, vec![], "boom\u{1b}[2J".into()), "answered 500: boom", 2),
        ("503-no-reason", Reply::Status(503, vec![], String::new()), "answered 503: no reason given", 2),
        ("302", Reply::Status(302, vec![("location", "http://192.0.2.1/".into())], String::new()), "answered 302", 1),
        (
            "page",
            Reply::raw("text/html", "<html>Log in</html>"),
            "did not answer as an OpenAI-compatible server does",
            2,
        ),
        ("half-body", Reply::raw("application/json", "{\"choices\": [{\"mess"), "the body is not JSON", 2),
        ("no-choices", Reply::raw("application/json", "{\"choices\": []}"), "the body has no choices", 2),
        ("bad-chunk", Reply::raw(stream, "data: {\"choices\n\n"), "a chunk is not JSON", 2),
        ("bad-utf8", Reply::raw(stream, b"data: \xff\xfe\n\n".to_vec()), "did not answer as an OpenAI-compatible", 2),
        ("silent-stream", Reply::raw(stream, ""), "it sent an empty stream", 2),
        (
            "error-in-stream",
            Reply::raw(stream, format!("data: {}\n\n", error("CUDA out of memory"))),
            "CUDA out of memory",
            2,
        ),
        ("cut", Reply::Cut(script::article(1), 40), "stopped in the middle of its answer", 2),
        ("length", Reply::Finish(script::article(1), "length"), "raise max_tokens", 2),
        ("length-and-empty", Reply::Finish(String::new(), "length"), "raise max_tokens", 2),
    ]
}

#[test]
fn any_agent_whose_server_fails_ends_its_story_with_one_clear_message() {
    let mut cases = Vec::new();
    for (agent, step) in [
        ("writer", "draft"),
        ("article_review", "r1.review"),
        ("concern_mapping", "r1.map"),
        ("opinion", "r1.c3.judge"),
        ("revision", "r1.revise"),
    ] {
        for (trouble, reply, says, calls) in troubles() {
            cases.push(case(&format!("{}-{trouble}", step.replace('.', "-")), agent, reply, says, calls));
        }
    }
    all_fail(&cases);
}

#[test]
fn an_answer_that_breaks_its_contract_is_asked_for_once_more_and_then_ends_the_story() {
    let text = |text: &str| Reply::Text(text.to_owned());
    let article = |change: fn(&mut Value)| Reply::changed(&script::article(1), change);
    let verdict = |change: fn(&mut Value)| Reply::changed(&script::verdict(3), change);
    let (writer, review, map, judge) = ("writer", "article_review", "concern_mapping", "opinion");
    all_fail(&[
        case("draft-empty", writer, text(""), "it is empty", 2),
        case(
            "draft-null",
            writer,
            Reply::raw("application/json", r#"{"choices":[{"message":{"content":null}}]}"#),
            "it is empty: the server sent no text",
            2,
        ),
        case("draft-prose", writer, text("Here is your article."), "it is not the JSON that was asked for", 2),
        case("draft-half", writer, text(&script::article(1)[..60]), "it is not the JSON that was asked for: EOF", 2),
        case(
            "draft-lacks",
            writer,
            article(|it| drop(it.as_object_mut().unwrap().remove("description"))),
            "missing field `description`",
            2,
        ),
        case("draft-blank", writer, article(|it| it["articleBody"] = json!(" \n")), "articleBody is empty", 2),
        case("draft-typed", writer, article(|it| it["headline"] = json!({})), "invalid type: map", 2),
        case(
            "draft-twice",
            writer,
            text(&format!("{}{}", script::article(1), script::article(2))),
            "it holds 2 different answers",
            2,
        ),
        case("draft-deep", writer, text(&"[".repeat(100_000)), "says the same again and again", 2),
        case(
            "draft-5-mb-stream",
            writer,
            Reply::raw("text/event-stream", stream_of(5)),
            "says the same again and again",
            2,
        ),
        case("draft-5-mb-body", writer, Reply::Whole("x".repeat(5 << 20)), "larger than 2 MB", 2),
        case("revision-empty", "revision", text(""), "it is empty", 2),
        case("review-prose", review, text("It reads well."), "no bullet", 2),
        case("review-empty", review, text(""), "it is empty", 2),
        case("map-empty", map, text(" "), "it is empty", 2),
        case("judge-empty", judge, text(""), "it is empty", 2),
        case(
            "judge-other",
            judge,
            verdict(|it| it["concern_id"] = json!(4)),
            "a verdict on concern 4, but concern 3 was asked about",
            2,
        ),
        case(
            "judge-torn",
            judge,
            verdict(|it| it["status"] = json!("KEEP")),
            "keeps a text that it calls misleading",
            2,
        ),
        case("judge-maybe", judge, verdict(|it| it["status"] = json!("MAYBE")), "unknown variant `MAYBE`", 2),
        case("judge-mute", judge, verdict(|it| it["rationale"] = json!("")), "rationale is empty", 2),
    ]);
}

/// A stream of so many megabytes of text.
fn stream_of(megabytes: usize) -> String {
    let piece = json!({"choices": [{"delta": {"content": "x".repeat(64 << 10)}}]});
    format!("data: {piece}\n\n").repeat(megabytes * 16) + "data: [DONE]\n\n"
}

#[test]
fn one_bad_answer_costs_one_more_call_and_the_story_succeeds() {
    let retried = troubles().into_iter().filter(|(.., calls)| *calls == 2);
    let mut cases: Vec<Case> =
        retried.map(|(trouble, reply, says, _)| case(trouble, "article_review", reply, says, 3)).collect();
    cases.push(case("prose", "article_review", Reply::Text("Hm.".into()), "no bullet", 3));
    cases.push(case("empty", "writer", Reply::Text(String::new()), "it is empty", 2));
    cases.push(case("other-concern", "opinion", Reply::Text(script::verdict(2)), "a verdict on concern 2", 2));
    let (newsroom, calls, done) = batch(&cases, 1);
    assert_eq!(done.code, 0, "{}", done.err);
    for case in &cases {
        assert_eq!(canonical(&newsroom, &case.name)["success"], json!(true), "{}", case.name);
        let asked = calls.iter().filter(|call| call.agent == case.agent && name_of(call) == case.name).count();
        assert_eq!(asked, case.calls, "{}", case.name);
        let log = newsroom.run(&["log", &case.name]).out;
        assert!(log.contains(case.says), "{}: {log}", case.name);
    }
}

#[test]
fn a_server_that_asks_for_a_pause_gets_it() {
    let busy = Reply::Status(429, vec![("retry-after", "1".into())], "busy".into());
    let server = Server::start(script::but("writer", 1, busy));
    let newsroom = Newsroom::at(&server.base());
    let began = Instant::now();
    let done = newsroom.auto(&newsroom.topic());
    assert_eq!((done.code, server.count("writer")), (0, 2), "{}", done.err);
    assert!(began.elapsed() >= Duration::from_secs(1));
    assert!(done.err.contains("answered 429: busy (it asks to wait 1 s); next try in 1 s"), "{}", done.err);
}

#[test]
fn a_story_that_waits_for_its_next_try_keeps_its_place() {
    let names = ["first".to_owned(), "second".to_owned()];
    let busy = Reply::Status(429, vec![("retry-after", "1".into())], "busy".into());
    let refused = std::sync::atomic::AtomicBool::new(false);
    let server = Server::start(move |call| {
        let first = call.agent == "writer" && !refused.swap(true, std::sync::atomic::Ordering::Relaxed);
        if first { busy.clone() } else { usual(call) }
    });
    let newsroom = Newsroom::at(&server.base());
    topics(&newsroom, &names);
    let done = newsroom.run(&["run", "--auto", "--concurrency", "1", "topics"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let mut stories: Vec<String> = server.calls().iter().map(name_of).collect();
    assert!(stories.len() > 8, "{stories:?}");
    stories.dedup();
    assert_eq!(stories.len(), 2, "the second story began before the first had ended: {stories:?}");
}

#[test]
fn a_server_that_asks_for_a_pause_too_long_to_wait_is_quoted() {
    let busy = Reply::Status(429, vec![("retry-after", "3600".into())], "busy".into());
    let server = Server::start(script::but("writer", 9, busy));
    let newsroom = Newsroom::at(&server.base());
    newsroom.auto(&newsroom.topic());
    let error = newsroom.canonical()["error"].as_str().unwrap().to_owned();
    assert!(error.contains("3600 s"), "{error}");
}

#[test]
fn a_server_that_hangs_is_given_up_after_its_time() {
    for agent in ["writer", "opinion"] {
        let server = Server::start(script::but(agent, 9, Reply::Hang));
        let newsroom = Newsroom::at_with(&server.base(), |yaml| own_key(&yaml, agent, "timeout_seconds: 0.7"));
        let done = newsroom.auto(&newsroom.topic());
        assert_eq!((done.code, server.count(agent)), (1, 2), "{agent}: {}", done.err);
        let error = newsroom.canonical()["error"].as_str().unwrap().to_owned();
        assert!(error.contains("sent nothing for 0.7 s (timeout_seconds), so no answer began"), "{error}");
        assert!(error.ends_with("(2 attempts)"), "{error}");
    }
}

#[test]
fn a_search_service_that_fails_ends_the_story_as_any_other_server_does() {
    for (reply, says) in [
        (Reply::Status(401, vec![], "bad key".into()), "r1.c2.search: 127.0.0.1"),
        (Reply::Status(500, vec![], "boom".into()), "answered 500: boom"),
        (Reply::Hang, "did not finish its answer within 1 s (timeout_seconds)"),
        (Reply::Cited(String::new(), vec!["https://a.example".into()]), "the answer cannot be used: it is empty"),
        (Reply::Finish("A study".into(), "length"), "r1.c2.search: "),
    ] {
        let server = Server::start(script::but("evidence_search", 9, reply));
        let search = format!(
            "perplexity:\n    api_base: {}\n    api_key: pplx-1\n    model: sonar\n    timeout_seconds: 1.0",
            server.base()
        );
        let newsroom = Newsroom::at_with(&server.base(), |yaml| yaml.replace("perplexity: null", &search));
        let done = newsroom.auto(&newsroom.topic());
        // Perplexity's section has no max_retries.
        assert_eq!((done.code, server.count("evidence_search")), (1, 1), "{says}: {}", done.err);
        let result = newsroom.canonical();
        assert!(result["error"].as_str().unwrap().contains(says), "{says}: {}", result["error"]);
        assert!(result["article"].is_object(), "the draft is kept");
    }
}
