//! What goes wrong around a terminal: it is closed, the program is told to go, the database is locked, the window is never
//! still, texts are hostile. Each time the terminal is as it was, and nothing is lost.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that meets the unexpected should stop there and say so"
)]

mod support;

use std::time::Duration;

use nix::sys::signal::Signal;
use serde_json::{Value, json};
use support::{
    newsroom::Newsroom,
    press, script,
    server::{Call, Latch, Reply, Server},
    terminal::Terminal,
};

/// The usual story, whose first draft stops after its headline until the latch is opened.
fn held(latch: &Latch) -> impl Fn(&Call) -> Reply + Send + Sync + use<> {
    let latch = latch.clone();
    move |call| match call.agent.as_str() {
        "writer" => Reply::Held(script::text(call), 120, latch.clone()),
        _ => script::usual(call),
    }
}

/// A story in the terminal, in the middle of its first draft, with the latch that holds it.
struct Midway {
    server: Server,
    newsroom: Newsroom,
    terminal: Terminal,
    latch: Latch,
}

impl Midway {
    fn at(arguments: &[&str]) -> Self {
        let latch = Latch::default();
        let server = Server::start(held(&latch));
        let newsroom = Newsroom::at(&server.base());
        newsroom.topic();
        let terminal = Terminal::start(&newsroom, arguments, 24, 80);
        terminal.wait_until("the writer to be asked", |_| server.count("writer") == 1);
        Self { server, newsroom, terminal, latch }
    }

    fn on_the_screen() -> Self {
        let midway = Self::at(&["run", "park.json"]);
        midway.terminal.wait_for("A park plan passes");
        midway
    }

    /// What was begun is gone on with, and each finished call is made once.
    fn goes_on(&self) {
        self.latch.open();
        let done = self.newsroom.run(&["resume"]);
        assert_eq!(done.code, 0, "{}", done.err);
        assert_eq!(self.newsroom.canonical()["success"], json!(true));
        assert_eq!(
            (self.server.count("writer"), self.server.count("article_review")),
            (2, 2),
            "only what was in flight"
        );
    }

    /// Likewise, where an editor decides: the run waits at its gate, with the draft that was in flight.
    fn waits_again(&self) {
        self.latch.open();
        let terminal = Terminal::start(&self.newsroom, &[], 24, 80);
        terminal.wait_for("desk/park");
        terminal.wait_until("the gate", |_| self.newsroom.record("park").run.waits.as_deref() == Some("r1.gate"));
        assert_eq!(self.server.count("writer"), 2, "only what was in flight");
        terminal.keys(press::QUIT);
        assert_eq!(terminal.exit_code(), 0);
    }
}

#[test]
fn a_batch_that_is_interrupted_by_a_key_leaves_the_terminal_as_it_was() {
    let midway = Midway::at(&["run", "--auto", "park.json"]);
    midway.terminal.keys("ctrl-c");
    assert_eq!(midway.terminal.exit_code(), 130);
    assert!(midway.terminal.screen().contains("Interrupted."), "{}", midway.terminal.screen());
    assert_eq!(midway.terminal.left_behind(), Vec::<String>::new());
    midway.goes_on();
}

#[test]
fn a_batch_whose_terminal_is_closed_can_be_gone_on_with() {
    let mut midway = Midway::at(&["run", "--auto", "park.json"]);
    midway.terminal.close();
    midway.terminal.ended();
    midway.goes_on();
}

#[test]
#[ignore = "the screen is being written"]
fn a_program_that_is_told_to_go_restores_the_terminal_and_loses_nothing() {
    for signal in [Signal::SIGTERM, Signal::SIGHUP, Signal::SIGINT] {
        let midway = Midway::on_the_screen();
        midway.terminal.kill(signal);
        assert_eq!(midway.terminal.exit_code(), 130, "{signal}");
        assert_eq!(midway.terminal.left_behind(), Vec::<String>::new(), "{signal}");
        assert!(midway.terminal.screen().contains("resume"), "{signal}: {}", midway.terminal.screen());
        midway.waits_again();
    }
}

#[test]
#[ignore = "the screen is being written"]
fn a_program_whose_terminal_is_closed_ends_and_loses_nothing() {
    let mut midway = Midway::on_the_screen();
    midway.terminal.close();
    midway.terminal.ended();
    midway.waits_again();
}

#[test]
#[ignore = "the screen is being written"]
fn a_program_that_is_killed_loses_nothing() {
    let midway = Midway::on_the_screen();
    midway.terminal.kill(Signal::SIGKILL);
    midway.terminal.ended();
    midway.waits_again();
}

#[test]
#[ignore = "the screen is being written"]
fn quitting_asks_where_something_would_stop() {
    let midway = Midway::on_the_screen();
    midway.terminal.keys(press::QUIT).wait_for("resume");
    midway.terminal.keys("esc").wait_gone("resume");
    assert!(midway.terminal.is_running());
    midway.terminal.keys(press::QUIT).keys(press::YES);
    midway.terminal.exit_code();
    assert_eq!(midway.terminal.left_behind(), Vec::<String>::new());
    midway.waits_again();
}

#[test]
#[ignore = "the screen is being written"]
fn a_window_that_is_never_still_is_drawn_at_its_last_size() {
    let midway = Midway::on_the_screen();
    for step in 0..200_u16 {
        midway.terminal.resize(1 + step * 7 % 60, 1 + step * 13 % 200);
    }
    midway.terminal.resize(5, 30);
    midway.terminal.resize(36, 120);
    midway.latch.open();
    midway.terminal.wait_for("Round 1: 3 concerns open.");
    midway.terminal.keys(press::QUIT).keys(press::YES);
    midway.terminal.exit_code();
    assert_eq!(midway.terminal.left_behind(), Vec::<String>::new());
}

#[test]
#[ignore = "the screen is being written"]
fn a_pasted_megabyte_is_taken_or_refused_and_never_obeyed() {
    let midway = Midway::on_the_screen();
    midway.latch.open();
    midway.terminal.wait_for("Round 1: 3 concerns open.");
    // Outside an editor pasted text is no key: `q` does not quit, `c` does not continue.
    midway.terminal.paste("qcS");
    midway.terminal.keys(press::FEEDBACK).paste(&"quit now\n".repeat(120_000)).keys(press::SAVE);
    midway.terminal.wait_for("longer than");
    assert_eq!(midway.newsroom.record("park").decisions(), []);
    assert!(midway.terminal.is_running());
}

#[test]
#[ignore = "the screen is being written"]
fn a_decision_waits_for_a_locked_database_and_says_so() {
    let midway = Midway::on_the_screen();
    midway.latch.open();
    midway.terminal.wait_for("Round 1: 3 concerns open.");
    let mut other = rusqlite::Connection::open(midway.newsroom.path().join("data/copydesk.db")).unwrap();
    let lock = other.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate).unwrap();
    midway.terminal.keys(press::CONTINUE).wait_for("locked");
    // The screen lives meanwhile.
    midway.terminal.keys(press::HELP).wait_for(press::PALETTE);
    midway.terminal.keys("esc");
    drop(lock);
    midway.terminal.keys(press::CONTINUE).wait_for("Round 2: nothing to object.");
}

#[test]
#[ignore = "the screen is being written"]
fn texts_cannot_speak_to_the_terminal_nor_break_the_page() {
    let hostile =
        "\x1b]52;c;ZXZpbA==\x07\x1b[2J\x1b[?1049l\u{9b}31mred\u{202e}\u{7} 日本語 e\u{301}\u{301} שלום \u{200b}x";
    let server = Server::start(move |call| {
        let text = script::text(call);
        match call.agent.as_str() {
            "writer" | "revision" => {
                let mut article: Value = serde_json::from_str(&text).unwrap();
                let body = article["articleBody"].as_str().unwrap();
                article["articleBody"] = json!(format!("{hostile} {body}"));
                Reply::Slow(article.to_string(), 5, Duration::from_millis(1))
            }
            _ => Reply::Text(text),
        }
    });
    let newsroom = Newsroom::at(&server.base());
    newsroom.topic_with(|topic| {
        topic["source_metadata"]["topic_title"] = json!(format!("Council votes {hostile}"));
        topic["source_text"] = json!(format!("{hostile} The minutes name no month."));
    });
    let terminal = Terminal::start(&newsroom, &["run", "park.json"], 24, 80);
    let shot = terminal.wait_for("Round 1: 3 concerns open.");
    let left = terminal.left_behind();
    assert!(left.iter().any(|what| what.contains("the alternate screen")), "still there: {left:?}");
    assert_eq!(terminal.clipboard(), None);
    assert_eq!(terminal.bells(), 1, "the gate's own");
    assert!(shot.rows.iter().all(|row| row.iter().map(|cell| usize::from(cell.width)).sum::<usize>() == 80));
    terminal.keys(press::QUIT).keys(press::YES);
    terminal.exit_code();
    assert_eq!(terminal.left_behind(), Vec::<String>::new());
}

#[test]
#[ignore = "the screen is being written"]
fn a_hand_edit_in_an_editor_of_ones_own_comes_back_to_the_screen() {
    let midway = Midway::on_the_screen();
    midway.latch.open();
    midway.terminal.wait_for("Round 1: 3 concerns open.");
    let editor = midway
        .newsroom
        .write("editor.sh", b"#!/bin/sh\nstty -a > stty.txt\nsed -i 's/begin in April/begin in May/' \"$1\"\n");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&editor, mode).unwrap();
    drop(midway.terminal);
    let path = editor.to_str().unwrap();
    let terminal = Terminal::start_with(&midway.newsroom, &[], 24, 80, &[("EDITOR", path)]);
    terminal.wait_for("desk/park");
    terminal.keys("enter").wait_for("Round 1: 3 concerns open.");
    terminal.keys(press::PALETTE).keys("\"edit in\" enter");
    terminal.wait_until("the edit in the database", |_| midway.newsroom.record("park").decisions().len() == 1);
    terminal.wait_for("begin in May");
    assert!(midway.newsroom.read("stty.txt").contains(" icanon"), "the editor finds a terminal as a shell has it");
}

#[test]
#[ignore = "the screen is being written"]
fn without_colours_nothing_is_coloured() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    newsroom.topic();
    let terminal = Terminal::start_with(&newsroom, &["run", "park.json"], 24, 80, &[("NO_COLOR", "1")]);
    let shot = terminal.wait_for("Round 1: 3 concerns open.");
    let coloured = shot
        .rows
        .iter()
        .flatten()
        .find(|cell| cell.look.fg != vt100::Color::Default || cell.look.bg != vt100::Color::Default);
    assert_eq!(coloured, None);
}
