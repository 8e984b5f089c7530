//! Word documents (DOCX, ECMA-376): a zip with the text in `word/document.xml`, footnotes and endnotes beside it.
//!
//! The text as it stands: deleted words of tracked changes, comments, headers and footers are not in it, inserted words are. What nobody
//! sees (hidden, white on white, a point high) is set apart. A text box follows the paragraph that it is anchored in. Headings and list items are marked as Markdown marks them.

use std::{
    collections::HashMap,
    io::{Cursor, Read as _},
};

use quick_xml::{
    Reader,
    events::{BytesStart, Event},
};
use zip::{ZipArchive, result::ZipError};

use super::{
    bounds::MOST_TEXT,
    hidden::{Backdrop, Hidden, Rgb, is_seen},
    kind::DocumentKind,
    records,
    unreadable::Unreadable,
};

/// The most XML that one part unpacks to. Word's markup is some ten times its text.
const MOST_XML: usize = 128 << 20;

/// The parts that hold text, in the order in which a reader meets them.
const PARTS: [&str; 3] = ["word/document.xml", "word/footnotes.xml", "word/endnotes.xml"];

/// The document's text.
///
/// # Errors
/// If it is no Word document, has a password, is damaged, or unpacks to more than is read.
pub(super) fn read(bytes: &[u8], hidden: &mut Hidden) -> Result<String, Unreadable> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| broken(&error))?;
    let styles = match unpacked(&mut archive, "word/styles.xml")? {
        Some(xml) => looks_of_styles(&xml),
        None => HashMap::new(),
    };
    let mut text = String::new();
    for part in PARTS {
        match unpacked(&mut archive, part)? {
            Some(xml) => {
                let mut page = Page::of(&styles, hidden);
                page.read(&xml)?;
                text.push_str(&page.out);
            }
            None if text.is_empty() && part == "word/document.xml" => {
                return Err(other(&mut archive)?);
            }
            None => {}
        }
        if text.len() > MOST_TEXT {
            return Err(Unreadable::TooMuch { what: "text", most: MOST_TEXT });
        }
    }
    Ok(text)
}

/// Whether an archive is a Word document.
pub(super) fn is(archive: &ZipArchive<Cursor<&[u8]>>) -> bool {
    archive.index_for_name(PARTS[0]).is_some()
}

/// Archives that are other documents: a part that tells them, how it begins, what they are, what they can be saved as.
const OTHERS: [(&str, &str, &str, &str); 5] = [
    ("mimetype", "application/vnd.oasis.opendocument.text", "an OpenDocument text (ODT)", ".docx"),
    ("mimetype", "application/vnd.oasis.opendocument.spreadsheet", "an OpenDocument spreadsheet (ODS)", ".csv"),
    ("mimetype", "application/vnd.oasis.opendocument.presentation", "an OpenDocument presentation (ODP)", ".pdf"),
    ("xl/workbook.xml", "", "an Excel workbook (XLSX)", ".csv"),
    ("ppt/presentation.xml", "", "a PowerPoint presentation (PPTX)", ".pdf"),
];

/// What an archive without Word's text is.
fn other(archive: &mut ZipArchive<Cursor<&[u8]>>) -> Result<Unreadable, Unreadable> {
    for (part, begins, what, instead) in OTHERS {
        if unpacked(archive, part)?.is_some_and(|text| text.starts_with(begins)) {
            return Ok(Unreadable::OtherFormat { what, instead });
        }
    }
    Ok(Unreadable::Broken { kind: DocumentKind::Word, message: "there is no text of Word's in it".into() })
}

fn broken(error: &dyn std::error::Error) -> Unreadable {
    Unreadable::Broken { kind: DocumentKind::Word, message: error.to_string() }
}

fn unpacked(archive: &mut ZipArchive<Cursor<&[u8]>>, part: &str) -> Result<Option<String>, Unreadable> {
    let file = match archive.by_name(part) {
        Ok(file) => file,
        Err(ZipError::FileNotFound) => return Ok(None),
        Err(ZipError::UnsupportedArchive(message)) if message == ZipError::PASSWORD_REQUIRED => {
            return Err(Unreadable::Encrypted);
        }
        Err(error) => return Err(broken(&error)),
    };
    // The size that the archive states is not to be trusted.
    let mut xml = Vec::new();
    file.take(MOST_XML as u64 + 1).read_to_end(&mut xml).map_err(|error| broken(&error))?;
    if xml.len() > MOST_XML {
        return Err(Unreadable::TooMuch { what: "markup", most: MOST_XML });
    }
    Ok(Some(String::from_utf8_lossy(&xml).into_owned()))
}

/// How letters look.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Look {
    vanish: bool,
    letters: Option<Rgb>,
    below: Backdrop,
    half_points: Option<f64>,
}

impl Look {
    /// Letters of this size or less are no letters. Word's smallest is two.
    const TINY: f64 = 3.0;

    /// What a property of letters says. False if it says nothing of how they look.
    fn hear(&mut self, name: &str, tag: &BytesStart<'_>) -> bool {
        match name {
            "vanish" => self.vanish = value(tag).is_none_or(|value| !matches!(value.as_str(), "0" | "false" | "off")),
            "color" => {
                let theme = attribute(tag, "themeColor")
                    .is_some_and(|theme| matches!(theme.as_str(), "background1" | "light1"));
                self.letters = value(tag).as_deref().and_then(Rgb::parse).or_else(|| theme.then_some(Rgb::WHITE));
            }
            "sz" => self.half_points = value(tag).and_then(|value| value.parse().ok()),
            "highlight" => {
                // Its other colours are names that only Word knows.
                self.below = match value(tag).as_deref() {
                    None | Some("none") => Backdrop::Unsaid,
                    Some("white") => Backdrop::Colour(Rgb::WHITE),
                    Some(_) => Backdrop::Unknown,
                };
            }
            "shd" => self.below = shade(tag),
            _ => return false,
        }
        true
    }

    /// This over another.
    fn over(self, other: Self) -> Self {
        Self {
            vanish: self.vanish || other.vanish,
            letters: self.letters.or(other.letters),
            below: self.below.or(other.below),
            half_points: self.half_points.or(other.half_points),
        }
    }

    /// How letters are hidden that look so on a page of a colour, if they are.
    fn hides(self, page: Option<Rgb>) -> Option<&'static str> {
        if self.vanish {
            return Some("hidden letters");
        }
        if self.half_points.is_some_and(|size| size <= Self::TINY) {
            return Some("letters too small to see");
        }
        let seen = self.letters.zip(self.below.on(page)).is_none_or(|(letters, below)| is_seen(letters, below));
        (!seen).then_some("letters in the colour of the page")
    }
}

/// The colour of a shade; `auto` is none.
fn shade(tag: &BytesStart<'_>) -> Backdrop {
    match attribute(tag, "fill").as_deref() {
        None | Some("auto") => Backdrop::Unsaid,
        Some(fill) => Backdrop::said(Rgb::parse(fill)),
    }
}

/// How the letters of each style look. What a style has from another is not followed.
fn looks_of_styles(xml: &str) -> HashMap<String, Look> {
    let mut reader = Reader::from_str(xml);
    let mut looks = HashMap::new();
    let mut open: Option<(String, Look)> = None;
    // Whatever is wrong with it, the text can be read.
    while let Ok(event) = reader.read_event() {
        match event {
            Event::Start(tag) | Event::Empty(tag) if tag.local_name().as_ref() == "style" => {
                open = attribute(&tag, "styleId").map(|name| (name, Look::default()));
            }
            Event::Start(tag) | Event::Empty(tag) => {
                if let Some((_, look)) = &mut open {
                    look.hear(tag.local_name().as_ref(), &tag);
                }
            }
            Event::End(tag) if tag.local_name().as_ref() == "style" => {
                looks.extend(open.take().filter(|(_, look)| *look != Look::default()));
            }
            Event::Eof => break,
            _ => {}
        }
    }
    looks
}

/// The page that is being read.
struct Page<'d> {
    styles: &'d HashMap<String, Look>,
    hidden: &'d mut Hidden,
    /// The colour of the page.
    ground: Option<Rgb>,
    /// How the letters of the run, the paragraph and the cell that are open look.
    run: Option<Look>,
    of_paragraph: Look,
    of_cell: Look,
    in_cell_properties: bool,
    out: String,
    paragraph: String,
    /// What stands before the paragraph: `## `, `- `.
    mark: String,
    /// How many elements are open inside which nothing counts.
    skipped: usize,
    /// Whether the text that comes is words.
    words: bool,
    /// How many tables are open; the outermost one's rows.
    tables: usize,
    rows: Vec<Vec<String>>,
    row: Vec<String>,
    cell: String,
    /// How many drawings are open, within the innermost text box.
    drawn: usize,
    /// What the open text boxes interrupt.
    held: Vec<Held>,
    /// The text boxes' paragraphs, until the one that they are anchored in is over.
    boxes: String,
    /// Whether a table's columns' names made it longer than a source may be.
    over: bool,
}

/// Elements whose content is no part of the text as it stands.
fn is_skipped(name: &str) -> bool {
    matches!(name, "del" | "moveFrom" | "Fallback" | "instrText" | "delText" | "rPrChange" | "pPrChange")
}

/// Elements of whose content only text boxes are read.
fn is_drawn(name: &str) -> bool {
    matches!(name, "drawing" | "pict")
}

/// What a text box interrupts.
struct Held {
    paragraph: String,
    mark: String,
    run: Option<Look>,
    of_paragraph: Look,
    drawn: usize,
}

impl<'d> Page<'d> {
    fn of(styles: &'d HashMap<String, Look>, hidden: &'d mut Hidden) -> Self {
        Self {
            styles,
            hidden,
            ground: Some(Rgb::WHITE),
            run: None,
            of_paragraph: Look::default(),
            of_cell: Look::default(),
            in_cell_properties: false,
            out: String::new(),
            paragraph: String::new(),
            mark: String::new(),
            skipped: 0,
            words: false,
            tables: 0,
            rows: Vec::new(),
            row: Vec::new(),
            cell: String::new(),
            drawn: 0,
            held: Vec::new(),
            boxes: String::new(),
            over: false,
        }
    }

    fn read(&mut self, xml: &str) -> Result<(), Unreadable> {
        let mut reader = Reader::from_str(xml);
        loop {
            match reader.read_event().map_err(|error| broken(&error))? {
                Event::Start(tag) => self.open(&tag),
                // What is empty closes at once.
                Event::Empty(tag) if !is_skipped(tag.local_name().as_ref()) => {
                    self.open(&tag);
                    self.shut(tag.local_name().as_ref());
                }
                Event::End(tag) => self.shut(tag.local_name().as_ref()),
                Event::Text(text) if self.counts() => self.say(&text.xml10_content()),
                Event::CData(text) if self.counts() => self.say(&text.xml10_content()),
                Event::GeneralRef(reference) if self.counts() => {
                    let named = match reference.as_ref() {
                        "amp" => Some('&'),
                        "lt" => Some('<'),
                        "gt" => Some('>'),
                        "quot" => Some('"'),
                        "apos" => Some('\''),
                        _ => reference.resolve_char_ref().ok().flatten(),
                    };
                    let mut letter = [0; 4];
                    if let Some(named) = named {
                        self.say(named.encode_utf8(&mut letter));
                    }
                }
                Event::Eof => return Ok(()),
                _ => {}
            }
            if self.over || self.out.len() + self.paragraph.len() + self.cell.len() + self.boxes.len() > MOST_TEXT {
                return Err(Unreadable::TooMuch { what: "text", most: MOST_TEXT });
            }
        }
    }

    fn counts(&self) -> bool {
        self.words && self.skipped == 0
    }

    /// How the letters of the run that is open are hidden, if they are.
    fn hides(&self) -> Option<&'static str> {
        self.run.unwrap_or_default().over(self.of_paragraph).over(self.of_cell).hides(self.ground)
    }

    fn say(&mut self, text: &str) {
        if let Some(how) = self.hides() {
            self.hidden.say(how, text);
        } else {
            self.hidden.end();
            self.paragraph.push_str(text);
        }
    }

    fn open(&mut self, tag: &BytesStart<'_>) {
        let name = tag.local_name();
        if self.skipped > 0 || is_skipped(name.as_ref()) {
            self.skipped += usize::from(is_skipped(name.as_ref()));
            return;
        }
        match name.as_ref() {
            "txbxContent" => self.held.push(Held {
                paragraph: std::mem::take(&mut self.paragraph),
                mark: std::mem::take(&mut self.mark),
                run: self.run.take(),
                of_paragraph: std::mem::take(&mut self.of_paragraph),
                drawn: std::mem::take(&mut self.drawn),
            }),
            name if is_drawn(name) => self.drawn += 1,
            _ if self.drawn > 0 => {}
            "background" => self.ground = attribute(tag, "color").as_deref().map_or(Some(Rgb::WHITE), Rgb::parse),
            "p" => {
                self.mark.clear();
                self.of_paragraph = Look::default();
            }
            "tc" => self.of_cell = Look::default(),
            "tcPr" => self.in_cell_properties = true,
            "shd" if self.in_cell_properties => self.of_cell.below = shade(tag),
            "shd" if self.run.is_none() => self.of_paragraph.below = shade(tag),
            "r" => self.run = Some(Look::default()),
            "rStyle" => self.run = self.run.map(|run| run.over(self.named(tag))),
            name if self.run.as_mut().is_some_and(|run| run.hear(name, tag)) => {}
            "t" => self.words = true,
            "tab" | "ptab" if self.hides().is_none() => self.paragraph.push('\t'),
            "br" | "cr" if self.hides().is_none() => self.paragraph.push('\n'),
            "noBreakHyphen" => self.paragraph.push('-'),
            "pStyle" => {
                self.mark = value(tag).as_deref().and_then(heading).unwrap_or_default();
                self.of_paragraph = self.named(tag);
            }
            "numPr" if self.mark.is_empty() => self.mark.push_str("- "),
            "tbl" => {
                if self.tables == 0 {
                    self.end_paragraph();
                }
                self.tables += 1;
            }
            _ => {}
        }
    }

    fn shut(&mut self, name: &str) {
        if self.skipped > 0 {
            self.skipped -= usize::from(is_skipped(name));
            return;
        }
        match name {
            "txbxContent" => {
                self.end_paragraph();
                if let Some(Held { paragraph, mark, run, of_paragraph, drawn }) = self.held.pop() {
                    (self.paragraph, self.mark, self.drawn) = (paragraph, mark, drawn);
                    (self.run, self.of_paragraph) = (run, of_paragraph);
                }
            }
            name if is_drawn(name) => self.drawn = self.drawn.saturating_sub(1),
            _ if self.drawn > 0 => {}
            "t" => self.words = false,
            "r" => self.run = None,
            "tcPr" => self.in_cell_properties = false,
            "p" => {
                self.hidden.end();
                self.end_paragraph();
            }
            "tc" if self.tables == 1 => self.row.push(records::cell(&std::mem::take(&mut self.cell))),
            "tr" if self.tables == 1 => self.rows.push(std::mem::take(&mut self.row)),
            "tbl" => {
                self.tables = self.tables.saturating_sub(1);
                if self.tables == 0 {
                    self.end_table();
                }
            }
            _ => {}
        }
    }

    /// The look of the style that a tag names.
    fn named(&self, tag: &BytesStart<'_>) -> Look {
        value(tag).and_then(|name| self.styles.get(&name)).copied().unwrap_or_default()
    }

    fn end_paragraph(&mut self) {
        let paragraph = std::mem::take(&mut self.paragraph);
        let text = paragraph.trim();
        if !self.held.is_empty() {
            self.boxes.push_str(text);
            self.boxes.push_str("\n\n");
            return;
        }
        self.put(text);
        let boxes = std::mem::take(&mut self.boxes);
        self.mark.clear();
        self.put(boxes.trim());
    }

    fn put(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        if self.tables > 0 {
            self.cell.push_str(text);
            self.cell.push('\n');
            return;
        }
        // The items of a list follow each other.
        if !(self.mark == "- " && self.out.lines().next_back().is_some_and(|line| line.starts_with("- "))) {
            self.out.push('\n');
        }
        self.out.push_str(&self.mark);
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn end_table(&mut self) {
        let rows = std::mem::take(&mut self.rows);
        self.out.push('\n');
        // A table of one column is a frame around text.
        if rows.iter().all(|row| row.len() < 2) {
            for cell in rows.into_iter().flatten().filter(|cell| !cell.is_empty()) {
                self.out.push_str(&cell);
                self.out.push_str("\n\n");
            }
        } else {
            let lines = records::lines(&rows, MOST_TEXT);
            self.over |= lines.is_none();
            self.out.push_str(&lines.unwrap_or_default());
        }
    }
}

/// The `w:val` of an element.
fn value(tag: &BytesStart<'_>) -> Option<String> {
    attribute(tag, "val")
}

fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let attribute = tag.attributes().flatten().find(|attribute| attribute.key.local_name().as_ref() == name)?;
    Some(attribute.value.as_ref().to_owned())
}

/// How Markdown marks a paragraph of a style.
fn heading(style: &str) -> Option<String> {
    let style = style.to_ascii_lowercase();
    if style == "title" {
        return Some("# ".into());
    }
    let level: usize = style.strip_prefix("heading")?.parse().ok()?;
    (1..=6).contains(&level).then(|| format!("{} ", "#".repeat(level)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents::tests::made::docx;

    fn read_document(bytes: &[u8]) -> Result<String, Unreadable> {
        read(bytes, &mut Hidden::default())
    }

    #[test]
    fn what_nobody_sees_is_set_apart() {
        let run = |properties: &str, text: &str| format!("<w:r><w:rPr>{properties}</w:rPr><w:t>{text}</w:t></w:r>");
        for properties in [
            "<w:color w:val=\"FFFFFF\"/><w:sz w:val=\"2\"/>",
            "<w:color w:val=\"FFFFFF\"/>",
            "<w:color w:themeColor=\"background1\"/>",
            "<w:sz w:val=\"2\"/>",
            "<w:vanish/>",
            "<w:color w:val=\"000000\"/><w:shd w:val=\"clear\" w:fill=\"000000\"/>",
        ] {
            let body =
                format!("<w:p>{}{}{}</w:p>", run("", "They met"), run(properties, " not &amp; so"), run("", "."));
            let mut hidden = Hidden::default();
            assert_eq!(read(&docx(&body), &mut hidden).as_deref(), Ok("\nThey met.\n"), "{properties}");
            let found = hidden.into_list();
            assert!(found.len() == 1 && found[0].text == "not & so", "{properties}: {found:?}");
        }
        for seen in [
            "<w:color w:val=\"FFFFFF\"/><w:shd w:val=\"clear\" w:fill=\"003366\"/>",
            "<w:color w:val=\"FFFFFF\"/><w:highlight w:val=\"black\"/>",
            "<w:color w:val=\"auto\"/><w:vanish w:val=\"0\"/><w:sz w:val=\"8\"/>",
        ] {
            let body = format!("<w:p>{}</w:p>", run(seen, "They met."));
            assert_eq!(read_document(&docx(&body)).as_deref(), Ok("\nThey met.\n"), "{seen}");
        }
        let cell = "<w:tbl><w:tr><w:tc><w:tcPr><w:shd w:fill=\"000000\"/></w:tcPr><w:p>";
        let body = format!("{cell}{}</w:p></w:tc></w:tr></w:tbl>", run("<w:color w:val=\"FFFFFF\"/>", "They met."));
        assert_eq!(read_document(&docx(&body)).as_deref(), Ok("\nThey met.\n\n"));
        let styles = looks_of_styles(
            "<w:styles><w:style w:styleId=\"Gone\"><w:rPr><w:vanish/></w:rPr></w:style><w:style w:styleId=\"Plain\"/></w:styles>",
        );
        assert_eq!(styles.len(), 1);
        assert_eq!(styles["Gone"].hides(Some(Rgb::WHITE)), Some("hidden letters"));
    }

    #[test]
    fn the_text_as_it_stands_is_read() {
        let body = "<w:p><w:pPr><w:pStyle w:val=\"Heading1\"/></w:pPr><w:r><w:t>Park &amp; pond</w:t></w:r></w:p>\
                    <w:p><w:r><w:t xml:space=\"preserve\">The council </w:t></w:r><w:del><w:r><w:delText>never </w:delText></w:r></w:del>\
                    <w:ins><w:r><w:t>voted</w:t></w:r></w:ins><w:r><w:rPr><w:vanish/></w:rPr><w:t> in secret</w:t></w:r><w:r><w:t>.</w:t></w:r></w:p>\
                    <w:p><w:pPr><w:numPr/></w:pPr><w:r><w:t>one</w:t></w:r></w:p><w:p><w:pPr><w:numPr/></w:pPr><w:r><w:t>two</w:t></w:r></w:p>\
                    <w:tbl><w:tr><w:tc><w:p><w:r><w:t>Item</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>Cost</w:t></w:r></w:p></w:tc></w:tr>\
                    <w:tr><w:tc><w:p><w:r><w:t>Ramp</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>$5</w:t></w:r></w:p></w:tc></w:tr></w:tbl>";
        let read = read_document(&docx(body));
        assert_eq!(
            read.as_deref(),
            Ok("\n# Park & pond\n\nThe council voted.\n\n- one\n- two\n\n- Item: Ramp; Cost: $5\n")
        );
    }

    #[test]
    fn a_text_box_follows_its_paragraph() {
        let boxed = |text: &str| format!("<w:txbxContent><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:txbxContent>");
        let choice = |text: &str| {
            format!(
                "<mc:AlternateContent xmlns:mc=\"y\"><mc:Choice><w:drawing><p><t>no</t></p>{}</w:drawing></mc:Choice>\
                 <mc:Fallback><w:pict>{}</w:pict></mc:Fallback></mc:AlternateContent>",
                boxed(text),
                boxed(text)
            )
        };
        let body = format!(
            "<w:p><w:r><w:t>The council </w:t></w:r><w:r>{}</w:r><w:r><w:t>met.</w:t></w:r></w:p>\
             <w:p><w:r><w:pict>{}</w:pict></w:r></w:p><w:p><w:r><w:drawing/><w:t>It was late.</w:t></w:r></w:p>",
            choice("We will not close it."),
            boxed("Old box.")
        );
        let wanted = "\nThe council met.\n\nWe will not close it.\n\nOld box.\n\nIt was late.\n";
        assert_eq!(read_document(&docx(&body)).as_deref(), Ok(wanted));
    }

    #[test]
    fn an_archive_that_unpacks_to_too_much_is_refused() {
        let bomb = docx(&format!("<w:p><w:r><w:t>{}</w:t></w:r></w:p>", "a".repeat(MOST_TEXT + 1)));
        assert!(bomb.len() < 1 << 20);
        assert_eq!(read_document(&bomb), Err(Unreadable::TooMuch { what: "text", most: MOST_TEXT }));
    }

    #[test]
    fn another_archive_and_a_damaged_one_say_so() {
        let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
        archive.start_file("mimetype", zip::write::SimpleFileOptions::default()).unwrap();
        let other = archive.finish().unwrap().into_inner();
        assert!(read_document(&other).is_err_and(|error| error.to_string().contains("no text of Word's")));
        for (part, text, says) in [
            (
                "mimetype",
                "application/vnd.oasis.opendocument.text",
                "it is an OpenDocument text (ODT): save it as .docx",
            ),
            ("xl/workbook.xml", "", "it is an Excel workbook (XLSX): save it as .csv"),
        ] {
            let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
            archive.start_file(part, zip::write::SimpleFileOptions::default()).unwrap();
            std::io::Write::write_all(&mut archive, text.as_bytes()).unwrap();
            let error = read_document(&archive.finish().unwrap().into_inner()).unwrap_err();
            assert_eq!(error.to_string(), says);
        }
        let whole = docx("<w:p><w:r><w:t>Text</w:t></w:r></w:p>");
        assert!(matches!(read_document(whole.get(..60).unwrap()), Err(Unreadable::Broken { .. })));
        assert!(matches!(read_document(&docx("<w:p><w:r></w:p>")), Err(Unreadable::Broken { .. })));
    }
}
