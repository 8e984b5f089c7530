//! The real program: a fork at each step of a finished and of a waiting story, programs killed between and amid, and a replay of all runs.

use std::io::{BufRead as _, BufReader};

use crate::support::{
    newsroom::Newsroom,
    script,
    server::{Call, Reply, Server},
};

/// A newsroom with several specialists of a story at once.
fn newsroom(server: &Server) -> Newsroom {
    Newsroom::at_with(&server.base(), |yaml| {
        yaml.replace("specialists_of_a_story: 1", "specialists_of_a_story: 4")
            .replace("editor_max_rounds: 3", "editor_max_rounds: 2")
    })
}

#[track_caller]
fn ran(newsroom: &Newsroom, arguments: &[&str]) {
    let done = newsroom.run(arguments);
    assert_eq!(done.code, 0, "{arguments:?}: {} {}", done.out, done.err);
}

/// Every run of the story comes to what was recorded.
#[track_caller]
fn replays(newsroom: &Newsroom) {
    for record in newsroom.records("park") {
        let into = format!("replays/{}-{}", record.run.run, newsroom.files().len());
        ran(newsroom, &["replay", &record.run.run, "--into", &into]);
    }
}

/// Forks the current run of the story at each of its steps and resumes each fork.
fn fork_everywhere(newsroom: &Newsroom, gates: &[&str]) {
    let first = newsroom.record("park");
    for step in first.steps() {
        ran(newsroom, &[&["fork", &first.run.run, "--at", &step], gates].concat());
        ran(newsroom, &["resume"]);
        let now = newsroom.record("park").run;
        assert!(now.waits.is_some() || now.state.as_str() != "open", "{step}: {now:?}");
    }
    let kept = newsroom.records("park").pop().unwrap();
    assert_eq!(kept.journal, first.journal);
    replays(newsroom);
}

#[test]
fn the_program_forks_a_finished_story_at_each_step() {
    let server = Server::start(script::usual);
    let newsroom = newsroom(&server);
    assert_eq!(newsroom.auto(&newsroom.topic()).code, 0);
    let asked = server.calls().len();
    fork_everywhere(&newsroom, &["--auto"]);
    assert_eq!(server.calls().len(), asked, "nothing is asked that is known");
}

#[test]
fn the_program_forks_a_waiting_story_at_each_step() {
    let server = Server::start(script::usual);
    let newsroom = newsroom(&server);
    ran(&newsroom, &["run", "--plain", newsroom.topic().to_str().unwrap()]);
    fork_everywhere(&newsroom, &[]);
    let offline = Newsroom::offline();
    ran(&offline, &["run", "--plain", offline.topic().to_str().unwrap()]);
    fork_everywhere(&offline, &[]);
}

#[test]
fn a_run_killed_amid_its_specialists_goes_on_under_a_changed_setting() {
    let server = Server::start(|call: &Call| match call.agent.as_str() {
        "fact_check" => Reply::Late(std::time::Duration::from_millis(60), Box::new(script::usual(call))),
        _ => script::usual(call),
    });
    for lines in [4, 6, 8, 9, 10, 11, 12, 13, 14, 16, 18, 20] {
        let newsroom = newsroom(&server);
        let topic = newsroom.topic();
        let mut child = newsroom.start(&["run", "--auto", "--json", topic.to_str().unwrap()]);
        let mut told = BufReader::new(child.stdout.take().unwrap()).lines();
        for _ in 0..lines {
            told.next();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let yaml = newsroom.read("config/config.yaml");
        newsroom.write("config/config.yaml", yaml.replace("editor_max_rounds: 2", "editor_max_rounds: 3").as_bytes());
        ran(&newsroom, &["resume"]);
        assert_eq!(newsroom.canonical()["success"], true, "killed after {lines} lines");
        replays(&newsroom);
        ran(&newsroom, &["decide", "park", "reopen"]);
        replays(&newsroom);
    }
}
