//! Books that the tests make themselves, the hostile ones among them.

use super::*;
use crate::{
    Document, MOST_TEXT, PageFacts, ReadingPurpose,
    packed::MOST_MARKUP,
    tests::made::{archive, epub},
};

fn read_book(bytes: &[u8]) -> Result<Document, Unreadable> {
    crate::read("book.epub", bytes, ReadingPurpose::Source)
}

fn text(bytes: &[u8]) -> String {
    read_book(bytes).unwrap().text
}

const CONTAINER_XML: &str =
    r#"<?xml version="1.0"?><container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>"#;

/// A package with these parts, each `(id, href, media type)`, and this spine.
fn package(parts: &[(&str, &str, &str)], spine: &[&str]) -> String {
    use std::fmt::Write as _;
    let mut xml = String::from(
        "<?xml version=\"1.0\"?><package xmlns:dc=\"x\"><metadata><dc:title>The Park</dc:title></metadata><manifest>",
    );
    for (id, href, kind) in parts {
        write!(xml, "<item id=\"{id}\" href=\"{href}\" media-type=\"{kind}\"/>").unwrap();
    }
    xml.push_str("</manifest><spine>");
    for id in spine {
        write!(xml, "<itemref idref=\"{id}\"/>").unwrap();
    }
    xml + "</spine></package>"
}

const PAGE: &str = "application/xhtml+xml";

/// A book of one page, with more parts beside it.
fn with(page: &[u8], more: &[(&str, &[u8])]) -> Vec<u8> {
    let package = package(&[("a", "a.xhtml", PAGE)], &["a"]);
    let mut parts: Vec<(&str, &[u8])> = vec![
        ("mimetype", b"application/epub+zip"),
        (super::CONTAINER, CONTAINER_XML.as_bytes()),
        ("OEBPS/book.opf", package.as_bytes()),
        ("OEBPS/a.xhtml", page),
    ];
    parts.extend(more);
    archive(&parts)
}

#[test]
fn a_book_is_its_pages_in_the_order_of_its_spine_under_its_title() {
    let bytes = epub("Parks & ponds", &["<h1>One</h1><p>The council voted.</p>", "<h2>Two</h2><p>It was late.</p>"]);
    let read = read_book(&bytes).unwrap();
    let text = "# Parks & ponds\n\n# One\n\nThe council voted.\n\n## Two\n\nIt was late.\n";
    assert_eq!(
        read,
        Document {
            kind: DocumentKind::Book,
            text: text.into(),
            notes: vec![],
            hidden: vec![],
            unsure: vec![],
            facts: PageFacts::default(),
        }
    );
    // The order is the spine's, whatever that of the parts; a page that is named twice is read once.
    let parts = [("b", "text/b%20two.xhtml#top", PAGE), ("a", "./text/../a.xhtml", PAGE), ("p", "p.png", "image/png")];
    let package = package(&parts, &["a", "p", "b", "a"]);
    let bytes = archive(&[
        (CONTAINER, CONTAINER_XML.as_bytes()),
        ("OEBPS/book.opf", package.as_bytes()),
        ("OEBPS/text/b two.xhtml", b"<p>Last.</p>"),
        ("OEBPS/a.xhtml", b"<p>First.</p>"),
        ("OEBPS/p.png", b"\x89PNG"),
    ]);
    assert_eq!(
        super::read(&bytes, &mut Vec::new(), &mut Hidden::default()).as_deref(),
        Ok("# The Park\n\nFirst.\n\nLast.\n")
    );
}

#[test]
fn xml_is_not_read_as_if_it_were_html() {
    let page = "<html><head><title/><script src=\"x\"/><style/></head><body><a id=\"x\"/><nav hidden=''/>\
                <p>The council<br/>voted.<img src=\"a/>b\"/></p><iframe/><p>A &lt; B &nbsp;&amp; C</p>\
                <aside epub:type=\"footnote\" id='n'><p>1 So it was said.</p></aside><aside>An advertisement.</aside></body></html>";
    assert_eq!(
        text(&with(page.as_bytes(), &[])),
        "# The Park\n\nThe council\nvoted.\n\nA < B \u{a0}& C\n\n1 So it was said.\n"
    );
    let titled = "<html><head><title>chapter_07.xhtml</title></head><body><p>Text.</p></body></html>";
    assert_eq!(text(&with(titled.as_bytes(), &[])), "# The Park\n\nText.\n");
}

#[test]
fn what_is_missing_is_told_and_the_rest_is_read() {
    let parts = [
        ("a", "a.xhtml", PAGE),
        ("b", "b.xhtml", PAGE),
        ("out", "../../etc/passwd", PAGE),
        ("up", "%2e%2e/%2e%2e/x", PAGE),
    ];
    let package = package(&parts, &["a", "b", "out", "up", "nobody"]);
    let book = |page: Option<&str>| {
        let mut parts: Vec<(&str, &[u8])> = vec![
            (CONTAINER, CONTAINER_XML.as_bytes()),
            ("OEBPS/book.opf", package.as_bytes()),
            ("etc/passwd", b"no"),
            ("x", b"no"),
        ];
        parts.extend(page.map(|page| ("OEBPS/a.xhtml", page.as_bytes())));
        archive(&parts)
    };
    let read = read_book(&book(Some("<p>There.</p>"))).unwrap();
    assert_eq!(read.text, "# The Park\n\nThere.\n");
    assert_eq!(read.notes, ["4 of its 5 parts are not in it"]);
    let error = read_book(&book(None)).unwrap_err();
    assert_eq!(error.to_string(), "it cannot be read as a book (EPUB): none of the parts that it names can be read");
    let nothing = archive(&[(CONTAINER, CONTAINER_XML.as_bytes())]);
    assert!(read_book(&nothing).unwrap_err().to_string().ends_with("the package OEBPS/book.opf is missing"));
    let unnamed = archive(&[(CONTAINER, b"<container/>")]);
    assert!(read_book(&unnamed).unwrap_err().to_string().ends_with("it names no package of pages"));
    assert!(
        read_book(&archive(&[("a", b"b")]))
            .unwrap_err()
            .to_string()
            .ends_with("there is no META-INF/container.xml in it")
    );
    let torn = with(b"<p>Text.</p>", &[]);
    assert!(matches!(read_book(&torn[..80]), Err(Unreadable::Broken { kind: DocumentKind::Book, .. })));
    assert_eq!(read_book(b""), Err(Unreadable::Empty));
    assert!(read_book(b"no archive").unwrap_err().to_string().ends_with("it is no zip archive"));
    assert_eq!(read_book(&with(b"<p> </p>", &[])).unwrap().text, "# The Park\n", "its title is its text");
}

#[test]
fn a_protected_book_says_so_and_garbled_fonts_are_no_protection() {
    let list = |uri: &str| {
        format!(
            "<encryption><EncryptedData><CipherData><CipherReference URI=\"{uri}\"/></CipherData></EncryptedData></encryption>"
        )
    };
    let book = |uri: &str| with(b"<p>Text.</p>", &[("META-INF/encryption.xml", list(uri).as_bytes())]);
    for uri in ["OEBPS/a.xhtml", "/OEBPS/./a%2Exhtml", "OEBPS/book.opf"] {
        assert_eq!(read_book(&book(uri)), Err(Unreadable::Locked), "{uri}");
    }
    assert_eq!(text(&book("OEBPS/fonts/park.otf")), "# The Park\n\nText.\n");
}

#[test]
fn pages_in_other_encodings_are_read_and_told_of() {
    let latin = b"<?xml version=\"1.0\" encoding=\"iso-8859-1\"?><html><body><p>Caf\xE9 \xC9t\xE9.</p></body></html>";
    let read = read_book(&with(latin, &[])).unwrap();
    assert_eq!(read.text, "# The Park\n\nCafé Été.\n");
    assert_eq!(read.notes, ["OEBPS/a.xhtml: 3 bytes in 1 line are not UTF-8 and were read as windows-1252"]);
    let wide: Vec<u8> =
        [0xFF, 0xFE].into_iter().chain("<p>Weit.</p>".encode_utf16().flat_map(u16::to_le_bytes)).collect();
    assert_eq!(text(&with(&wide, &[])), "# The Park\n\nWeit.\n");
    // The package itself in UTF-16, and pages that are no text.
    let names: Vec<(String, String)> = (0..9).map(|n| (format!("p{n}"), format!("p{n}.xhtml"))).collect();
    let parts: Vec<(&str, &str, &str)> = names.iter().map(|(id, href)| (id.as_str(), href.as_str(), PAGE)).collect();
    let spine: Vec<&str> = names.iter().map(|(id, _)| id.as_str()).collect();
    let package = package(&parts, &spine);
    let package: Vec<u8> = [0xFE, 0xFF].into_iter().chain(package.encode_utf16().flat_map(u16::to_be_bytes)).collect();
    let paths: Vec<String> = names.iter().map(|(_, href)| format!("OEBPS/{href}")).collect();
    let mut files: Vec<(&str, &[u8])> = vec![(CONTAINER, CONTAINER_XML.as_bytes()), ("OEBPS/book.opf", &package)];
    files.extend(
        paths
            .iter()
            .map(|path| (path.as_str(), if path.contains("p0") { b"<p>Text.</p>".as_slice() } else { &[1_u8; 90] })),
    );
    let read = read_book(&archive(&files)).unwrap();
    assert_eq!(read.text, "# The Park\n\nText.\n");
    assert_eq!(read.notes.len(), MOST_NOTES + 1);
    assert!(read.notes[0].starts_with("OEBPS/p1.xhtml: it is binary data"), "{:?}", read.notes);
    assert_eq!(read.notes[MOST_NOTES], "likewise 5 parts more");
}

#[test]
fn a_book_that_unpacks_to_too_much_is_refused() {
    let long = format!("<p>{}</p>", "a ".repeat(MOST_TEXT / 2 + 1));
    assert_eq!(read_book(&with(long.as_bytes(), &[])), Err(Unreadable::TooMuch { what: "text", most: MOST_TEXT }));
    // Markup without a word, in one part and in many.
    let bomb = "<b></b>".repeat(MOST_MARKUP / 7 + 1);
    let refused = with(bomb.as_bytes(), &[]);
    assert!(refused.len() < 1 << 20);
    assert_eq!(read_book(&refused), Err(Unreadable::TooMuch { what: "markup", most: MOST_MARKUP }));
    let mut book =
        Book { archive: ZipArchive::new(Cursor::new(refused.as_slice())).unwrap(), unpacked: MOST_MARKUP - 10 };
    assert_eq!(book.part("mimetype"), Err(Unreadable::TooMuch { what: "markup", most: MOST_MARKUP }));
}

#[test]
fn a_book_of_ten_thousand_pages_is_read_and_one_of_too_many_parts_refused() {
    let names: Vec<String> = (0..MOST_PARTS).map(|n| format!("p{n}.xhtml")).collect();
    let book = |count: usize| {
        let parts: Vec<(&str, &str, &str)> = names[..count].iter().map(|name| (&**name, &**name, PAGE)).collect();
        let spine: Vec<&str> = names[..count].iter().map(String::as_str).collect();
        let package = package(&parts, &spine);
        let paths: Vec<String> = names[..count].iter().map(|name| format!("OEBPS/{name}")).collect();
        let mut files: Vec<(&str, &[u8])> =
            vec![(CONTAINER, CONTAINER_XML.as_bytes()), ("OEBPS/book.opf", package.as_bytes())];
        files.extend(paths.iter().map(|path| (path.as_str(), b"<p>Text.</p>".as_slice())));
        archive(&files)
    };
    assert_eq!(text(&book(10_000)).lines().filter(|line| *line == "Text.").count(), 10_000);
    let error = read_book(&book(MOST_PARTS)).unwrap_err();
    assert!(error.to_string().contains("it has 20002 parts, more than the 20000"), "{error}");
}

#[test]
fn entities_of_its_own_are_not_resolved() {
    let lol = "<!DOCTYPE package [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;\"><!ENTITY f SYSTEM \"file:///etc/passwd\">]>";
    let package = format!(
        "<?xml version=\"1.0\"?>{lol}<package><metadata><title>T&#101;n &amp; &b;&f;&quot;&lt;&gt;&apos;</title><title>Second</title></metadata>\
         <manifest><item id=\"a\" href=\"a.xhtml\"/></manifest><spine><itemref idref=\"a\"/></spine></package>"
    );
    let page = format!("{lol}<html><body><p>One &b;&f; two.</p></body></html>");
    let bytes = archive(&[
        (CONTAINER, CONTAINER_XML.as_bytes()),
        ("OEBPS/book.opf", package.as_bytes()),
        ("OEBPS/a.xhtml", page.as_bytes()),
    ]);
    let read = text(&bytes);
    assert!(read.starts_with("# Ten & \"<>'\n"), "{read}");
    assert!(!read.contains("aaaa") && !read.contains("root:") && read.contains("One "), "{read}");
    assert!(matches!(
        super::read(
            &archive(&[(CONTAINER, b"<container><rootfile full-path='a'></x></container>")]),
            &mut Vec::new(),
            &mut Hidden::default()
        ),
        Err(Unreadable::Broken { .. })
    ));
}

#[test]
fn a_book_is_told_by_what_is_in_it() {
    let book = with(b"<p>Text.</p>", &[]);
    let read = crate::read("book.zip", &book, ReadingPurpose::Source).unwrap();
    assert_eq!((read.kind, read.notes.len()), (DocumentKind::Book, 0));
    let read = crate::read("book.docx", &book, ReadingPurpose::Source).unwrap();
    assert_eq!(read.notes, ["it is a book (EPUB) whatever its name says, and was read as that"]);
    let word = crate::tests::made::docx("<w:p><w:r><w:t>Text</w:t></w:r></w:p>");
    assert_eq!(read_book(&word).unwrap().kind, DocumentKind::Word);
}

#[test]
fn links_lead_to_parts_of_the_archive_alone() {
    let cases = [
        ("OEBPS", "a.xhtml", Some("OEBPS/a.xhtml")),
        ("OEBPS", "../a.xhtml#x", Some("a.xhtml")),
        ("OEBPS", "../../a", None),
        ("OEBPS", "/a//b/./c?d", Some("a/b/c")),
        ("", "", None),
        ("", "100%", Some("100%")),
        ("", "%zz%41%", Some("%zzA%")),
        ("", "%ff", None),
    ];
    for (folder, link, path) in cases {
        assert_eq!(resolve(folder, link).as_deref(), path, "{folder} {link}");
    }
}

#[test]
fn the_first_notes_are_given_and_the_other_parts_counted() {
    let mut said = PageNotes::default();
    let two = ["one".to_owned(), "two".to_owned()];
    for page in ["a", "b"] {
        said.add(page, &two);
    }
    said.add("c", &[]);
    said.add("d", &two);
    let mut notes = Vec::new();
    said.give(&mut notes);
    assert_eq!(notes, ["a: one", "a: two", "b: one", "likewise 1 part more"]);
}
