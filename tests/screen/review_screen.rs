//! A queue of three stories, walked through in a real pseudo-terminal.

use serde_json::{Value, json};

use crate::support::{newsroom::Newsroom, press, terminal::Terminal};

/// Takes a story through the pipeline, without an editor.
fn taken(newsroom: &Newsroom, slug: &str, title: &str) {
    let topic = json!({
        "source_text": "The council of Eastbrook voted seven to two on Tuesday to renovate the park.",
        "source_metadata": {
            "source_file": "x.json", "channel_name": "desk", "video_id": "m1", "video_title": "Minutes",
            "publish_date": "2026-10-06", "topic_slug": slug, "topic_title": title
        },
        "target_length_words": "10-120"
    });
    let file = newsroom.write(&format!("{slug}.json"), topic.to_string().as_bytes());
    let done = newsroom.run(&["run", "--auto", file.to_str().unwrap()]);
    assert_eq!(done.code, 0, "{}", done.err);
}

fn queue(newsroom: &Newsroom) -> Vec<String> {
    let done = newsroom.run(&["list", "--review", "--json"]);
    let rows: Vec<Value> = serde_json::from_str(&done.out).unwrap();
    rows.iter().map(|row| row["story"].as_str().unwrap().to_owned()).collect()
}

/// Three stories: the first flagged, the second at its sign-off, the third flagged and urgent.
fn newsroom() -> Newsroom {
    let newsroom = Newsroom::with(|yaml| yaml.replacen("    words: []", "    words: [park]", 1));
    for (slug, title) in [("one", "The first story"), ("two", "The second story"), ("three", "The third story")] {
        taken(&newsroom, slug, title);
    }
    assert_eq!(newsroom.run(&["decide", "two", "reopen"]).code, 0);
    assert_eq!(newsroom.run(&["set", "three", "--priority", "high"]).code, 0);
    newsroom
}

#[test]
fn three_stories_are_walked_through_and_each_decision_goes_on_to_the_next() {
    let newsroom = newsroom();
    assert_eq!(queue(&newsroom), ["desk/three", "desk/one", "desk/two"]);
    let terminal = Terminal::start(&newsroom, &["review"], 30, 120);
    terminal.wait_for("1 of 3 in review · flagged fact sheet: The third story");

    // There and back, without deciding anything.
    terminal.keys(press::WAITING).wait_for("2 of 3 in review · flagged fact sheet: The first story");
    terminal.keys(press::WAITING).wait_for("3 of 3 in review · fact sheet: The second story");
    terminal.keys(press::WAITING_BEFORE).wait_for("2 of 3 in review");
    terminal.keys(press::WAITING_BEFORE).wait_for("1 of 3 in review · flagged fact sheet: The third story");
    assert_eq!(queue(&newsroom).len(), 3);

    // Its flags stand: on to the next.
    terminal.keys(press::ACCEPT_FLAGS).wait_for("Flagged: a sensitive topic: “park”.");
    terminal.keys(&format!("\"Ours to cover.\" {}", press::SAVE));
    terminal.wait_for("1 of 2 in review · flagged fact sheet: The first story");
    assert_eq!(queue(&newsroom), ["desk/one", "desk/two"]);

    // It is reopened, and then it is the newest that waits; it is signed, and the walk goes on.
    terminal.keys(press::REOPEN).wait_for("2 of 2 in review · fact sheet: The first story");
    // Nobody wrote the article: with no headline it is published as notes.
    terminal.keys(press::SIGN_OFF).wait_for("Article, or notes?");
    terminal.keys(press::YES).wait_for("Type a headline; or ctrl-s publishes it as notes");
    terminal.keys(press::SAVE).wait_for("1 of 1 in review · fact sheet: The second story");
    // The walk does not wait for the run's end.
    terminal.wait_until("the signature in the records", |_| {
        newsroom.record("one").run.signed_by.as_deref() == Some("The editor")
    });

    // The last one is given up, and the desk is back.
    terminal.keys(press::SPIKE).wait_for("Spike the story");
    terminal.keys(&format!("\"Old news.\" {}", press::SAVE));
    terminal.wait_for("The review queue is empty: no story waits for you, and none is flagged");
    terminal.wait_for("Desk of The editor");
    terminal.leave();
    assert_eq!(queue(&newsroom), Vec::<String>::new());
    let settled = newsroom.record("three");
    assert_eq!(settled.run.settled_by.as_deref(), Some("The editor"));
    let events = settled.events_of("flags_settled");
    assert_eq!((events.len(), &events[0]["reason"]), (1, &json!("Ours to cover.")));
    let done = newsroom.run(&["show", "two"]);
    assert!(done.out.contains("Old news."), "{}", done.out);
}
