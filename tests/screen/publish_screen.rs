//! A signed story is sent out from the screen, in a real pseudo-terminal.

use crate::support::{newsroom::Newsroom, press, terminal::Terminal};

/// A story that waits for its sign-off.
fn to_sign_off(newsroom: &Newsroom) {
    newsroom.write("park.txt", b"Council minutes\n\nThe council voted 7-2 on Tuesday to renovate the park.\n");
    newsroom.write("draft.md", b"# Council votes 7-2\n\nThe council voted 7-2 on Tuesday to renovate the park.\n");
    newsroom.ran(&["run", "--plain", "park.txt", "--draft", "draft.md"]);
    newsroom.ran(&["decide", "park", "stet", "--reason", "It is right.", "--resume"]);
}

#[test]
fn a_story_is_put_under_embargo_signed_and_sent_from_the_publish_page() {
    let newsroom = Newsroom::with(|yaml| {
        yaml.replace(
            "  targets: null",
            "  targets:\n    - {name: site, kind: folder, format: html, folder: ./site}\n    - {name: archive, kind: folder, format: markdown, folder: ./archive}",
        )
    });
    to_sign_off(&newsroom);
    let terminal = Terminal::start(&newsroom, &["review"], 24, 80);
    terminal.wait_for("waits for your sign-off");
    terminal.keys("P").wait_for("Nothing can go out");
    let shot = terminal.wait_for("not sent");
    assert!(
        shot.contains("site") && shot.contains("archive") && shot.contains("# Council votes 7-2"),
        "{}",
        shot.text()
    );
    terminal.keys("d").wait_for("Before this time nothing");
    terminal.keys("\"+2h\" enter").wait_for("Embargo: until");
    terminal.keys("esc").wait_gone("Nothing can go out");
    terminal.keys(press::SIGN_OFF).wait_for("under your name");
    // The walk through the review queue ends at the desk.
    terminal.keys(press::YES).wait_for("The review queue is empty");
    terminal.keys("enter").wait_for("Signed off by");
    terminal.keys("P").wait_for("embargo");
    assert!(!newsroom.path().join("site").exists());
    terminal.keys("d").wait_for("Before this time nothing");
    terminal.keys(&"backspace ".repeat("2026-11-25 19:22".len()));
    // The form is open until the change is kept, and hides the page's text.
    terminal.keys("\"none\" enter").wait_gone("Before this time nothing");
    terminal.wait_gone("Nothing can go out");
    terminal.keys("down c").wait_for("Send the story out?");
    terminal.keys(press::YES).wait_for("✓ sent");
    assert!(newsroom.path().join("archive").exists() || newsroom.path().join("site").exists());
    terminal.keys("* enter").wait_until("both targets", |shot| shot.text().matches("✓ sent").count() == 2);
    assert_eq!(std::fs::read_dir(newsroom.path().join("site")).unwrap().count(), 1);
    assert_eq!(std::fs::read_dir(newsroom.path().join("archive")).unwrap().count(), 1);
    terminal.keys("esc").leave();
    newsroom.ran(&["audit", "verify"]);
}

#[test]
fn a_signed_story_gets_a_reply_a_correction_and_a_withdrawal_from_the_record_page() {
    let newsroom = Newsroom::offline();
    to_sign_off(&newsroom);
    newsroom.ran(&["decide", "park", "sign-off", "--resume"]);
    let terminal = Terminal::start(&newsroom, &[], 24, 80);
    terminal.wait_for("Council minutes");
    terminal.keys("enter").wait_for("Signed off by");
    terminal.keys("V").wait_for("Version 1, signed off by The editor");
    terminal.keys("Q").wait_for("Copydesk sends nothing");
    terminal.keys("\"Ann Lee\" tab \"the cost\" tab \"+2h\" enter").wait_gone("Copydesk sends nothing");
    terminal.keys("down").wait_for("Ann Lee: asked about the cost");
    terminal.keys("n").wait_for("What they said");
    terminal.keys("tab \"No comment.\" ctrl-s").wait_for("replied");
    terminal.keys("e").wait_for("Correct the signed version");
    terminal.keys("\"It was 7-1.\" ctrl-s").wait_for("Correction of version 1");
    terminal.keys("V").wait_for("This run corrects version 1: It was 7-1.");
    terminal.keys("x").wait_for("Withdraw the story");
    terminal.keys("\"The letter was forged.\" ctrl-s").wait_for("Withdrawn ");
    terminal.keys("esc").leave();
    let said = newsroom.ran(&["reply", "park"]).out;
    assert!(said.contains("No comment."), "{said}");
    newsroom.ran(&["audit", "verify"]);
}
