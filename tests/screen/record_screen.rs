//! The pages that an editor reads come into the log, once for each gate, and so into the record.

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{newsroom::Newsroom, press, script, server::Server, terminal::Terminal};

/// Waits until so many parts are noted: how long that takes depends on the machine.
fn wait_until_noted(newsroom: &Newsroom, parts: usize) {
    let until = Instant::now() + Duration::from_mins(1);
    loop {
        let log = newsroom.ran(&["log", "park", "--json"]).out;
        if log.matches(r#""event":"examined""#).count() >= parts {
            return;
        }
        assert!(Instant::now() < until, "{parts} parts are to be noted: {log}");
        std::thread::sleep(Duration::from_millis(200));
    }
}

#[test]
fn what_stays_on_the_screen_is_noted_once_and_a_held_key_notes_nothing() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    newsroom.topic();
    let terminal = Terminal::start(&newsroom, &["run", "park.json"], 36, 120);
    terminal.wait_for("Round 1 waits for you");
    terminal.keys(press::CONCERNS).wait_for("Verdict");
    for _ in 0..30 {
        terminal.keys(press::NEXT).keys("up");
    }
    wait_until_noted(&newsroom, 1);
    terminal.keys(press::ARTICLE);
    wait_until_noted(&newsroom, 3);
    terminal.keys(press::SOURCES).wait_for("Minutes");
    terminal.keys(press::OPEN);
    wait_until_noted(&newsroom, 4);
    terminal.keys(press::LOG).wait_for("on the screen");
    terminal.keys(press::ARTICLE);
    // Longer than a part has to be on the screen: it is not noted again.
    std::thread::sleep(Duration::from_millis(1_400));
    terminal.leave();

    let log = newsroom.ran(&["log", "park", "--json"]).out;
    let events: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let seen: Vec<&Value> = events.iter().filter(|event| event["event"] == "examined").collect();
    let parts: Vec<&str> = seen.iter().map(|event| event["object"].as_str().unwrap()).collect();
    assert_eq!(parts, ["concern", "draft", "draft_end", "source"], "{seen:#?}");
    assert!(seen.iter().all(|event| event["gate"] == "r1.gate" && event["by"] == "The editor"), "{seen:#?}");
    assert!(newsroom.ran(&["log", "park"]).out.contains("The editor had concern 1 of round 1 on the screen"));

    let record: Value = serde_json::from_str(&newsroom.ran(&["export", "park", "--format", "record"]).out).unwrap();
    assert_eq!(record["examined"].as_array().unwrap().len(), 4);
    assert!(record["examined"][0]["excerpt"].is_string(), "{record}");
    newsroom.ran(&["audit", "verify"]);
    newsroom.ran(&["replay", "park"]);
}
