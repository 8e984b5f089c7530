//! Three failed steps on the screen, in a real pseudo-terminal: one is tried again there, one is dropped there, one by another program.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use serde_json::json;

use crate::support::{
    newsroom::Newsroom,
    press, script,
    server::{Call, Reply, Server},
    terminal::Terminal,
};

/// Stories whose review was given up after one redelivery, and the switch that mends the server.
fn newsroom(slugs: &[&str]) -> (Newsroom, Server, Arc<AtomicBool>) {
    let mended = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&mended);
    let server = Server::start(move |call: &Call| {
        if call.agent == "article_review" && !seen.load(Ordering::SeqCst) {
            Reply::Status(503, vec![], "no room".into())
        } else {
            script::usual(call)
        }
    });
    let newsroom = Newsroom::at_with(&server.base(), |yaml| {
        yaml.replace("down_after_failures: 3", "down_after_failures: 0")
            .replace("max_redeliveries: 0", "max_redeliveries: 1")
            .replace("backoff_seconds: 5", "backoff_seconds: 0.02")
    });
    for slug in slugs {
        let topic = newsroom.topic_with(|topic| topic["source_metadata"]["topic_slug"] = json!(slug));
        assert_eq!(newsroom.auto(&topic).code, 1);
    }
    (newsroom, server, mended)
}

#[test]
fn failed_steps_are_read_tried_again_and_dropped_and_the_page_follows_other_programs() {
    let (newsroom, server, mended) = newsroom(&["park", "mill", "pool"]);
    mended.store(true, Ordering::SeqCst);
    server.forget();

    let terminal = Terminal::start(&newsroom, &[], 30, 120);
    terminal.wait_for("3 stories · 3 need you · 3 failed steps");
    terminal.keys(press::FAILED_STEPS).wait_for("Failed step 1 of 3");
    let shot = terminal.wait_for("Retry 1 of 1 in");
    for says in ["desk/park", "desk/mill", "desk/pool", "Round 1, review", "answered 503: no room", "Attempt 1"] {
        assert!(shot.contains(says), "{says}\n{}", shot.text());
    }

    // One is tried again here, and goes on here; nothing that is known is asked for again.
    terminal.keys(press::RETRY).wait_for("Try it again?");
    terminal.keys(press::YES).wait_for("Failed step 1 of 2");
    terminal.wait_until("the end of the story", |_| newsroom.record("park").run.state.as_str() == "success");
    assert_eq!((server.count("writer"), server.count("article_review")), (0, 2));

    // One is dropped, with a reason.
    terminal.keys(press::DROP).wait_for("Drop the failed step?");
    terminal.keys(&format!("\"Old news.\" {}", press::SAVE)).wait_for("Failed step 1 of 1");
    let event = json!({"event": "dead_letter_dropped", "step": "r1.review", "by": "The editor", "reason": "Old news."});
    assert_eq!(newsroom.record("mill").events_of("dead_letter_dropped"), [event]);
    assert_eq!(newsroom.record("mill").run.state.as_str(), "failed");

    // The last one is tried again by another program, which leaves it to this one.
    assert_eq!(newsroom.run(&["dead", "retry", "--all"]).code, 0);
    terminal.wait_for("No failed steps: each");
    terminal.wait_until("the end of the story", |_| newsroom.record("pool").run.state.as_str() == "success");
    let shot = terminal.keys("esc").wait_for("3 stories");
    assert!(!shot.contains("failed step"), "{}", shot.text());
    terminal.leave();
}

#[test]
fn what_another_program_has_dealt_with_meanwhile_is_not_dealt_with_twice() {
    let (newsroom, server, _) = newsroom(&["park", "mill"]);
    server.forget();
    let terminal = Terminal::start(&newsroom, &[], 30, 120);
    terminal.wait_for("2 failed steps");
    terminal.keys(press::FAILED_STEPS).wait_for("Failed step 1 of 2");
    terminal.keys(press::RETRY).wait_for("Try it again?");
    assert_eq!(newsroom.run(&["dead", "drop", "park"]).code, 0);
    terminal.keys(press::YES).wait_for("desk/park does not have this failed step any more");
    terminal.wait_for("Failed step 1 of 1");
    terminal.keys(press::DROP).wait_for("Drop the failed step?");
    assert_eq!(newsroom.run(&["dead", "drop", "mill"]).code, 0);
    terminal
        .keys(&format!("\"Old news.\" {}", press::SAVE))
        .wait_for("desk/mill does not have this failed step any more");
    terminal.keys("esc").wait_for("Discard it?");
    terminal.keys(press::YES).wait_gone("Drop the failed step?");
    terminal.wait_for("No failed steps: each");
    terminal.keys("esc").wait_for("2 stories");
    terminal.leave();
    assert_eq!((server.calls().len(), newsroom.records("park").len(), newsroom.records("mill").len()), (0, 1, 1));
    assert_eq!(newsroom.record("mill").events_of("dead_letter_dropped").len(), 1);
}
