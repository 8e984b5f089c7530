//! `copydesk check` over documents of every format, their bad days, its report and its watch: the real binary.

use std::{
    io::Read as _,
    process::Child,
    time::{Duration, Instant},
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use serde_json::Value;

#[cfg(feature = "pdf")]
use crate::support::documents::locked_pdf;
use crate::support::{
    documents::{docx, epub, pdf},
    newsroom::Newsroom,
};

const CLEAN: &str = "# Council votes for a ramp at the park\n\nThe council voted on Tuesday to spend $1.8 million on the park, which \
                     opened in 1958.\n\n“In eleven years I have not once got to the pond,” Inez Calloway said.\n";

const FAULTY: &str = "# Council votes for a ramp at the park\n\nThe council voted on Tuesday to spend $2.8 million on the park, which \
                      opened in 1958.\n\n“In eleven years I have only once got to the pond,” Inez Calloway said.\n";

const VOTE: &str = "The council voted on Tuesday to spend $1.8 million on the park, which opened in 1958.";

/// A desk without grammar: its word list takes seconds to load in a build for tests.
fn desk(draft: &str) -> Newsroom {
    let newsroom = Newsroom::with(|yaml| yaml.replace("grammar: true", "grammar: false"));
    newsroom.write("draft.md", draft.as_bytes());
    newsroom
}

fn paragraph(text: &str) -> String {
    format!("<w:p><w:r><w:t xml:space=\"preserve\">{text}</w:t></w:r></w:p>")
}

/// One part of a zip.
fn part(bytes: &[u8], name: &str) -> String {
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bytes)).unwrap();
    let mut text = String::new();
    archive.by_name(name).unwrap().read_to_string(&mut text).unwrap();
    text
}

#[test]
fn findings_stand_as_comments_in_a_copy_of_a_word_document() {
    let newsroom = desk(FAULTY);
    let body: String = FAULTY.trim_start_matches("# ").split("\n\n").map(paragraph).collect();
    newsroom.write("draft.docx", &docx(&body));
    newsroom.write("notes.txt", CLEAN.as_bytes());
    let source = ["--source", "notes.txt", "--docx", "copy.docx"];
    let checked = newsroom.run(&[&["check", "draft.docx"][..], &source].concat());
    assert_eq!((checked.code, checked.err.as_str()), (1, ""), "{}", checked.out);
    let copy = std::fs::read(newsroom.path().join("copy.docx")).unwrap();
    let (document, comments) = (part(&copy, "word/document.xml"), part(&copy, "word/comments.xml"));
    assert!(
        document.contains("w:commentRangeStart w:id=\"0\"/><w:r><w:t xml:space=\"preserve\">$2.8 million<"),
        "{document}"
    );
    let figure = "body, paragraph 2: CONTRADICTED number “$2.8 million”.";
    assert!(checked.out.contains(figure), "{}", checked.out);
    assert!(comments.contains("notes.txt, line 3: “") && comments.contains("w:author=\"Copydesk\""), "{comments}");
    let form = ["check", "draft.docx", "--source", "notes.txt", "--format", "docx"];
    let only = newsroom.run(&[&form[..], &["--out", "only.docx"]].concat());
    assert_eq!((only.code, only.out.as_str(), only.err.as_str()), (1, "", ""));
    let only = std::fs::read(newsroom.path().join("only.docx")).unwrap();
    assert_eq!(part(&only, "word/document.xml"), document);
    let nowhere = newsroom.run(&form);
    assert!(nowhere.code == 2 && nowhere.err.contains("Name a file with --out"), "{}", nowhere.err);
    let again = newsroom.run(&["check", "copy.docx", "--source", "notes.txt"]);
    assert_eq!(again.out, checked.out, "the copy has the draft's text");
    // Its own copy, what is no Word document, and what was saved wrongly.
    for (draft, copy, says) in [
        ("draft.docx", "draft.docx", "--docx draft.docx: That is the draft"),
        ("draft.md", "copy.docx", "draft.md is none. Use --html"),
        ("notes.docx", "copy.docx", "notes.docx"),
    ] {
        newsroom.write("notes.docx", b"PK not a zip");
        let refused = newsroom.run(&["check", draft, "--source", "notes.txt", "--docx", copy]);
        assert!(refused.code == 2 && refused.err.contains(says), "{draft}: {} {}", refused.code, refused.err);
    }
    assert_eq!(std::fs::read(newsroom.path().join("copy.docx")).unwrap(), copy);
}

/// The same notes in every format.
fn everywhere() -> Vec<(&'static str, Vec<u8>)> {
    let vtt = format!(
        "WEBVTT\n\n1\n00:00:01.000 --> 00:00:04.000\n<v Clerk>{VOTE}\n\n2\n00:00:05.000 --> 00:00:07.000\n<v Inez Calloway>In eleven years I \
         have\n\n3\n00:00:07.000 --> 00:00:09.000\n<v Inez Calloway>not once got to the pond.\n"
    );
    let srt = format!(
        "1\n00:00:01,000 --> 00:00:04,000\nCLERK: {VOTE}\n\n2\n00:00:05,000 --> 00:00:07,000\nINEZ CALLOWAY: In eleven years I have\n\n3\n\
         00:00:07,000 --> 00:00:09,000\nnot once got to the pond.\n"
    );
    let talk =
        format!("0:01\nCLERK: {VOTE}\n0:05\nINEZ CALLOWAY: In eleven years I have\n0:07\nnot once got to the pond.\n");
    let said = "Inez Calloway: \"In eleven years I have not once got to the pond.\"";
    let plain = format!("{VOTE}\n\n{said}\n");
    let wide: Vec<u8> = [0xFEFF].into_iter().chain(plain.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let page = format!("<html><body><nav>Menu 99</nav><p>{VOTE}</p><p>{said}</p><script>77</script></body></html>");
    let mut all = vec![
        ("notes.txt", plain.clone().into_bytes()),
        ("wide.txt", wide),
        ("notes.pdf", pdf(&[&VOTE.replace("spend ", "spend\n"), &said.replace("once ", "once\n")])),
        ("notes.docx", docx(&format!("{}{}", paragraph(VOTE), paragraph(said)))),
        ("notes.html", page.into_bytes()),
        ("notes.epub", epub("Notes", &[&format!("<p>{VOTE}</p>"), &format!("<p>{said}</p>")])),
        ("notes.vtt", vtt.into_bytes()),
        ("notes.srt", srt.into_bytes()),
        ("talk.txt", talk.into_bytes()),
        ("notes.csv", format!("Text,Speaker\n\"{VOTE}\",Clerk\n\"{}\",x\n", said.replace('"', "“")).into_bytes()),
    ];
    all.retain(|(name, _)| cfg!(feature = "pdf") || *name != "notes.pdf");
    all
}

#[test]
fn a_source_of_any_format_bears_out_what_it_holds_and_nothing_else() {
    for (name, bytes) in everywhere() {
        let newsroom = desk(CLEAN);
        newsroom.write(name, &bytes);
        let checked = newsroom.run(&["check", "draft.md", "--source", name, "--all"]);
        assert_eq!(checked.code, 0, "{name}: {}{}", checked.out, checked.err);
        // Of a recording the time, of a text the line, of what is shown in paragraphs the paragraph.
        let (first, place) = match name {
            "notes.vtt" | "notes.srt" | "talk.txt" => ("00:00:01", "00:00:05"),
            "notes.csv" => ("record 2", "record 3"),
            "notes.docx" | "notes.html" => ("paragraph 1", "paragraph 2"),
            // Under its title.
            "notes.epub" => ("paragraph 2", "paragraph 3"),
            "notes.pdf" => ("page 1", "page 2"),
            _ => ("line 1", "line 3"),
        };
        for row in [
            format!("MATCHES number “$1.8 million” {name}, {first}\n"),
            format!("quotation “In eleven years I have not once got to the pond,” {name}, {place}\n"),
        ] {
            assert!(checked.out.contains(&row), "{name}: {row}: {}", checked.out);
        }
        newsroom.write("draft.md", FAULTY.as_bytes());
        let checked = newsroom.run(&["check", "draft.md", "--source", name, "--json"]);
        let told: Value = serde_json::from_str(&checked.out).unwrap();
        let found: Vec<&str> =
            told["findings"].as_array().unwrap().iter().map(|row| row["status"].as_str().unwrap()).collect();
        assert_eq!((checked.code, found), (1, vec!["CONTRADICTED", "ALTERED"]), "{name}: {}", checked.out);
    }
}

#[test]
fn a_quotation_runs_over_cues_and_turns_of_voices_without_names() {
    let newsroom = desk(
        "“Nobody spoke against the loan. The vote was the last of the evening, and it was close,” the minutes say.",
    );
    let long = "The gates are to be wider and the pond is to be drained. ".repeat(11);
    let vtt = format!(
        "WEBVTT\n\n00:01.000 --> 00:40.000\n{long}Nobody spoke\n\n00:40.000 --> 00:44.000\nagainst the loan.\n\n\
         01:02.000 --> 01:04.000\nThe vote was the last of the evening,\n\n01:04.000 --> 01:06.000\nand it was close.\n"
    );
    newsroom.write("talk.vtt", vtt.as_bytes());
    let checked = newsroom.run(&["check", "draft.md", "--source", "talk.vtt", "--json"]);
    let told: Value = serde_json::from_str(&checked.out).unwrap();
    let row = told["ledger"].as_array().unwrap().iter().find(|row| row["kind"] == "quotation").unwrap();
    assert_eq!(row["status"], "NORMALISED", "{row}");
    // The passage says where the next turn begins.
    let passage = row["passage"]["text"].as_str().unwrap();
    assert!(passage.contains("against the loan.\n\n[00:01:02] The vote was"), "{passage}");
}

#[test]
fn a_figure_of_a_table_keeps_the_name_of_its_column() {
    let newsroom = desk("The Miller Park budget is $1.8 million.");
    newsroom.write("parks.csv", b"Park,Budget,Visitors\nMiller Park,$1.8 million,4200\n");
    let checked = newsroom.run(&["check", "draft.md", "--source", "parks.csv"]);
    assert_eq!(checked.code, 0, "{}{}", checked.out, checked.err);
}

#[test]
fn a_draft_is_read_as_word_and_as_a_web_page_too() {
    let heading = "<w:p><w:pPr><w:pStyle w:val=\"Title\"/></w:pPr><w:r><w:t>Council votes</w:t></w:r></w:p>";
    let body = VOTE.replace("$1.8", "$2.8");
    for (name, bytes) in [
        ("draft.docx", docx(&format!("{heading}{}", paragraph(&body)))),
        ("draft.html", format!("<h1>Council votes</h1><p>{body}</p>").into_bytes()),
    ] {
        let newsroom = desk(CLEAN);
        newsroom.write(name, &bytes);
        newsroom.write("notes.txt", VOTE.as_bytes());
        let checked = newsroom.run(&["check", name, "--source", "notes.txt", "--json"]);
        let told: Value = serde_json::from_str(&checked.out).unwrap();
        let finding = &told["findings"][0];
        let at = u64::try_from(body.find("$2.8 million").unwrap()).unwrap();
        assert_eq!(checked.code, 1);
        assert_eq!(
            (&finding["text"], &finding["field"], finding["span"][0].as_u64()),
            (&Value::from("$2.8 million"), &Value::from("articleBody"), Some(at)),
            "{name}: {}",
            checked.out
        );
    }
}

#[cfg(feature = "pdf")]
#[test]
fn what_cannot_be_read_says_what_it_is_and_what_to_do() {
    let newsroom = desk(CLEAN);
    let bomb = docx(&paragraph(&"a".repeat(20 << 20)));
    for (name, bytes, says) in [
        ("locked.pdf", locked_pdf(), "it is protected with a password: save a copy without one"),
        ("scan.pdf", pdf(&["", ""]), "none of its 2 pages holds any text: it is perhaps a scan"),
        ("torn.pdf", pdf(&["Text."])[..40].to_vec(), "it cannot be read as a PDF: it is damaged, or no PDF"),
        ("torn.docx", docx("")[..40].to_vec(), "it cannot be read as a Word document (DOCX): "),
        ("bomb.docx", bomb, "it unpacks to more than 16 MB of text"),
        ("empty.html", b"<p hidden>x</p>".to_vec(), "it is empty; a source needs text"),
        ("empty.csv", b",,\n,,\n".to_vec(), "it is empty; a source needs text"),
        ("plain.vtt", b"Hello".to_vec(), "it cannot be read as a file of captions: it has no cue"),
        ("noise.txt", vec![0, 159, 146, 150], "it is binary data, not text"),
        ("picture.txt", b"\x89PNG\r\n\x1a\n".to_vec(), "it is a picture (PNG), not text"),
    ] {
        newsroom.write(name, &bytes);
        let checked = newsroom.run(&["check", "draft.md", "--source", name]);
        assert_eq!((checked.code, checked.out.as_str()), (2, ""), "{name}: {}", checked.err);
        let said = format!("the source {name}: {says}");
        assert!(checked.err.starts_with(&said), "{said}: {}", checked.err);
        assert_eq!(checked.err.lines().count(), 1, "{}", checked.err);
    }
    newsroom.write("notes.txt", VOTE.as_bytes());
    for (name, says) in [
        ("scan.pdf", "the draft scan.pdf: none of its 2 pages"),
        ("empty.html", "the draft empty.html: the draft is empty"),
        ("empty.csv", "the draft empty.csv: the draft is empty"),
    ] {
        let checked = newsroom.run(&["check", name, "--source", "notes.txt"]);
        assert_eq!(checked.code, 2);
        assert!(checked.err.starts_with(says), "{says}: {}", checked.err);
    }
    newsroom.write("text.pdf", &pdf(&["The council voted."]));
    let checked = newsroom.run(&["check", "text.pdf", "--source", "notes.txt"]);
    assert_eq!(checked.code, 2);
    assert!(checked.err.contains("it is a PDF; a draft is Markdown, text, .docx, .html"), "{}", checked.err);
}

#[test]
fn a_source_of_two_hundred_megabytes_is_refused_unread() {
    let newsroom = desk(CLEAN);
    for (name, most) in [("large.txt", 16), ("large.pdf", 96)] {
        std::fs::File::create(newsroom.path().join(name)).unwrap().set_len(200 << 20).unwrap();
        let begun = Instant::now();
        let checked = newsroom.run(&["check", "draft.md", "--source", name]);
        assert_eq!(checked.code, 2);
        let said = format!("the source {name}: it is 200 MB; a source may have {most} MB at most: split it");
        assert!(checked.err.starts_with(&said), "{}", checked.err);
        assert!(begun.elapsed() < Duration::from_secs(10));
    }
}

#[test]
fn mixed_encodings_are_read_line_by_line_and_said() {
    let newsroom = desk("“Das Café ist zu,” Zoë Müller said.");
    newsroom
        .write("mixed.txt", &["Zoë Müller: ".as_bytes(), "\n".as_bytes(), b"\x93Das Caf\xE9 ist zu.\x94\n"].concat());
    let checked = newsroom.run(&["check", "draft.md", "--source", "mixed.txt"]);
    assert_eq!(checked.code, 0, "{}{}", checked.out, checked.err);
    assert_eq!(checked.err, "mixed.txt: 3 bytes in 1 line are not UTF-8 and were read as windows-1252\n");
}

#[cfg(feature = "pdf")]
#[test]
fn a_folder_is_read_by_name_and_what_is_left_out_is_said() {
    let newsroom = desk(CLEAN);
    for (name, bytes) in everywhere().into_iter().take(3) {
        newsroom.write(&format!("in/{name}"), &bytes);
    }
    newsroom.write("in/draft.md", CLEAN.as_bytes());
    newsroom.write("in/photo.jpg", b"\xFF\xD8");
    newsroom.write("in/scan.pdf", &pdf(&[""]));
    newsroom.write("in/.hidden.txt", b"secret");
    newsroom.write("in/deeper/notes.txt", VOTE.as_bytes());
    let checked = newsroom.run(&["check", "in/draft.md", "--source", "in", "--source", "in/notes.txt"]);
    assert_eq!(checked.code, 0, "{}{}", checked.out, checked.err);
    let said: Vec<&str> = checked.err.lines().collect();
    assert_eq!(
        said,
        [
            "in/deeper was left out: it is a folder; name it as a --source of its own",
            "in/photo.jpg was left out: no document by its name",
            "in/draft.md was left out: it is the draft",
            "in/notes.txt was named twice; it is read once",
            "in/scan.pdf was left out: none of its 1 pages holds any text: it is perhaps a scan. Run it through text recognition first",
        ]
    );
    for (name, says) in
        [("none", "the folder none holds no document (.txt, "), ("scans", "none of the sources could be read: ")]
    {
        std::fs::create_dir_all(newsroom.path().join(name)).unwrap();
        newsroom.write("scans/scan.pdf", &pdf(&[""]));
        let checked = newsroom.run(&["check", "draft.md", "--source", name]);
        assert_eq!(checked.code, 2);
        assert!(checked.err.contains(says), "{}", checked.err);
    }
    let checked = newsroom.run(&["check", "draft.md", "--source", "draft.md"]);
    assert_eq!(checked.code, 2);
    assert!(checked.err.starts_with("draft.md is the draft. "), "{}", checked.err);
}

#[test]
fn two_sources_of_one_name_are_two_in_the_ledger() {
    let newsroom = desk(CLEAN);
    newsroom.write("vote/notes.txt", VOTE.as_bytes());
    newsroom.write("talk/notes.txt", b"Inez Calloway: In eleven years I have not once got to the pond.");
    let checked = newsroom.run(&["check", "draft.md", "--source", "vote/notes.txt", "--source", "talk", "--all"]);
    assert_eq!(checked.code, 0, "{}{}", checked.out, checked.err);
    assert!(checked.out.contains("MATCHES date “1958” vote/notes.txt, line 1"), "{}", checked.out);
    assert!(checked.out.contains("MATCHES name “Inez Calloway” talk/notes.txt, line 1"), "{}", checked.out);
}

const GERMAN: &str = "Der Stadtrat hat am Dienstag beschlossen, 1,8 Millionen Euro für den Park auszugeben, der 1958 eröffnet wurde. \
                      Inez Calloway sagte: „Ich war noch nie am Teich.“ Die Arbeiten könnten im Frühjahr beginnen, so der Direktor.";

#[test]
fn another_language_is_said_and_rules_that_know_english_words_stay_out() {
    let newsroom =
        desk("Inez Calloway said that all the gardens in the town were going to be shut. The park opened in 1959.");
    newsroom.write("notiz.txt", GERMAN.as_bytes());
    let checked = newsroom.run(&["check", "draft.md", "--source", "notiz.txt", "--json"]);
    let (which, rules) = checked.err.split_once('\n').unwrap();
    assert_eq!(which, "the source notiz.txt is in German");
    assert!(rules.starts_with("Rules for English words are off (") && rules.contains("name.not_found"), "{rules}");
    assert!(!rules.contains("quotation."), "{rules}");
    let told: Value = serde_json::from_str(&checked.out).unwrap();
    let rows = told["ledger"].as_array().unwrap();
    let wordy: Vec<&Value> =
        rows.iter().filter(|row| row["kind"] == "sentence" || row["kind"] == "certainty").collect();
    assert!(!wordy.is_empty() && wordy.iter().all(|row| row["status"] == "UNCHECKED"), "{}", checked.out);
    // A year that the source does not have is still one.
    assert!(told["findings"].as_array().unwrap().iter().any(|row| row["text"] == "1959"), "{}", checked.out);
    newsroom.write("draft.md", GERMAN.as_bytes());
    newsroom.write("notes.txt", VOTE.as_bytes());
    let checked = newsroom.run(&["check", "draft.md", "--source", "notes.txt"]);
    assert!(checked.err.starts_with("the draft is in German\n"), "{}", checked.err);
}

#[test]
fn the_report_is_a_page_of_its_own_beside_lines_and_json() {
    let newsroom = desk(FAULTY);
    newsroom.write("notes.txt", &everywhere()[0].1);
    let lines = newsroom.run(&["check", "draft.md", "--source", "notes.txt"]);
    let both = newsroom.run(&["check", "draft.md", "--source", "notes.txt", "--html", "report.html"]);
    assert_eq!((both.code, &both.out), (1, &lines.out), "{}", both.err);
    let page = newsroom.read("report.html");
    for part in [
        "<b class=\"bad\">ALTERED</b> quotation",
        "<del>only</del><ins>not</ins>",
        "<p>2 findings. ",
        "<h3>notes.txt</h3>",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    // Each link leads somewhere on the page.
    for link in page.split("href=\"#").skip(1) {
        let anchor = link.split('"').next().unwrap();
        assert!(page.contains(&format!("id=\"{anchor}\"")), "{anchor}");
    }
    let json = newsroom.run(&["check", "draft.md", "--source", "notes.txt", "--json", "--html", "report.html"]);
    assert!(json.out.starts_with('{') && newsroom.read("report.html") == page);
    let left: Vec<String> =
        newsroom.files().into_iter().map(|(name, _)| name).filter(|name| name.starts_with('.')).collect();
    assert_eq!(left, Vec::<String>::new());
}

#[test]
fn the_report_is_never_written_over_what_was_checked() {
    let newsroom = desk(CLEAN);
    newsroom.write("notes.txt", VOTE.as_bytes());
    newsroom.write("in/a.txt", VOTE.as_bytes());
    for (report, source, says) in [
        ("draft.md", "notes.txt", "--html draft.md: That is the draft"),
        ("./notes.txt", "notes.txt", "--html ./notes.txt: That is a source"),
        ("in/report.html", "in", "--html in/report.html: The report would become one of the sources"),
        ("in/a.txt", "in", "--html in/a.txt: The report would become one of the sources"),
        ("in", "notes.txt", "--html in: it is a folder; name a file"),
        ("nowhere/report.html", "notes.txt", "--html nowhere/report.html: there is no such folder"),
    ] {
        let before = newsroom.files();
        let checked = newsroom.run(&["check", "draft.md", "--source", source, "--html", report]);
        assert_eq!((checked.code, checked.out.as_str()), (2, ""), "{}", checked.err);
        assert!(checked.err.starts_with(says), "{}", checked.err);
        assert!(newsroom.files() == before, "{report}");
    }
}

#[cfg(feature = "pdf")]
#[test]
fn further_sources_and_topics_of_the_pipeline_are_read_by_the_same_room() {
    let newsroom = Newsroom::offline();
    let source =
        "The council of Eastbrook voted seven to two on Tuesday to renovate Miller Park. The work costs $1.8 million.";
    newsroom.write("minutes.pdf", &pdf(&[&source.replace("to renovate", "to\nrenovate")]));
    newsroom.write("page.html", format!("<main><h1>Park vote</h1><p>{source}</p></main>").as_bytes());
    newsroom.write("extra.docx", &docx(&paragraph(source)));
    let done = newsroom.run(&["run", "--auto", "minutes.pdf", "page.html"]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    let article = newsroom.json("data/output/articles/newsroom/page.json");
    assert_eq!(article["metadata"]["topic_title"], "Park vote");
    let topic = newsroom.topic();
    let done = newsroom.run(&["run", "--auto", topic.to_str().unwrap(), "--source", "extra.docx"]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
}

#[cfg(feature = "pdf")]
#[test]
fn a_citation_of_a_pdf_names_its_page() {
    let newsroom = Newsroom::offline();
    let pages = ["The council met in October.", "It talked of the pond.", "The plan lays 1.4 miles of paths."];
    newsroom.write("report.pdf", &pdf(&pages));
    assert!(newsroom.run(&["run", "--auto", "report.pdf"]).code < 2);
    let json = |arguments: &[&str]| -> Value { serde_json::from_str(&newsroom.ran(arguments).out).unwrap() };
    let story = json(&["list", "--json"])[0]["story"].as_str().unwrap().to_owned();
    let told = json(&["ask", &story, "How long are the paths?", "--json"]);
    let place = told["passages"][0]["place"].as_str().unwrap();
    assert!(place.ends_with(", page 3") || place.ends_with(", page 2"), "a passage begins before its answer: {told}");
    let note = |page: u32| {
        let cited = format!("[^1]: Report, page {page}: \"The plan lays 1.4 miles of paths.\"");
        let draft = format!("# Park\n\nThe council met in October.[^1]\n\n## Footnotes\n\n{cited}\n");
        newsroom.write("draft.md", draft.as_bytes());
        newsroom.run(&["check", "draft.md", "--no-style", "--source", "report.pdf"]).out
    };
    assert!(!note(3).contains("stand on page"), "{}", note(3));
    assert!(note(2).contains("These words stand on page 3"), "{}", note(2));
}

/// Everything that a program has printed up to now, read beside it.
pub(crate) struct Watched {
    child: Child,
    lines: std::sync::mpsc::Receiver<String>,
}

impl Watched {
    pub(crate) fn start(newsroom: &Newsroom, arguments: &[&str]) -> Self {
        let mut child = newsroom.start(arguments);
        let (send, lines) = std::sync::mpsc::channel();
        let out = child.stdout.take().unwrap();
        let err = child.stderr.take().unwrap();
        for (mark, mut pipe) in [("out", Box::new(out) as Box<dyn std::io::Read + Send>), ("err", Box::new(err))] {
            let send = send.clone();
            std::thread::spawn(move || {
                let (mut text, mut bytes) = (String::new(), [0u8; 4096]);
                while let Ok(count @ 1..) = pipe.read(&mut bytes) {
                    text.push_str(&String::from_utf8_lossy(&bytes[..count]));
                    while let Some((line, rest)) = text.split_once('\n') {
                        let _ = send.send(format!("{mark}: {line}"));
                        text = rest.to_owned();
                    }
                }
            });
        }
        Self { child, lines }
    }

    /// The lines up to the first that contains `part`.
    pub(crate) fn until(&self, part: &str) -> Vec<String> {
        let mut seen = Vec::new();
        loop {
            let line = self.lines.recv_timeout(Duration::from_secs(30));
            let line = line.unwrap_or_else(|_| panic!("no {part:?} in {seen:?}"));
            let found = line.contains(part);
            seen.push(line);
            if found {
                return seen;
            }
        }
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ended = self.child.kill().and_then(|()| self.child.wait());
    }
}

#[test]
fn a_watched_draft_is_checked_again_whenever_it_is_saved() {
    let newsroom = desk(FAULTY);
    newsroom.write("notes.txt", &everywhere()[0].1);
    let mut watched = Watched::start(
        &newsroom,
        &["check", "draft.md", "--source", "notes.txt", "--watch", "--no-style", "--html", "report.html"],
    );
    watched.until("out: 2 findings. ");
    // As an editor saves that puts another file in the place of the old one.
    newsroom.write("draft.md~", CLEAN.as_bytes());
    std::fs::rename(newsroom.path().join("draft.md~"), newsroom.path().join("draft.md")).unwrap();
    let again = watched.until("err: Since the last save: 2 findings gone, 0 new.");
    watched.until("err:   gone: ");
    watched.until("err:   gone: ");
    let rule = again.iter().find(|line| line.starts_with("err: ──── checked again at ")).unwrap();
    assert!(rule.contains(" ──"), "{rule}");
    assert!(!again.concat().contains('\u{1B}'), "{again:?}");
    assert!(newsroom.read("report.html").contains("<p>0 findings. "));
    std::fs::remove_file(newsroom.path().join("draft.md")).unwrap();
    watched.until("err: the draft draft.md: draft.md cannot be read: ");
    newsroom.write("draft.md", FAULTY.as_bytes());
    watched.until("err: Since the last save: 0 findings gone, 2 new.");
    newsroom.write("notes.txt", VOTE.as_bytes());
    watched.until("out: 3 findings. ");
    watched.until(": NOT FOUND quotation");
    kill(Pid::from_raw(i32::try_from(watched.child.id()).unwrap()), Signal::SIGINT).unwrap();
    assert_eq!(watched.child.wait().unwrap().code(), Some(130));
    // Nothing was saved since, so nothing was checked again.
    let last: Vec<String> = watched.lines.iter().filter(|line| line.contains(" findings. ")).collect();
    assert_eq!(last, Vec::<String>::new());
}
