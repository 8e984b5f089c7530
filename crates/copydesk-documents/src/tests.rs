//! A document of each kind, and of none.

use proptest::prelude::*;

use super::*;
#[cfg(feature = "pdf")]
use copydesk_text::places::PAGE_END;

#[path = "../../../tests/support/documents.rs"]
pub(super) mod made;
use made::pdf;

fn source(file_name: &str, bytes: &[u8]) -> Result<Document, Unreadable> {
    read(file_name, bytes, ReadingPurpose::Source)
}

fn document(kind: DocumentKind, text: &str, notes: &[&str]) -> Document {
    Document {
        kind,
        text: text.to_owned(),
        notes: notes.iter().map(|&note| note.to_owned()).collect(),
        hidden: Vec::new(),
        unsure: Vec::new(),
        facts: PageFacts::default(),
    }
}

#[cfg(feature = "pdf")]
#[test]
fn a_pdf_is_read_page_by_page_as_paragraphs() {
    let bytes =
        pdf(&["The council voted on the renova-\ntion of Miller Park, and\nit was", "", "late. It cost $1.8 million."]);
    let text = format!(
        "The council voted on the renovation of Miller Park, and it was{PAGE_END}{PAGE_END} late. It cost $1.8 million."
    );
    assert_eq!(
        source("a.pdf", &bytes),
        Ok(document(DocumentKind::Pdf, &text, &["page 2 holds no text; it is perhaps a scan"]))
    );
    let named = source("a.txt", &bytes).unwrap();
    assert_eq!(named.text, text);
    assert_eq!(
        named.notes.first().map(String::as_str),
        Some("it is a PDF whatever its name says, and was read as that")
    );
    assert_eq!(source("a.pdf", &pdf(&["", ""])), Err(Unreadable::NoText { pages: 2 }));
    assert!(matches!(source("a.pdf", b"%PDF-1.7\nnothing"), Err(Unreadable::Broken { kind: DocumentKind::Pdf, .. })));
}

#[cfg(feature = "pdf")]
#[test]
fn a_compound_keeps_its_hyphen_over_a_lines_end() {
    let bytes = pdf(&["We want a fair decision-\nmaking process for long-", "term members."]);
    let text = format!("We want a fair decision-making process for long-term{PAGE_END} members.");
    assert_eq!(source("a.pdf", &bytes), Ok(document(DocumentKind::Pdf, &text, &[])));
    let paragraphs = source("a.pdf", &pdf(&["", "It was late.", "The council voted.", ""])).unwrap();
    assert_eq!(paragraphs.text, format!("{PAGE_END}It was late.{PAGE_END}\n\nThe council voted."));
}

#[cfg(feature = "pdf")]
#[test]
fn a_pdf_with_a_password_says_so() {
    assert_eq!(source("a.pdf", &made::locked_pdf()), Err(Unreadable::Encrypted));
}

#[cfg(not(feature = "pdf"))]
#[test]
fn a_build_without_pdf_says_what_to_do() {
    let error = source("a.pdf", &pdf(&["The council voted."])).unwrap_err();
    assert_eq!(error, Unreadable::NotBuiltIn { kind: DocumentKind::Pdf, feature: "pdf" });
    let told = "it is a PDF, which this build of copydesk does not read: use a released binary, or build with `--features pdf`";
    assert_eq!(error.to_string(), told);
}

#[test]
fn plain_text_is_what_it_was() {
    let text = "Zoë said “no”.\n\n[00:01] VOSS: Good evening.";
    assert_eq!(source("notes.md", text.as_bytes()), Ok(document(DocumentKind::Text, text, &[])));
    assert_eq!(source("notes", "\u{FEFF}One.\r\nTwo.".as_bytes()), Ok(document(DocumentKind::Text, "One.\nTwo.", &[])));
    let turns = source("talk.txt", b"0:01\nVOSS: Good\n0:03\nevening.").unwrap();
    assert_eq!(turns.text, "[00:00:01] VOSS: Good evening.");
    assert_eq!(
        turns.notes,
        ["it was read as a transcript: a time code stands where a turn begins, the others are left out"]
    );
    assert_eq!(
        source("captions.txt", b"\xEF\xBB\xBFWEBVTT\n\n00:01.000 --> 00:02.000\nHello").unwrap().text,
        "[00:00:01] Hello"
    );
    assert_eq!(source("captions.txt", b"WEBVTT\n\n00:01.000 --> 00:02.000\nHello").unwrap().text, "[00:00:01] Hello");
}

#[test]
fn a_draft_is_never_taken_for_a_transcript() {
    let text = "0:01\nVOSS: Good evening.\n0:03\nTULL: And to you.";
    assert_eq!(
        source("a.md", text.as_bytes()).unwrap().text,
        "[00:00:01] VOSS: Good evening.\n\n[00:00:03] TULL: And to you."
    );
    assert_eq!(read("a.md", text.as_bytes(), ReadingPurpose::Draft), Ok(document(DocumentKind::Text, text, &[])));
}

#[test]
fn what_holds_no_text_says_what_it_is() {
    for (name, bytes, says) in [
        ("a.txt", &b" \n"[..], "it is empty; a source needs text"),
        ("a.txt", b"", "it is empty; a source needs text"),
        ("a.docx", b"", "it is empty; a source needs text"),
        ("a.html", b"<script>x</script>", "it is empty; a source needs text"),
        ("a.txt", &[0, 159, 146, 150], "it is binary data, not text"),
        ("a.jpg", b"\xFF\xD8\xFF\xE0", "it is a picture (JPEG), not text"),
        ("a.doc", b"\xD0\xCF\x11\xE0\xA1", "it is an old Office file, not text"),
        ("a.docx", b"\xD0\xCF\x11\xE0\xA1", "it is protected with a password"),
        ("a.docx", b"plain", "it cannot be read as a Word document (DOCX): it is no zip archive"),
        #[cfg(feature = "pdf")]
        ("a.pdf", b"plain", "it cannot be read as a PDF: it is damaged, or no PDF"),
        ("a.srt", b"plain", "it cannot be read as a file of captions: it has no cue"),
    ] {
        let error = source(name, bytes).unwrap_err().to_string();
        assert!(error.starts_with(says), "{name}: {error}");
    }
}

#[test]
fn too_much_is_refused_before_it_is_read() {
    let most = MOST_TEXT as u64;
    let bytes = vec![b'a'; MOST_TEXT + 1];
    assert_eq!(source("a.txt", &bytes), Err(Unreadable::TooLarge { bytes: most + 1, most }));
    assert_eq!(most_bytes("a.PDF"), MOST_PACKED);
    assert_eq!(most_bytes("a.csv"), MOST_TEXT);
    // A name of a column that each row repeats.
    let table = format!("{},b\n{}", "a".repeat(1 << 20), "1,2\n".repeat(100));
    assert_eq!(source("a.csv", table.as_bytes()), Err(Unreadable::TooMuch { what: "text", most: MOST_TEXT }));
}

/// Bytes with the marks of every format in them.
const MARKS: &str = "(%PDF-1.4\n|1 0 obj|<<|>>|stream\n|endstream|trailer|xref|/Root 1 0 R|<p>|</p>|<table>|<td>|<title>|<script>|&amp;|\
                     WEBVTT\n|00:01|00:01.000 --> 00:02.000|<v |NAME:|,|;|\t|\"|\n|\n\n|[a-z]{1,5}|é|“|- ){0,40}";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn no_bytes_are_too_strange(
        name in prop::sample::select(vec!["a.txt", "a.csv", "a.tsv", "a.html", "a.vtt", "a.srt", "a.docx", "a.pdf", "a"]),
        noise in prop::collection::vec(any::<u8>(), 0..400),
        marks in MARKS,
        at in any::<prop::sample::Index>(),
    ) {
        let mut broken = pdf(&["The council voted.", "It was late."]);
        let place = at.index(broken.len());
        broken.splice(place..place, noise.iter().copied());
        for bytes in [noise.as_slice(), marks.as_bytes(), &broken] {
            if let Ok(document) = source(name, bytes) {
                prop_assert!(!copydesk_text::sanitise::is_blank(&document.text));
                prop_assert!(document.text.len() <= MOST_TEXT);
            }
        }
    }
}

/// Each would take hours if its time grew with the square of its size.
#[test]
fn large_files_of_one_thing_are_read_to_an_end() {
    let attributes: String =
        (0..1_000_000).flat_map(|number: u32| [" a".to_owned(), number.to_string(), "=1".to_owned()]).collect();
    let page = read("a.html", format!("<p{attributes}>Seen.</p>").as_bytes(), ReadingPurpose::Source).unwrap();
    assert_eq!(page.text.trim(), "Seen.");
    let columns = format!("{}\n{}", "a,".repeat(300_000), ",".repeat(300_000));
    for table in [columns, "\"".repeat(1_000_000), "\n".repeat(1_000_000), "\"a\n".repeat(300_000)] {
        // Read or refused: it is over.
        let _ = read("a.csv", table.as_bytes(), ReadingPurpose::Source);
    }
    for marks in ["[", "*_", "&amp;", "$a$ ", "> ", "[^1]", "`", "<!--", "![](", "|a"] {
        let text = read("a.md", marks.repeat(100_000).as_bytes(), ReadingPurpose::Source);
        assert!(text.is_ok() || text.is_err_and(|error| error == Unreadable::Empty), "{marks}");
    }
}
