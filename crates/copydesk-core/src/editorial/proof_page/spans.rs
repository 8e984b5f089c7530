//! Writes a text with its marked spans as HTML. Spans overlap (a name stands in a sentence), but links cannot. If
//! several cover a stretch, the link is that of the gravest and then of the shortest. Each span has its own anchor at
//! its beginning.

use std::ops::Range;

use super::super::export::escaped;

/// A span that is marked.
#[derive(Debug, Clone)]
pub(super) struct SpanMark {
    /// The ledger's row.
    pub row: usize,
    /// Its bytes in the text.
    pub range: Range<usize>,
    pub class: &'static str,
    /// Whether the other side has a passage to link to.
    pub links: bool,
    pub title: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PageSide {
    Draft,
    Source,
}

impl PageSide {
    /// The letters before a row's number in this side's anchors and in the other's.
    fn letters(self) -> (char, char) {
        match self {
            Self::Draft => ('d', 's'),
            Self::Source => ('s', 'd'),
        }
    }
}

/// The stretches of `text` in `shown`, which are in order, with their marks.
pub(super) fn marked(text: &str, shown: &[Range<usize>], marks: &[SpanMark], side: PageSide) -> String {
    let (own, other) = side.letters();
    let mut cuts: Vec<usize> = marks.iter().flat_map(|mark| [mark.range.start, mark.range.end]).collect();
    cuts.extend(shown.iter().flat_map(|range| [range.start, range.end]));
    cuts.sort_unstable();
    cuts.dedup();
    let mut starting: Vec<&SpanMark> = marks.iter().collect();
    starting.sort_by_key(|mark| mark.range.start);
    let mut starting = starting.into_iter().peekable();
    let mut open: Vec<&SpanMark> = Vec::new();
    let mut out = String::new();
    let mut last = 0;
    let mut stretches = shown.iter().peekable();
    for (&from, &to) in cuts.iter().zip(cuts.iter().skip(1)) {
        while stretches.next_if(|range| range.end <= from).is_some() {}
        let is_shown = stretches.peek().is_some_and(|range| range.start <= from && to <= range.end);
        open.retain(|mark| mark.range.end > from);
        while let Some(mark) = starting.next_if(|mark| mark.range.start <= from) {
            if is_shown {
                out.extend([format!("<span id=\"{own}{}\"></span>", mark.row)]);
            }
            if mark.range.end > from {
                open.push(mark);
            }
        }
        let Some(stretch) = text.get(from..to).filter(|_| is_shown) else { continue };
        if from > last {
            out.push_str(LEFT_OUT);
        }
        last = to;
        let best = open.iter().min_by_key(|mark| (mark.class != "bad", mark.range.len()));
        match best {
            Some(mark) if mark.links => out.extend([format!(
                "<a class=\"{}\" href=\"#{other}{}\" title=\"{}\">{}</a>",
                mark.class,
                mark.row,
                escaped(&mark.title),
                escaped(stretch)
            )]),
            Some(mark) => out.extend([format!(
                "<span class=\"{}\" title=\"{}\">{}</span>",
                mark.class,
                escaped(&mark.title),
                escaped(stretch)
            )]),
            None => out.push_str(&escaped(stretch)),
        }
    }
    if text.len() > last {
        out.push_str(LEFT_OUT);
    }
    out
}

const LEFT_OUT: &str = "<span class=\"left\"> … text left out … </span>";

/// The bytes that are shown on each side of a passage.
const CONTEXT: usize = 800;

/// The text around some passages, in order.
pub(super) fn around(text: &str, passages: impl Iterator<Item = Range<usize>>) -> Vec<Range<usize>> {
    let mut wanted: Vec<Range<usize>> = passages
        .map(|passage| {
            let start = boundary(text, passage.start.saturating_sub(CONTEXT));
            start..boundary(text, (passage.end + CONTEXT).min(text.len()))
        })
        .collect();
    wanted.sort_by_key(|range| range.start);
    let mut merged: Vec<Range<usize>> = Vec::new();
    for range in wanted {
        match merged.last_mut().filter(|last| last.end >= range.start) {
            Some(last) => last.end = last.end.max(range.end),
            None => merged.push(range),
        }
    }
    merged
}

/// The first place from `from` on at which a character begins.
fn boundary(text: &str, from: usize) -> usize {
    (from..text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len())
}
