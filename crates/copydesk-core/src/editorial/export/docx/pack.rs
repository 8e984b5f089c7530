//! A document as the parts of a DOCX file, zipped.

use std::io::{self, Cursor, Write as _};

use quick_xml::{
    Writer,
    events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event},
};
use zip::{DateTime, ZipWriter, write::SimpleFileOptions};

use super::document::{Comment, Paragraph, ParagraphLook, Run, TrackedMark, WordDocument};
use copydesk_text::xml::legal;

const CONTENT_TYPES: &str = include_str!("../../../../../../assets/word/content_types.xml");
const PACKAGE: &str = include_str!("../../../../../../assets/word/package.rels");
const STYLES: &str = include_str!("../../../../../../assets/word/styles.xml");
const NUMBERING: &str = include_str!("../../../../../../assets/word/numbering.xml");

const WORD: &str = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const RELATIONS: &str = "http://schemas.openxmlformats.org/package/2006/relationships";
const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// Footnotes begin at this number: Word keeps those before it for its separators.
const FIRST_NOTE: usize = 1;

pub(super) fn pack(document: &WordDocument) -> io::Result<Vec<u8>> {
    let mut body = Part::new("w:document");
    body.open("w:body", &[]);
    for (at, paragraph) in document.paragraphs.iter().enumerate() {
        body.paragraph(paragraph, &document.at, document.bookmark.as_deref().filter(|_| at == 0));
    }
    body.close("w:body");
    let mut notes = Part::new("w:footnotes");
    for (at, runs) in document.notes.iter().enumerate() {
        notes.open("w:footnote", &[("w:id", &(at + FIRST_NOTE).to_string())]);
        notes.styled("FootnoteText");
        notes.open("w:r", &[]);
        notes.open("w:rPr", &[]);
        notes.empty("w:rStyle", &[("w:val", "FootnoteReference")]);
        notes.close("w:rPr");
        notes.empty("w:footnoteRef", &[]);
        notes.close("w:r");
        notes.words(" ");
        for run in runs {
            notes.run(run, &document.at);
        }
        notes.close("w:p");
        notes.close("w:footnote");
    }
    let mut comments = Part::new("w:comments");
    for (at, Comment { by, text }) in document.comments.iter().enumerate() {
        let initials: String = by.split_whitespace().filter_map(|word| word.chars().next()).take(3).collect();
        let id = at.to_string();
        comments
            .open("w:comment", &[("w:id", &id), ("w:author", by), ("w:initials", &initials), ("w:date", &document.at)]);
        for line in text.lines() {
            comments.open("w:p", &[]);
            comments.words(line);
            comments.close("w:p");
        }
        comments.close("w:comment");
    }
    let (body_links, note_links) = (body.links.clone(), notes.links.clone());
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let mut add = |name: &str, text: &[u8]| -> io::Result<()> {
        // Always the same time, so that the same article gives the same bytes.
        zip.start_file(name, SimpleFileOptions::default().last_modified_time(DateTime::default()))?;
        zip.write_all(text)
    };
    add("[Content_Types].xml", CONTENT_TYPES.as_bytes())?;
    add("_rels/.rels", PACKAGE.as_bytes())?;
    add("word/document.xml", &body.end("w:document"))?;
    let parts = [
        ("styles", "styles.xml"),
        ("numbering", "numbering.xml"),
        ("footnotes", "footnotes.xml"),
        ("comments", "comments.xml"),
    ];
    add("word/_rels/document.xml.rels", &relations(&parts, &body_links))?;
    add("word/styles.xml", STYLES.as_bytes())?;
    add("word/numbering.xml", NUMBERING.as_bytes())?;
    add("word/footnotes.xml", &notes.end("w:footnotes"))?;
    add("word/_rels/footnotes.xml.rels", &relations(&[], &note_links))?;
    add("word/comments.xml", &comments.end("w:comments"))?;
    Ok(zip.finish()?.into_inner())
}

/// The references of a part: other parts by kind and file, and addresses.
fn relations(parts: &[(&str, &str)], links: &[String]) -> Vec<u8> {
    let mut part = Part::empty_of("Relationships", &[("xmlns", RELATIONS)]);
    for (kind, target) in parts {
        part.empty("Relationship", &[("Id", kind), ("Type", &format!("{OFFICE}/{kind}")), ("Target", target)]);
    }
    for (at, address) in links.iter().enumerate() {
        let (id, kind) = (format!("link{at}"), format!("{OFFICE}/hyperlink"));
        part.empty("Relationship", &[("Id", &id), ("Type", &kind), ("Target", address), ("TargetMode", "External")]);
    }
    part.end("Relationships")
}

/// A part that is being written.
struct Part {
    xml: Writer<Vec<u8>>,
    /// The addresses that it links to.
    links: Vec<String>,
    /// The number of the next change.
    change: usize,
}

impl Part {
    /// A part of Word's.
    fn new(root: &str) -> Self {
        Self::empty_of(root, &[("xmlns:w", WORD), ("xmlns:r", OFFICE)])
    }

    fn empty_of(root: &str, attributes: &[(&str, &str)]) -> Self {
        let mut part = Self { xml: Writer::new(Vec::new()), links: Vec::new(), change: 0 };
        part.event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), Some("yes"))));
        part.open(root, attributes);
        part
    }

    fn end(mut self, root: &str) -> Vec<u8> {
        self.close(root);
        self.xml.into_inner()
    }

    fn event(&mut self, event: Event<'_>) {
        // Memory takes every write.
        let _ = self.xml.write_event(event);
    }

    fn open(&mut self, name: &str, attributes: &[(&str, &str)]) {
        let start = element(name, attributes);
        self.event(Event::Start(start));
    }

    fn empty(&mut self, name: &str, attributes: &[(&str, &str)]) {
        let start = element(name, attributes);
        self.event(Event::Empty(start));
    }

    fn close(&mut self, name: &str) {
        self.event(Event::End(BytesEnd::new(name)));
    }

    /// Opens a paragraph of a style.
    fn styled(&mut self, style: &str) {
        self.open("w:p", &[]);
        self.open("w:pPr", &[]);
        self.empty("w:pStyle", &[("w:val", style)]);
        self.close("w:pPr");
    }

    /// A run of plain words.
    fn words(&mut self, text: &str) {
        self.open("w:r", &[]);
        self.text("w:t", text);
        self.close("w:r");
    }

    /// Words with their tabs and line breaks.
    fn text(&mut self, name: &str, text: &str) {
        for (at, line) in text.split('\n').enumerate() {
            if at > 0 {
                self.empty("w:br", &[]);
            }
            for (at, piece) in line.split('\t').enumerate() {
                if at > 0 {
                    self.empty("w:tab", &[]);
                }
                if !piece.is_empty() {
                    self.open(name, &[("xml:space", "preserve")]);
                    self.event(Event::Text(BytesText::new(&legal(piece))));
                    self.close(name);
                }
            }
        }
    }

    fn paragraph(&mut self, paragraph: &Paragraph, at: &str, bookmark: Option<&str>) {
        let (style, list) = match paragraph.look {
            ParagraphLook::Title => ("Title", None),
            ParagraphLook::Subtitle => ("Subtitle", None),
            ParagraphLook::Lead => ("Lead", None),
            ParagraphLook::Heading(1) => ("Heading1", None),
            ParagraphLook::Heading(2) => ("Heading2", None),
            ParagraphLook::Heading(_) => ("Heading3", None),
            ParagraphLook::Quote => ("Quote", None),
            ParagraphLook::Bullet => ("ListParagraph", Some("1")),
            ParagraphLook::Numbered => ("ListParagraph", Some("2")),
            ParagraphLook::Code => ("Code", None),
            ParagraphLook::Text => ("Normal", None),
        };
        self.open("w:p", &[]);
        self.open("w:pPr", &[]);
        self.empty("w:pStyle", &[("w:val", style)]);
        if let Some(number) = list {
            self.open("w:numPr", &[]);
            self.empty("w:ilvl", &[("w:val", "0")]);
            self.empty("w:numId", &[("w:val", number)]);
            self.close("w:numPr");
        }
        if let Some((name, by)) = tracked(&paragraph.mark) {
            self.open("w:rPr", &[]);
            let id = self.next_change();
            self.empty(name, &[("w:id", &id), ("w:author", by), ("w:date", at)]);
            self.close("w:rPr");
        }
        self.close("w:pPr");
        if let Some(name) = bookmark {
            self.empty("w:bookmarkStart", &[("w:id", "0"), ("w:name", name)]);
            self.empty("w:bookmarkEnd", &[("w:id", "0")]);
        }
        let mut open: Vec<usize> = Vec::new();
        for run in &paragraph.runs {
            self.end_comments(&mut open, |comment| !run.comments.contains(&comment));
            for comment in &run.comments {
                if !open.contains(comment) {
                    self.empty("w:commentRangeStart", &[("w:id", &comment.to_string())]);
                    open.push(*comment);
                }
            }
            self.run(run, at);
        }
        self.end_comments(&mut open, |_| true);
        self.close("w:p");
    }

    fn end_comments(&mut self, open: &mut Vec<usize>, ends: impl Fn(usize) -> bool) {
        open.retain(|comment| {
            let ends = ends(*comment);
            if ends {
                let id = comment.to_string();
                self.empty("w:commentRangeEnd", &[("w:id", &id)]);
                self.open("w:r", &[]);
                self.empty("w:commentReference", &[("w:id", &id)]);
                self.close("w:r");
            }
            !ends
        });
    }

    fn next_change(&mut self) -> String {
        self.change += 1;
        self.change.to_string()
    }

    fn run(&mut self, run: &Run, at: &str) {
        let change = tracked(&run.mark);
        if let Some((name, by)) = change {
            let id = self.next_change();
            self.open(name, &[("w:id", &id), ("w:author", by), ("w:date", at)]);
        }
        if let Some(address) = &run.link {
            let id = format!("link{}", self.links.len());
            self.links.push(address.clone());
            self.open("w:hyperlink", &[("r:id", &id)]);
        }
        self.open("w:r", &[]);
        self.properties(run);
        match run.note {
            Some(note) => self.empty("w:footnoteReference", &[("w:id", &(note + FIRST_NOTE).to_string())]),
            None if matches!(run.mark, TrackedMark::Deleted(_)) => self.text("w:delText", &run.text),
            None => self.text("w:t", &run.text),
        }
        self.close("w:r");
        if run.link.is_some() {
            self.close("w:hyperlink");
        }
        if let Some((name, _)) = change {
            self.close(name);
        }
    }

    fn properties(&mut self, run: &Run) {
        let style = if run.note.is_some() { Some("FootnoteReference") } else { run.link.as_ref().map(|_| "Hyperlink") };
        let marks = [(run.bold, "w:b"), (run.italic, "w:i"), (run.struck, "w:strike")];
        if style.is_none() && marks.iter().all(|(on, _)| !on) {
            return;
        }
        self.open("w:rPr", &[]);
        if let Some(style) = style {
            self.empty("w:rStyle", &[("w:val", style)]);
        }
        for (_, name) in marks.into_iter().filter(|(on, _)| *on) {
            self.empty(name, &[]);
        }
        self.close("w:rPr");
    }
}

fn element<'a>(name: &'a str, attributes: &[(&str, &str)]) -> BytesStart<'a> {
    let mut start = BytesStart::new(name);
    for (name, value) in attributes {
        start.push_attribute((*name, legal(value).as_str()));
    }
    start
}

/// The element of a change, and who asked for it.
fn tracked(mark: &TrackedMark) -> Option<(&'static str, &str)> {
    match mark {
        TrackedMark::Kept => None,
        TrackedMark::Inserted(by) => Some(("w:ins", by)),
        TrackedMark::Deleted(by) => Some(("w:del", by)),
    }
}
