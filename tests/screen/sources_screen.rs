//! The Sources page in a real terminal: a file is added, a source is removed, the Reporter is sent, and what came of it is seen.

use crate::support::{newsroom::Newsroom, press, script, server::Server, terminal::Terminal};

#[test]
fn a_source_is_added_another_removed_and_the_reporter_sent_with_one_line() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at_with(&server.base(), |yaml| yaml.replace("  triage: false", "  triage: true"));
    newsroom.write(
        "data/knowledgebase/works.md",
        b"---\ntitle: Public works plan\ndate: 2026-09-30\n---\nThe park plan passes in stages: work on the paths will begin in April.\n",
    );
    newsroom.write("notes.md", b"My notes: the parks director named no month.\n");
    newsroom.topic();
    let terminal = Terminal::start(&newsroom, &["run", "park.json"], 36, 120);
    terminal.wait_for("Round 1 waits for you");
    terminal.keys(press::SOURCES).wait_for("Minutes");

    // A name that is no file is said, and typed again.
    terminal.keys(press::ADD_SOURCE).wait_for("The draft is checked against it");
    terminal.paste("absent.md").keys(press::SAVE).wait_for("✗");
    terminal.keys("esc").wait_gone("The draft is checked against it");
    terminal.keys(press::ADD_SOURCE).wait_for("The draft is checked against it");
    terminal.paste("notes.md").keys(press::SAVE).wait_for("is now a source of this story");
    terminal.wait_for("added");

    terminal.keys("down").wait_for("My notes: the parks director named no month.");
    terminal.keys(press::REMOVE_SOURCE).wait_for("Remove this source?");
    terminal.paste("It is hearsay.").keys(press::SAVE).wait_for("notes.md is no longer a source");
    terminal.wait_for("removed by The editor: It is hearsay.");
    terminal.keys(press::UNDO).wait_for("Undone");

    terminal.keys(press::SEND_REPORTER).wait_for("it may go to a search service outside");
    terminal.paste("When will work on the paths begin?").keys("enter").wait_for("The Reporter looks it up before");
    terminal.keys(press::CONTINUE).wait_for("Round 2");
    terminal.keys(press::SOURCES).wait_for("Public works plan");
    terminal.leave();
    let shown = newsroom.ran(&["show", "park"]).out;
    assert!(shown.contains("S1 Public works plan, works.md, 2026-09-30 (found): kept"), "{shown}");
    assert!(shown.contains("notes.md (added): kept"), "{shown}");
}
