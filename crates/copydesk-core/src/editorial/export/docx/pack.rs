//! A document as the parts of a DOCX file, zipped.

use std::io::{self, Cursor, Write as _};

use quick_xml::escape::escape;
use zip::{DateTime, ZipWriter, write::SimpleFileOptions};

use super::document::{Comment, Paragraph, ParagraphLook, Run, TrackedMark, WordDocument};
use copydesk_text::xml::legal;

const CONTENT_TYPES: &str = include_str!("../../../../../../assets/word/content_types.xml");
const PACKAGE: &str = include_str!("../../../../../../assets/word/package.rels");
const STYLES: &str = include_str!("../../../../../../assets/word/styles.xml");
const NUMBERING: &str = include_str!("../../../../../../assets/word/numbering.xml");

const DECLARATION: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#;
const WORD: &str = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const RELATIONS: &str = "http://schemas.openxmlformats.org/package/2006/relationships";
const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// Footnotes begin at this number: Word keeps those before it for its separators.
const FIRST_NOTE: usize = 1;

pub(super) fn pack(document: &WordDocument) -> io::Result<Vec<u8>> {
    let at = safe(&document.at);
    let mut body = Part::default();
    for (number, paragraph) in document.paragraphs.iter().enumerate() {
        body.paragraph(paragraph, &at, document.bookmark.as_deref().filter(|_| number == 0));
    }
    let mut notes = Part::default();
    for (number, runs) in (FIRST_NOTE..).zip(&document.notes) {
        notes.add(&format!(
            r#"<w:footnote w:id="{number}"><w:p><w:pPr><w:pStyle w:val="FootnoteText"/></w:pPr><w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr><w:footnoteRef/></w:r><w:r>{}</w:r>"#,
            text("w:t", " ")
        ));
        for run in runs {
            notes.run(run, &at);
        }
        notes.add("</w:p></w:footnote>");
    }
    let comment = |(number, Comment { by, text: said }): (usize, &Comment)| {
        let initials: String = by.split_whitespace().filter_map(|word| word.chars().next()).take(3).collect();
        let line = |line: &str| format!("<w:p><w:r>{}</w:r></w:p>", text("w:t", line));
        let said: String = said.lines().map(line).collect();
        let (by, initials) = (safe(by), safe(&initials));
        format!(
            r#"<w:comment w:id="{number}" w:author="{by}" w:initials="{initials}" w:date="{at}">{said}</w:comment>"#
        )
    };
    let comments: String = document.comments.iter().enumerate().map(comment).collect();
    let parts: String = ["styles", "numbering", "footnotes", "comments"]
        .map(|kind| format!(r#"<Relationship Id="{kind}" Type="{OFFICE}/{kind}" Target="{kind}.xml"/>"#))
        .concat();
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in [
        ("[Content_Types].xml", CONTENT_TYPES.to_owned()),
        ("_rels/.rels", PACKAGE.to_owned()),
        ("word/document.xml", whole("w:document", &format!("<w:body>{}</w:body>", body.xml))),
        ("word/_rels/document.xml.rels", relations(&parts, &body.links)),
        ("word/styles.xml", STYLES.to_owned()),
        ("word/numbering.xml", NUMBERING.to_owned()),
        ("word/footnotes.xml", whole("w:footnotes", &notes.xml)),
        ("word/_rels/footnotes.xml.rels", relations("", &notes.links)),
        ("word/comments.xml", whole("w:comments", &comments)),
    ] {
        // Always the same time, so that the same article gives the same bytes.
        zip.start_file(name, SimpleFileOptions::default().last_modified_time(DateTime::default()))?;
        zip.write_all(text.as_bytes())?;
    }
    Ok(zip.finish()?.into_inner())
}

/// A part of Word's.
fn whole(root: &str, content: &str) -> String {
    format!(r#"{DECLARATION}<{root} xmlns:w="{WORD}" xmlns:r="{OFFICE}">{content}</{root}>"#)
}

/// The references of a part: other parts, and the addresses of its links.
fn relations(parts: &str, links: &[String]) -> String {
    let link = |(number, address): (usize, &String)| {
        let address = safe(address);
        format!(
            r#"<Relationship Id="link{number}" Type="{OFFICE}/hyperlink" Target="{address}" TargetMode="External"/>"#
        )
    };
    let links: String = links.iter().enumerate().map(link).collect();
    format!(r#"{DECLARATION}<Relationships xmlns="{RELATIONS}">{parts}{links}</Relationships>"#)
}

/// Words as a text or an attribute may hold them.
fn safe(text: &str) -> String {
    escape(legal(text)).into_owned()
}

/// Words with their tabs and line breaks.
fn text(name: &str, text: &str) -> String {
    let piece = |piece: &str| match piece {
        "" => String::new(),
        piece => format!(r#"<{name} xml:space="preserve">{}</{name}>"#, safe(piece)),
    };
    let line = |line: &str| line.split('\t').map(piece).collect::<Vec<_>>().join("<w:tab/>");
    text.split('\n').map(line).collect::<Vec<_>>().join("<w:br/>")
}

/// A part that is being written.
#[derive(Default)]
struct Part {
    xml: String,
    /// The addresses that it links to.
    links: Vec<String>,
    /// The number of the last change.
    change: usize,
}

impl Part {
    fn add(&mut self, xml: &str) {
        self.xml.push_str(xml);
    }

    fn paragraph(&mut self, paragraph: &Paragraph, at: &str, bookmark: Option<&str>) {
        let (style, list) = match paragraph.look {
            ParagraphLook::Heading(1) => ("Heading1", None),
            ParagraphLook::Heading(2) => ("Heading2", None),
            ParagraphLook::Heading(_) => ("Heading3", None),
            ParagraphLook::Bullet => ("ListParagraph", Some(1)),
            ParagraphLook::Numbered => ("ListParagraph", Some(2)),
            ParagraphLook::Text => ("Normal", None),
            look => (look.into(), None),
        };
        self.add(&format!(r#"<w:p><w:pPr><w:pStyle w:val="{style}"/>"#));
        if let Some(number) = list {
            self.add(&format!(r#"<w:numPr><w:ilvl w:val="0"/><w:numId w:val="{number}"/></w:numPr>"#));
        }
        if let Some((_, change)) = self.tracked(&paragraph.mark, at) {
            self.add(&format!("<w:rPr><{change}/></w:rPr>"));
        }
        self.add("</w:pPr>");
        if let Some(name) = bookmark {
            self.add(&format!(r#"<w:bookmarkStart w:id="0" w:name="{name}"/><w:bookmarkEnd w:id="0"/>"#));
        }
        let mut open: Vec<usize> = Vec::new();
        for run in &paragraph.runs {
            self.end_comments(&mut open, |comment| !run.comments.contains(&comment));
            for comment in &run.comments {
                if !open.contains(comment) {
                    self.add(&format!(r#"<w:commentRangeStart w:id="{comment}"/>"#));
                    open.push(*comment);
                }
            }
            self.run(run, at);
        }
        self.end_comments(&mut open, |_| true);
        self.add("</w:p>");
    }

    fn end_comments(&mut self, open: &mut Vec<usize>, ends: impl Fn(usize) -> bool) {
        for comment in open.extract_if(.., |comment| ends(*comment)) {
            self.add(&format!(
                r#"<w:commentRangeEnd w:id="{comment}"/><w:r><w:commentReference w:id="{comment}"/></w:r>"#
            ));
        }
    }

    fn run(&mut self, run: &Run, at: &str) {
        let change = self.tracked(&run.mark, at);
        let said = match run.note {
            Some(note) => format!(r#"<w:footnoteReference w:id="{}"/>"#, note + FIRST_NOTE),
            None if matches!(run.mark, TrackedMark::Deleted(_)) => text("w:delText", &run.text),
            None => text("w:t", &run.text),
        };
        let mut xml = format!("<w:r>{}{said}</w:r>", properties(run));
        if let Some(address) = &run.link {
            xml = format!(r#"<w:hyperlink r:id="link{}">{xml}</w:hyperlink>"#, self.links.len());
            self.links.push(address.clone());
        }
        match change {
            Some((name, change)) => self.add(&format!("<{change}>{xml}</{name}>")),
            None => self.add(&xml),
        }
    }

    /// The element of a change, and the same with its attributes: its number, who asked for it, and when.
    fn tracked(&mut self, mark: &TrackedMark, at: &str) -> Option<(&'static str, String)> {
        let (name, by) = match mark {
            TrackedMark::Kept => return None,
            TrackedMark::Inserted(by) => ("w:ins", safe(by)),
            TrackedMark::Deleted(by) => ("w:del", safe(by)),
        };
        self.change += 1;
        Some((name, format!(r#"{name} w:id="{}" w:author="{by}" w:date="{at}""#, self.change)))
    }
}

fn properties(run: &Run) -> String {
    let style = if run.note.is_some() { Some("FootnoteReference") } else { run.link.as_ref().map(|_| "Hyperlink") };
    let style = style.map(|style| format!(r#"<w:rStyle w:val="{style}"/>"#));
    let marks = [(run.bold, "<w:b/>"), (run.italic, "<w:i/>"), (run.struck, "<w:strike/>")];
    let marks = marks.into_iter().filter(|(on, _)| *on).map(|(_, mark)| mark.to_owned());
    let all: String = style.into_iter().chain(marks).collect();
    if all.is_empty() { all } else { format!("<w:rPr>{all}</w:rPr>") }
}
