//! House style in a story: notes at the gate, to-dos behind all others if the draft goes back, and nothing else.

use serde_json::{Value, json};

use crate::support::newsroom::{Done, Newsroom};

const SOURCE: &str = "The council met on Tuesday. The park costs 300,000 dollars. Work on the pond begins in April.";

/// A figure that the source does not have, a word that stands twice, and a word that the house does not want.
const FAULTY: &str = "The council met met on Tuesday. The park costs 900,000 dollars. It is a hefty sum.";

const RULES: [(&str, &str); 2] = [
    ("House/Hefty.yml", "extends: existence\nmessage: \"Not '%s' of a sum.\"\nlevel: error\ntokens: [hefty]\n"),
    (
        "House/Repeated.yml",
        "extends: repetition\nmessage: \"'%s' stands here twice.\"\nlevel: error\nalpha: true\ntokens: ['[^\\s]+']\n",
    ),
];

fn newsroom(in_stories: bool, body: &str) -> Newsroom {
    let newsroom = Newsroom::with(|yaml| {
        yaml.replace("  folders: null", "  folders: [House]")
            .replace("  in_stories: true", &format!("  in_stories: {in_stories}"))
    });
    for (name, text) in RULES {
        newsroom.write(name, text.as_bytes());
    }
    newsroom.topic_with(|topic| topic["source_text"] = json!(SOURCE));
    newsroom.write("draft.md", format!("# Council met on Tuesday\n\n{body}\n").as_bytes());
    newsroom
}

fn begun(newsroom: &Newsroom) -> Done {
    let done = newsroom.run(&["run", "--plain", "park.json", "--draft", "draft.md"]);
    assert_eq!(done.code, 0, "{}", done.err);
    done
}

/// The feedback of a faulty draft that goes back, and the draft that came of it.
fn sent_back(newsroom: &Newsroom) -> (Value, String) {
    let gone = newsroom.run(&["decide", "park", "continue", "--resume"]);
    assert_eq!(gone.code, 0, "{}", gone.err);
    let read = |name: &str| std::fs::read_to_string(newsroom.runs().remove(0).join(name)).unwrap();
    (serde_json::from_str(&read("iter1_feedback.json")).unwrap(), read("iter2_writer_draft.md"))
}

#[test]
fn notes_are_told_at_the_gate_and_errors_go_to_the_writer_behind_all_other_to_dos() {
    let newsroom = newsroom(true, FAULTY);
    let gate = begun(&newsroom).out;
    let hefty = "Not 'hefty' of a sum. “hefty” (body, line ";
    for told in [gate, newsroom.run(&["show", "park"]).out] {
        assert!(told.contains("House style: notes, which change neither the rating nor what passes\n"), "{told}");
        assert!(told.contains(hefty) && told.contains("): a to-do if the draft goes back\n"), "{told}");
        assert!(told.contains("\nReadability: Flesch Reading Ease "), "{told}");
        assert!(!told.contains("House.Hefty"), "{told}");
    }
    assert_eq!(newsroom.run(&["decide", "park", "feedback", "Name the mayor."]).code, 0);
    let (feedback, second) = sent_back(&newsroom);
    let to_dos: Vec<&str> =
        feedback["todo_list"].as_array().unwrap().iter().map(|to_do| to_do.as_str().unwrap()).collect();
    let own = to_dos.iter().position(|to_do| *to_do == "Name the mayor.").unwrap();
    assert!(own > 0, "{to_dos:?}");
    let style = &to_dos[own + 1..];
    assert!(style.iter().any(|to_do| to_do.starts_with("Not 'hefty' of a sum. (house style, in the ")), "{style:?}");
    assert!(feedback["reasoning"].as_str().unwrap().contains(style[0]), "{feedback}");
    // A rule without a fix is not counted against the writer.
    let notes = std::fs::read_to_string(newsroom.runs().remove(0).join("iter2_writer_notes.json")).unwrap();
    assert!(notes.contains("Name the mayor.") && !notes.contains("hefty"), "{notes}");
    assert!(second.contains("hefty"), "{second}");
    // The rules of the run are those with which it was opened.
    newsroom.write("House/Hefty.yml", RULES[1].1.as_bytes());
    let replayed = newsroom.run(&["replay", "park", "--into", "again"]);
    assert_eq!(replayed.code, 0, "{}{}", replayed.out, replayed.err);
}

#[test]
fn the_switch_takes_notes_and_to_dos_away_and_the_rating_is_the_same() {
    let (with, without) = (newsroom(true, FAULTY), newsroom(false, FAULTY));
    let gate = begun(&without).out;
    begun(&with);
    assert!(!gate.contains("House style") && !newsroom_shows(&without), "{gate}");
    let ((with, _), (without, _)) = (sent_back(&with), sent_back(&without));
    let to_dos = |feedback: &Value| feedback["todo_list"].as_array().unwrap().clone();
    assert!(to_dos(&with).len() > to_dos(&without).len());
    assert_eq!(to_dos(&with)[..to_dos(&without).len()], to_dos(&without));
    assert_eq!(with["rating"], without["rating"]);
}

fn newsroom_shows(newsroom: &Newsroom) -> bool {
    newsroom.run(&["show", "park"]).out.contains("House style")
}

#[test]
fn house_style_alone_makes_no_round() {
    let newsroom = newsroom(true, "The council met met on Tuesday. Work on the pond begins in April.");
    assert!(begun(&newsroom).out.contains("a to-do if the draft goes back"));
    let gone = newsroom.run(&["decide", "park", "continue", "--resume"]);
    assert_eq!(gone.code, 0, "{}", gone.err);
    let shown = newsroom.run(&["show", "park"]).out;
    assert!(shown.contains("The draft of round 1 passed."), "{shown}");
    assert_eq!(newsroom.run(&["decide", "park", "sign-off", "--resume"]).code, 0);
    assert!(!newsroom.runs().remove(0).join("iter1_feedback.json").exists());
}
