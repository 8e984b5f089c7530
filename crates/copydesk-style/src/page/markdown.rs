//! A field of Markdown as blocks.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::{
    block::{BlockKind, OpenBlock, ProseBlock, finish},
    prose::{Prose, copy, stand_in},
};

/// Reads Markdown as blocks; returns where its block quotations stand.
pub(super) fn markdown(
    field: &'static str,
    text: &str,
    closed: &[Range<usize>],
    blocks: &mut Vec<ProseBlock>,
) -> Vec<Range<usize>> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_STRIKETHROUGH;
    let mut open: Option<OpenBlock> = None;
    let mut cited = Vec::new();
    // How many elements are open that are skipped as a whole.
    let mut skipped = 0_usize;
    let (mut items, mut quoted, mut header) = (0_usize, 0_usize, false);
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        match event {
            Event::Start(
                Tag::FootnoteDefinition(_)
                | Tag::CodeBlock(_)
                | Tag::Image { .. }
                | Tag::HtmlBlock
                | Tag::MetadataBlock(_),
            ) => skipped += 1,
            Event::End(
                TagEnd::FootnoteDefinition
                | TagEnd::CodeBlock
                | TagEnd::Image
                | TagEnd::HtmlBlock
                | TagEnd::MetadataBlock(_),
            ) => skipped = skipped.saturating_sub(1),
            _ if skipped > 0 => {}
            Event::Start(Tag::List(_)) => close(field, text, &mut open, blocks),
            Event::Start(Tag::BlockQuote(_)) => {
                quoted += 1;
                let inside = text.get(range.clone()).unwrap_or_default().trim_end();
                cited.push(range.start..range.start + inside.len());
            }
            Event::End(TagEnd::BlockQuote(_)) => quoted = quoted.saturating_sub(1),
            Event::Start(Tag::TableHead) => header = true,
            Event::End(TagEnd::TableHead) => header = false,
            Event::Start(tag @ (Tag::Paragraph | Tag::Heading { .. } | Tag::Item | Tag::TableCell)) => {
                close(field, text, &mut open, blocks);
                items += usize::from(tag == Tag::Item);
                let kind = match tag {
                    Tag::Heading { level, .. } => BlockKind::Heading(level as u8),
                    Tag::TableCell if header => BlockKind::Header,
                    Tag::TableCell => BlockKind::Cell,
                    _ if items > 0 => BlockKind::Item,
                    _ if quoted > 0 => BlockKind::Quoted,
                    _ => BlockKind::Paragraph,
                };
                open = Some(OpenBlock { kind, quoted: quoted > 0, range, prose: Prose::default() });
            }
            Event::End(end @ (TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::Item | TagEnd::TableCell)) => {
                close(field, text, &mut open, blocks);
                items -= usize::from(end == TagEnd::Item).min(items);
            }
            Event::Text(_) | Event::SoftBreak | Event::HardBreak => {
                let Some(OpenBlock { prose, .. }) = &mut open else { continue };
                let written: &str = if let Event::Text(written) = &event { written } else { " " };
                if text.get(range.clone()) == Some(written) {
                    copy(text, range, closed, prose);
                } else if let Some(hidden) = around(closed, &range) {
                    stand_in(hidden, prose);
                } else {
                    prose.push(written, range, false);
                }
            }
            Event::Code(_) | Event::InlineMath(_) | Event::DisplayMath(_) => {
                if let Some(OpenBlock { prose, .. }) = &mut open {
                    stand_in(&range, prose);
                }
            }
            _ => {}
        }
    }
    close(field, text, &mut open, blocks);
    cited
}

/// The closed stretch that a stretch lies in. They are in order and apart.
fn around<'c>(closed: &'c [Range<usize>], range: &Range<usize>) -> Option<&'c Range<usize>> {
    let first = closed.get(closed.partition_point(|hidden| hidden.end < range.end))?;
    (first.start <= range.start).then_some(first)
}

fn close(field: &'static str, text: &str, open: &mut Option<OpenBlock>, blocks: &mut Vec<ProseBlock>) {
    if let Some(reading) = open.take() {
        finish(field, text, false, reading, blocks);
    }
}
