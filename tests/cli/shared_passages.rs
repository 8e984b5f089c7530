//! Whoever corrects a story learns which others rest on the same passages.

use crate::support::newsroom::Newsroom;

const MINUTES: &str = "Council minutes\n\nThe Eastbrook Town Council voted 7-2 on Tuesday to renovate Miller Park.\n\nThe pool stays shut until May.\n";

fn story(newsroom: &Newsroom, slug: &str, minutes: &str, text: &str) {
    newsroom.write(&format!("{slug}.txt"), minutes.as_bytes());
    let draft = format!("# {text}\n\n*{text}*\n\n> {text}\n\n{text}\n");
    newsroom.write(&format!("{slug}.md"), draft.as_bytes());
    newsroom.ran(&["run", "--plain", &format!("{slug}.txt"), "--draft", &format!("{slug}.md")]);
    newsroom.ran(&["decide", slug, "stet", "--reason", "It is right.", "--resume"]);
}

#[test]
fn other_stories_on_the_same_passage_are_named_until_they_are_deleted() {
    let newsroom = Newsroom::offline();
    let vote = "The Eastbrook Town Council voted 7-2 on Tuesday to renovate Miller Park.";
    story(&newsroom, "park", MINUTES, vote);
    newsroom.ran(&["decide", "park", "sign-off", "--resume"]);
    story(&newsroom, "council", MINUTES, "On Tuesday the Eastbrook Town Council voted 7-2.");
    story(&newsroom, "pool", MINUTES, "The pool stays shut until May.");
    story(&newsroom, "elsewhere", &MINUTES.replace("Eastbrook", "Westbrook"), &vote.replace("Eastbrook", "Westbrook"));

    let begun = newsroom.ran(&["correct", "park", "--note", "It was Wednesday."]).err;
    assert!(begun.contains("1 other story rests on the same passages:\n  newsroom/council: 1 passage of "), "{begun}");
    let shown = newsroom.ran(&["show", "park"]).out;
    assert!(shown.contains("newsroom/council: 1 passage of "), "{shown}");
    assert!(!newsroom.ran(&["show", "pool"]).out.contains("rest on the same"), "it rests on another sentence");
    newsroom.ran(&["audit", "verify"]);
    newsroom.ran(&["delete", "council", "--yes"]);
    assert!(!newsroom.ran(&["show", "park"]).out.contains("newsroom/council"));
    // A story from a backup has its passages.
    newsroom.ran(&["backup", "copy.db"]);
    newsroom.ran(&["delete", "park", "--yes"]);
    newsroom.ran(&["restore", "copy.db"]);
    let listed = newsroom.ask("SELECT count(*) FROM passage_use");
    assert_ne!(listed, "0");
    newsroom.ran(&["audit", "verify"]);
}
