//! Metrics and health over HTTP, and the log file: what they say, and that no story waits for them.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    process::Child,
    sync::mpsc,
    time::Duration,
};

use regex::Regex;
use serde_json::{Value, json};

use crate::support::{
    newsroom::{Newsroom, own_key},
    script,
    server::{Call, Reply, Server},
};

/// A program that is ended with the test.
struct Running {
    child: Child,
    /// Where it serves.
    address: String,
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A worker that serves metrics at a free port.
fn worker(newsroom: &Newsroom) -> Running {
    let mut child = newsroom.start(&["worker"]);
    let err = child.stderr.take().unwrap();
    let (tell, told) = mpsc::channel();
    std::thread::spawn(move || {
        let address = Regex::new("http://([0-9.]+:[0-9]+)/metrics").unwrap();
        // All that it says is read, so that it never waits for the reader.
        for line in BufReader::new(err).lines().map_while(Result::ok) {
            if let Some(found) = address.captures(&line) {
                let _ = tell.send(found[1].to_owned());
            }
        }
    });
    let address = told.recv_timeout(Duration::from_mins(1)).expect("the worker says where it serves");
    Running { child, address }
}

fn serves(yaml: &str) -> String {
    yaml.replace("metrics_addr: null", "metrics_addr: 127.0.0.1:0")
}

/// Status and body of an answer.
fn asked(address: &str, request: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    (status, answer.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).unwrap_or_default())
}

fn got(address: &str, path: &str) -> (u16, String) {
    asked(address, &format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"))
}

#[track_caller]
fn has(metrics: &str, line: &str) {
    assert!(metrics.lines().any(|known| known == line), "{line}\n{metrics}");
}

#[test]
fn metrics_tell_what_any_program_has_done() {
    let server = Server::start(|call: &Call| match (call.agent.as_str(), call.before) {
        ("writer", 0) => Reply::Status(503, vec![], "no room".into()),
        _ => script::usual(call),
    });
    let newsroom = Newsroom::at_with(&server.base(), |yaml| serves(&yaml));
    let running = worker(&newsroom);
    let (status, before) = got(&running.address, "/metrics");
    assert_eq!(status, 200);
    has(&before, "copydesk_runs_opened_total 0");
    let done = newsroom.auto(&newsroom.topic());
    assert_eq!(done.code, 0, "{}", done.err);

    let (_, metrics) = got(&running.address, "/metrics");
    let host = server.base().replace("http://", "").replace("/v1", "");
    let line = |agent: &str| format!("agent=\"{agent}\",model=\"your-model-name\",server=\"{host}\"");
    has(&metrics, &format!("copydesk_calls_total{{{},end=\"failed\"}} 1", line("writer")));
    // The draft and the revision.
    has(&metrics, &format!("copydesk_calls_total{{{},end=\"answered\"}} 2", line("writer")));
    has(&metrics, &format!("copydesk_call_retries_total{{{}}} 1", line("writer")));
    has(&metrics, &format!("copydesk_tokens_total{{{},kind=\"prompt\"}} 200", line("article_review")));
    has(&metrics, &format!("copydesk_call_duration_seconds_count{{{}}} 3", line("writer")));
    has(&metrics, "copydesk_runs_opened_total 1");
    has(&metrics, "copydesk_runs_ended_total{result=\"succeeded\"} 1");
    has(&metrics, "copydesk_run_rounds_sum 2");
    has(&metrics, "copydesk_step_wait_seconds_count{pool=\"writer\"} 2");
    has(&metrics, "copydesk_queue_messages{pool=\"writer\",state=\"waiting\"} 0");
    has(&metrics, "copydesk_stories{state=\"success\",waits_for_editor=\"false\"} 1");
    let verdicts: u64 = metrics
        .lines()
        .filter(|line| line.starts_with("copydesk_verdicts_total{"))
        .map(|line| line.rsplit(' ').next().unwrap().parse::<u64>().unwrap())
        .sum();
    assert_eq!(verdicts, 5, "{metrics}");
    // Every line is one of the format, and each name is told of once.
    let form = Regex::new(r#"^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{([a-z_]+="[^"\\]*",?)+\})? [0-9.eE+-]+)$"#).unwrap();
    assert!(metrics.ends_with('\n') && metrics.lines().all(|line| form.is_match(line)), "{metrics}");
    let mut types: Vec<&str> = metrics.lines().filter(|line| line.starts_with("# TYPE")).collect();
    let number = types.len();
    types.sort_unstable();
    types.dedup();
    assert_eq!(types.len(), number);
    assert!(!metrics.contains("Eastbrook") && !metrics.contains("lm-studio"), "no text and no key");
}

#[test]
fn health_names_each_part_and_what_is_wrong_with_it() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at_with(&server.base(), |yaml| {
        own_key(&serves(&yaml).replace("model: your-model-name", "model: scripted"), "writer", "model: lost")
    });
    let running = worker(&newsroom);
    assert_eq!(got(&running.address, "/healthz"), (200, "ok\n".to_owned()));
    let (status, report) = got(&running.address, "/readyz");
    let report: Value = serde_json::from_str(&report).unwrap();
    assert_eq!((status, &report["ready"]), (503, &json!(false)), "{report:#}");
    let part = |name: &str| {
        let parts = report["parts"].as_array().unwrap();
        parts.iter().find(|part| part["part"] == name).unwrap_or_else(|| panic!("{name}: {report:#}")).clone()
    };
    assert_eq!(part("database")["ready"], json!(true));
    assert_eq!(part("agent article_review")["ready"], json!(true), "{report:#}");
    let writer = part("agent writer");
    assert_eq!(writer["ready"], json!(false));
    assert!(writer["detail"].as_str().unwrap().ends_with("does not offer lost"), "{writer}");
    assert!(part("pools")["detail"].as_str().unwrap().contains("specialist "), "{report:#}");

    let offline = Newsroom::with(|yaml| serves(&yaml));
    let (status, report) = got(&worker(&offline).address, "/readyz");
    assert_eq!(status, 200, "{report}");
}

#[test]
fn health_asks_a_server_on_another_machine_and_the_ledger_has_it() {
    let newsroom = Newsroom::at_with("http://models.example/v1", |yaml| {
        serves(&yaml).replace("local_only: true", "local_only: false")
    });
    newsroom.ran(&["--trust", "list"]);
    let running = worker(&newsroom);
    let (status, report) = got(&running.address, "/readyz");
    // Nobody is there, but it was tried.
    assert!(status == 503 && report.contains("models.example does not answer ("), "{report}");
    drop(running);
    let noted = newsroom.ran(&["audit", "requests", "--json"]).out;
    let noted: Vec<Value> = noted.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(
        !noted.is_empty() && noted.iter().all(|request| request["host"] == "models.example"),
        "{noted:?}\n{report}"
    );
    assert_eq!((&noted[0]["why"], &noted[0]["left"]), (&json!("health"), &json!(true)));
}

#[test]
fn a_recording_is_counted_once_before_anybody_asks() {
    let newsroom = Newsroom::with(|yaml| {
        serves(&yaml)
            .replace("engine: offline", "engine: recorded")
            .replace("engine: llm", "engine: recorded")
            .replacen("  recording: null", "  recording: tape.jsonl", 1)
    });
    let tape = newsroom.write("tape.jsonl", b"{\"copydesk_recording\":1,\"version\":\"0\"}\n");
    let running = worker(&newsroom);
    assert_eq!(got(&running.address, "/healthz").0, 200);
    std::fs::remove_file(tape).unwrap();
    let (status, report) = got(&running.address, "/readyz");
    assert!(status == 200 && report.contains("0 recorded answers in "), "{report}");
}

#[test]
fn odd_callers_get_an_answer_and_harm_nobody() {
    let newsroom = Newsroom::with(|yaml| serves(&yaml));
    let running = worker(&newsroom);
    let at = running.address.as_str();
    assert_eq!(got(at, "/").0, 404);
    assert_eq!(
        asked(at, &format!("POST /metrics HTTP/1.1\r\nHost: {at}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")).0,
        405
    );
    let foreign = "GET /metrics HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n";
    assert_eq!(asked(at, foreign).0, 403);
    let page = format!("GET /readyz HTTP/1.1\r\nHost: {at}\r\nSec-Fetch-Site: cross-site\r\nConnection: close\r\n\r\n");
    assert_eq!(asked(at, &page), (403, "Web pages of other sites are not answered.\n".to_owned()));
    let huge = format!("GET /metrics HTTP/1.1\r\nHost: {at}\r\nX: {}\r\n\r\n", "x".repeat(100_000));
    let mut stream = TcpStream::connect(at).unwrap();
    let _ = stream.write_all(huge.as_bytes());
    // Many that say nothing.
    let silent: Vec<TcpStream> = (0..10).map(|_| TcpStream::connect(at).unwrap()).collect();
    assert_eq!(got(at, "/healthz").0, 200);
    drop(silent);
}

#[test]
fn a_port_that_is_taken_is_said_and_the_story_goes_on() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap();
    let newsroom = Newsroom::with(|yaml| yaml.replace("metrics_addr: null", &format!("metrics_addr: {address}")));
    let done = newsroom.auto(&newsroom.topic());
    assert_eq!(done.err.matches("(observability.metrics_addr) cannot be listened on").count(), 1, "{}", done.err);
    assert!(newsroom.canonical()["article"].is_object(), "{}", done.err);
    let wrong = Newsroom::with(|yaml| yaml.replace("metrics_addr: null", "metrics_addr: everywhere"));
    let refused = wrong.run(&["list"]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("observability.metrics_addr: must be null or an address"), "{}", refused.err);
}

#[test]
fn an_address_that_others_reach_is_warned_of() {
    let newsroom = Newsroom::with(|yaml| yaml.replace("metrics_addr: null", "metrics_addr: 0.0.0.0:0"));
    let done = newsroom.auto(&newsroom.topic());
    assert!(done.err.contains("Everybody who reaches this address can read them"), "{}", done.err);
}

#[test]
fn the_log_file_has_a_line_for_each_event_and_no_text() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at_with(&server.base(), |yaml| yaml.replace("log: null", "log: ./data/logs/desk.log"));
    let done = newsroom.auto(&newsroom.topic());
    assert_eq!(done.code, 0, "{}", done.err);
    let log = newsroom.read("data/logs/desk.log");
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let told = newsroom.ran(&["log", "park", "--json"]).out.lines().count();
    assert_eq!(lines.len(), told, "{log}");
    let call = lines.iter().find(|line| line["event"] == "call_started" && line["step"] == "r1.review").unwrap();
    assert_eq!((&call["round"], &call["agent"], &call["attempt"]), (&json!(1), &json!("article_review"), &json!(1)));
    assert_eq!((&call["story"], &call["level"]), (&json!("desk/park"), &json!("info")));
    for text in ["Eastbrook", "park plan", "lm-studio", "month"] {
        assert!(!log.contains(text), "{text}: {log}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_log_that_cannot_be_written_is_said_once_and_the_story_goes_on() {
    let newsroom = Newsroom::with(|yaml| yaml.replace("log: null", "log: /proc/version"));
    let done = newsroom.auto(&newsroom.topic());
    assert_eq!(done.err.matches("(observability.log) cannot be written").count(), 1, "{}", done.err);
    assert!(newsroom.canonical()["article"].is_object(), "{}", done.err);
}

#[test]
fn a_log_is_followed_until_its_run_ends() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    let plain = newsroom.run(&["run", "--plain", newsroom.topic().to_str().unwrap()]);
    assert_eq!(plain.code, 0, "{}", plain.err);
    let child = newsroom.start(&["log", "park", "--follow", "--json"]);
    let decided = newsroom.run(&["decide", "park", "spike", "--reason", "it is over", "--resume"]);
    let followed = crate::support::newsroom::done(child.wait_with_output().unwrap());
    assert_eq!(followed.code, 0, "{}{}", followed.err, decided.err);
    let last: Value = serde_json::from_str(followed.out.lines().last().unwrap()).unwrap();
    assert_eq!(last["event"], json!("run_closed"), "{}", followed.out);
    let all = newsroom.ran(&["log", "park", "--json"]).out;
    assert_eq!(followed.out, all);
}
