//! The forms in which other programs read a check, a draft from standard input, and sources that a draft names itself.

use std::{io::Write as _, process::Stdio};

use serde_json::{Value, json};

use crate::support::newsroom::{Newsroom, done};

const NOTES: &str = "The council voted on Tuesday to spend $1.8 million on the park, which opened in 1958.\n";
const DRAFT: &str =
    "# Council votes\n\nThe council voted on Tuesday to spend $2.8 million on the park, Ines Vale said.\n";

fn desk() -> Newsroom {
    let newsroom = Newsroom::with(|yaml| yaml.replace("grammar: true", "grammar: false"));
    newsroom.write("notes.txt", NOTES.as_bytes());
    newsroom.write("a draft.md", DRAFT.as_bytes());
    newsroom
}

fn printed(newsroom: &Newsroom, form: &str) -> String {
    let checked = newsroom.run(&["check", "a draft.md", "--source", "notes.txt", "--no-style", "--format", form]);
    assert_eq!((checked.code, checked.err.as_str()), (1, ""), "{}", checked.out);
    checked.out
}

#[test]
fn other_programs_read_the_findings_at_their_places() {
    let newsroom = desk();
    let start = DRAFT.lines().nth(2).unwrap().find('$').unwrap() + 1;
    let (end, name) = (start + "$2.8 million".len(), "a draft.md");

    let sarif: Value = serde_json::from_str(&printed(&newsroom, "sarif")).unwrap();
    let result = &sarif["runs"][0]["results"][0];
    let region = json!({ "startLine": 3, "startColumn": start, "endLine": 3, "endColumn": end });
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!((&place["region"], &place["artifactLocation"]["uri"]), (&region, &json!("a%20draft.md")), "{result}");
    assert_eq!(result["level"], "warning");
    let replacement = &result["fixes"][0]["artifactChanges"][0]["replacements"][0];
    assert_eq!(replacement["insertedContent"]["text"], "$1.8 million", "{result}");
    let rules = sarif["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    assert!(rules.iter().any(|rule| rule["id"] == result["ruleId"]), "{rules:?}");

    let vale: Value = serde_json::from_str(&printed(&newsroom, "vale-json")).unwrap();
    let alert = &vale[name][0];
    assert_eq!((&alert["Line"], &alert["Span"]), (&json!(3), &json!([start, end - 1])), "{alert}");
    assert_eq!(alert["Action"], json!({ "Name": "replace", "Params": ["$1.8 million"] }));
    assert_eq!((&alert["Severity"], &alert["Match"]), (&json!("warning"), &json!("$2.8 million")));

    let github = printed(&newsroom, "github");
    let first = format!("::warning file={name},line=3,endLine=3,col={start},endColumn={end},title=number.");
    assert!(github.starts_with(&first), "{github}");
    assert_eq!(github.lines().count(), github.matches("::warning ").count(), "{github}");
    // GitHub takes columns of one line alone.
    newsroom.write(
        "two.md",
        "# Votes\n\n“The council voted on Monday\nto spend $1.8 million on the park,” he said.\n".as_bytes(),
    );
    let two = newsroom.run(&["check", "two.md", "--source", "notes.txt", "--no-style", "--format", "github"]).out;
    assert!(two.contains("file=two.md,line=3,endLine=4,title=quotation."), "{two}");
    assert_eq!(printed(&newsroom, "json"), {
        newsroom.run(&["check", name, "--source", "notes.txt", "--no-style", "--json"]).out
    });
}

#[test]
fn a_result_goes_into_a_file_whatever_its_form() {
    let newsroom = desk();
    let checked = |arguments: &[&str]| {
        newsroom.run(&[&["check", "a draft.md", "--source", "notes.txt", "--no-style"], arguments].concat())
    };
    for form in ["text", "json", "sarif", "vale-json", "github", "html"] {
        let (printed, written) = (checked(&["--format", form]), checked(&["--format", form, "--out", "result"]));
        assert_eq!((written.code, written.out.as_str(), written.err.as_str()), (1, "", ""), "{form}");
        assert!(!printed.out.is_empty() && newsroom.read("result") == printed.out, "{form}: {}", printed.out);
    }
    let page = newsroom.read("result");
    assert!(page.contains("<p>2 findings. ") && page.contains("<h3>notes.txt</h3>"), "{page}");
    checked(&["--html", "page.html"]);
    assert_eq!(newsroom.read("page.html").trim_end(), page.trim_end());
    for (arguments, says) in [
        (&["--format", "docx", "--out", "copy.docx"][..], "--format docx writes comments into a copy"),
        (&["--format", "html", "--out", "notes.txt"], "--out notes.txt: That is a source"),
        (&["--out", "x", "--open"], "cannot be used with"),
    ] {
        let refused = checked(arguments);
        assert!(refused.code == 2 && refused.err.contains(says), "{arguments:?}: {}", refused.err);
    }
}

#[test]
fn a_draft_comes_from_standard_input() {
    let newsroom = desk();
    let typed = |text: &[u8], arguments: &[&str]| {
        let mut command = newsroom.command(&[&["check", "-", "--no-style"], arguments].concat());
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program");
        // A program that refuses its options reads nothing.
        let _written = child.stdin.take().unwrap().write_all(text);
        done(child.wait_with_output().unwrap())
    };
    let checked = typed(DRAFT.as_bytes(), &["--source", "notes.txt"]);
    assert_eq!(checked.code, 1, "{}", checked.err);
    assert!(checked.out.contains("$2.8 million"), "{}", checked.out);
    let vale: Value =
        serde_json::from_str(&typed(DRAFT.as_bytes(), &["--source", "notes.txt", "--format", "vale-json"]).out)
            .unwrap();
    assert!(vale["stdin.md"][0]["Line"] == 3, "{vale}");
    // In UTF-16, as some editors save it, and with sources that it names itself.
    let named = format!(
        "\u{feff}---\nsources: notes.txt\n---\n{}",
        DRAFT.replace("$2.8", "$1.8").replace(", Ines Vale said", "")
    );
    assert_eq!(typed(named.as_bytes(), &[]).code, 0);
    let wide: Vec<u8> = named.encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(typed(&wide, &["--source", "notes.txt"]).code, 0);
    let empty = typed(b"\n", &["--source", "notes.txt"]);
    assert!(empty.code == 2 && empty.err.starts_with("the draft from standard input: "), "{}", empty.err);
    let refused = typed(b"", &["--source", "notes.txt", "--watch"]);
    assert!(refused.code == 2 && refused.err.contains("`-` is standard input"), "{}", refused.err);
}

#[test]
fn a_draft_finds_its_own_sources() {
    let newsroom = desk();
    newsroom.write("draft.md", DRAFT.as_bytes());
    let none = newsroom.run(&["check", "draft.md", "--no-style"]);
    assert!(none.code == 2 && none.err.contains("no sources belong to draft.md"), "{}", none.err);
    newsroom.write(".copydesk.yaml", b"sources: [notes.txt]\n");
    assert_eq!(newsroom.run(&["check", "draft.md", "--no-style"]).code, 1);
    newsroom.write("draft.sources/other.txt", NOTES.replace("$1.8", "$2.8").as_bytes());
    let beside = newsroom.run(&["check", "draft.md", "--no-style"]);
    assert!(!beside.out.contains("$1.8"), "{}", beside.out);
    // In UTF-16, as some editors save it.
    let named = format!("---\nsources: [draft.sources/other.txt]\naccepted: {{'Ines Vale': so}}\n---\n{DRAFT}");
    let wide: Vec<u8> = format!("\u{feff}{named}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    newsroom.write("wide.md", &wide);
    let checked = newsroom.run(&["check", "wide.md", "--no-style"]);
    assert!(checked.code == 0 && checked.err.contains("“Ines Vale” stands"), "{}{}", checked.out, checked.err);
    let missing = newsroom.run(&["check", "nowhere.md", "--no-style"]);
    assert!(missing.code == 2 && missing.err.contains("nowhere.md cannot be read"), "{}", missing.err);
    newsroom.write("draft.md", format!("---\nsources: 7\n---\n{DRAFT}").as_bytes());
    let odd = newsroom.run(&["check", "draft.md", "--no-style"]);
    assert!(odd.code == 2 && odd.err.contains("front matter"), "{}", odd.err);
}
