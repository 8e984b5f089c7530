//! The model client against two real OpenAI-compatible servers that need no weights: LiteLLM's proxy with mock replies, and
//! llama.cpp's Python server over half a megabyte of noise. `.ci/peers` starts both and runs these tests; without it each
//! says that it was not run.

use std::{
    collections::{HashMap, HashSet},
    fs,
    io::Write,
    path::Path,
    sync::Mutex,
    time::Duration,
};

use copydesk::{
    agents::{Agents, Plan, Prompts, REQUIRED_FILES, UnusableAnswer, Windows},
    config::{self, Endpoint, Secret},
    llm::{Client, Probe, probe},
    newsroom::{
        Answer, ArticleResponse, ArticleReviewRaw, ArticleReviewResult, Concern, ConcernMapping, ConcernMappingResult,
        ConcernType, Confidence, Draft, Entry, Journal, Opening, Outcome, PathName, Review, SourceMetadata, Specialist,
        Status, Step, ToolCall, Topic, Usage, Verdict,
    },
    ports::{Ask, CallError, ModelClient, WaitedFor},
};
use serde_json::{Value, json};

use super::tool_calls;
use crate::support::{
    newsroom::{Done, Newsroom, own_key},
    script,
    server::{Reply, Server},
};

const LITELLM: &str = "LiteLLM's proxy";
const LLAMA: &str = "llama_cpp.server";
/// No server's key.
const WRONG_KEY: &str = "sk-a-key-that-nobody-gave-out";
/// How llama.cpp's Python server is asked for JSON, and as much chance as a configuration allows.
const NOISE: [(&str, &str); 2] =
    [("response_format: none", "response_format: json_object"), ("temperature: 0.3", "temperature: 2.0")];

/// The addresses of the two servers, and the key that both want.
struct Peers {
    litellm: String,
    llama: String,
    key: String,
}

/// The servers that `.ci/peers` started; without them the running test says that it was not run.
fn peers() -> Option<Peers> {
    #[expect(clippy::disallowed_methods, reason = "where the servers are is the tests' business, not the program's")]
    let variable = |name: &str| std::env::var(name).ok();
    let found = (variable("COPYDESK_PEER_LITELLM"), variable("COPYDESK_PEER_LLAMA"), variable("COPYDESK_PEER_KEY"));
    if let (Some(litellm), Some(llama), Some(key)) = found {
        return Some(Peers { litellm, llama, key });
    }
    let thread = std::thread::current();
    say(&format!(
        "peers: {} was not run: it needs two servers, which .ci/peers starts\n",
        thread.name().unwrap_or("a test")
    ));
    None
}

/// A row of the table that `.ci/peers` closes with.
fn checked(server: &str, asked: &str, came_of_it: &str) {
    say(&format!("| {server} | {asked} | {came_of_it} |\n"));
}

/// In one piece, and past the test harness, which keeps what a passing test prints to itself.
fn say(line: &str) {
    std::io::stderr().write_all(line.as_bytes()).expect("standard error");
}

/// The template's configuration with every agent asking for `model` at `base`, and then changed.
fn client(base: &str, key: &str, model: &str, changes: &[(&str, &str)]) -> Client {
    let mut yaml = config::TEMPLATE.to_owned();
    let (base, key, model) = (format!("api_base: {base}"), format!("api_key: {key}"), format!("model: {model}"));
    let usual = [
        ("engine: offline", "engine: llm"),
        ("api_base: http://127.0.0.1:1234/v1", base.as_str()),
        ("api_key: lm-studio", key.as_str()),
        ("model: your-model-name", model.as_str()),
    ];
    for (from, to) in usual.iter().chain(changes) {
        assert!(yaml.contains(from), "{from}");
        yaml = yaml.replace(from, to);
    }
    let settings = config::load(Path::new("config.yaml"), &yaml, Path::new(env!("CARGO_MANIFEST_DIR")));
    Client::new(&settings.expect("a configuration"))
}

/// A round that has come to the opinion specialist: one concern, numbered `concern`.
fn journal(concern: u32) -> Journal {
    let name = |text: &str| PathName::new(text).expect("a name");
    let topic = Topic {
        source_text: "The council voted seven to two on Tuesday.".into(),
        source_metadata: SourceMetadata {
            source_file: "park.json".into(),
            channel_name: name("desk"),
            video_id: "m1".into(),
            video_title: "Minutes".into(),
            publish_date: None,
            topic_slug: name("park"),
            topic_title: "A vote".into(),
        },
        style_mode: "SCIAM_MAGAZINE".into(),
        target_length_words: "60-120".into(),
        optional_angle: None,
    };
    let article = ArticleResponse {
        headline: "A park plan passes".into(),
        alternativeHeadline: "Seven to two".into(),
        articleBody: format!("The council voted, to the joy of {concern} residents."),
        description: "A vote.".into(),
    };
    let note = Concern {
        concern_id: concern,
        excerpt: format!("to the joy of {concern} residents"),
        review_note: "editorializing: the source names no joy".into(),
    };
    let mapping = ConcernMapping {
        concern_id: concern,
        concern_type: ConcernType::Editorializing,
        selected_agent: Specialist::Opinion,
        confidence: Confidence::High,
        reason: "it judges".into(),
    };
    let raw = ArticleReviewRaw { markdown_bullets: format!("- {}", note.review_note) };
    let mut journal = Journal::new(Opening {
        run_id: "run".into(),
        opened_at: "2026-10-06T12:00:00Z".into(),
        ..Opening::of(topic, 1)
    });
    for (step, outcome) in [
        (Step::Draft, Outcome::Draft(Draft { article, stripped: Vec::new(), undone: Vec::new() })),
        (Step::Review { round: 1 }, Outcome::Review(Review::new(raw, Vec::new()))),
        (Step::Parse { round: 1 }, Outcome::Concerns(ArticleReviewResult { concerns: vec![note] })),
        (Step::Map { round: 1 }, Outcome::Mapping(ConcernMappingResult { mappings: vec![mapping] })),
    ] {
        journal.push(Entry { step, outcome, at: "2026-10-06T12:00:00Z".into(), usage: Usage::default(), shown: None });
    }
    journal
}

/// The program's real question to the opinion specialist: the shipped prompt, filled, and the schema of a verdict.
fn ask(concern: u32) -> Ask {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("prompts/article_editor");
    let read = |name: &str| {
        let file = format!("{name}.md");
        let text =
            fs::read_to_string(root.join(&file)).or_else(|_| fs::read_to_string(root.join("specialists").join(&file)));
        (file, text.expect("a prompt"))
    };
    let files: HashMap<&str, (String, String)> = REQUIRED_FILES.iter().map(|(name, ..)| (*name, read(name))).collect();
    let agents = Agents::Models {
        prompts: Prompts::new(&files).expect("prompts"),
        styles: HashMap::from([("SCIAM_MAGAZINE".to_owned(), "Plain words.".to_owned())]),
        windows: Windows::default(),
        second_opinion: None,
    };
    match agents.plan(&journal(concern), judge(concern)) {
        Some(Plan::Ask(ask)) => *ask,
        other => panic!("{other:?}"),
    }
}

fn judge(concern: u32) -> Step {
    Step::Judge { round: 1, concern }
}

/// Reads an answer as the program does.
fn read(concern: u32, answer: &Answer) -> Result<Outcome, UnusableAnswer> {
    Agents::read(&journal(concern), judge(concern), answer)
}

async fn refused(client: &Client, ask: &Ask) -> CallError {
    client.ask(ask, &|_| {}).await.expect_err("an error")
}

/// `http://host:port/v1` without what an error leaves out.
fn host(base: &str) -> String {
    base.trim_start_matches("http://").trim_end_matches("/v1").to_owned()
}

#[tokio::test]
async fn a_streamed_answer_is_read_whole() {
    let Some(peers) = peers() else { return };
    let heard = Mutex::new(Vec::new());
    let asking = client(&peers.litellm, &peers.key, "rewrite", &[]);
    let answer = asking.ask(&ask(1), &|text| heard.lock().unwrap().push(text.to_owned())).await.unwrap();
    let heard = heard.into_inner().unwrap();
    assert!(heard.len() > 10, "it was streamed: {heard:?}");
    assert_eq!(heard.concat(), answer.text);
    let verdict = Verdict {
        concern_id: 1,
        misleading: true,
        status: Status::Rewrite,
        rationale: "Naïve – “so” is \"unproven\" 😀".into(),
        suggested_fix: Some("Say so.".into()),
        evidence: Some("e".into()),
        citations: Some(vec!["a".into(), "b".into()]),
    };
    assert_eq!(serde_json::from_str::<Verdict>(&answer.text).unwrap(), verdict);
    assert!(answer.usage.prompt_tokens > Some(0) && answer.usage.completion_tokens > Some(0), "{:?}", answer.usage);
    // Nobody supplied these citations.
    assert_eq!(read(1, &answer), Ok(Outcome::Verdict(Verdict { citations: None, ..verdict })));
    checked(LITELLM, "a verdict, streamed in chunks without `finish_reason`", "read whole, with its tokens");
}

#[tokio::test]
async fn a_429_may_be_tried_again() {
    let Some(peers) = peers() else { return };
    let error = refused(&client(&peers.litellm, &peers.key, "busy", &[]), &ask(1)).await;
    let message = "litellm.RateLimitError: this is a mock rate limit error";
    assert!(
        matches!(&error, CallError::Status { host: at, status: 429, message: said, retry_after: None }
            if *at == host(&peers.litellm) && said.starts_with(message)),
        "{error:?}"
    );
    assert!(error.may_retry());
    checked(LITELLM, "a true 429", "status 429, may be tried again");

    // Both members of the group must fail once before the server says how long.
    let cooling = client(&peers.litellm, &peers.key, "cooling", &[]);
    let mut waits = Vec::new();
    for _ in 0..6 {
        let error = refused(&cooling, &ask(1)).await;
        assert!(matches!(error, CallError::Status { status: 429, .. }), "{error:?}");
        waits.extend(error.retry_after());
    }
    assert!(!waits.is_empty() && waits.iter().all(|wait| *wait <= Duration::from_secs(2)), "{waits:?}");
    checked(LITELLM, "a 429 with `Retry-After`", "its two seconds are kept for the wait");
}

#[tokio::test]
async fn a_refusal_is_final_and_a_server_in_trouble_is_not() {
    let Some(peers) = peers() else { return };
    let error = refused(&client(&peers.litellm, &peers.key, "too-long", &[]), &ask(1)).await;
    assert!(
        matches!(&error, CallError::Overflow { detail, .. } if detail.contains("ContextWindowExceeded")),
        "{error:?}"
    );
    assert!(!error.may_retry());
    checked(LITELLM, "a prompt beyond the context window", "an overflow, not tried again");

    let error = refused(&client(&peers.litellm, &peers.key, "broken", &[]), &ask(1)).await;
    assert!(matches!(error, CallError::Status { status: 500, .. }), "{error:?}");
    assert!(error.may_retry());
    checked(LITELLM, "an internal error", "status 500, may be tried again");
}

#[tokio::test]
async fn a_wrong_key_is_refused_and_not_repeated() {
    let Some(peers) = peers() else { return };
    // Without a database LiteLLM looks for the key in none and answers 400.
    for (server, base, status) in [(LITELLM, &peers.litellm, 400), (LLAMA, &peers.llama, 401)] {
        let error = refused(&client(base, WRONG_KEY, "keep", &[]), &ask(1)).await;
        assert!(matches!(&error, CallError::Status { status: said, .. } if *said == status), "{error:?}");
        assert!(!error.may_retry());
        assert!(!error.to_string().contains(WRONG_KEY), "{error}");
        checked(server, "with a wrong key", &format!("status {status}, not tried again, the key not in the message"));
    }
}

#[tokio::test]
async fn a_slow_model_is_given_up_in_time() {
    let Some(peers) = peers() else { return };
    let slow = |seconds: &str| {
        client(
            &peers.litellm,
            &peers.key,
            "slow",
            &[("timeout_seconds: 90 ", seconds), ("timeout_seconds: 180", seconds)],
        )
    };
    let error = refused(&slow("timeout_seconds: 0.5"), &ask(1)).await;
    assert_eq!(error, CallError::TimedOut { host: host(&peers.litellm), seconds: 0.5, wait: WaitedFor::FirstByte });
    assert!(error.may_retry());
    let answer = slow("timeout_seconds: 30").ask(&ask(1), &|_| {}).await.unwrap();
    let verdict = Verdict {
        concern_id: 1,
        misleading: false,
        status: Status::Keep,
        rationale: "x".into(),
        suggested_fix: None,
        evidence: None,
        citations: None,
    };
    assert_eq!(read(1, &answer), Ok(Outcome::Verdict(verdict)));
    checked(LITELLM, "an answer after three seconds", "timed out at half a second; read at thirty");
}

#[tokio::test]
async fn parallel_calls_of_tools_come_through_a_proxy() {
    let Some(peers) = peers() else { return };
    for (model, upstream) in [("calls-openai", "OpenAI"), ("calls-anthropic", "Anthropic")] {
        let asking = tool_calls::reporter(&peers.litellm, (model, &peers.key), "native", "none");
        let mut ask = tool_calls::question();
        let first = asking.ask(&ask, &|_| {}).await.unwrap();
        let read = |call: &ToolCall| (call.name.clone(), serde_json::from_str(&call.arguments).unwrap());
        let calls: Vec<(String, Value)> = first.calls.iter().map(read).collect();
        let asked = |name: &str, query: &str| (name.to_owned(), json!({ "query": query }));
        assert_eq!(calls, [asked("search_web", "council"), asked("search_desk", "vote")], "{upstream}");
        tool_calls::next_turn(&mut ask, &first);
        let second = asking.ask(&ask, &|_| {}).await.unwrap();
        assert_eq!((second.text.as_str(), second.calls.as_slice()), ("2 results.", &[][..]), "{upstream}");
        checked(
            LITELLM,
            &format!("two parallel calls of tools, streamed as {upstream} does, then their results"),
            "both calls read whole; both results arrive",
        );
    }
}

#[tokio::test]
async fn noise_calls_tools_in_the_json_form() {
    let Some(peers) = peers() else { return };
    let noise = tool_calls::reporter(&peers.llama, ("random", &peers.key), "json", "json_object");
    let (mut calls, mut answers, mut cut) = (0, 0, 0);
    for _ in 0..12 {
        match noise.ask(&tool_calls::question(), &|_| {}).await {
            Ok(answer) if answer.calls.is_empty() => answers += 1,
            Ok(answer) => {
                calls += 1;
                for call in &answer.calls {
                    assert!(["search_web", "search_desk"].contains(&call.name.as_str()), "{call:?}");
                    assert!(
                        serde_json::from_str::<serde_json::Map<String, Value>>(&call.arguments).is_ok(),
                        "{call:?}"
                    );
                }
            }
            Err(CallError::EndedEarly { .. }) => cut += 1,
            // More calls than are allowed, for no grammar counts them.
            Err(error) => assert!(error.to_string().contains("more than 32"), "{error}"),
        }
    }
    assert!(calls + answers > 0, "{cut} were cut");
    checked(
        LLAMA,
        "12 turns in the JSON form of tools, `json_object` with its schema",
        &format!("{calls} with calls, {answers} with an answer, {cut} cut at `max_tokens`"),
    );
}

#[tokio::test]
async fn both_list_their_models() {
    let Some(peers) = peers() else { return };
    for (server, base, model) in [(LITELLM, &peers.litellm, "keep"), (LLAMA, &peers.llama, "random")] {
        let endpoint = Endpoint { base: base.parse().unwrap(), setting: "api_base".into() };
        let known = probe(&endpoint, Some(&Secret::new(peers.key.clone())), true).await;
        assert!(matches!(&known, Probe::Models(names) if names.iter().any(|name| name == model)), "{known:?}");
        let unknown = probe(&endpoint, Some(&Secret::new(WRONG_KEY.into())), true).await;
        assert!(matches!(unknown, Probe::Nothing(_)), "{unknown:?}");
        checked(server, "its models (`init`, `doctor`)", "listed with the key, refused with another");
    }
}

#[tokio::test]
async fn a_schema_forces_verdicts_out_of_noise() {
    let Some(peers) = peers() else { return };
    let noise = client(&peers.llama, &peers.key, "random", &NOISE);
    let (mut answers, mut kept) = (HashSet::new(), 0);
    for concern in 1..=24 {
        let answer = noise.ask(&ask(concern), &|_| {}).await.unwrap();
        let verdict: Verdict =
            serde_json::from_str(&answer.text).unwrap_or_else(|error| panic!("{error}: {}", answer.text));
        assert_eq!(verdict.concern_id, concern);
        match read(concern, &answer) {
            Ok(_) => kept += 1,
            Err(error) => {
                // A schema cannot forbid this.
                let contradicts_itself = verdict.status == Status::Keep && verdict.misleading;
                assert!(contradicts_itself || verdict.rationale.trim().is_empty(), "{error}: {}", answer.text);
            }
        }
        answers.insert((verdict.status, verdict.misleading, verdict.rationale));
    }
    assert!(answers.len() > 12, "it is noise: {answers:?}");
    let refused = 24 - kept;
    checked(
        LLAMA,
        "24 verdicts by `json_object` with the schema, temperature 2",
        &format!("24 valid, each on its own concern; {kept} stand, {refused} contradict themselves and are refused"),
    );
}

#[tokio::test]
async fn without_the_schema_noise_is_refused() {
    let Some(peers) = peers() else { return };
    for concern in 1..=4 {
        match client(&peers.llama, &peers.key, "random", &[]).ask(&ask(concern), &|_| {}).await {
            Ok(answer) => {
                let error = read(concern, &answer).unwrap_err().to_string();
                assert!(
                    error.contains("it is not the JSON that was asked for") || error.contains("it is empty"),
                    "{error}"
                );
            }
            Err(error) => assert!(matches!(error, CallError::EndedEarly { .. }), "{error:?}"),
        }
    }
    checked(LLAMA, "4 verdicts without the schema", "none is taken: not the JSON that was asked for");

    let openai =
        client(&peers.llama, &peers.key, "random", &[("response_format: none", "response_format: json_schema")]);
    let error = refused(&openai, &ask(1)).await;
    assert!(matches!(&error, CallError::Status { message, .. } if message.contains("json_object")), "{error:?}");
    checked(LLAMA, "`json_schema`, which it does not know", "its refusal, which names `json_object`");
}

#[tokio::test]
async fn an_answer_that_cannot_be_whole_is_an_error() {
    let Some(peers) = peers() else { return };
    let short = [NOISE[0], ("max_tokens: 2048", "max_tokens: 16")];
    let short = client(&peers.llama, &peers.key, "random", &short);
    let error = refused(&short, &ask(1)).await;
    assert_eq!(error, CallError::EndedEarly { max_tokens: 16 });
    checked(LLAMA, "a verdict in `max_tokens: 16`", "cut, with the reason `length`");

    // It answers 200 with an empty stream.
    let mut long = ask(1);
    long.prompt.messages[1].parts[0].text.push_str(&"too long ".repeat(1000));
    let error = refused(&client(&peers.llama, &peers.key, "random", &[]), &long).await;
    assert!(error.to_string().contains("an empty stream"), "{error}");
    checked(LLAMA, "a prompt beyond its context", "an error: its 200 has an empty stream");
}

/// A newsroom whose opinion specialist asks a peer, the others a script in which it alone has work.
fn newsroom(scripted: &Server, peer: &str, changes: &[(&str, &str)]) -> Newsroom {
    Newsroom::at_with(&scripted.base(), |yaml| {
        let mut yaml = own_key(&yaml, "opinion", &format!("api_base: {peer}"));
        for (_, to) in changes {
            yaml = own_key(&yaml, "opinion", to);
        }
        yaml
    })
}

fn one_concern() -> Server {
    Server::start(|call| match call.agent.as_str() {
        "article_review" if call.user.contains("(draft 1)") => {
            Reply::Text("- “A park plan passes” editorializing: the source names no plan.".into())
        }
        "concern_mapping" => Reply::Text(
            json!({"mappings": [{"concern_id": 1, "concern_type": "editorializing", "selected_agent": "opinion",
                "confidence": "high", "reason": "it judges"}]})
            .to_string(),
        ),
        _ => script::usual(call),
    })
}

/// The failed calls of the usual story.
fn failures(newsroom: &Newsroom) -> Vec<String> {
    let events = newsroom.run(&["log", "park", "--json"]).out;
    let events = events.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    events
        .filter(|event| event["event"] == "call_failed")
        .map(|event| event["message"].as_str().expect("a message").to_owned())
        .collect()
}

fn verdict_of(newsroom: &Newsroom, done: &Done) -> Verdict {
    assert_eq!(done.code, 0, "{}", done.err);
    let verdicts = newsroom.canonical()["editor_report"]["iterations"][0]["verdicts"].clone();
    assert_eq!(verdicts.as_array().map(Vec::len), Some(1), "{verdicts}");
    serde_json::from_value(verdicts[0].clone()).expect("a verdict")
}

#[test]
fn the_program_waits_for_a_busy_server_and_refuses_prose() {
    let Some(peers) = peers() else { return };
    let scripted = one_concern();
    let key = format!("api_key: {}", peers.key);
    let at = |model: &str| {
        let model = format!("model: {model}");
        newsroom(&scripted, &peers.litellm, &[("api_key: lm-studio", &key), ("model: your-model-name", &model)])
    };
    let recovers = at("recovers");
    let done = recovers.auto(&recovers.topic());
    assert_eq!(verdict_of(&recovers, &done).status, Status::Keep);
    let failed = failures(&recovers);
    assert!(failed.len() == 1 && failed[0].contains("answered 429"), "{failed:?}");
    checked(LITELLM, "`copydesk run`: a specialist whose server is busy once", "one 429 in the log, then its verdict");

    let prose = at("prose");
    let done = prose.auto(&prose.topic());
    assert_eq!(done.code, 1, "{}", done.err);
    let failed = failures(&prose);
    assert!(failed.len() == 2 && failed.iter().all(|why| why.contains("it is not the JSON")), "{failed:?}");
    checked(
        LITELLM,
        "`copydesk run`: a specialist that answers in prose",
        "asked twice, refused twice, the story failed",
    );

    for newsroom in [recovers, prose] {
        for (name, bytes) in newsroom.files().into_iter().filter(|(name, _)| name != "config/config.yaml") {
            let leaked = bytes.windows(peers.key.len()).any(|window| window == peers.key.as_bytes());
            assert!(!leaked, "the key is in {name}");
        }
    }
}

#[test]
fn the_program_takes_a_verdict_out_of_noise() {
    let Some(peers) = peers() else { return };
    let scripted = one_concern();
    let key = format!("api_key: {}", peers.key);
    // Noise may contradict itself a few times.
    let asking = [
        ("api_key: lm-studio", &*key),
        ("model: your-model-name", "model: random"),
        ("max_retries: 1", "max_retries: 9"),
    ];
    let newsroom = newsroom(&scripted, &peers.llama, &[&asking[..], &NOISE].concat());
    let done = newsroom.auto(&newsroom.topic());
    let verdict = verdict_of(&newsroom, &done);
    assert_eq!((verdict.concern_id, verdict.citations), (1, None));
    checked(LLAMA, "`copydesk run`: a specialist of noise, `json_object`", "a story with its verdict, exit code 0");
}
