//! Many stories at once, and programs that work on them.

use std::{
    process::{Child, ExitStatus},
    thread,
    time::{Duration, Instant},
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use serde_json::json;

use super::{newsroom::Newsroom, server::Server};

/// Longest that anything here may take before it counts as stuck.
pub const PATIENCE: Duration = Duration::from_mins(4);

/// Topics of as many stories, each with a source of its own, so that none remembers another's checks.
pub fn topics(newsroom: &Newsroom, count: usize) {
    for number in 0..count {
        let topic = json!({
            "source_text": format!("Minutes no. {number}. The council of Eastbrook voted seven to two on Tuesday to renovate Miller Park."),
            "source_metadata": {
                "source_file": "park.json", "channel_name": "desk", "video_id": "m1", "video_title": "Minutes",
                "publish_date": "2026-10-06", "topic_slug": format!("park-{number}"), "topic_title": "Council votes to renovate park"
            },
            "target_length_words": "10-120"
        });
        newsroom.write(&format!("topics/{number:03}.json"), topic.to_string().as_bytes());
    }
}

/// A newsroom that tries again, quickly.
pub fn newsroom(server: &Server) -> Newsroom {
    Newsroom::at_with(&server.base(), |yaml| {
        yaml.replace("max_redeliveries: 0", "max_redeliveries: 3")
            .replace("    backoff_seconds: 5\n", "    backoff_seconds: 0.05\n")
            .replace("    longest_backoff_seconds: 300\n", "    longest_backoff_seconds: 0.2\n")
            .replace("    rest_seconds: 5\n", "    rest_seconds: 0.2\n")
            .replace("    longest_rest_seconds: 60\n", "    longest_rest_seconds: 0.5\n")
    })
}

pub fn send(child: &Child, signal: Signal) {
    kill(Pid::from_raw(i32::try_from(child.id()).unwrap()), signal).unwrap();
}

pub fn ends(mut child: Child, what: &str) -> ExitStatus {
    let began = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if began.elapsed() > PATIENCE {
            let _ = child.kill();
            panic!("{what} is stuck");
        }
        thread::sleep(Duration::from_millis(20));
    }
}

#[track_caller]
pub fn until(what: &str, mut so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !so() {
        assert!(began.elapsed() < PATIENCE, "{what}");
        thread::sleep(Duration::from_millis(5));
    }
}
