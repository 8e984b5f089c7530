//! The text of one part of a Word document, paragraph by paragraph.

use std::collections::HashMap;

use quick_xml::events::{BytesStart, Event};

use super::{
    archive::each_event,
    look::{Look, Styles, shade, value},
};
use crate::{
    bounds::MOST_TEXT,
    hidden::{Hidden, Rgb},
    packed::{attribute, said},
    raised::raised,
    records,
    unreadable::Unreadable,
};

/// The page that is being read.
pub(super) struct WordPage<'d> {
    styles: &'d Styles,
    /// The documents that are put into this one, as text.
    chunks: &'d HashMap<String, String>,
    hidden: &'d mut Hidden,
    /// The colour of the page.
    ground: Option<Rgb>,
    /// How letters look that have no style of their own.
    plain: Look,
    pub(super) out: String,
    here: OpenParagraph,
    table: OpenTable,
    /// How many elements are open inside which nothing counts.
    skipped: usize,
    /// Whether the text that comes is words.
    words: bool,
    /// The paragraphs that the open text boxes interrupted.
    held: Vec<OpenParagraph>,
    /// The text boxes' paragraphs, until the one that they are anchored in is over.
    boxes: String,
}

/// The paragraph that is open, with how it and its run look. A text box within it begins another one.
#[derive(Default)]
struct OpenParagraph {
    text: String,
    /// The mark before it: `## `, `- `.
    mark: String,
    look: Look,
    run: Option<Look>,
    /// How many drawings are open, within the innermost text box.
    drawn: usize,
}

/// The tables that are open.
#[derive(Default)]
struct OpenTable {
    depth: usize,
    /// The outermost one's rows.
    rows: Vec<Vec<String>>,
    row: Vec<String>,
    cell: String,
    /// How the letters of the cell look.
    look: Look,
    in_cell_properties: bool,
    /// Whether the names of its columns made it longer than a source may be.
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

impl<'d> WordPage<'d> {
    pub(super) fn of(styles: &'d Styles, chunks: &'d HashMap<String, String>, hidden: &'d mut Hidden) -> Self {
        Self {
            chunks,
            plain: styles.plain(),
            styles,
            hidden,
            ground: Some(Rgb::WHITE),
            out: String::new(),
            here: OpenParagraph::default(),
            table: OpenTable::default(),
            skipped: 0,
            words: false,
            held: Vec::new(),
            boxes: String::new(),
        }
    }

    pub(super) fn read(&mut self, xml: &str) -> Result<(), Unreadable> {
        each_event(xml, |event| {
            match event {
                Event::Start(tag) => self.open(&tag),
                // An empty element closes at once.
                Event::Empty(tag) if !is_skipped(tag.local_name().as_ref()) => {
                    self.open(&tag);
                    self.shut(tag.local_name().as_ref());
                }
                Event::End(tag) => self.shut(tag.local_name().as_ref()),
                event if self.words && self.skipped == 0 => {
                    if let Some(text) = said(&event) {
                        self.say(&text);
                    }
                }
                _ => {}
            }
            if self.table.over
                || self.out.len() + self.here.text.len() + self.table.cell.len() + self.boxes.len() > MOST_TEXT
            {
                return Err(Unreadable::TooMuch { what: "text", most: MOST_TEXT });
            }
            Ok(())
        })
    }

    /// How the letters of the run that is open are hidden, if they are.
    fn hides(&self) -> Option<&'static str> {
        self.letter_look().hides(self.ground)
    }

    /// How the letters that come look.
    fn letter_look(&self) -> Look {
        self.here.run.unwrap_or_default().over(self.here.look).over(self.table.look).over(self.plain)
    }

    fn say(&mut self, text: &str) {
        if let Some(how) = self.hides() {
            self.hidden.say(how, text);
        } else {
            self.hidden.end();
            match self.letter_look().raised {
                Some(true) => self.here.text.push_str(&raised(text)),
                _ => self.here.text.push_str(text),
            }
        }
    }

    fn open(&mut self, tag: &BytesStart<'_>) {
        let name = tag.local_name();
        if self.skipped > 0 || is_skipped(name.as_ref()) {
            self.skipped += usize::from(is_skipped(name.as_ref()));
            return;
        }
        match name.as_ref() {
            "txbxContent" => self.held.push(std::mem::take(&mut self.here)),
            name if is_drawn(name) => self.here.drawn += 1,
            _ if self.here.drawn > 0 => {}
            "background" => self.ground = attribute(tag, "color").as_deref().map_or(Some(Rgb::WHITE), Rgb::parse),
            "p" => {
                self.here.mark.clear();
                self.here.look = Look::default();
            }
            "tc" => self.table.look = Look::default(),
            "tcPr" => self.table.in_cell_properties = true,
            "shd" if self.table.in_cell_properties => self.table.look.below = shade(tag),
            "shd" if self.here.run.is_none() => self.here.look.below = shade(tag),
            "r" => self.here.run = Some(Look::default()),
            "rStyle" => self.here.run = self.here.run.map(|run| run.over(self.named(tag))),
            name if self.here.run.as_mut().is_some_and(|run| run.hear(name, tag)) => {}
            "t" => self.words = true,
            "tab" | "ptab" if self.hides().is_none() => self.here.text.push('\t'),
            "br" | "cr" if self.hides().is_none() => self.here.text.push('\n'),
            "altChunk" => {
                self.end_paragraph();
                let chunk = attribute(tag, "id").and_then(|id| self.chunks.get(&id).cloned());
                self.put(chunk.unwrap_or_default().trim());
            }
            "noBreakHyphen" => self.here.text.push('-'),
            "pStyle" => {
                self.here.mark = value(tag).as_deref().and_then(heading).unwrap_or_default();
                self.here.look = self.named(tag);
            }
            "numPr" if self.here.mark.is_empty() => self.here.mark.push_str("- "),
            "tbl" => {
                if self.table.depth == 0 {
                    self.end_paragraph();
                }
                self.table.depth += 1;
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
                self.here = self.held.pop().unwrap_or_default();
            }
            name if is_drawn(name) => self.here.drawn = self.here.drawn.saturating_sub(1),
            _ if self.here.drawn > 0 => {}
            "t" => self.words = false,
            "r" => self.here.run = None,
            "tcPr" => self.table.in_cell_properties = false,
            "p" => {
                self.hidden.end();
                self.end_paragraph();
            }
            "tc" if self.table.depth == 1 => self.table.row.push(records::cell(&std::mem::take(&mut self.table.cell))),
            "tr" if self.table.depth == 1 => self.table.rows.push(std::mem::take(&mut self.table.row)),
            "tbl" => {
                self.table.depth = self.table.depth.saturating_sub(1);
                if self.table.depth == 0 {
                    self.end_table();
                }
            }
            _ => {}
        }
    }

    /// The look of the style that a tag names.
    fn named(&self, tag: &BytesStart<'_>) -> Look {
        value(tag).map(|name| self.styles.named(&name)).unwrap_or_default()
    }

    fn end_paragraph(&mut self) {
        let paragraph = std::mem::take(&mut self.here.text);
        let text = paragraph.trim();
        if !self.held.is_empty() {
            self.boxes.push_str(text);
            self.boxes.push_str("\n\n");
            return;
        }
        self.put(text);
        let boxes = std::mem::take(&mut self.boxes);
        self.here.mark.clear();
        self.put(boxes.trim());
    }

    fn put(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        if self.table.depth > 0 {
            self.table.cell.push_str(text);
            self.table.cell.push('\n');
            return;
        }
        // The items of a list follow each other.
        if !(self.here.mark == "- " && self.out.lines().next_back().is_some_and(|line| line.starts_with("- "))) {
            self.out.push('\n');
        }
        self.out.push_str(&self.here.mark);
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn end_table(&mut self) {
        let rows = std::mem::take(&mut self.table.rows);
        self.out.push('\n');
        // A table of one column is a frame around text.
        if rows.iter().all(|row| row.len() < 2) {
            for cell in rows.into_iter().flatten().filter(|cell| !cell.is_empty()) {
                self.out.push_str(&cell);
                self.out.push_str("\n\n");
            }
        } else {
            let lines = records::lines(&rows, MOST_TEXT);
            self.table.over |= lines.is_none();
            self.out.push_str(&lines.unwrap_or_default());
        }
    }
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
