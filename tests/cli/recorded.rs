//! Answers that are recorded and given again: `run --record` and `engine: recorded`.

use std::{fs, path::PathBuf};

use serde_json::{Value, json};

use crate::support::{
    newsroom::{Done, Newsroom},
    script,
    server::{Call, Reply, Server},
};

/// A usual story with its answers recorded, the first draft of the writer being useless.
struct Taped {
    file: PathBuf,
    text: String,
    canonical: Value,
    base: String,
    _newsroom: Newsroom,
}

fn taped() -> Taped {
    let server = Server::start(|call: &Call| match (call.agent.as_str(), call.before) {
        ("writer", 0) => Reply::Text("Sorry, I cannot.".into()),
        _ => script::usual(call),
    });
    let newsroom = Newsroom::at(&server.base());
    let topic = newsroom.topic();
    let done = newsroom.run(&["run", "--auto", "--record", "tape.jsonl", topic.to_str().unwrap()]);
    assert_eq!(done.code, 0, "{}", done.err);
    // Two drafts, a review, a map, five specialists, a revision, a review; the line that says what it is.
    let text = newsroom.read("tape.jsonl");
    assert_eq!(text.lines().count(), server.calls().len() + 1);
    let file = newsroom.path().join("tape.jsonl");
    Taped { file, text, canonical: newsroom.canonical(), base: server.base(), _newsroom: newsroom }
}

/// A newsroom that answers from a recording. Its servers are not there any more.
fn player(taped: &Taped, recording: &str) -> Newsroom {
    let newsroom = Newsroom::at_with(&taped.base, |yaml| {
        yaml.replace("engine: llm", "engine: recorded").replacen(
            "  recording: null",
            &format!("  recording: {}", json!(recording)),
            1,
        )
    });
    newsroom.write("tape.jsonl", taped.text.as_bytes());
    newsroom
}

#[track_caller]
fn refused(done: &Done, why: &str) {
    assert_eq!(done.code, 2, "{}{}", done.out, done.err);
    assert!(done.err.contains(why), "{why}: {}", done.err);
}

#[test]
fn a_recorded_run_is_run_again_without_its_server() {
    let taped = taped();
    let newsroom = player(&taped, "tape.jsonl");
    let done = newsroom.auto(&newsroom.topic());
    assert_eq!(done.code, 0, "{}", done.err);
    let mut again = newsroom.canonical();
    again["metadata"]["generated_at"] = taped.canonical["metadata"]["generated_at"].clone();
    // The name of the folder has the time in it.
    again["artifacts_dir"] = taped.canonical["artifacts_dir"].clone();
    assert_eq!(again, taped.canonical);
    let shown: Value = serde_json::from_str(&newsroom.ran(&["show", "park", "--json"]).out).unwrap();
    let drafts: Vec<&str> = shown["calls"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|call| call["step"] == "draft")
        .map(|call| call["state"].as_str().unwrap())
        .collect();
    assert_eq!(drafts, ["rejected", "answered"], "the useless answer comes first, as it came");
    assert_eq!(shown["calls"][0]["host"], json!("recorded"));
    let replayed = newsroom.run(&["replay", "park"]);
    assert_eq!(replayed.code, 0, "{}{}", replayed.out, replayed.err);
    let doctor = newsroom.run(&["doctor"]);
    assert!(doctor.out.contains("11 recorded answers in "), "{}", doctor.out);

    assert!(
        ["Eastbrook voted seven to two on Tuesday to renovate", "You are the", "lm-studio", "Bearer"]
            .iter()
            .all(|text| !taped.text.contains(text)),
        "neither prompts nor keys: {}",
        taped.text
    );
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(fs::metadata(&taped.file).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[test]
fn gates_resumes_and_forks_work_on_recorded_answers() {
    let taped = taped();
    let newsroom = player(&taped, "tape.jsonl");
    let waits = newsroom.run(&["run", "--plain", newsroom.topic().to_str().unwrap()]);
    assert!(waits.out.contains("desk/park") && newsroom.runs().len() == 1, "{}{}", waits.out, waits.err);
    let decided = newsroom.run(&["decide", "park", "continue", "--resume"]);
    let shown: Value = serde_json::from_str(&newsroom.ran(&["show", "park", "--json"]).out).unwrap();
    assert_eq!(shown["run"]["rounds"], json!(2), "{}{}", decided.out, decided.err);
    let forked = newsroom.run(&["fork", "park", "--at", "r1.review"]);
    assert_eq!(forked.code, 0, "{}{}", forked.out, forked.err);
}

#[test]
fn a_run_that_models_began_goes_on_with_their_recorded_answers() {
    let taped = taped();
    let server = Server::start(|call: &Call| match call.agent.as_str() {
        "concern_mapping" => Reply::Hang,
        _ => script::usual(call),
    });
    let newsroom = Newsroom::at(&server.base());
    newsroom.write("tape.jsonl", taped.text.as_bytes());
    let mut begun = newsroom.start(&["run", "--auto", newsroom.topic().to_str().unwrap()]);
    while server.count("concern_mapping") == 0 {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    begun.kill().unwrap();
    begun.wait().unwrap();
    let yaml = newsroom.read("config/config.yaml");
    let yaml =
        yaml.replace("engine: llm", "engine: recorded").replacen("  recording: null", "  recording: tape.jsonl", 1);
    newsroom.write("config/config.yaml", yaml.as_bytes());
    let asked = server.calls().len();
    let done = newsroom.run(&["resume"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(server.calls().len(), asked);
    assert_eq!(newsroom.runs().len(), 1, "the same run");
    assert_eq!(newsroom.canonical()["success"], json!(true));
}

#[test]
fn a_request_that_nobody_recorded_is_an_error_that_says_whose_it_is() {
    let taped = taped();
    let newsroom = player(&taped, "tape.jsonl");
    let topic = newsroom.topic_with(|topic| topic["source_text"] = json!("The council rejected the park."));
    let done = newsroom.auto(&topic);
    assert_eq!(done.code, 1, "{}", done.err);
    let error = newsroom.canonical()["error"].as_str().unwrap().to_owned();
    assert!(
        error.contains("draft") && error.contains("has no answer to this request of writer: its prompt"),
        "{error}"
    );
    assert!(error.ends_with("Restore them, or set engine: llm"), "{error}");
}

#[test]
fn a_recording_that_is_torn_foreign_or_missing_is_refused_with_what_to_do() {
    let taped = taped();
    let run = |recording: &str, bytes: Option<&[u8]>| {
        let newsroom = player(&taped, recording);
        if let Some(bytes) = bytes {
            newsroom.write("tape.jsonl", bytes);
        }
        newsroom.auto(&newsroom.topic())
    };
    let torn = &taped.text.as_bytes()[..taped.text.len() - 20];
    refused(&run("tape.jsonl", Some(torn)), "line 12 of the recording");
    refused(&run("tape.jsonl", Some(torn)), "delete it to use the other answers");
    let odd = taped.text.replacen("\"answer\":", "\"surprise\":1,\"answer\":", 1);
    refused(&run("tape.jsonl", Some(odd.as_bytes())), "line 2 of the recording");
    for foreign in [&b"{\"topic\": 1}\n"[..], b"", b"\xFF\xFE\x00", b"[]\n"] {
        refused(&run("tape.jsonl", Some(foreign)), "is no recording that `run --record` wrote");
    }
    let later = taped.text.replacen("\"copydesk_recording\":1", "\"copydesk_recording\":2", 1);
    refused(&run("tape.jsonl", Some(later.as_bytes())), "was written by a later version");
    refused(&run("nowhere.jsonl", None), "nowhere.jsonl cannot be read");
    refused(&run("config", None), "is no recording");
    let none = Newsroom::with(|yaml| yaml.replace("engine: offline", "engine: recorded"));
    refused(&none.auto(&none.topic()), "article_generation.recording is null, and engine is recorded");
}

#[test]
fn a_recording_replaces_no_file_and_needs_models() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    newsroom.write("mine.txt", b"mine");
    let topic = newsroom.topic();
    let run =
        |newsroom: &Newsroom, file: &str| newsroom.run(&["run", "--auto", "--record", file, topic.to_str().unwrap()]);
    refused(&run(&newsroom, "mine.txt"), "mine.txt is there already, and it is not replaced: name another file");
    assert_eq!(newsroom.read("mine.txt"), "mine");
    refused(&run(&newsroom, "nowhere/tape.jsonl"), "nowhere/tape.jsonl cannot be written");
    assert_eq!(server.calls().len(), 0, "nothing was begun");
    let offline = Newsroom::offline();
    refused(&run(&offline, "tape.jsonl"), "engine: offline asks no model, so there is nothing to record");
}

#[test]
fn what_tools_found_is_recorded_too() {
    let works = b"---\ntitle: Public works plan\ndate: 2026-09-30\n---\nThe park plan passes in stages: work on the paths will begin in \
                  April, and lighting is a fifth of the budget.\n";
    let triages = |yaml: String| yaml.replace("  triage: false", "  triage: true");
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at_with(&server.base(), triages);
    newsroom.write("data/knowledgebase/works.md", works);
    let topic = newsroom.topic();
    let done = newsroom.run(&["run", "--auto", "--record", "tape.jsonl", topic.to_str().unwrap()]);
    assert_eq!(done.code, 0, "{}", done.err);
    let tape = newsroom.read("tape.jsonl");
    assert!(
        tape.contains("\"tool\":\"search_knowledge_base\"") && tape.contains("\"tools_of\":\"reporter\""),
        "{tape}"
    );

    let again = Newsroom::at_with(&server.base(), |yaml| {
        triages(yaml).replace("engine: llm", "engine: recorded").replacen(
            "  recording: null",
            "  recording: tape.jsonl",
            1,
        )
    });
    again.write("data/knowledgebase/works.md", works);
    again.write("tape.jsonl", tape.as_bytes());
    server.forget();
    let played = again.auto(&again.topic());
    assert_eq!(played.code, 0, "{}", played.err);
    assert_eq!(again.canonical()["article"], newsroom.canonical()["article"]);
    assert_eq!(server.calls().len(), 0);
}
