//! `kill -9` at any instant, then `copydesk resume`: the same articles, the same artifacts, no stored answer asked for again.

use std::{
    collections::HashMap,
    io::{BufRead, BufReader},
    time::Duration,
};

use rusqlite::Connection;
use serde_json::Value;

use crate::support::{
    newsroom::{Newsroom, own_key},
    script,
    server::{Call, Reply, Server},
};

/// Steps whose answer is stored.
fn answered(newsroom: &Newsroom) -> Vec<String> {
    let database = Connection::open(newsroom.path().join("data/copydesk.db")).unwrap();
    // A program that was killed at once may have made the file and no table.
    let Ok(mut rows) = database.prepare("SELECT step FROM llm_call WHERE state = 'answered'") else {
        return Vec::new();
    };
    rows.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

/// Runs the usual story and kills the program after it has said `events` lines. Returns whether it was killed before its end.
fn run_killed(newsroom: &Newsroom, events: usize) -> bool {
    let topic = newsroom.topic();
    let mut child = newsroom.start(&["run", "--auto", "--json", topic.to_str().unwrap()]);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    for _ in 0..events {
        if lines.next().is_none() {
            break;
        }
    }
    child.kill().unwrap();
    !child.wait().unwrap().success()
}

fn step_of(call: &Call) -> String {
    let round = if call.user.contains("(draft 2)") { 2 } else { 1 };
    match call.agent.as_str() {
        "writer" => "draft".into(),
        "revision" => "r1.revise".into(),
        "article_review" => format!("r{round}.review"),
        "concern_mapping" => format!("r{round}.map"),
        _ => format!("r{round}.c{}.judge", script::concern(call)),
    }
}

/// One trial: kill after `events` lines, resume, compare; returns how many calls were made twice.
fn trial(server: &Server, specialists: &str, events: usize, expected: &[(String, String)]) -> usize {
    server.forget();
    let newsroom = Newsroom::at_with(&server.base(), |yaml| yaml.replace("specialists_of_a_story: 1", specialists));
    run_killed(&newsroom, events);
    let stored = if newsroom.path().join("data/copydesk.db").exists() { answered(&newsroom) } else { Vec::new() };
    let before = server.calls().len();
    let resumed = newsroom.run(&["resume"]);
    assert_eq!(resumed.code, 0, "killed after {events} events: {}", resumed.err);
    for call in server.calls().split_off(before) {
        let step = step_of(&call);
        assert!(
            !stored.contains(&step),
            "killed after {events} events: {step} was asked again though its answer was stored"
        );
    }
    let found = newsroom.results();
    if newsroom.runs().is_empty() {
        // Killed before the run was opened: there was nothing to resume.
        assert_eq!(events, 0);
        return 0;
    }
    for (one, other) in found.iter().zip(expected) {
        assert_eq!(one, other, "killed after {events} events");
    }
    assert_eq!(found.len(), expected.len(), "killed after {events} events");
    let mut counts: HashMap<String, usize> = HashMap::new();
    for call in server.calls() {
        *counts.entry(step_of(&call)).or_default() += 1;
    }
    assert_eq!(newsroom.run(&["resume"]).err.trim(), "Nothing to resume: every run has ended.");
    counts.values().map(|count| count - 1).sum()
}

fn undisturbed(server: &Server, specialists: &str) -> (usize, Vec<(String, String)>) {
    let newsroom = Newsroom::at_with(&server.base(), |yaml| yaml.replace("specialists_of_a_story: 1", specialists));
    let topic = newsroom.topic();
    let done = newsroom.run(&["run", "--auto", "--json", topic.to_str().unwrap()]);
    assert_eq!(done.code, 0, "{}", done.err);
    (done.out.lines().count(), newsroom.results())
}

#[test]
fn killed_at_every_step_a_run_ends_as_if_it_had_not_been() {
    let server = Server::start(script::usual);
    let (events, expected) = undisturbed(&server, "specialists_of_a_story: 1");
    assert!(events > 30, "{events}");
    for killed_after in 0..events {
        let repeated = trial(&server, "specialists_of_a_story: 1", killed_after, &expected);
        assert!(
            repeated <= 1,
            "killed after {killed_after} events: {repeated} calls were made twice, one was in flight"
        );
    }
}

#[test]
fn killed_while_several_specialists_are_asked_only_those_in_flight_are_asked_again() {
    let server = Server::start(|call| Reply::Late(Duration::from_millis(10), Box::new(script::usual(call))));
    let (events, expected) = undisturbed(&server, "specialists_of_a_story: 3");
    for killed_after in (1..events).step_by(3) {
        let repeated = trial(&server, "specialists_of_a_story: 3", killed_after, &expected);
        assert!(repeated <= 3, "killed after {killed_after} events: {repeated} calls were made twice");
    }
}

#[test]
fn a_call_that_was_in_flight_is_shown_as_perhaps_billed_twice() {
    // The review hangs the first time.
    let server = Server::start(script::but("article_review", 1, Reply::Hang));
    let newsroom = Newsroom::at(&server.base());
    let topic = newsroom.topic();
    let mut child = newsroom.start(&["run", "--auto", topic.to_str().unwrap()]);
    for _ in 0..500 {
        if server.count("article_review") == 1 {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(newsroom.run(&["resume"]).code, 0);
    let log = newsroom.run(&["log", "park", "--json"]).out;
    let repeated: Vec<Value> = log
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .filter(|event: &Value| event["event"] == "call_repeated")
        .collect();
    assert_eq!(repeated.len(), 1, "{log}");
    assert_eq!((&repeated[0]["step"], &repeated[0]["attempt"]), (&Value::from("r1.review"), &Value::from(1)));
}

#[test]
fn files_that_a_crash_left_unwritten_are_written_again_from_the_journal() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    assert_eq!(newsroom.auto(&newsroom.topic()).code, 0);
    let expected = newsroom.results();
    server.forget();
    // As after a crash between the last commit and the files.
    std::fs::remove_dir_all(newsroom.path().join("data/output")).unwrap();
    std::fs::remove_dir_all(newsroom.path().join("data/institutional_memory")).unwrap();
    let database = Connection::open(newsroom.path().join("data/copydesk.db")).unwrap();
    database.execute("UPDATE run SET files_written = 0", []).unwrap();
    drop(database);
    assert_eq!(newsroom.run(&["resume"]).code, 0);
    assert_eq!(newsroom.results(), expected);
    assert_eq!(server.calls().len(), 0);
}

#[test]
fn resumed_under_other_prompts_a_new_run_takes_over_and_repeats_only_what_changed() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    run_killed(&newsroom, 25);
    let asked_before: Vec<String> = server.calls().iter().map(step_of).collect();
    assert!(asked_before.contains(&"r1.c3.judge".to_owned()), "{asked_before:?}");
    // Another temperature for one specialist: everything before it is unchanged.
    let changed = own_key(&newsroom.read("config/config.yaml"), "opinion", "temperature: 0.9");
    newsroom.write("config/config.yaml", changed.as_bytes());
    server.forget();
    let resumed = newsroom.run(&["resume"]);
    assert_eq!(resumed.code, 0, "{}", resumed.err);
    assert!(resumed.err.contains("a new run replaces"), "{}", resumed.err);
    let asked: Vec<String> = server.calls().iter().map(step_of).collect();
    assert!(
        !asked.contains(&"draft".to_owned())
            && !asked.contains(&"r1.review".to_owned())
            && !asked.contains(&"r1.map".to_owned()),
        "{asked:?}"
    );
    assert!(asked.contains(&"r1.c3.judge".to_owned()), "its temperature changed: {asked:?}");
    let listed: Value = serde_json::from_str(&newsroom.run(&["list", "--all", "--json"]).out).unwrap();
    let states: Vec<&str> = listed.as_array().unwrap().iter().map(|run| run["state"].as_str().unwrap()).collect();
    assert_eq!(states, ["success", "superseded"]);
}

#[test]
fn a_rejected_answer_is_kept_and_not_asked_for_again_after_a_crash() {
    // The first draft is no JSON; the program is killed while it waits for the second.
    let server = Server::start(|call| match (call.agent.as_str(), call.before) {
        ("writer", 0) => Reply::Text("no JSON".into()),
        ("writer", 1) => Reply::Hang,
        _ => script::usual(call),
    });
    let newsroom = Newsroom::at(&server.base());
    let topic = newsroom.topic();
    let mut child = newsroom.start(&["run", "--auto", topic.to_str().unwrap()]);
    for _ in 0..500 {
        if server.count("writer") == 2 {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(newsroom.run(&["resume"]).code, 0);
    assert_eq!(server.count("writer"), 3, "the second attempt was in flight and is made again; the first is not");
}

#[test]
fn a_rerun_replaces_an_interrupted_run_and_resume_leaves_that_alone() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    run_killed(&newsroom, 10);
    let topic = newsroom.topic();
    assert_eq!(newsroom.auto(&topic).code, 0);
    let canonical = newsroom.canonical();
    assert_eq!(newsroom.run(&["resume"]).err.trim(), "Nothing to resume: every run has ended.");
    assert_eq!(newsroom.canonical(), canonical);
}

/// A newsroom whose story is signed off with its first draft.
fn signed(server: &Server) -> Newsroom {
    let newsroom = Newsroom::at(&server.base());
    let topic = newsroom.topic();
    assert_eq!(newsroom.run(&["run", "--plain", topic.to_str().unwrap()]).code, 0);
    for words in [["stet", "--reason", "It is right.", "--resume"].as_slice(), &["sign-off", "--resume"]] {
        let done = newsroom.run(&[&["decide", "park"], words].concat());
        assert_eq!(done.code, 0, "{}", done.err);
    }
    assert_eq!(headline(&newsroom), "A park plan passes (draft 1)");
    newsroom
}

fn headline(newsroom: &Newsroom) -> String {
    newsroom.canonical()["article"]["headline"].as_str().unwrap().to_owned()
}

/// Begins the usual story and kills the program after eight events.
fn begin_and_kill(newsroom: &Newsroom, switches: &[&str]) {
    let topic = newsroom.topic();
    let arguments = [&["run", "--auto", "--json"], switches, &[topic.to_str().unwrap()]].concat();
    let mut child = newsroom.start(&arguments);
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert_eq!(lines.take(8).count(), 8);
    child.kill().unwrap();
    assert!(!child.wait().unwrap().success());
}

#[test]
fn what_a_run_may_replace_is_not_forgotten_when_it_is_interrupted() {
    let server = Server::start(script::usual);
    // Under other settings another run takes over.
    for temperature in ["0.3", "0.9"] {
        let newsroom = signed(&server);
        begin_and_kill(&newsroom, &["--replace"]);
        let yaml = newsroom.read("config/config.yaml");
        let yaml = yaml.replacen("temperature: 0.3", &format!("temperature: {temperature}"), 1);
        newsroom.write("config/config.yaml", yaml.as_bytes());
        let resumed = newsroom.run(&["resume"]);
        assert_eq!(resumed.code, 0, "{}", resumed.err);
        assert_eq!(headline(&newsroom), "A park plan passes (draft 2)", "{temperature}");
    }
}

#[test]
fn a_story_that_is_signed_is_not_run_again_unless_it_is_asked_for() {
    let server = Server::start(script::usual);
    let newsroom = signed(&server);
    let calls = server.calls().len();
    let done = newsroom.run(&["run", "--auto", newsroom.topic().to_str().unwrap()]);
    assert_eq!((done.code, server.calls().len()), (0, calls), "{}", done.err);
    assert!(done.out.contains("already signed off by The editor") && done.out.contains("--replace"), "{}", done.out);
    assert_eq!(headline(&newsroom), "A park plan passes (draft 1)");
    assert!(newsroom.record("park").run.signed_by.is_some());
}

#[test]
fn what_was_signed_since_is_not_replaced_by_a_fork_of_a_run_that_might() {
    let server = Server::start(script::usual);
    let newsroom = signed(&server);
    let topic = newsroom.topic();
    assert_eq!(newsroom.run(&["run", "--auto", "--replace", topic.to_str().unwrap()]).code, 0);
    assert_eq!(headline(&newsroom), "A park plan passes (draft 2)");
    let replacing = newsroom.record("park").run.run;
    // Nothing is signed since: a fork may what it may.
    let forked = newsroom.run(&["fork", &replacing, "--at", "publish", "--auto"]);
    assert!(forked.code == 0 && !forked.err.contains("stays as it is"), "{}", forked.err);
    for words in [["reopen"].as_slice(), &["sign-off", "--resume"]] {
        let done = newsroom.run(&[&["decide", "park"], words].concat());
        assert_eq!(done.code, 0, "{}", done.err);
    }
    let signed = newsroom.read("data/output/articles/desk/park.json");
    assert_eq!(newsroom.run(&["fork", &replacing, "--at", "publish", "--auto"]).code, 0);
    assert_eq!(newsroom.read("data/output/articles/desk/park.json"), signed);
}

#[test]
fn a_run_without_a_model_is_killed_and_goes_on_as_well() {
    let root = env!("CARGO_MANIFEST_DIR");
    let topic = format!("{root}/assets/topics/miller-park-renovation.json");
    let draft = format!("{root}/assets/drafts/miller-park-renovation.md");
    let arguments = ["run", "--auto", "--json", &topic, "--draft", &draft];
    let undisturbed = Newsroom::offline();
    let done = undisturbed.run(&arguments);
    assert_eq!(done.code, 0, "{}", done.err);
    let expected = undisturbed.results();
    for killed_after in (1..done.out.lines().count()).step_by(4) {
        let newsroom = Newsroom::offline();
        let mut child = newsroom.start(&arguments);
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        for _ in 0..killed_after {
            lines.next();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(newsroom.run(&["resume"]).code, 0, "killed after {killed_after} events");
        assert_eq!(newsroom.results(), expected, "killed after {killed_after} events");
    }
}

#[test]
fn a_run_that_takes_over_stores_the_answers_that_it_found() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    run_killed(&newsroom, 8);
    let yaml = newsroom.read("config/config.yaml").replace("editor_max_rounds: 3", "editor_max_rounds: 4");
    newsroom.write("config/config.yaml", yaml.as_bytes());
    assert_eq!(newsroom.run(&["resume"]).code, 0);
    assert_eq!(server.count("writer"), 1);
    let database = Connection::open(newsroom.path().join("data/copydesk.db")).unwrap();
    let open: u32 = database
        .query_row("SELECT count(*) FROM llm_call JOIN run ON run.id = run WHERE run.state = 'success' AND llm_call.state <> 'answered'", [], |row| row.get(0))
        .unwrap();
    assert_eq!(open, 0);
}
