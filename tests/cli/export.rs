//! An article leaves the desk as a file: what is in it, what it never writes over, and when there is none.

use serde_json::Value;

use crate::support::{
    newsroom::Newsroom,
    script,
    server::{Reply, Server},
};

#[test]
fn the_kept_article_is_exported_in_each_format() {
    let newsroom = Newsroom::offline();
    newsroom.auto(&newsroom.topic());
    let article = newsroom.canonical().get("article").cloned().unwrap();
    let headline = article.get("headline").and_then(Value::as_str).unwrap();

    let json = newsroom.run(&["export", "park", "--format", "json"]);
    assert_eq!((json.code, json.err.as_str()), (0, ""));
    assert_eq!(serde_json::from_str::<Value>(&json.out).unwrap(), article);

    let markdown = newsroom.run(&["export", "desk/park", "--format", "markdown", "--out", "park.md"]);
    assert_eq!((markdown.code, markdown.out.as_str()), (0, ""));
    assert_eq!(markdown.err, "desk/park is in park.md\n");
    // A fact sheet has no alternative headline.
    let written = newsroom.read("park.md");
    assert!(written.starts_with(&format!("# {headline}\n\n")) && !written.contains("\n*"), "{written}");

    let html = newsroom.run(&["export", "park", "--format", "html"]);
    assert_eq!(html.code, 0);
    assert!(
        html.out.starts_with("<!DOCTYPE html>") && html.out.contains(&format!("<h1>{headline}</h1>")),
        "{}",
        html.out
    );
    assert!(html.out.contains("in round 1; not signed off."), "{}", html.out);

    let ninjs = newsroom.run(&["export", "park", "--format", "ninjs"]);
    let object: Value = serde_json::from_str(&ninjs.out).unwrap();
    assert_eq!((&object["headlines"][0]["value"], &object["pubStatus"]), (&article["headline"], &"withheld".into()));

    for format in ["docx", "docx-review"] {
        let refused = newsroom.run(&["export", "park", "--format", format]);
        assert_eq!(refused.code, 2);
        assert!(refused.err.contains("Name a file with --out"), "{}", refused.err);
        let file = format!("{format}.docx");
        assert_eq!(newsroom.run(&["export", "park", "--format", format, "--out", &file]).code, 0);
        // It is a document that the desk itself reads.
        let read = newsroom.run(&["check", "park.md", "--source", &file]);
        assert!(read.code < 2, "{}", read.err);
    }
}

#[test]
fn while_a_run_is_open_the_draft_that_waits_is_shown_and_exported() {
    // The second draft is worse than the first once the editor has overruled two verdicts on that one.
    let server = Server::start(|call| match call.agent.as_str() {
        "article_review" => Reply::Text(script::bullets()),
        _ => script::usual(call),
    });
    let newsroom =
        Newsroom::at_with(&server.base(), |yaml| yaml.replace("editor_max_rounds: 3", "editor_max_rounds: 2"));
    let topic = newsroom.topic();
    let decide = |words: &[&str]| newsroom.run(&[&["decide", "park"], words].concat()).code;
    // The article by `export` and by `show`, and the messages of `export`.
    let standing = || {
        let export = |format| newsroom.run(&["export", "park", "--format", format]);
        let shown = newsroom.run(&["show", "park"]).out;
        // The table above the article names it, too.
        let is_headline = |line: &&str| line.starts_with("A park plan passes (") && line.ends_with(')');
        let headline = shown.lines().find(is_headline).unwrap().to_owned();
        for markdown in [export("markdown").out, newsroom.run(&["show", "park", "--draft"]).out] {
            assert_eq!(markdown.lines().next(), Some(format!("# {headline}").as_str()));
        }
        (headline, export("markdown").err, export("html").out)
    };

    assert_eq!(newsroom.run(&["run", "--plain", topic.to_str().unwrap()]).code, 0);
    for concern in ["1", "2"] {
        assert_eq!(decide(&["overrule", concern, "keep", "--reason", "It is in the minutes."]), 0);
    }
    assert_eq!(decide(&["continue"]), 0);
    assert_eq!(standing().1, "This is the draft of round 1 of a run that has not ended.\n");
    assert_eq!(newsroom.run(&["resume"]).code, 0);
    let (headline, note, html) = standing();
    assert_eq!(headline, "A park plan passes (draft 2)");
    assert_eq!(note, "This is the draft of round 2. It waits for your decision, round 2.\n");
    assert!(html.contains("Draft of round 2, not passed: 3 concerns are open."), "{html}");

    assert_eq!(decide(&["continue", "--resume"]), 1);
    let (headline, note, html) = standing();
    assert_eq!((headline.as_str(), note.as_str()), ("A park plan passes (draft 1)", ""), "the kept one");
    assert!(html.contains("Draft of round 1, not passed: 1 concern is open."), "{html}");
}

#[test]
fn a_file_that_is_there_is_written_over_only_when_asked() {
    let newsroom = Newsroom::offline();
    newsroom.auto(&newsroom.topic());
    newsroom.write("mine.md", b"mine");
    std::fs::create_dir(newsroom.path().join("folder")).unwrap();
    for (arguments, says) in [
        ("export park --format markdown --out mine.md", "mine.md exists. --force replaces it"),
        ("export park --format markdown --out folder", "folder is a folder. Name a file with --out"),
        ("export park --format markdown --out folder --force", "folder is a folder. Name a file with --out"),
        ("export park --format markdown --out nowhere/a.md", "there is no folder nowhere for nowhere/a.md"),
        (
            "export park --format word",
            "[possible values: markdown, html, json, ninjs, docx, docx-review, report, record, record-page]",
        ),
        ("export park --format html --force", "--out <FILE>"),
        ("export park", "--format <FORMAT>"),
        ("export nobody --format html", "There is no story or run nobody"),
    ] {
        let done = newsroom.run(&arguments.split(' ').collect::<Vec<_>>());
        assert_eq!((done.code, done.out.as_str()), (2, ""), "{arguments}: {}", done.err);
        assert!(done.err.contains(says), "{arguments}: {}", done.err);
    }
    assert_eq!(newsroom.read("mine.md"), "mine");
    let forced = newsroom.run(&["export", "park", "--format", "markdown", "--out", "mine.md", "--force"]);
    assert_eq!(forced.code, 0, "{}", forced.err);
    assert!(newsroom.read("mine.md").starts_with("# "));
}

#[test]
fn a_story_without_a_draft_has_nothing_to_export() {
    // Nobody listens there.
    let newsroom = Newsroom::at("http://127.0.0.1:9/v1");
    assert_eq!(newsroom.auto(&newsroom.topic()).code, 1);
    let done = newsroom.run(&["export", "park", "--format", "html", "--out", "park.html"]);
    assert_eq!((done.code, done.out.as_str()), (1, ""));
    assert_eq!(done.err, "desk/park has no draft yet. `copydesk log desk/park` shows its progress\n");
    assert!(!newsroom.path().join("park.html").exists());
}

/// A Word document with its text changed.
fn with_document(bytes: &[u8], change: impl Fn(String) -> String) -> Vec<u8> {
    use std::io::{Cursor, Read as _};
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut parts = Vec::new();
    for at in 0..archive.len() {
        let mut file = archive.by_index(at).unwrap();
        let (name, mut text) = (file.name().unwrap().into_owned(), String::new());
        file.read_to_string(&mut text).unwrap();
        let text = if name == "word/document.xml" { change(text) } else { text };
        parts.push((name, text));
    }
    let parts: Vec<(&str, &[u8])> = parts.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
    crate::support::documents::archive(&parts)
}

#[test]
fn a_review_copy_that_comes_back_is_taken_in_as_decisions() {
    let newsroom = Newsroom::offline();
    newsroom.write(
        "park.txt",
        b"Council minutes\n\nThe council voted 7-2 on Tuesday. The paths are 1.4 miles long. Denise Pruitt spoke.\n",
    );
    let draft = "# Council votes 7-2\n\n*The park*\n\n> The council voted.\n\nThe council voted 7-2 on Tuesday. The paths are 1.8 miles long.\n\n\
                 Dennis Pruitt spoke.\n";
    newsroom.write("draft.md", draft.as_bytes());
    newsroom.ran(&["run", "--plain", "park.txt", "--draft", "draft.md"]);
    newsroom.ran(&["decide", "park", "continue", "--resume"]);
    newsroom.ran(&["export", "park", "--format", "docx-review", "--out", "copy.docx"]);
    let copy = std::fs::read(newsroom.path().join("copy.docx")).unwrap();
    let untouched = newsroom.ran(&["decide", "park", "edit", "--returned", "copy.docx"]);
    assert!(
        untouched.err.contains("The copy decides nothing new") && untouched.err.contains("Still open in the copy: "),
        "{}",
        untouched.err
    );
    let cut = |text: &str, from: &str, to: &str, put: &str| {
        let start = text.find(from).unwrap_or_else(|| panic!("{from}: {text}"));
        let end = start + text[start..].find(to).unwrap() + to.len();
        format!("{}{put}{}", &text[..start], &text[end..])
    };
    // The first change is accepted, the second one rejected, as Word writes both.
    let run = |words: &str| format!("<w:r><w:t xml:space=\"preserve\">{words}</w:t></w:r>");
    let returned = with_document(&copy, |text| {
        let text = cut(&text, "<w:del w:id=\"1\"", "</w:del>", "");
        let text = cut(&text, "<w:ins w:id=\"2\"", "</w:ins>", &run("1.4"));
        let text = cut(&text, "<w:del w:id=\"3\"", "</w:del>", &run("Dennis"));
        cut(&text, "<w:ins w:id=\"4\"", "</w:ins>", "")
    });
    newsroom.write("returned.docx", &returned);
    let taken = newsroom.ran(&["decide", "park", "edit", "--returned", "returned.docx"]);
    assert_eq!(taken.err.matches("decided: ").count(), 2, "{}", taken.err);
    let shown = newsroom.ran(&["show", "park"]).out;
    assert!(shown.contains("“1.8” → “1.4”"), "{shown}");
    newsroom.ran(&["decide", "park", "continue", "--resume"]);
    // The proof then raises the rejected words again.
    let shown = newsroom.ran(&["show", "park"]).out;
    assert!(shown.contains("[-Denise-]{+Dennis+}") && !shown.contains("{+1.8+}"), "{shown}");
    for (file, bytes, says) in [
        (
            "other.docx",
            with_document(&copy, |text| text.replace("Copydesk_", "Other_")),
            "it is no review copy of this story",
        ),
        ("broken.docx", b"PK".to_vec(), "broken.docx"),
    ] {
        newsroom.write(file, &bytes);
        let refused = newsroom.run(&["decide", "park", "edit", "--returned", file]);
        assert!(refused.code == 2 && refused.err.contains(says), "{}", refused.err);
    }
    newsroom.ran(&["audit", "verify"]);
    newsroom.ran(&["replay", "park"]);
}
