//! Plain prose that knows where it came from.

use std::ops::Range;

/// The sign for text that no rule judges: no letter, no digit, no space, no mark that a pattern names.
pub(crate) const STAND_IN: char = '\u{FFFC}';

/// Plain prose, and where each piece of it stands in the field.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Prose {
    pub text: String,
    pieces: Vec<Piece>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Piece {
    /// First byte in the prose.
    at: usize,
    /// Its place in the field.
    field: Range<usize>,
    /// Written the same in both, so that each byte has its own place.
    alike: bool,
}

impl Prose {
    pub(super) fn push(&mut self, text: &str, field: Range<usize>, alike: bool) {
        self.pieces.push(Piece { at: self.text.len(), field, alike });
        self.text.push_str(text);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.text.trim_matches(|c: char| c.is_whitespace() || c == STAND_IN).is_empty()
    }

    /// The place of a stretch of the prose in the field.
    pub fn place(&self, range: &Range<usize>) -> Range<usize> {
        let start = self.byte(range.start, false);
        let end = self.byte(range.end, true);
        start..end.max(start)
    }

    /// The field's byte for one of the prose; for an end, that of the piece before it.
    fn byte(&self, at: usize, end: bool) -> usize {
        let index = self.pieces.partition_point(|piece| if end { piece.at < at } else { piece.at <= at });
        let Some(piece) = index.checked_sub(1).and_then(|index| self.pieces.get(index)) else {
            return self.pieces.first().map_or(0, |piece| piece.field.start);
        };
        if piece.alike {
            (piece.field.start + (at - piece.at)).min(piece.field.end)
        } else if end {
            piece.field.end
        } else {
            piece.field.start
        }
    }

    /// The stretch of the prose that stands in a stretch of the field.
    pub(super) fn within(&self, field: &Range<usize>) -> Range<usize> {
        let at = |byte: usize| {
            let index = self.pieces.partition_point(|piece| piece.field.end <= byte);
            self.pieces.get(index).map_or(self.text.len(), |piece| {
                let inside = byte.saturating_sub(piece.field.start);
                piece.at + if piece.alike { inside } else { 0 }
            })
        };
        at(field.start)..at(field.end)
    }
}

/// Copies a stretch of the field, a stand-in for each closed stretch in it.
pub(super) fn copy(text: &str, range: Range<usize>, closed: &[Range<usize>], prose: &mut Prose) {
    let mut at = range.start;
    let first = closed.partition_point(|closed| closed.end <= range.start);
    for hidden in closed.iter().skip(first).take_while(|hidden| hidden.start < range.end) {
        if hidden.start > at {
            prose.push(text.get(at..hidden.start).unwrap_or_default(), at..hidden.start, true);
        }
        stand_in(hidden, prose);
        at = hidden.end;
    }
    if at < range.end {
        prose.push(text.get(at..range.end).unwrap_or_default(), at..range.end, true);
    }
}

/// One stand-in for a closed stretch, however many pieces of Markdown it is made of.
pub(super) fn stand_in(hidden: &Range<usize>, prose: &mut Prose) {
    if prose.pieces.last().is_none_or(|piece| piece.field != *hidden) {
        prose.push(STAND_IN.encode_utf8(&mut [0; 4]), hidden.clone(), false);
    }
}
