//! The text that no rule looks into: quotations and addresses.

use std::ops::Range;

use linkify::{LinkFinder, LinkKind};

use copydesk_text::marks;

/// The stretches of a field that no rule looks into, in order and apart: the inside of quotations, and addresses.
pub(super) fn closed(text: &str) -> Vec<Range<usize>> {
    let mut closed: Vec<Range<usize>> = marks::quotations(text)
        .into_iter()
        .filter(|quotation| quotation.mark != marks::QuoteMark::Block)
        .map(|quotation| quotation.start..quotation.end)
        .collect();
    let mut finder = LinkFinder::new();
    finder.kinds(&[LinkKind::Url, LinkKind::Email]);
    closed.extend(finder.links(text).map(|link| link.start()..link.end()));
    apart(closed)
}

/// Stretches in order; those that overlap as one.
pub(super) fn apart(mut closed: Vec<Range<usize>>) -> Vec<Range<usize>> {
    closed.retain(|range| !range.is_empty());
    closed.sort_by_key(|range| (range.start, range.end));
    let mut apart: Vec<Range<usize>> = Vec::with_capacity(closed.len());
    for range in closed {
        match apart.last_mut() {
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            _ => apart.push(range),
        }
    }
    apart
}
