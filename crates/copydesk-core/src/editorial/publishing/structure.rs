//! An article's body as a reader's program sees it: headings, links, pictures, raw HTML, with their places.

use std::ops::Range;

use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};

/// A part of a body that a program treats in its own way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum BodyPart {
    Heading(usize),
    /// A link, with where it leads; whether its words are its own address.
    Link {
        to: String,
        bare: bool,
    },
    Picture,
    /// A paragraph that is bold throughout.
    BoldLine,
    /// A tag or a comment.
    Html,
}

/// A part, its place in the Markdown, and the words in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PlacedPart {
    pub part: BodyPart,
    pub range: Range<usize>,
    pub words: String,
}

/// The parts of a body, in the order in which they end.
pub(super) fn parts(body: &str) -> Vec<PlacedPart> {
    let mut parts = Vec::new();
    // Parts that are open, innermost last.
    let mut open: Vec<PlacedPart> = Vec::new();
    let options = Options::ENABLE_FOOTNOTES | Options::ENABLE_TABLES;
    for (event, range) in Parser::new_ext(body, options).into_offset_iter() {
        match event {
            Event::Start(tag) => {
                if let Some(part) = begun(&tag) {
                    open.push(PlacedPart { part, range, words: String::new() });
                }
            }
            Event::End(end) => {
                if matches!(end, TagEnd::Heading(_) | TagEnd::Link | TagEnd::Image | TagEnd::Paragraph)
                    && let Some(part) = open.pop()
                {
                    // A paragraph counts only if all of it is bold.
                    let whole = body.get(part.range.clone()).is_some_and(is_bold);
                    if part.part != BodyPart::BoldLine || whole {
                        parts.push(part);
                    }
                }
            }
            Event::Text(text) | Event::Code(text) => open.iter_mut().for_each(|part| part.words.push_str(&text)),
            Event::SoftBreak | Event::HardBreak => open.iter_mut().for_each(|part| part.words.push(' ')),
            Event::Html(text) | Event::InlineHtml(text) => {
                parts.push(PlacedPart { part: BodyPart::Html, range, words: text.trim().to_owned() });
            }
            _ => {}
        }
    }
    parts.sort_by_key(|part| part.range.start);
    parts
}

fn begun(tag: &Tag<'_>) -> Option<BodyPart> {
    Some(match tag {
        Tag::Heading { level, .. } => BodyPart::Heading(*level as usize),
        Tag::Link { link_type, dest_url, .. } => {
            let bare = matches!(link_type, LinkType::Autolink | LinkType::Email);
            BodyPart::Link { to: dest_url.to_string(), bare }
        }
        Tag::Image { .. } => BodyPart::Picture,
        Tag::Paragraph => BodyPart::BoldLine,
        _ => return None,
    })
}

/// Whether a paragraph is one bold stretch.
fn is_bold(paragraph: &str) -> bool {
    let inside = ["**", "__"].into_iter().find_map(|mark| {
        let rest = paragraph.trim().strip_prefix(mark)?.strip_suffix(mark)?;
        (!rest.is_empty() && !rest.contains(mark)).then_some(rest)
    });
    inside.is_some_and(|inside| !inside.contains('\n') && !inside.ends_with(['.', '!', '?', '”', '"']))
}
