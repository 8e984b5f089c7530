//! The newsroom's own words: added, listed, known to the spelling check; and the words of its knowledge base.

use crate::support::newsroom::Newsroom;

const NOTES: &str = "The keelmen met at the harbour on Tuesday.\n";

const DRAFT: &str = "# Keelmen meet\n\nThe keelmen met at the harbour on Tuesday and spoke of zorbing.\n";

fn newsroom() -> Newsroom {
    let newsroom = Newsroom::offline();
    newsroom.write("draft.md", DRAFT.as_bytes());
    newsroom.write("notes.txt", NOTES.as_bytes());
    newsroom
}

/// The words that a check finds in no dictionary.
fn unknown(newsroom: &Newsroom) -> Vec<String> {
    let checked = newsroom.run(&["check", "draft.md", "--source", "notes.txt", "--json"]);
    let told: serde_json::Value = serde_json::from_str(&checked.out).unwrap();
    let notes = told["style"].as_array().unwrap().iter().filter(|note| note["rule"] == "Spelling.Unknown");
    notes.map(|note| note["text"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_word_of_the_newsrooms_dictionary_is_right() {
    let newsroom = newsroom();
    assert_eq!(unknown(&newsroom), ["zorbing"], "the word of a source is known");
    newsroom.write("config/dictionary.txt", b"# ours\nquayside\nzorbing\n");
    assert_eq!(unknown(&newsroom), [""; 0]);
}

#[test]
fn a_dictionary_that_cannot_be_read_is_named() {
    let newsroom = newsroom();
    std::fs::create_dir(newsroom.path().join("config/dictionary.txt")).unwrap();
    let refused = newsroom.run(&["check", "draft.md", "--source", "notes.txt"]);
    assert_ne!(refused.code, 0);
    assert!(refused.err.contains("config/dictionary.txt cannot be read: "), "{}", refused.err);
}

#[test]
fn words_of_the_knowledge_base_are_known() {
    let newsroom = newsroom();
    newsroom.write("data/knowledgebase/sports.md", b"# Sports\n\nIn zorbing, people roll down a hill in a ball.\n");
    assert_eq!(unknown(&newsroom), ["zorbing"], "it is not indexed yet");
    let indexed = newsroom.run(&["kb", "index"]);
    assert_eq!(indexed.code, 0, "{}", indexed.err);
    assert_eq!(unknown(&newsroom), [""; 0]);
}
