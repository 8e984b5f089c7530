//! A whole day at the desk, as a journalist has it: own notes and an own draft, a live run, an override, an own edit, two windows,
//! sign-off, publishing, a correction, a batch with a broken topic, and a story that is given up.

use std::fs;

use copydesk::newsroom::Step;
use serde_json::json;

use crate::support::{
    newsroom::Newsroom,
    press,
    script::{self, EXCERPTS},
    server::Server,
    terminal::Terminal,
};

const NOTES: &str = "Council minutes. The council voted 7-2 on Tuesday to renovate Miller Park.";
const REASON: &str = "The clerk confirmed April by telephone.";
const BY_HAND: &str = "The minutes are public. ";
const CORRECTED: &str = "Two members were absent. ";

/// The body that the script's model has concerns about, under a headline of one's own.
fn own_draft() -> String {
    let article: serde_json::Value = serde_json::from_str(&script::article(1)).unwrap();
    format!("# {}\n\n{}", article["headline"].as_str().unwrap(), article["articleBody"].as_str().unwrap())
}

fn topic_of_the_batch(newsroom: &Newsroom, slug: &str) {
    let path = newsroom.topic_with(|topic| topic["source_metadata"]["topic_slug"] = json!(slug));
    fs::create_dir_all(newsroom.path().join("batch")).unwrap();
    fs::rename(path, newsroom.path().join(format!("batch/{slug}.json"))).unwrap();
}

fn edit(terminal: &Terminal, words: &str) {
    terminal.keys(press::EDIT).wait_for("Edit the draft of round");
    terminal.wait_gone("loading your earlier edit…");
    terminal.keys(&format!("\"{words}\"")).wait_for("saved at");
    terminal.keys(press::SAVE);
}

fn sign(terminal: &Terminal) {
    terminal.keys(press::ARTICLE).wait_for("Before you sign");
    terminal.keys(press::SIGN_OFF).wait_for("under your name");
    terminal.keys(press::YES).wait_for("Signed off by The editor");
}

/// From own notes and an own draft to the sign-off, with a second window on the way.
fn a_story_of_ones_own(newsroom: &Newsroom, one: &Terminal) {
    one.keys(press::NEW_BY_FORM).wait_for("Tab moves to the next field.");
    one.keys("\"Park\" tab").paste(NOTES).wait_for("Council minutes.");
    one.keys("tab tab tab tab tab tab tab").paste(&own_draft()).wait_for("more shade");
    one.keys(press::SAVE).wait_for("Round 1 waits for you: 3 of 5 concerns open.");
    one.keys(press::CONCERNS).wait_for(EXCERPTS[0]);
    one.keys(press::OVERRIDE).wait_for("Overrule the verdict on concern 1");
    one.keys(&format!("{} \"{REASON}\" {}", press::TO_REASON, press::SAVE)).wait_for("1 overruled");
    one.keys(press::CONTINUE).wait_for("Round 2 waits for you: no concerns");

    // What one window decides, the other one shows, and goes on from.
    let other = Terminal::start(newsroom, &[], 36, 120);
    other.wait_for("waits for you");
    other.keys(press::OPEN).wait_for("Round 2 waits for you");
    edit(one, BY_HAND);
    other.wait_for("our edit is ready");
    other.keys(press::CONTINUE).wait_for("Round 3 waits for you");
    one.wait_for("Round 3 waits for you");
    other.leave();
    one.keys(press::CONTINUE).wait_for("waits for your sign-off");
    // Whoever of the two went on with the story, nobody is told of it as trouble.
    let messages = one.keys("!").wait_for("Ready for sign-off").text();
    assert!(!messages.contains('✗'), "{messages}");
    one.keys("esc").wait_gone("Messages");
    sign(one);
}

fn send(terminal: &Terminal) {
    terminal.keys("c").wait_for("Send the story out?");
    terminal.keys(press::YES).wait_for("✓ sent");
    terminal.keys("esc").wait_gone("✓ sent");
}

/// The version that is out is corrected, signed again and sent again.
fn published_and_corrected(terminal: &Terminal) {
    terminal.keys("P").wait_for("not sent");
    send(terminal);
    terminal.keys("V").wait_for("Version 1, signed off by The editor");
    terminal.keys("e").wait_for("Correct the signed version");
    terminal.keys(&format!("\"Two were absent.\" {}", press::SAVE)).wait_for("Correction of version 1");
    edit(terminal, CORRECTED);
    let shot = terminal.wait_until("the corrected draft", |shot| {
        shot.contains("Round 4 waits for you") || shot.contains("draft of round 4 passed")
    });
    if shot.contains("Round 4 waits for you") {
        terminal.keys(press::CONTINUE).wait_for("waits for your sign-off");
    }
    sign(terminal);
    terminal.keys("P").wait_for("earlier version sent");
    send(terminal);
}

/// A folder of topics, of which one cannot be read; one story of it is given up.
fn a_batch(terminal: &Terminal) {
    terminal.keys(press::NEW_FROM_FILE).wait_for("New story from a file");
    terminal.keys("\"batch\" enter").wait_for("Round 1 waits for you");
    terminal.keys(press::SPIKE).wait_for("Spike the story");
    terminal.keys(&format!("\"Nobody answers.\" {}", press::SAVE)).wait_for("tory spiked");
    terminal.keys("esc").wait_for("2 need you");
    terminal.wait_for("broken");
    terminal.keys(press::WAITING).wait_for("in review");
}

#[test]
fn a_day_from_own_notes_to_a_correction_and_a_batch() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at_with(&server.base(), |yaml| {
        yaml.replace(
            "  targets: null",
            "  targets:\n    - {name: site, kind: folder, format: markdown, folder: ./site}",
        )
    });
    for slug in ["bench", "lamp"] {
        topic_of_the_batch(&newsroom, slug);
    }
    newsroom.write("batch/broken.json", b"{");
    let terminal = Terminal::start(&newsroom, &[], 36, 120);
    terminal.wait_for("Sample story");
    a_story_of_ones_own(&newsroom, &terminal);
    published_and_corrected(&terminal);
    terminal.keys("esc").wait_for("1 signed");
    a_batch(&terminal);
    terminal.leave();

    let sent: Vec<_> = fs::read_dir(newsroom.path().join("site")).unwrap().collect();
    assert_eq!(sent.len(), 1, "{sent:?}");
    let text = fs::read_to_string(sent[0].as_ref().unwrap().path()).unwrap();
    assert!(text.contains(BY_HAND.trim()) && text.contains(CORRECTED.trim()), "{text}");
    // No step after a gate was taken without a decision of the editor.
    let stories = [newsroom.records("park"), newsroom.records("bench"), newsroom.records("lamp")];
    for record in stories.iter().flatten() {
        let decisions = record.decisions();
        let gates = record.journal.entries().iter().filter(|entry| matches!(entry.step, Step::Gate { .. }));
        for gate in gates {
            let left = decisions.iter().any(|made| made.round == gate.step.round() && made.choice.leaves());
            assert!(left, "{}: {decisions:?}", gate.step);
        }
    }
    let failed = stories.iter().flatten().filter(|record| record.run.state.as_str() == "failed").count();
    assert_eq!(failed, 1, "the one that was given up");
    newsroom.ran(&["audit", "verify"]);
}
