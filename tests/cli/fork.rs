//! Back in time and out of the way: reopened stories, forks, pauses, a program that is killed between a decision and going
//! on, and verdicts that were overruled. No call is made that need not be.

use std::{
    io::{BufRead as _, BufReader},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use copydesk::newsroom::Choice;
use serde_json::{Value, json};

use crate::support::{
    many::until,
    newsroom::{Done, Newsroom, done, own_key},
    script,
    server::{Call, Latch, Reply, Server},
};

/// Something that changes in the middle of a test.
#[derive(Clone, Default)]
struct Switch(Arc<AtomicBool>);

impl Switch {
    fn turn(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    fn is_on(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

#[track_caller]
fn decided(newsroom: &Newsroom, words: &[&str]) -> Done {
    newsroom.ran(&[&["decide", "park"], words].concat())
}

/// Every file of the runs' folders.
fn artifacts(newsroom: &Newsroom) -> Vec<(String, Vec<u8>)> {
    let mut files = newsroom.files();
    files.retain(|(name, _)| name.starts_with("data/output/article_editor_runs"));
    files
}

#[test]
fn a_reopened_story_tries_the_failed_step_again_and_repeats_no_other_call() {
    let mended = Switch::default();
    let server = Server::start({
        let mended = mended.clone();
        move |call: &Call| match call.agent.as_str() {
            "opinion" if !mended.is_on() => Reply::Status(500, vec![], "out of memory".into()),
            _ => script::usual(call),
        }
    });
    let newsroom = Newsroom::at(&server.base());
    assert_eq!(newsroom.auto(&newsroom.topic()).code, 1);
    assert!(newsroom.canonical()["error"].as_str().unwrap().starts_with("r1.c3.judge: "));
    mended.turn();
    server.forget();
    let done = decided(&newsroom, &["reopen"]);
    assert!(
        done.err.contains("Reopened at Round 1, concern 3") && done.err.contains("`copydesk resume` resumes it"),
        "{}",
        done.err
    );
    newsroom.ran(&["resume"]);
    assert_eq!(server.agents(), ["opinion", "attribution", "style_review"]);
    assert_eq!(newsroom.record("park").run.waits.as_deref(), Some("r1.gate"), "an editor took it up");
    for _ in 0..2 {
        decided(&newsroom, &["continue", "--resume"]);
    }
    decided(&newsroom, &["sign-off", "--resume"]);
    assert_eq!(newsroom.canonical()["success"], true);
}

#[test]
fn a_flagged_story_is_overruled_and_signed_off_without_a_call() {
    let server = Server::start(script::usual);
    let newsroom =
        Newsroom::at_with(&server.base(), |yaml| yaml.replace("editor_max_rounds: 3", "editor_max_rounds: 1"));
    assert_eq!(newsroom.auto(&newsroom.topic()).code, 1);
    assert_eq!(newsroom.record("park").run.flags, ["rounds used up with concerns open"]);
    server.forget();
    let done = decided(&newsroom, &["reopen"]);
    assert!(done.err.contains("Waiting for your decision, round 1: Round 1: 3 concerns open."), "{}", done.err);
    for concern in ["1", "2", "3"] {
        decided(&newsroom, &["overrule", concern, "keep", "--reason", "The source has it."]);
    }
    decided(&newsroom, &["continue", "--resume"]);
    let done = decided(&newsroom, &["sign-off", "--resume"]);
    assert!(done.out.contains("SUCCESS"), "{}", done.out);
    assert_eq!(server.agents(), Vec::<String>::new());
    let result = newsroom.canonical();
    assert_eq!((&result["success"], &result["error"]), (&json!(true), &Value::Null));
    let listed: Value = serde_json::from_str(&newsroom.ran(&["list", "--all", "--json"]).out).unwrap();
    let states: Vec<(&Value, &Value)> =
        listed.as_array().unwrap().iter().map(|run| (&run["state"], &run["signed_by"])).collect();
    assert_eq!(states, [(&json!("success"), &json!("The editor")), (&json!("failed"), &Value::Null)]);
}

#[test]
fn a_story_is_reopened_in_its_last_round_and_the_editor_is_told_which_draft_was_kept() {
    let server = Server::start(|call: &Call| match call.agent.as_str() {
        "article_review" => Reply::Text(script::bullets()),
        agent if call.user.contains("(draft 2)") && !["revision", "concern_mapping"].contains(&agent) => {
            let mut verdict: Value = serde_json::from_str(&script::verdict(3)).unwrap();
            verdict["concern_id"] = json!(script::concern(call));
            Reply::Text(verdict.to_string())
        }
        _ => script::usual(call),
    });
    let newsroom =
        Newsroom::at_with(&server.base(), |yaml| yaml.replace("editor_max_rounds: 3", "editor_max_rounds: 2"));
    assert_eq!(newsroom.auto(&newsroom.topic()).code, 1);
    assert_eq!(newsroom.record("park").run.open_concerns, 3, "the first draft was kept, the second has five");
    server.forget();
    let note = "the draft kept was that of round 1; fork r1.gate to go on from it";
    let shown = newsroom.ran(&["show", "park"]);
    assert!(shown.out.contains(&format!("reopens the story: Round 2; {note}")), "{}", shown.out);
    let done = decided(&newsroom, &["reopen"]);
    assert!(done.err.contains("Reopened at Round 2") && done.err.contains(note), "{}", done.err);
    assert!(done.err.contains("copydesk fork desk/park --at r1.gate"), "{}", done.err);
    let record = newsroom.record("park");
    assert_eq!((record.run.waits.as_deref(), record.verdicts(2).len()), (Some("r2.gate"), 5), "nothing is left behind");

    // As it says.
    let forked = newsroom.ran(&["fork", "park", "--at", "r1.gate"]);
    assert!(forked.err.contains("It waits for you"), "{}", forked.err);
    assert_eq!(newsroom.record("park").run.waits.as_deref(), Some("r1.gate"));
    assert_eq!(server.agents(), Vec::<String>::new());
}

#[test]
fn a_fork_asks_its_step_again_and_later_ones_only_where_their_input_changed() {
    let second_thoughts = Switch::default();
    let server = Server::start({
        let second_thoughts = second_thoughts.clone();
        move |call: &Call| match call.agent.as_str() {
            "evidence_finding" if second_thoughts.is_on() => {
                let mut verdict: Value = serde_json::from_str(&script::verdict(2)).unwrap();
                verdict["suggested_fix"] = json!("Say who reckoned the share.");
                Reply::Text(verdict.to_string())
            }
            _ => script::usual(call),
        }
    });
    let newsroom = Newsroom::at(&server.base());
    assert_eq!(newsroom.auto(&newsroom.topic()).code, 0);
    let (first, files) = (newsroom.record("park"), artifacts(&newsroom));

    // Its answer is known: nothing is asked at all.
    server.forget();
    newsroom.ran(&["fork", "park", "--at", "r1.c2.judge", "--auto"]);
    assert_eq!(server.agents(), [] as [&str; 0]);

    // Asked again, the same answer: nothing after it is asked.
    server.forget();
    newsroom.ran(&["fork", "park", "--at", "r1.c2.judge", "--again", "--auto"]);
    assert_eq!(server.agents(), ["evidence_finding"]);

    // Another answer: the writer is asked, and what it writes, word for word, was reviewed before.
    second_thoughts.turn();
    server.forget();
    newsroom.ran(&["fork", "park", "--at", "r1.c2.judge", "--again", "--auto"]);
    assert_eq!(server.agents(), ["evidence_finding", "revision"]);
    assert!(server.calls()[1].user.contains("Say who reckoned the share."));

    // Of two earlier answers to the same question the latest counts.
    server.forget();
    newsroom.ran(&["fork", "park", "--at", "r1.c1.judge", "--again", "--auto"]);
    assert_eq!(server.agents(), ["fact_check"]);
    let verdicts = newsroom.record("park").verdicts(1);
    assert_eq!(verdicts[1].suggested_fix.as_deref(), Some("Say who reckoned the share."));

    // The earlier run is as it was; the current one is marked.
    let runs = newsroom.records("park");
    assert_eq!(runs.len(), 5);
    let earliest = runs.last().unwrap();
    assert_eq!((&earliest.journal, earliest.run.state.as_str()), (&first.journal, "success"));
    assert_eq!(earliest.log, first.log);
    let now = artifacts(&newsroom);
    assert!(files.iter().all(|file| now.contains(file)), "its files too");
    let listed = newsroom.ran(&["list", "--all"]).out;
    assert_eq!(listed.lines().filter(|line| line.contains("desk/park (earlier run)")).count(), 4, "{listed}");
    assert!(listed.lines().nth(1).unwrap().contains("  desk/park  "), "{listed}");
}

#[test]
fn a_fork_at_a_step_that_is_not_there_says_which_are() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    assert_eq!(newsroom.auto(&newsroom.topic()).code, 0);
    for (step, says) in [
        ("r1.c2.jugde", "--at: "),
        (
            "r3.review",
            "has no step r3.review; its steps are draft, r1.review, r1.parse, r1.map, r1.c1.lookup, r1.c1.judge,",
        ),
        ("r1.c9.judge", "has no step r1.c9.judge"),
    ] {
        let done = newsroom.run(&["fork", "park", "--at", step]);
        assert!(done.code == 2 && done.err.contains(says), "{step}: {}", done.err);
    }
    assert_eq!(newsroom.records("park").len(), 1);
}

#[test]
fn a_paused_story_stops_after_the_call_that_is_running() {
    let latch = Latch::default();
    let server = Server::start({
        let latch = latch.clone();
        move |call: &Call| match call.agent.as_str() {
            "opinion" => Reply::Held(script::text(call), 5, latch.clone()),
            _ => script::usual(call),
        }
    });
    let newsroom = Newsroom::at(&server.base());
    let topic = newsroom.topic();
    let batch = newsroom.start(&["run", "--auto", topic.to_str().unwrap()]);
    until("third verdict under way", || server.count("opinion") == 1);
    newsroom.ran(&["set", "park", "--pause"]);
    latch.open();
    let stopped = done(batch.wait_with_output().unwrap());
    assert!(
        stopped.code == 0 && stopped.out.contains("Paused. `copydesk set STORY --unpause` ends the pause"),
        "{}",
        stopped.out
    );
    let before = server.agents();
    assert_eq!(before.last().unwrap(), "opinion");
    let record = newsroom.record("park");
    assert_eq!(record.steps().last().unwrap(), "r1.c3.judge", "its answer is kept");
    assert_eq!(newsroom.ask("SELECT count(*) FROM llm_call WHERE state <> 'answered'"), "0", "nothing else was begun");

    assert!(
        newsroom.ran(&["resume"]).err.contains("desk/park: Paused. `copydesk set desk/park --unpause` ends the pause")
    );
    assert_eq!(server.agents(), before);
    newsroom.ran(&["set", "park", "--unpause"]);
    newsroom.ran(&["resume"]);
    assert_eq!(server.calls().len(), 10, "{:?}", server.agents());
    assert_eq!(newsroom.record("park").events_of("call_repeated"), Vec::<Value>::new());
    assert_eq!(newsroom.canonical()["success"], true);
}

/// The attempts of a step, each with how it stands.
fn attempts(newsroom: &Newsroom, step: &str) -> String {
    newsroom.ask(&format!(
        "SELECT string_agg(attempt || ' ' || state, ', ') FROM (SELECT * FROM llm_call WHERE step = '{step}' ORDER BY attempt)"
    ))
}

#[test]
fn a_paused_story_tries_nothing_again_until_it_is_let_go_on() {
    let latch = Latch::default();
    let server = Server::start({
        let latch = latch.clone();
        move |call: &Call| match (call.agent.as_str(), call.before) {
            ("opinion", 0) => Reply::Held("no verdict at all".into(), 5, latch.clone()),
            _ => script::usual(call),
        }
    });
    let newsroom = Newsroom::at(&server.base());
    let topic = newsroom.topic();
    let batch = newsroom.start(&["run", "--auto", topic.to_str().unwrap()]);
    until("third verdict under way", || server.count("opinion") == 1);
    newsroom.ran(&["set", "park", "--pause"]);
    latch.open();
    let stopped = done(batch.wait_with_output().unwrap());
    assert!(stopped.out.contains("Paused. `copydesk set STORY --unpause` ends the pause"), "{}", stopped.out);
    assert_eq!(server.count("opinion"), 1, "no second attempt while it is paused");
    assert_eq!(attempts(&newsroom, "r1.c3.judge"), "1 rejected");
    let failed = newsroom.record("park").events_of("call_failed");
    assert_eq!((failed.len(), &failed[0]["again_in_seconds"]), (1, &Value::Null), "{failed:?}");

    newsroom.ran(&["set", "park", "--unpause"]);
    newsroom.ran(&["resume"]);
    assert_eq!(attempts(&newsroom, "r1.c3.judge"), "1 rejected, 2 answered");
    assert_eq!(server.calls().len(), 11, "the usual ten and the useless one: {:?}", server.agents());
    let record = newsroom.record("park");
    assert_eq!(record.events_of("call_repeated"), Vec::<Value>::new(), "nothing was in flight");
    let judged = record.journal.entries().iter().find(|entry| entry.step.to_string() == "r1.c3.judge").unwrap();
    assert!(judged.usage.prompt_tokens > Some(100), "both attempts' tokens: {:?}", judged.usage);
    assert_eq!(newsroom.canonical()["success"], true);
}

#[test]
fn a_story_that_is_paused_while_the_next_attempt_is_waited_for_makes_it_later() {
    let server = Server::start(script::but("opinion", 1, Reply::Status(503, vec![], "busy".into())));
    // Longer than any test: only the pause can end the wait.
    let newsroom = Newsroom::at_with(&server.base(), |yaml| own_key(&yaml, "opinion", "retry_delay: 500.0"));
    let topic = newsroom.topic();
    let batch = newsroom.start(&["run", "--auto", topic.to_str().unwrap()]);
    until("third verdict under way", || server.count("opinion") == 1);
    until("first attempt that failed", || attempts(&newsroom, "r1.c3.judge") == "1 rejected");
    newsroom.ran(&["set", "park", "--pause"]);
    let stopped = done(batch.wait_with_output().unwrap());
    assert!(stopped.out.contains("Paused. `copydesk set STORY --unpause` ends the pause"), "{}", stopped.out);
    assert_eq!((server.count("opinion"), attempts(&newsroom, "r1.c3.judge").as_str()), (1, "1 rejected"));

    // A shorter wait shapes no answer, so the same run goes on.
    let yaml = newsroom.read("config/config.yaml").replace("retry_delay: 500.0", "retry_delay: 0.05");
    newsroom.write("config/config.yaml", yaml.as_bytes());
    newsroom.ran(&["set", "park", "--unpause"]);
    newsroom.ran(&["resume"]);
    assert_eq!(newsroom.records("park").len(), 1);
    assert_eq!(attempts(&newsroom, "r1.c3.judge"), "1 rejected, 2 answered");
    assert_eq!(newsroom.canonical()["success"], true);
}

#[test]
fn a_retry_that_a_pause_held_back_is_made_by_the_program_that_is_still_at_work() {
    let (failing, slow) = (Latch::default(), Latch::default());
    let server = Server::start({
        let (failing, slow) = (failing.clone(), slow.clone());
        move |call: &Call| match (call.agent.as_str(), call.before) {
            ("fact_check", 0) => Reply::Held("no verdict at all".into(), 5, failing.clone()),
            ("evidence_finding", 0) => Reply::Held(script::text(call), 5, slow.clone()),
            _ => script::usual(call),
        }
    });
    let newsroom = Newsroom::at_with(&server.base(), |yaml| {
        yaml.replace("specialists_of_a_story: 1", "specialists_of_a_story: 2")
    });
    let topic = newsroom.topic();
    let batch = newsroom.start(&["run", "--auto", topic.to_str().unwrap()]);
    until("two specialists", || server.count("fact_check") == 1 && server.count("evidence_finding") == 1);
    newsroom.ran(&["set", "park", "--pause"]);
    failing.open();
    until("rejected answer", || attempts(&newsroom, "r1.c1.judge") == "1 rejected");
    newsroom.ran(&["set", "park", "--unpause"]);
    slow.open();
    let finished = done(batch.wait_with_output().unwrap());
    assert_eq!(finished.code, 0, "{}", finished.err);
    assert_eq!(attempts(&newsroom, "r1.c1.judge"), "1 rejected, 2 answered");
    assert_eq!(newsroom.canonical()["success"], true);
}

#[test]
fn a_new_run_of_a_paused_story_asks_nothing_until_it_is_let_go_on() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    assert_eq!(newsroom.auto(&newsroom.topic()).code, 0);
    newsroom.ran(&["set", "park", "--pause"]);
    server.forget();
    let rerun = newsroom.auto(&newsroom.topic());
    assert!(
        rerun.code == 0 && rerun.out.contains("Paused. `copydesk set STORY --unpause` ends the pause"),
        "{}",
        rerun.out
    );
    assert_eq!(server.agents(), [] as [&str; 0]);
    assert_eq!((newsroom.records("park").len(), newsroom.record("park").run.state.as_str()), (2, "open"));
    newsroom.ran(&["set", "park", "--unpause"]);
    newsroom.ran(&["resume"]);
    assert_eq!(server.agents().first().map(String::as_str), Some("writer"));
    assert_eq!((newsroom.records("park").len(), &newsroom.canonical()["success"]), (2, &json!(true)));
}

#[test]
fn a_decision_about_a_paused_story_stands_and_waits_with_it() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    let topic = newsroom.topic();
    newsroom.ran(&["run", "--plain", topic.to_str().unwrap()]);
    newsroom.ran(&["set", "park", "--pause"]);
    let done = decided(&newsroom, &["continue", "--resume"]);
    assert!(done.out.contains("Paused. `copydesk set STORY --unpause` ends the pause"), "{} {}", done.out, done.err);
    assert_eq!(server.count("revision"), 0);
    newsroom.ran(&["set", "park", "--unpause"]);
    newsroom.ran(&["resume"]);
    assert_eq!((server.count("revision"), newsroom.record("park").run.waits.as_deref()), (1, Some("r2.gate")));
}

#[test]
fn killed_between_a_decision_and_going_on_nothing_is_lost_and_nothing_asked_twice() {
    let server = Server::start(script::usual);
    let begin = || {
        let newsroom = Newsroom::at(&server.base());
        let topic = newsroom.topic();
        newsroom.ran(&["run", "--plain", topic.to_str().unwrap()]);
        decided(&newsroom, &["feedback", "Name the mayor."]);
        newsroom
    };
    let undisturbed = begin();
    let events = decided(&undisturbed, &["continue", "--resume", "--json"]).out.lines().count();
    assert!(events > 8, "{events}");
    let expected = undisturbed.record("park").steps();
    for killed_after in 1..events {
        let newsroom = begin();
        let mut child = newsroom.start(&["decide", "park", "continue", "--resume", "--json"]);
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        for _ in 0..killed_after {
            lines.next();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let answered = newsroom.ask("SELECT string_agg(step, ',') FROM llm_call WHERE state = 'answered'");
        server.forget();
        newsroom.ran(&["resume"]);
        let again = server.agents();
        for (agent, step) in [("revision", "r1.revise"), ("article_review", "r2.review")] {
            let stored = answered.split(',').any(|answered| answered == step);
            let count = again.iter().filter(|asked| *asked == agent).count();
            assert_eq!(count, usize::from(!stored), "{agent}, killed after {killed_after} events");
        }
        assert!(again.len() <= 2, "{again:?}, killed after {killed_after} events");
        let record = newsroom.record("park");
        assert_eq!(record.steps(), expected, "killed after {killed_after} events");
        let choices: Vec<Choice> = record.decisions().into_iter().map(|made| made.choice).collect();
        assert_eq!(choices, [Choice::Feedback { text: "Name the mayor.".into() }, Choice::Continue]);
    }
}

#[test]
fn an_overruled_verdict_is_not_offered_to_the_next_story() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    let begin = |slug: &str| {
        let topic = newsroom.topic_with(|topic| topic["source_metadata"]["topic_slug"] = json!(slug));
        newsroom.ran(&["run", "--plain", topic.to_str().unwrap()]);
    };
    begin("park");
    decided(&newsroom, &["overrule", "1", "keep", "--reason", "The clerk confirmed it."]);
    begin("before");
    assert_eq!(server.count("fact_check"), 1, "what can still be undone is remembered");

    decided(&newsroom, &["continue"]);
    begin("second");
    assert_eq!(server.count("fact_check"), 2, "the second story asks its own specialist");
    assert_eq!(newsroom.record("second").verdicts(1)[0].rationale, "Rationale 1.");

    // A run that goes back before the decision finds the overruled verdict again, and it is still not offered.
    newsroom.ran(&["fork", "park", "--at", "r1.c1.lookup", "--auto"]);
    begin("third");
    assert_eq!(server.count("fact_check"), 3, "{:?}", server.agents());
}

#[test]
fn what_stet_overrules_is_not_offered_either() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    let topic = newsroom.topic();
    newsroom.ran(&["run", "--plain", topic.to_str().unwrap()]);
    decided(&newsroom, &["stet", "--reason", "It is right."]);
    let topic = newsroom.topic_with(|topic| topic["source_metadata"]["topic_slug"] = json!("second"));
    newsroom.ran(&["run", "--plain", topic.to_str().unwrap()]);
    assert_eq!(server.count("fact_check"), 2);
}
