//! The review queue by commands: which stories are in it, in which order, and how one leaves it without a change.

use serde_json::{Value, json};

use crate::support::newsroom::Newsroom;

const WORDS: &str = "# What our editor in chief always reads.\npark # and its gates\n";

/// An offline newsroom whose list of sensitive words is `words.txt`.
fn newsroom() -> Newsroom {
    Newsroom::with(|yaml| yaml.replacen("word_list: null", "word_list: ./words.txt", 1))
}

/// Takes a story of a park or a bridge through the pipeline, without an editor.
fn taken(newsroom: &Newsroom, slug: &str, place: &str) {
    let topic = json!({
        "source_text": format!("The council of Eastbrook voted seven to two on Tuesday to renovate the {place}."),
        "source_metadata": {
            "source_file": "x.json", "channel_name": "desk", "video_id": "m1", "video_title": "Minutes",
            "publish_date": "2026-10-06", "topic_slug": slug, "topic_title": "Council votes to renovate"
        },
        "target_length_words": "10-120"
    });
    let file = newsroom.write(&format!("{slug}.json"), topic.to_string().as_bytes());
    let done = newsroom.run(&["run", "--auto", file.to_str().unwrap()]);
    assert_eq!(done.code, 0, "a flag changes no exit code: {}", done.err);
}

/// The stories in review with their flags, in order.
fn queue(newsroom: &Newsroom) -> Vec<(String, Vec<String>)> {
    let done = newsroom.run(&["list", "--review", "--json"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let rows: Vec<Value> = serde_json::from_str(&done.out).unwrap();
    rows.iter().map(|row| (text(&row["story"]), row["flags"].as_array().unwrap().iter().map(text).collect())).collect()
}

#[test]
fn flagged_stories_wait_the_most_urgent_first_then_the_oldest_until_they_are_accepted() {
    let newsroom = newsroom();
    newsroom.write("words.txt", WORDS.as_bytes());
    for (slug, place) in [("one", "park"), ("two", "bridge"), ("three", "parks"), ("four", "park")] {
        taken(&newsroom, slug, place);
    }
    assert_eq!(newsroom.run(&["set", "four", "--priority", "high"]).code, 0);
    let flagged = |slug: &str| (format!("desk/{slug}"), vec!["a sensitive topic: “park”".to_owned()]);
    assert_eq!(queue(&newsroom), [flagged("four"), flagged("one"), flagged("three")]);
    let printed = newsroom.run(&["list", "--review"]).out;
    let stories: Vec<&str> =
        printed.lines().filter_map(|line| line.split_whitespace().find(|word| word.starts_with("desk/"))).collect();
    assert_eq!(stories, ["desk/four", "desk/one", "desk/three"]);

    let before = newsroom.json("data/output/articles/desk/one.json");
    let shown = newsroom.run(&["show", "one"]).out;
    assert!(shown.contains("  copydesk decide desk/one accept flags --reason TEXT: accepts the flags"), "{shown}");
    let refused = newsroom.run(&["decide", "one", "accept", "flags", "--reason", " "]);
    assert_eq!((refused.code, refused.err.trim()), (2, "desk/one: say why you accept the flags"));
    let done = newsroom.run(&["decide", "one", "accept", "flags", "--reason", "Ours to cover."]);
    assert_eq!(
        (done.code, done.err.trim()),
        (0, "desk/one: You accepted its flags. It is no longer in the review queue.")
    );
    assert_eq!(queue(&newsroom), [flagged("four"), flagged("three")]);
    let again = newsroom.run(&["decide", "one", "accept", "flags", "--reason", "Again."]);
    assert_eq!(again.code, 2);
    assert!(again.err.contains("This story has had its flags accepted by The editor"), "{}", again.err);

    // The decisions are in the log and in the list; the story itself is as it was.
    let log = newsroom.run(&["log", "one", "--json"]).out;
    let last: Value = serde_json::from_str(log.lines().last().unwrap()).unwrap();
    assert_eq!(
        (&last["event"], &last["by"], &last["reason"], &last["flags"]),
        (
            &json!("flags_settled"),
            &json!("The editor"),
            &json!("Ours to cover."),
            &json!(["a sensitive topic: “park”"])
        )
    );
    let listed: Vec<Value> = serde_json::from_str(&newsroom.run(&["list", "--json"]).out).unwrap();
    let one = listed.iter().find(|row| row["story"] == "desk/one").unwrap();
    assert_eq!((&one["settled_by"], &one["state"]), (&json!("The editor"), &json!("success")));
    assert_eq!(newsroom.json("data/output/articles/desk/one.json"), before);
    assert!(!newsroom.run(&["show", "one"]).out.contains("accept flags"));
    let unflagged = newsroom.run(&["decide", "two", "accept", "flags", "--reason", "So."]);
    assert!(unflagged.err.contains("This story is not flagged"), "{}", unflagged.err);

    // A story that is reopened is in review as long as it waits, even if its flags were accepted.
    assert_eq!(newsroom.run(&["decide", "one", "reopen"]).code, 0);
    let waits = ("desk/one".to_owned(), vec![]);
    assert_eq!(queue(&newsroom), [flagged("four"), flagged("three"), waits]);
    let refused = newsroom.run(&["decide", "one", "accept", "flags", "--reason", "So."]);
    assert!(refused.err.contains("This story has not ended"), "{}", refused.err);

    for story in ["three", "four"] {
        assert_eq!(newsroom.run(&["decide", story, "accept", "flags", "--reason", "Read.", "--json"]).code, 0);
    }
    assert_eq!(newsroom.run(&["decide", "one", "spike", "--reason", "No.", "--resume"]).code, 1);
    let done = newsroom.run(&["list", "--review"]);
    let empty = "The review queue is empty: no story waits for you and none is flagged.";
    assert_eq!((done.code, done.out.as_str(), done.err.trim()), (0, "", empty));
}

#[test]
fn a_word_list_that_is_not_there_is_said_before_anything_begins() {
    let newsroom = newsroom();
    let file = newsroom.write("notes.txt", b"The council voted.");
    let done = newsroom.run(&["run", "--auto", file.to_str().unwrap()]);
    assert_eq!(done.code, 2, "{}", done.err);
    let says = |what: &str| assert!(done.err.contains(what), "{}", done.err);
    says("words.txt cannot be read");
    says("flags.sensitive.word_list names it");
    let chart = newsroom.run(&["doctor"]).out;
    assert!(chart.lines().any(|line| line.starts_with("TO DO  flags: the word list ")), "{chart}");
    newsroom.write("words.txt", WORDS.as_bytes());
    let chart = newsroom.run(&["doctor"]).out;
    assert!(chart.contains("fine   flags: 0 desks and 1 word make a topic sensitive"), "{chart}");
}

#[test]
fn without_a_terminal_review_says_what_to_type_instead() {
    let done = newsroom().run(&["review"]);
    assert_eq!(done.code, 2);
    assert!(done.err.contains("copydesk list --review") && done.err.contains("copydesk decide STORY"), "{}", done.err);
}
