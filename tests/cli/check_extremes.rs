//! `copydesk check` on drafts and sources that are built to be too much: each is read in bounds that are counted, never timed. What
//! cost the square of its length would not come to an end at these sizes.

use std::fmt::Write as _;

use nix::sys::resource::{UsageWho, getrusage};
use serde_json::Value;

use crate::support::{alone::ran_alone, newsroom::Newsroom};

const VOTE: &str = "The council voted on Tuesday to spend $1.8 million on the park, which opened in 1958.";

/// The most memory that a check may take, in kilobytes. The largest of these takes some hundred megabytes.
const MOST_MEMORY: i64 = 400 << 10;

/// The report of a check of this draft against this source, and its exit code.
fn checked(draft: &str, source: &str) -> (i32, Value) {
    // Grammar's word list takes seconds to load in a build for tests.
    let newsroom = Newsroom::with(|yaml| yaml.replace("grammar: true", "grammar: false"));
    newsroom.write("draft.md", draft.as_bytes());
    newsroom.write("notes.txt", source.as_bytes());
    let checked = newsroom.run(&["check", "draft.md", "--source", "notes.txt", "--json"]);
    let memory = getrusage(UsageWho::RUSAGE_CHILDREN).unwrap().max_rss();
    assert!(memory < MOST_MEMORY, "{memory} kB");
    (checked.code, serde_json::from_str(&checked.out).unwrap_or_else(|_| panic!("{}", checked.err)))
}

/// The rows of a kind, each over a stretch of the body of its own: together they are no longer than it.
fn rows<'t>(told: &'t Value, kind: &str) -> Vec<&'t Value> {
    let ledger = told["ledger"].as_array().unwrap().iter();
    let rows: Vec<&Value> = ledger.filter(|row| row["kind"] == kind && row["field"] == "articleBody").collect();
    let mut last = 0;
    for row in &rows {
        let [start, end] = [0, 1].map(|at| row["span"][at].as_u64().unwrap());
        assert!(last <= start && start < end, "{row}");
        last = end;
    }
    rows
}

fn statuses(rows: &[&Value], status: &str) -> usize {
    rows.iter().filter(|row| row["status"] == status).count()
}

#[test]
fn a_source_of_one_line_is_read_to_its_end() {
    if ran_alone(a_source_of_one_line_is_read_to_its_end) {
        return;
    }
    let line = "The clerk read the minutes of the meeting and nobody spoke. ".repeat(70_000);
    let (code, told) = checked(VOTE, &format!("{line}{VOTE}"));
    let at = u64::try_from(line.len()).unwrap();
    for kind in ["number", "date"] {
        let rows = rows(&told, kind);
        assert_eq!((code, rows.len(), statuses(&rows, "MATCHES")), (0, 1, 1), "{rows:?}");
        assert_eq!(rows[0]["passage"]["span"][0].as_u64(), Some(at), "{rows:?}");
    }
}

#[test]
fn marks_that_never_close_are_a_quotation_each() {
    if ran_alone(marks_that_never_close_are_a_quotation_each) {
        return;
    }
    let open = "“The council voted on it. ";
    let (code, told) = checked(&open.repeat(2_000), &format!("{VOTE} {}", open.repeat(40_000)));
    let quotations = rows(&told, "quotation");
    // The last mark stays open: nobody knows where its words end.
    assert_eq!((code, quotations.len()), (1, 2_000));
}

#[test]
fn quotations_in_quotations_are_read_once() {
    if ran_alone(quotations_in_quotations_are_read_once) {
        return;
    }
    let deep = format!("{}no{}", "“She said “".repeat(2_000), "” he said”".repeat(2_000));
    let (code, told) = checked(&deep, &format!("{VOTE} {}", deep.repeat(10)));
    let quotations = rows(&told, "quotation");
    assert_eq!((code, quotations.len()), (1, 2_001));
}

#[test]
fn apostrophes_are_no_quotations_however_many() {
    if ran_alone(apostrophes_are_no_quotations_however_many) {
        return;
    }
    let homes = "'the dogs' and the cats' homes. ";
    let (code, told) = checked(&homes.repeat(600), &format!("{VOTE} {}", homes.repeat(20_000)));
    assert_eq!((code, rows(&told, "quotation").len()), (0, 0));
}

#[test]
fn ten_thousand_numbers_are_a_row_each_and_the_false_one_a_finding() {
    if ran_alone(ten_thousand_numbers_are_a_row_each_and_the_false_one_a_finding) {
        return;
    }
    let mut wards = String::new();
    for ward in 0..5_000 {
        let end = if ward % 50 == 49 { "\n\n" } else { " " };
        write!(wards, "Ward {} cast {} votes.{end}", 5_000 + ward, 20_000 + 7 * ward).unwrap();
    }
    let (code, told) = checked(&format!("# Wards\n\n{}", wards.replace(" 27000 ", " 72000 ")), &wards);
    let numbers = rows(&told, "number");
    // The number beside the false one stands there: nothing binds to a passage without every figure of the sentence.
    assert_eq!((code, numbers.len(), statuses(&numbers, "MATCHES")), (1, 10_000, 9_998));
    assert_eq!(statuses(&numbers, "STANDS THERE"), 1);
    let findings: Vec<&Value> = told["findings"].as_array().unwrap().iter().map(|finding| &finding["text"]).collect();
    assert_eq!(findings, ["72000"]);
}

#[test]
fn a_draft_that_is_no_text_says_what_it_is() {
    let newsroom = Newsroom::offline();
    newsroom.write("notes.txt", VOTE.as_bytes());
    for (bytes, says) in
        [(&[0, 159, 146, 150][..], "it is binary data, not text"), (b"\x89PNG\r\n\x1a\n", "it is a picture (PNG)")]
    {
        newsroom.write("draft.md", bytes);
        let checked = newsroom.run(&["check", "draft.md", "--source", "notes.txt"]);
        assert_eq!((checked.code, checked.out.as_str()), (2, ""));
        assert!(checked.err.starts_with(&format!("the draft draft.md: {says}")), "{}", checked.err);
    }
}

#[test]
fn large_knowledge_files_are_not_all_in_memory_at_once() {
    if ran_alone(large_knowledge_files_are_not_all_in_memory_at_once) {
        return;
    }
    let newsroom = Newsroom::offline();
    for number in 0..12 {
        let name = format!("data/knowledgebase/{number}.pdf");
        // No PDF, which is known once it is read.
        newsroom.write(&name, b"\x89PNG\r\n\x1a\n");
        std::fs::File::options().write(true).open(newsroom.path().join(name)).unwrap().set_len(90 << 20).unwrap();
    }
    let indexed = newsroom.run(&["kb", "index"]);
    assert_eq!(indexed.err.matches(".pdf: ").count(), 12, "{}", indexed.err);
    let memory = getrusage(UsageWho::RUSAGE_CHILDREN).unwrap().max_rss();
    assert!(memory < MOST_MEMORY, "{memory} kB");
}
