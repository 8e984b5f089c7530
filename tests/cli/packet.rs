//! Claims sent to an expert outside, and the answers taken in.

use crate::support::newsroom::Newsroom;

/// A story by rules that waits for its editor, and its packet of all claims.
fn waits() -> (Newsroom, String) {
    let newsroom = Newsroom::offline();
    let topic = newsroom.topic();
    newsroom.run(&["run", "--plain", topic.to_str().unwrap()]);
    let packet = newsroom.ran(&["packet", "park"]).out;
    (newsroom, packet)
}

fn filled(packet: &str) -> String {
    packet.replacen("\nExpert:", "\nExpert: Dr Eve Stone", 1).replacen("[ ] right", "[x] right", 1).replacen(
        "Comment:\n",
        "Comment:\nI was there.\n",
        1,
    )
}

#[test]
fn an_experts_answers_are_comments_in_the_record_under_the_experts_name() {
    let (newsroom, packet) = waits();
    assert!(
        packet.contains("Story: desk/park\n") && packet.contains("## Claim 1\n\n> The council of Eastbrook voted"),
        "{packet}"
    );
    let file = newsroom.path().join("packet.md");
    let name = file.to_str().unwrap();
    let written = newsroom.ran(&["packet", "park", "--claims", "1", "--out", name]);
    assert!(written.err.contains("copydesk decide desk/park answers"), "{}", written.err);
    let kept = newsroom.run(&["packet", "park", "--out", name]);
    assert!(kept.code == 2 && kept.err.contains("--force replaces it"), "{kept:?}");
    newsroom.write("packet.md", filled(&newsroom.read("packet.md")).as_bytes());
    let done = newsroom.ran(&["decide", "park", "answers", name]);
    assert!(done.err.contains("desk/park: decided"), "{}", done.err);
    let log = newsroom.ran(&["log", "park", "--json"]).out;
    assert!(log.contains("Dr Eve Stone (expert) on claim 1: right: I was there."), "{log}");
}

#[test]
fn a_packet_that_is_not_this_drafts_is_refused_and_changes_nothing() {
    let (newsroom, packet) = waits();
    let refused = |text: &str, why: &str| {
        let file = newsroom.write("packet.md", text.as_bytes());
        let done = newsroom.run(&["decide", "park", "answers", file.to_str().unwrap()]);
        assert!(done.code == 2 && done.err.contains(why), "{why}: {done:?}");
    };
    refused("Dear all,\nit is right.", "it is no packet");
    refused("", "it is no packet");
    refused(&packet, "nobody's name stands behind");
    refused(
        &filled(&packet).replace("desk/park", "desk/mill"),
        "it is a packet of desk/mill, and this story is desk/park",
    );
    refused(&filled(&packet).replacen("seven to two", "nine to zero", 1), "is not as the packet was written");
    let missing = newsroom.run(&["decide", "park", "answers", "nowhere.md"]);
    assert!(missing.code == 2 && missing.err.contains("nowhere.md"), "{missing:?}");
    let none = newsroom.run(&["packet", "park", "--claims", "99"]);
    assert!(none.code == 2 && none.err.contains("there is no claim 99"), "{none:?}");
    assert!(!newsroom.ran(&["log", "park", "--json"]).out.contains("expert"));
    // The draft moves on.
    let own = newsroom.write("own.md", b"# Own\n\nThe council voted seven to two.");
    newsroom.ran(&["decide", "park", "edit", own.to_str().unwrap()]);
    newsroom.run(&["decide", "park", "continue", "--resume"]);
    refused(&filled(&packet), "the draft has changed since the packet was written");
}

#[test]
fn a_confidential_story_gives_no_packet_away_unless_somebody_says_so() {
    let newsroom = Newsroom::offline();
    let topic = newsroom.topic_with(|topic| {
        topic["confidential"] = serde_json::json!(true);
        topic["aliases"] = serde_json::json!({"Eastbrook": "PLACE-1"});
    });
    newsroom.run(&["run", "--plain", topic.to_str().unwrap()]);
    let refused = newsroom.run(&["packet", "park"]);
    assert!(refused.code == 2 && refused.err.contains("desk/park is confidential"), "{refused:?}");
    let packet = newsroom.ran(&["packet", "park", "--despite-confidential"]).out;
    assert!(packet.contains("PLACE-1") && !packet.contains("Eastbrook"), "{packet}");
}
