//! A person's own draft against its sources: the real binary, no configuration, no network.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test that meets the unexpected should stop there and say so"
)]

mod support;

use serde_json::Value;
use support::newsroom::Newsroom;

const NOTES: &str = "Inez Calloway spoke in favor of the ramp. \"I can get to the gate,\" she said. \"In eleven years I have not once \
                     got to the pond.\"\n\nThe council voted on Tuesday to spend $1.8 million on the park, which opened in 1958. \
                     Dennis Pruitt said the work may begin in spring.\n";

const CLEAN: &str = "# Council votes for a ramp at the park\n\nThe council voted on Tuesday to spend $1.8 million on the park, which \
                     opened in 1958.\n\n“In eleven years I have not once got to the pond,” Inez Calloway said.\n";

const FAULTY: &str = "# Council votes for a ramp at the park\n\nThe council voted on Tuesday to spend $2.8 million on the park, which \
                      opened in 1958.\n\n“In eleven years I have only once got to the pond,” Inez Calloway said.\n";

fn desk(draft: &str) -> Newsroom {
    let newsroom = Newsroom::offline();
    newsroom.write("draft.md", draft.as_bytes());
    newsroom.write("notes.txt", NOTES.as_bytes());
    newsroom
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn a_draft_that_its_sources_carry_is_clean() {
    let newsroom = desk(CLEAN);
    let checked = newsroom.run(&["check", "draft.md", "--source", "notes.txt"]);
    assert_eq!((checked.code, checked.err.as_str()), (0, ""), "{}", checked.out);
    assert!(checked.out.contains("0 findings; "), "{}", checked.out);
    assert!(checked.out.contains("FOUND number “$1.8 million” notes.txt, bytes "), "{}", checked.out);
    assert!(checked.out.contains("FOUND date “1958” notes.txt, bytes "), "{}", checked.out);
    assert!(checked.out.contains("FOUND name “Inez Calloway” notes.txt, bytes "), "{}", checked.out);
    assert!(!checked.out.contains("name “The”"), "{}", checked.out);
    assert!(
        checked.out.contains("VERBATIM quotation “In eleven years I have not once got to the pond,”"),
        "{}",
        checked.out
    );
}

#[test]
fn each_span_that_differs_is_a_row_with_its_passage() {
    let newsroom = desk(FAULTY);
    let checked = newsroom.run(&["check", "draft.md", "--source", "notes.txt", "--json"]);
    assert_eq!(checked.code, 1, "{}{}", checked.out, checked.err);
    let told = json(&checked.out);
    let rows = told["ledger"].as_array().unwrap();
    let findings = told["findings"].as_array().unwrap();
    let statuses: Vec<(&str, &str)> =
        findings.iter().map(|row| (row["kind"].as_str().unwrap(), row["status"].as_str().unwrap())).collect();
    assert_eq!(statuses, [("number", "CONTRADICTED"), ("quotation", "ALTERED")]);
    // What is clean has no concern; each span is what it says, in the draft and in the source.
    let body = FAULTY.split_once("\n\n").unwrap().1.trim_end();
    for row in rows {
        assert_eq!(row["concern_type"].is_null(), !findings.contains(row), "{row}");
        let byte = |place: &Value| usize::try_from(place.as_u64().unwrap()).unwrap();
        let span = |span: &Value| byte(&span[0])..byte(&span[1]);
        if row["field"] == "articleBody" {
            assert_eq!(body.get(span(&row["span"])), row["text"].as_str(), "{row}");
        }
        let passage = &row["passage"];
        if !passage.is_null() {
            assert_eq!(NOTES.get(span(&passage["span"])), passage["text"].as_str(), "{row}");
            assert_eq!(passage["source"], "notes.txt");
        }
    }
    let total = told["coverage"]["total"].as_u64().unwrap();
    assert_eq!(total, rows.len() as u64);
    let unchecked = rows.iter().filter(|row| row["status"] == "UNCHECKED").count() as u64;
    assert_eq!(told["coverage"]["checked"].as_u64(), Some(total - unchecked));
    let lines = newsroom.run(&["check", "draft.md", "--source", "notes.txt"]).out;
    assert!(lines.contains("ALTERED quotation “In eleven years I have only once got to the pond,”"), "{lines}");
    assert!(lines.contains("[-only-]{+not+}"), "{lines}");
    assert!(lines.contains("2 findings; "), "{lines}");
}

#[test]
fn a_folder_of_sources_and_a_draft_of_one_paragraph_are_read() {
    let newsroom = desk("The council voted on Tuesday to spend $1.8 million on the park.");
    let folder = newsroom.path().join("sources");
    std::fs::create_dir(&folder).unwrap();
    std::fs::rename(newsroom.path().join("notes.txt"), folder.join("notes.txt")).unwrap();
    std::fs::write(folder.join("picture.jpg"), [0xFF, 0xD8]).unwrap();
    let checked = newsroom.run(&["check", "draft.md", "--source", "sources"]);
    assert_eq!(checked.code, 0, "{}{}", checked.out, checked.err);
}

#[test]
fn what_cannot_be_checked_says_what_is_wrong() {
    let newsroom = desk(CLEAN);
    newsroom.write("empty.txt", b" \n");
    newsroom.write("empty.md", b"");
    newsroom.write("binary.txt", &[0, 159, 146, 150]);
    std::fs::create_dir(newsroom.path().join("nothing")).unwrap();
    for (arguments, says) in [
        (["check", "draft.md", "--source", "missing.txt"], "the source missing.txt: "),
        (["check", "draft.md", "--source", "empty.txt"], "the source empty.txt: it is empty"),
        (["check", "draft.md", "--source", "binary.txt"], "the source binary.txt: "),
        (["check", "draft.md", "--source", "nothing"], "the folder nothing holds no document (.txt, .md, .pdf, "),
        (["check", "missing.md", "--source", "notes.txt"], "the draft missing.md: "),
        (["check", "empty.md", "--source", "notes.txt"], "the draft empty.md: "),
    ] {
        let checked = newsroom.run(&arguments);
        assert_eq!((checked.code, checked.out.as_str()), (2, ""), "{arguments:?} {}", checked.err);
        assert!(checked.err.contains(says), "{arguments:?}: {}", checked.err);
    }
    let checked = newsroom.run(&["check", "draft.md"]);
    assert_eq!(checked.code, 2);
    assert!(checked.err.contains("--source <FILE|DIR>"), "{}", checked.err);
}
