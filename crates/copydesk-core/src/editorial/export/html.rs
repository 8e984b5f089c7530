//! An article as a page of its own: HTML that stands alone, opens nowhere else and runs nothing.
//!
//! A model wrote the text, so nothing in it is trusted. Raw HTML is shown as text, and an image is its description. A
//! link goes to the web or a mail address, or is text. The page's policy forbids everything but its own style. Its
//! description for search engines is data, which no browser runs.

use std::collections::HashMap;

use pulldown_cmark::{CowStr, Event, LinkType, Options, Parser, Tag, TagEnd, html};

use super::{Imprint, ReaderSource, imprint::embargo_line, linked_data::linked_data};
use crate::editorial::{
    corrections::PrintedCorrection,
    page_frame::{HtmlDocument, escaped},
};
use copydesk_newsroom::{ArticleResponse, utc_minute};
use copydesk_text::footnotes::is_heading;

/// The page's whole style.
const STYLE: &str = include_str!("../../../../../assets/pages/article.css");

/// The article as a whole HTML page.
pub fn to_html(article: &ArticleResponse, imprint: &Imprint) -> String {
    let headline = escaped(article.headline.trim());
    let body = body(&article.articleBody);
    let notice = |until| format!("<p class=\"lead\" role=\"note\">{}</p>\n", escaped(&embargo_line(until)));
    let embargo = imprint.embargo.as_deref().map_or_else(String::new, notice);
    let corrections: String = imprint.corrections.iter().map(correction).collect();
    let told = |line: &String| format!("<p class=\"disclosure\" role=\"note\">{}</p>\n", escaped(line));
    let body = format!(
        "<body dir=\"auto\">\n<main>\n<article>\n{embargo}<h1>{headline}</h1>\n\
         {alternative}{lead}{disclosure}{corrections}{body}</article>\n</main>\n{footer}</body>",
        alternative = paragraph("alternative", &article.alternativeHeadline),
        lead = paragraph("lead", &article.description),
        disclosure = imprint.disclosure.as_ref().map_or_else(String::new, told),
        footer = footer(imprint),
    );
    let description = escaped(article.description.trim());
    let document = HtmlDocument {
        language: &escaped(&imprint.language),
        title: &headline,
        description: &format!("<meta name=\"description\" content=\"{description}\">\n"),
        style: STYLE,
        data: &format!("<script type=\"application/ld+json\">{}</script>\n", linked_data(article, imprint)),
        body: &body,
    };
    document.to_html()
}

/// A paragraph of that class; none if there is nothing to say.
fn paragraph(class: &str, text: &str) -> String {
    match text.trim() {
        "" => String::new(),
        text => format!("<p class=\"{class}\">{}</p>\n", escaped(text)),
    }
}

fn correction(correction: &PrintedCorrection) -> String {
    let (label, note) = (escaped(&correction.label()), escaped(&correction.note));
    format!("<p class=\"correction\" role=\"note\"><strong>{label}:</strong> {note}</p>\n")
}

fn source(source: &ReaderSource) -> String {
    let line = escaped(&source.line());
    match &source.address {
        Some(address) => format!("<p>Source: <a href=\"{}\">{line}</a></p>\n", escaped(address)),
        None => format!("<p>Source: {line}.</p>\n"),
    }
}

fn footer(imprint: &Imprint) -> String {
    let finished = imprint.finished_at.as_ref();
    let finished = finished.map_or_else(String::new, |at| {
        format!(" Finished <time datetime=\"{}\">{}</time>.", escaped(at), escaped(&utc_minute(at)))
    });
    format!(
        "<footer>\n<p>{}{finished}</p>\n{}<p>Channel: {}.</p>\n</footer>\n",
        escaped(&imprint.standing),
        imprint.sources.iter().map(source).collect::<String>(),
        escaped(&imprint.channel),
    )
}

/// The body's Markdown as HTML, its footnotes below it.
pub(super) fn body(markdown: &str) -> String {
    let options = Options::ENABLE_FOOTNOTES | Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let mut page = Page::default();
    for event in Parser::new_ext(markdown, options) {
        page.take(event);
    }
    page.close()
}

/// The events of the page that is being made. This module wrote all HTML in it.
#[derive(Default)]
struct Page<'a> {
    text: Vec<Event<'a>>,
    /// For each open link whether it leads where a link may lead; else its address.
    links: Vec<Option<CowStr<'a>>>,
    /// Number of each footnote's label, in the order in which the text refers to them, and how often it does.
    notes: HashMap<String, (usize, usize)>,
    definitions: Vec<(String, Vec<Event<'a>>)>,
    /// Labels and what stood before the footnotes that are open.
    outside: Vec<(String, Vec<Event<'a>>)>,
}

impl<'a> Page<'a> {
    fn take(&mut self, event: Event<'a>) {
        match event {
            Event::Html(text) | Event::InlineHtml(text) => self.text.push(Event::Text(text)),
            Event::Start(Tag::HtmlBlock) => self.text.push(Event::Start(Tag::Paragraph)),
            Event::End(TagEnd::HtmlBlock) => self.text.push(Event::End(TagEnd::Paragraph)),
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                if link_type == LinkType::Email || leads_out(&dest_url) {
                    self.links.push(None);
                    self.text.push(Event::Start(Tag::Link { link_type, dest_url, title, id }));
                } else {
                    self.links.push(Some(dest_url));
                }
            }
            Event::End(TagEnd::Link) => match self.links.pop().flatten() {
                None => self.text.push(Event::End(TagEnd::Link)),
                Some(address) if address.is_empty() => {}
                Some(address) => self.text.push(Event::Text(format!(" ({address})").into())),
            },
            Event::Start(Tag::Image { dest_url, .. }) => {
                self.links.push(Some(dest_url));
                self.text.push(Event::Text("[image: ".into()));
            }
            Event::End(TagEnd::Image) => {
                let address = self.links.pop().flatten().unwrap_or(CowStr::Borrowed(""));
                self.text.push(Event::Text(format!(", {address}]").into()));
            }
            // Alignment would be a style of its own, which the policy forbids.
            Event::Start(Tag::Table(columns)) => {
                self.text.push(Event::Start(Tag::Table(vec![pulldown_cmark::Alignment::None; columns.len()])));
            }
            Event::FootnoteReference(label) => {
                let next = self.notes.len() + 1;
                let (number, count) = self.notes.entry(label.to_lowercase()).or_insert((next, 0));
                *count += 1;
                let link = format!("<sup id=\"ref-{number}-{count}\"><a href=\"#note-{number}\">{number}</a></sup>");
                self.text.push(Event::InlineHtml(link.into()));
            }
            Event::Start(Tag::FootnoteDefinition(label)) => {
                let text = std::mem::take(&mut self.text);
                self.outside.push((label.to_lowercase(), text));
            }
            Event::End(TagEnd::FootnoteDefinition) => {
                let Some((label, text)) = self.outside.pop() else { return };
                let note = std::mem::replace(&mut self.text, text);
                self.definitions.push((label, note));
            }
            other => self.text.push(other),
        }
    }

    fn close(mut self) -> String {
        let mut out = String::new();
        for (label, _) in &self.definitions {
            let next = self.notes.len() + 1;
            self.notes.entry(label.clone()).or_insert((next, 0));
        }
        let headed = match self.text.as_slice() {
            [.., Event::Text(title), Event::End(TagEnd::Heading(_))] => is_heading(title),
            _ => false,
        };
        html::push_html(&mut out, self.text.into_iter());
        if self.definitions.is_empty() {
            return out;
        }
        if !headed {
            out.push_str("<h2>Footnotes</h2>\n");
        }
        self.definitions.sort_by_key(|(label, _)| self.notes.get(label).copied());
        out.push_str("<ol class=\"notes\">\n");
        for (label, note) in self.definitions {
            let (number, count) = self.notes.get(&label).copied().unwrap_or_default();
            out.extend(["<li id=\"note-", &number.to_string(), "\">"]);
            html::push_html(&mut out, note.into_iter());
            for reference in 1..=count {
                let back = format!("<a href=\"#ref-{number}-{reference}\" title=\"back to the text\">↩</a> ");
                out.push_str(&back);
            }
            out.push_str("</li>\n");
        }
        out.push_str("</ol>\n");
        out
    }
}

/// Whether an address is one that a link may lead to.
pub(in crate::editorial) fn leads_out(address: &str) -> bool {
    let lower = address.to_ascii_lowercase();
    ["http://", "https://", "mailto:"].iter().any(|scheme| lower.starts_with(scheme))
}

#[cfg(test)]
mod tests;
