//! An article's Markdown as the paragraphs of a Word document.

use std::collections::HashMap;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::document::{Paragraph, ParagraphLook, Run, WordDocument};
use crate::editorial::export::html::leads_out;
use copydesk_newsroom::ArticleResponse;
use copydesk_text::footnotes::is_heading;

pub(super) fn document(article: &ArticleResponse) -> WordDocument {
    let mut page = Page::default();
    for (look, text) in [
        (ParagraphLook::Title, &article.headline),
        (ParagraphLook::Subtitle, &article.alternativeHeadline),
        (ParagraphLook::Lead, &article.description),
    ] {
        let text = text.trim();
        if !text.is_empty() {
            let runs = vec![Run { text: text.to_owned(), ..Run::default() }];
            page.out.push(Paragraph { look, runs, ..Paragraph::default() });
        }
    }
    let options = Options::ENABLE_FOOTNOTES | Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    for event in Parser::new_ext(&article.articleBody, options) {
        page.take(event);
    }
    page.close(article.headline.trim())
}

/// The paragraphs that were made, and where the text stands.
#[derive(Default)]
struct Page {
    out: Vec<Paragraph>,
    /// The words of the paragraph that is open.
    runs: Vec<Run>,
    bold: usize,
    italic: usize,
    struck: usize,
    /// The address of each open link; none if it leads where no link may lead.
    links: Vec<Option<String>>,
    /// The surroundings of the paragraphs: quotations, lists.
    inside: Vec<ParagraphLook>,
    heading: Option<u8>,
    code: bool,
    /// The number of each footnote's label, in the order in which the text refers to them.
    notes: HashMap<String, usize>,
    texts: HashMap<String, Vec<Run>>,
    /// The footnote that is open, with the words before it.
    note: Option<(String, Vec<Run>)>,
}

impl Page {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Text(text) | Event::Code(text) | Event::Html(text) | Event::InlineHtml(text) => self.words(&text),
            Event::SoftBreak => self.words(" "),
            Event::HardBreak => self.words("\n"),
            Event::FootnoteReference(label) => {
                let next = self.notes.len();
                let note = *self.notes.entry(label.to_lowercase()).or_insert(next);
                self.runs.push(Run { note: Some(note), ..Run::default() });
            }
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Rule => {
                self.words("* * *");
                self.paragraph();
            }
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Strong => self.bold += 1,
            Tag::Emphasis => self.italic += 1,
            Tag::Strikethrough => self.struck += 1,
            Tag::Link { dest_url, .. } => {
                let address = dest_url.to_string();
                let address =
                    if address.contains('@') && !address.contains(':') { format!("mailto:{address}") } else { address };
                self.links.push(Some(address).filter(|address| leads_out(address)));
            }
            Tag::Image { .. } => self.words("[image: "),
            Tag::Heading { level, .. } => self.heading = Some(level as u8),
            Tag::BlockQuote(_) => self.inside.push(ParagraphLook::Quote),
            Tag::List(first) => {
                self.paragraph();
                self.inside.push(if first.is_some() { ParagraphLook::Numbered } else { ParagraphLook::Bullet });
            }
            Tag::CodeBlock(_) => self.code = true,
            Tag::FootnoteDefinition(label) => self.note = Some((label.to_lowercase(), std::mem::take(&mut self.runs))),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Strong => self.bold = self.bold.saturating_sub(1),
            TagEnd::Emphasis => self.italic = self.italic.saturating_sub(1),
            TagEnd::Strikethrough => self.struck = self.struck.saturating_sub(1),
            TagEnd::Link => drop(self.links.pop()),
            TagEnd::Image => self.words("]"),
            TagEnd::TableCell => self.words("\t"),
            TagEnd::Paragraph | TagEnd::Item | TagEnd::TableHead | TagEnd::TableRow | TagEnd::HtmlBlock => {
                self.paragraph();
            }
            TagEnd::Heading(_) => {
                self.paragraph();
                self.heading = None;
            }
            TagEnd::CodeBlock => {
                self.paragraph();
                self.code = false;
            }
            TagEnd::BlockQuote(_) | TagEnd::List(_) => {
                self.paragraph();
                self.inside.pop();
            }
            TagEnd::FootnoteDefinition => {
                if let Some((label, before)) = self.note.take() {
                    let text = std::mem::replace(&mut self.runs, before);
                    self.texts.entry(label).or_insert(text);
                }
            }
            _ => {}
        }
    }

    fn words(&mut self, text: &str) {
        let run = Run {
            text: text.to_owned(),
            bold: self.bold > 0,
            italic: self.italic > 0,
            struck: self.struck > 0,
            link: self.links.last().cloned().flatten(),
            ..Run::default()
        };
        self.runs.push(run);
    }

    /// Ends the paragraph that is open. In a footnote its words go on.
    fn paragraph(&mut self) {
        if self.note.is_some() {
            return;
        }
        let mut runs = std::mem::take(&mut self.runs);
        if let Some(last) = runs.last_mut() {
            last.text.truncate(last.text.trim_end().len());
        }
        let look = match (self.heading, self.code) {
            (Some(level), _) => ParagraphLook::Heading(level.min(3)),
            (None, true) => ParagraphLook::Code,
            (None, false) => self.inside.last().copied().unwrap_or_default(),
        };
        if runs.iter().any(|run| run.note.is_some() || !run.text.is_empty()) {
            self.out.push(Paragraph { look, runs, ..Paragraph::default() });
        }
    }

    fn close(mut self, title: &str) -> WordDocument {
        self.paragraph();
        // Word has footnotes of its own: the heading above Markdown's is no part of the text.
        let headed = |paragraph: &Paragraph| {
            let text: String = paragraph.runs.iter().map(|run| run.text.as_str()).collect();
            matches!(paragraph.look, ParagraphLook::Heading(_)) && is_heading(&text)
        };
        if self.out.last().is_some_and(headed) {
            self.out.pop();
        }
        let mut numbered: Vec<(&String, &usize)> = self.notes.iter().collect();
        numbered.sort_by_key(|(_, number)| **number);
        let notes = numbered.into_iter().map(|(label, _)| self.texts.get(label).cloned().unwrap_or_default()).collect();
        WordDocument { title: title.to_owned(), paragraphs: self.out, notes, ..WordDocument::default() }
    }
}
