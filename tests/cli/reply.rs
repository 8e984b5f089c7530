//! The right of reply: who is accused is to be asked, who was asked is to answer, and the record has both.

use serde_json::Value;

use crate::support::newsroom::Newsroom;

/// A newsroom with an unsigned story that accuses somebody.
fn accusing(newsroom: &Newsroom) {
    let text = "Ann Lee embezzled 4 million dollars, prosecutors said on Tuesday.";
    newsroom.write("park.txt", format!("Court notes\n\n{text}\n").as_bytes());
    newsroom.write("park.md", format!("# {text}\n\n*{text}*\n\n> {text}\n\n{text}\n").as_bytes());
    newsroom.run(&["run", "--auto", "park.txt", "--draft", "park.md"]);
}

fn review(newsroom: &Newsroom) -> String {
    let done = newsroom.ran(&["list", "--review"]);
    done.out + &done.err
}

#[test]
fn an_accusation_without_an_entry_is_flagged_until_somebody_is_asked_and_an_overdue_answer_is_shown() {
    let newsroom = Newsroom::offline();
    accusing(&newsroom);
    let queue = review(&newsroom);
    assert!(queue.contains("flagged") && queue.contains("accuses Ann Lee"), "{queue}");
    let shown = newsroom.ran(&["show", "park"]).out;
    assert!(shown.contains("Ann Lee: accused, and not asked. `copydesk reply newsroom/park "), "{shown}");
    newsroom.ran(&["audit", "verify"]);

    let asked = newsroom.ran(&["reply", "park", "Ann Lee", "--by", "+2h", "--about", "the money"]);
    assert!(asked.err.contains("Ann Lee was asked, to answer by 2"), "{}", asked.err);
    assert!(!review(&newsroom).contains("accuses"), "{}", review(&newsroom));
    let listed = newsroom.ran(&["reply", "park"]).out;
    assert!(listed.contains("Ann Lee: asked about the money") && listed.contains("(in 2 h)"), "{listed}");

    newsroom.ran(&["reply", "park", "Bob Ray", "--by", "2020-01-01 12:00"]);
    let shown = newsroom.ran(&["show", "park"]).out;
    assert!(shown.contains("Bob Ray: asked") && shown.contains("OVERDUE: due 2020-01-01"), "{shown}");
    assert!(review(&newsroom).contains("Bob Ray has not replied"), "{}", review(&newsroom));
    newsroom.ran(&["reply", "park", "ray", "--said", "No comment.\u{1b}[2J"]);
    newsroom.write("letter.txt", b"I took nothing.\n");
    newsroom.ran(&["reply", "park", "Ann Lee", "--file", "letter.txt"]);
    assert!(!review(&newsroom).contains("Bob Ray"), "{}", review(&newsroom));
    let replies: Value = serde_json::from_str(&newsroom.ran(&["reply", "park", "--json"]).out).unwrap();
    assert_eq!(replies[0]["answer"]["text"], "I took nothing.");
    assert_eq!(replies[1]["answer"]["text"], "No comment.");
    let log = newsroom.ran(&["log", "park"]).out;
    assert!(log.contains("Ann Lee was asked for a reply about the money") && log.contains("Bob Ray replied"), "{log}");
    newsroom.ran(&["audit", "verify"]);
    // They are the story's, whatever becomes of its runs.
    newsroom.ran(&["fork", "park", "--at", "r1.gate"]);
    newsroom.ran(&["resume"]);
    assert!(newsroom.ran(&["show", "park"]).out.contains("I took nothing."));
    newsroom.ran(&["replay", "park", "--into", "replays/park"]);
    newsroom.ran(&["audit", "verify"]);
}

#[test]
fn a_desk_may_leave_the_flag_out_and_an_editor_may_accept_it() {
    let quiet = Newsroom::with(|yaml| yaml.replace("  accusation: true", "  accusation: false"));
    accusing(&quiet);
    assert!(!review(&quiet).contains("accuses"), "{}", review(&quiet));
    let newsroom = Newsroom::offline();
    accusing(&newsroom);
    newsroom.ran(&["decide", "park", "accept", "flags", "--reason", "The court has convicted her."]);
    assert!(!review(&newsroom).contains("accuses Ann Lee"), "{}", review(&newsroom));
    assert!(newsroom.ran(&["log", "park"]).out.contains("accuses Ann Lee"));
    newsroom.ran(&["audit", "verify"]);
}

#[test]
fn what_is_no_entry_is_refused_with_what_to_do() {
    let newsroom = Newsroom::offline();
    accusing(&newsroom);
    for (arguments, says) in [
        (&["reply", "park", " "][..], "say who was asked"),
        (&["reply", "park", "Ann Lee", "--by", "soon"], "is no time"),
        (&["reply", "mill", "Ann Lee"], "There is no story or run mill"),
        (&["reply", "park", "Ann Lee", "--said", " "], "say what they answered"),
        (&["reply", "park", "Ann Lee", "--said", "No."], "it waits for nobody"),
        (&["reply", "park", "--said", "No."], "<NAME>"),
    ] {
        let done = newsroom.run(arguments);
        assert!(done.code == 2 && done.err.contains(says), "{arguments:?}: {}", done.err);
    }
    assert!(newsroom.ran(&["reply", "park"]).err.contains("has asked nobody"));
    let long = "x".repeat(121);
    assert_eq!(newsroom.run(&["reply", "park", &long]).code, 2);
}
