//! Failed steps by commands: which there are and what became of each attempt, trying them again without asking for anything that is
//! known, dropping them.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use regex::Regex;
use serde_json::{Value, json};

use crate::support::{
    newsroom::Newsroom,
    script,
    server::{Call, Reply, Server},
};

/// A server at which `agent` gets 503 until it is mended.
fn broken(agent: &'static str) -> (Server, Arc<AtomicBool>) {
    let mended = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&mended);
    let server = Server::start(move |call: &Call| {
        if call.agent == agent && !seen.load(Ordering::SeqCst) {
            Reply::Status(503, vec![], "no room".into())
        } else {
            script::usual(call)
        }
    });
    (server, mended)
}

/// A newsroom that gives a step up at once: a server that fails is not left alone.
fn newsroom(server: &Server) -> Newsroom {
    Newsroom::at_with(&server.base(), |yaml| hasty(&yaml))
}

fn hasty(yaml: &str) -> String {
    yaml.replace("down_after_failures: 3", "down_after_failures: 0")
}

/// The usual story under another name.
fn another(newsroom: &Newsroom, channel: &str, slug: &str) -> String {
    newsroom.topic_with(|topic| {
        topic["source_metadata"]["channel_name"] = json!(channel);
        topic["source_metadata"]["topic_slug"] = json!(slug);
    });
    let file = newsroom.write(&format!("{slug}.json"), newsroom.read("park.json").as_bytes());
    file.to_str().unwrap().to_owned()
}

#[track_caller]
fn refused(newsroom: &Newsroom, arguments: &[&str]) -> String {
    let done = newsroom.run(arguments);
    assert_eq!((done.code, done.out.as_str()), (2, ""), "{arguments:?}: {}", done.err);
    done.err.trim().to_owned()
}

/// The stories that have a failed step.
fn listed(newsroom: &Newsroom) -> Vec<String> {
    failed_steps(newsroom).iter().map(|failed| failed["story"].as_str().unwrap().to_owned()).collect()
}

fn failed_steps(newsroom: &Newsroom) -> Vec<Value> {
    serde_json::from_str(&newsroom.ran(&["dead", "list", "--json"]).out).unwrap()
}

/// The results of the run: the article, and every file of it, with names of runs and times made alike.
fn left(newsroom: &Newsroom) -> Vec<(String, String)> {
    let run = Regex::new(r"\d{8}T\d{6}Z_[0-9a-f]{8}").unwrap();
    let time = Regex::new(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z").unwrap();
    let current = newsroom.record("park").run.run;
    let files = newsroom.files().into_iter().filter(|(name, _)| {
        name.starts_with("data/output/articles")
            || name.starts_with("data/output/article_editor_runs") && name.contains(&current)
    });
    let alike = |text: &str| time.replace_all(&run.replace_all(text, "RUN"), "TIME").into_owned();
    files.map(|(name, bytes)| (alike(&name), alike(&String::from_utf8(bytes).unwrap()))).collect()
}

#[test]
fn a_step_that_was_given_up_is_tried_again_and_nothing_that_is_known_is_asked_again() {
    let undisturbed = {
        let server = Server::start(script::usual);
        let newsroom = newsroom(&server);
        assert_eq!(newsroom.auto(&newsroom.topic()).code, 0);
        (left(&newsroom), server.agents())
    };
    let (server, mended) = broken("opinion");
    let newsroom = newsroom(&server);
    let done = newsroom.auto(&newsroom.topic());
    assert_eq!(done.code, 1);
    assert!(done.err.contains("`copydesk dead retry` tries it again"), "{}", done.err);
    let failed = newsroom.record("park");
    let before = server.agents();
    let known = before.len() - server.count("opinion");

    let table = newsroom.ran(&["dead", "list"]).out;
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines.len(), 2, "{table}");
    assert_eq!(lines[0].split_whitespace().collect::<Vec<_>>(), ["story", "step", "since", "retries", "error"]);
    let row: Vec<&str> = lines[1].split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect();
    assert_eq!((row[0], row[1], row[3]), ("desk/park", "Round 1, concern 3", "0"), "{table}");
    assert!(table.contains("answered 503: no room"), "{table}");

    mended.store(true, Ordering::SeqCst);
    server.forget();
    let done = newsroom.ran(&["dead", "retry", "park", "--resume"]);
    let tried = newsroom.record("park");
    let said = format!(
        "desk/park: the new run {} tries “Round 1, concern 3” again and reuses everything before it from {}.",
        tried.run.run, failed.run.run
    );
    assert!(done.err.contains(&said), "{}", done.err);
    assert!(done.out.contains("SUCCESS"), "{}", done.out);
    let after = server.agents();
    assert_eq!(after[0], "opinion");
    assert_eq!(known + after.len(), undisturbed.1.len(), "{after:?}");
    assert_eq!([&undisturbed.1[..known], &after[..]].concat(), undisturbed.1);
    assert_eq!(left(&newsroom), undisturbed.0);
    assert_eq!(listed(&newsroom), Vec::<String>::new());
    assert_eq!(newsroom.ran(&["dead", "list"]).err.trim(), "No failed steps.");
    let failed = &newsroom.records("park")[1];
    assert_eq!((failed.run.state.as_str(), failed.run.current), ("failed", false));
}

#[test]
fn the_story_of_the_attempts_is_told_over_redeliveries_and_retries() {
    let (server, mended) = broken("article_review");
    let newsroom = Newsroom::at_with(&server.base(), |yaml| {
        hasty(&yaml)
            .replace("max_redeliveries: 0", "max_redeliveries: 1")
            .replace("backoff_seconds: 5", "backoff_seconds: 0.02")
    });
    assert_eq!(newsroom.auto(&newsroom.topic()).code, 1);
    let now = failed_steps(&newsroom);
    let [failed] = now.as_slice() else { panic!("{now:?}") };
    let run = newsroom.record("park").run.run;
    let of = |failed: &Value, name: &str| failed[name].clone();
    assert_eq!(
        ["story", "run", "step", "redeliveries"].map(|name| of(failed, name)),
        [json!("desk/park"), json!(run), json!("r1.review"), json!(1)]
    );
    let attempts = failed["attempts"].as_array().unwrap();
    assert_eq!(attempts.len(), server.count("article_review"));
    for (attempt, number) in attempts.iter().zip(1..) {
        assert_eq!(
            ["run", "attempt", "agent", "state", "repeats"].map(|name| of(attempt, name)),
            [json!(run), json!(number), json!("article_review"), json!("rejected"), json!(0)]
        );
        assert!(attempt["error"].as_str().unwrap().contains("answered 503: no room"), "{attempt}");
        assert!(attempt["asked_at"].as_str() <= attempt["ended_at"].as_str(), "{attempt}");
        assert!(attempt["host"].as_str().unwrap().starts_with("127.0.0.1:") && attempt["model"].is_string());
    }
    let log = |failed: &Value| -> Vec<String> {
        failed["log"].as_array().unwrap().iter().map(|record| record["event"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(log(failed), ["step_redelivered", "step_dead"]);
    assert_eq!(failed["since"], failed["log"][1]["at"]);

    // It waits in the queue, and fails once more: then the first story is told before the second.
    server.forget();
    let done = newsroom.ran(&["dead", "retry", "desk/park"]);
    assert!(
        done.err.contains(
            "It waits in the queue: a running `copydesk worker` or screen takes it, or type `copydesk resume`."
        ),
        "{}",
        done.err
    );
    assert_eq!((listed(&newsroom), server.agents()), (vec![], vec![]));
    assert_eq!(newsroom.run(&["resume"]).code, 1);
    let now = failed_steps(&newsroom);
    assert_eq!(log(&now[0]), ["step_redelivered", "step_dead", "run_forked", "step_redelivered", "step_dead"]);
    let again = newsroom.record("park").run.run;
    let runs: Vec<&str> = now[0]["attempts"].as_array().unwrap().iter().map(|of| of["run"].as_str().unwrap()).collect();
    assert_eq!(runs, [vec![run.as_str(); attempts.len()], vec![again.as_str(); attempts.len()]].concat());
    assert_eq!(server.count("writer"), 0);

    mended.store(true, Ordering::SeqCst);
    newsroom.ran(&["dead", "retry", &again, "--resume", "--json"]);
    assert_eq!((newsroom.canonical()["success"].clone(), server.count("writer")), (json!(true), 0));
}

#[test]
fn a_failed_step_that_is_dropped_leaves_its_run_failed_and_flagged_with_who_and_why_in_the_log() {
    let (server, _) = broken("writer");
    let newsroom = newsroom(&server);
    for slug in ["park", "mill", "pool"] {
        assert_eq!(newsroom.run(&["run", "--auto", &another(&newsroom, "desk", slug)]).code, 1);
    }
    assert_eq!(listed(&newsroom), ["desk/park", "desk/mill", "desk/pool"]);
    let done = newsroom.ran(&["dead", "drop", "park", "desk/park", "mill", "--reason", " Old news. "]);
    let settles = |story: &str| {
        format!(
            "{story}: the failed step is dropped. Its run stays failed and flagged: `copydesk decide {story} accept flags --reason TEXT` settles that."
        )
    };
    assert_eq!(done.err.lines().collect::<Vec<_>>(), [settles("desk/park"), settles("desk/mill")], "each once");
    let event = json!({"event": "dead_letter_dropped", "step": "draft", "by": "The editor", "reason": "Old news."});
    assert_eq!(newsroom.record("park").events_of("dead_letter_dropped"), [event]);
    assert_eq!(newsroom.record("park").run.flags, ["one step failed after its last retry"]);
    assert_eq!(listed(&newsroom), ["desk/pool"]);

    let none = "desk/park has no failed step; `copydesk dead list` lists those that there are (nothing was changed)";
    assert_eq!(refused(&newsroom, &["dead", "drop", "park"]), none);
    assert_eq!(
        refused(&newsroom, &["dead", "retry", "pool", "park", "mill"]),
        "desk/park, desk/mill have no failed step; `copydesk dead list` lists those that there are (nothing was changed)"
    );
    assert!(refused(&newsroom, &["dead", "retry", "nowhere"]).contains("There is no story or run nowhere"));
    assert_eq!(listed(&newsroom), ["desk/pool"]);
    for wrong in
        [&["dead", "retry"][..], &["dead", "retry", "pool", "--all"], &["dead", "retry", "pool", "--json"], &["dead"]]
    {
        assert_eq!(newsroom.run(wrong).code, 2, "{wrong:?}");
    }

    // A flag that was accepted, or that the settings leave out, is not mentioned.
    assert_eq!(newsroom.run(&["decide", "pool", "accept", "flags", "--reason", "So."]).code, 0);
    assert_eq!(
        newsroom.ran(&["dead", "drop", "pool"]).err.trim(),
        "desk/pool: the failed step is dropped. Its run stays failed."
    );
    let none = "desk/park has no failed step; `copydesk dead list` lists those that there are (nothing was changed)";
    assert_eq!(refused(&newsroom, &["dead", "retry", "park"]), none);
    let done = newsroom.ran(&["dead", "retry", "--all"]);
    assert_eq!((done.out.as_str(), done.err.trim()), ("", "No failed steps."));
}

#[test]
fn all_failed_steps_are_tried_again_those_that_can_be() {
    let (server, mended) = broken("writer");
    let newsroom = newsroom(&server);
    let topics: Vec<String> = (1..=12).map(|number| another(&newsroom, "desk", &format!("s{number}"))).collect();
    let stuck = another(&newsroom, "city", "stuck");
    let mut arguments = vec!["run", "--auto"];
    arguments.extend(topics.iter().chain([&stuck]).map(String::as_str));
    assert_eq!(newsroom.run(&arguments).code, 1);
    assert_eq!(listed(&newsroom).len(), 13);
    let mill = another(&newsroom, "desk", "mill");
    let said = {
        mended.store(true, Ordering::SeqCst);
        newsroom.ran(&["run", "--auto", &mill]);
        refused(&newsroom, &["dead", "retry", "mill"])
    };
    assert!(said.starts_with("desk/mill has no failed step; `copydesk dead list`"), "{said}");

    // One of them cannot be retried now: its articles have no folder.
    let folder = newsroom.path().join("data/output/articles/city");
    std::fs::remove_dir_all(&folder).unwrap();
    std::fs::write(&folder, "in the way").unwrap();
    server.forget();
    let done = newsroom.run(&["dead", "retry", "--all", "--resume"]);
    assert_eq!(done.code, 1, "{}", done.err);
    assert!(done.err.contains("the folder") && done.err.contains("cannot be used"), "{}", done.err);
    assert_eq!(done.out.matches("SUCCESS").count(), 12, "{}", done.out);
    assert_eq!((server.count("writer"), listed(&newsroom)), (12, vec!["city/stuck".to_owned()]));

    std::fs::remove_file(&folder).unwrap();
    assert_eq!(newsroom.run(&["set", "stuck", "--pause"]).code, 0);
    let done = newsroom.ran(&["dead", "retry", "--all"]);
    assert!(done.err.contains("It is paused: `copydesk set city/stuck --unpause` first."), "{}", done.err);
    newsroom.ran(&["resume"]);
    assert_eq!(server.count("writer"), 12, "a paused story stays so");
    assert_eq!(newsroom.run(&["set", "stuck", "--unpause"]).code, 0);
    newsroom.ran(&["resume"]);
    assert_eq!(server.count("writer"), 13);
}

#[test]
fn gates_stay_whose_they_were_and_a_step_that_was_to_be_asked_anew_still_is() {
    let (server, mended) = broken("article_review");
    mended.store(true, Ordering::SeqCst);
    let newsroom = newsroom(&server);
    assert_eq!(newsroom.auto(&newsroom.topic()).code, 0);
    mended.store(false, Ordering::SeqCst);
    newsroom.ran(&["fork", "park", "--at", "r1.review", "--again"]);
    assert_eq!(newsroom.run(&["resume"]).code, 1);
    assert_eq!(listed(&newsroom), ["desk/park"]);
    mended.store(true, Ordering::SeqCst);
    server.forget();
    newsroom.ran(&["dead", "retry", "park", "--resume"]);
    assert_eq!(server.agents(), ["article_review"], "the answer from before the fork was not wanted");
    assert_eq!(newsroom.record("park").run.waits.as_deref(), Some("r1.gate"), "an editor forked it");
}

#[test]
fn two_programs_that_try_all_again_at_once_try_each_once() {
    let (server, mended) = broken("writer");
    let newsroom = newsroom(&server);
    let topics: Vec<String> = (1..=20).map(|number| another(&newsroom, "desk", &format!("s{number}"))).collect();
    let mut arguments = vec!["run", "--auto"];
    arguments.extend(topics.iter().map(String::as_str));
    assert_eq!(newsroom.run(&arguments).code, 1);
    mended.store(true, Ordering::SeqCst);
    server.forget();
    let programs = [(); 2].map(|()| newsroom.start(&["dead", "retry", "--all"]));
    let opened: usize = programs
        .map(|program| {
            let done = crate::support::newsroom::done(program.wait_with_output().unwrap());
            // The command says that the other one was quicker.
            assert!(
                done.code == 0 || done.err.contains("any more") || done.err.contains("another copydesk"),
                "{}",
                done.err
            );
            done.err.matches("tries “First draft” again").count()
        })
        .iter()
        .sum();
    assert_eq!((opened, listed(&newsroom)), (20, vec![]));
    newsroom.ran(&["resume"]);
    assert_eq!(server.count("writer"), 20);
}
