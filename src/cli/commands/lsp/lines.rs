//! Places in a text as editors count them: lines from 0, and in a line units of UTF-16.

use std::ops::Range as Bytes;

use async_lsp::lsp_types::{Position, Range, TextDocumentContentChangeEvent};

/// The beginnings of a text's lines. Every question has the same text again.
#[derive(Debug, Default)]
pub(super) struct LineStarts(Vec<usize>);

impl LineStarts {
    pub(super) fn of(text: &str) -> Self {
        // The protocol knows three ends of a line: both characters, and each of them alone.
        let bytes = text.as_bytes();
        let is_end = |at: &usize| bytes.get(*at..at + 2) != Some(b"\r\n".as_slice());
        let ends = memchr::memchr2_iter(b'\n', b'\r', bytes).filter(is_end);
        Self(std::iter::once(0).chain(ends.map(|at| at + 1)).collect())
    }

    /// The line of a byte, from 0.
    pub(super) fn line(&self, byte: usize) -> usize {
        self.0.partition_point(|start| *start <= byte).saturating_sub(1)
    }

    /// The position of a byte.
    pub(super) fn position(&self, text: &str, byte: usize) -> Position {
        let line = self.line(byte);
        let start = self.0.get(line).copied().unwrap_or(0);
        let before = text.get(start..byte).unwrap_or_default();
        Position { line: count(line), character: count(before.encode_utf16().count()) }
    }

    pub(super) fn range(&self, text: &str, bytes: &Bytes<usize>) -> Range {
        Range { start: self.position(text, bytes.start), end: self.position(text, bytes.end) }
    }

    /// The byte of a position. One behind the end of its line is the line's end, one behind the text the text's end.
    pub(super) fn byte(&self, text: &str, position: Position) -> usize {
        let line = usize::try_from(position.line).unwrap_or(usize::MAX);
        let Some(start) = self.0.get(line).copied() else { return text.len() };
        let rest = text.get(start..).unwrap_or_default();
        let line = rest.split(['\r', '\n']).next().unwrap_or_default();
        let mut units = usize::try_from(position.character).unwrap_or(usize::MAX);
        for (at, c) in line.char_indices() {
            // Half of a character counts as none of it.
            if units < c.len_utf16() {
                return start + at;
            }
            units -= c.len_utf16();
        }
        start + line.len()
    }
}

/// The text after the editor's changes, in their order.
pub(super) fn changed(mut text: String, changes: Vec<TextDocumentContentChangeEvent>) -> String {
    for change in changes {
        let Some(range) = change.range else {
            text = change.text;
            continue;
        };
        let lines = LineStarts::of(&text);
        let (start, end) = (lines.byte(&text, range.start), lines.byte(&text, range.end));
        text.replace_range(start..end.max(start), &change.text);
    }
    text
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at(line: u32, character: u32) -> Position {
        Position { line, character }
    }

    fn change(range: Option<(Position, Position)>, text: &str) -> TextDocumentContentChangeEvent {
        let range = range.map(|(start, end)| Range { start, end });
        TextDocumentContentChangeEvent { range, range_length: None, text: text.into() }
    }

    #[test]
    fn places_are_counted_in_utf_16() {
        let text = "a😀e\u{301}z\r\nnext\n";
        let lines = LineStarts::of(text);
        let byte = |line, character| lines.byte(text, at(line, character));
        assert_eq!(lines.position(text, text.find('z').unwrap()), at(0, 5));
        assert_eq!(byte(0, 5), text.find('z').unwrap());
        assert_eq!(byte(0, 2), 1, "in the middle of an emoji");
        assert_eq!(byte(0, 99), text.find('\r').unwrap());
        assert_eq!((byte(1, 2), byte(7, 0)), (text.find("xt").unwrap(), text.len()));
        let old = "one\rtwo\r\n\rfour";
        let lines = LineStarts::of(old);
        let starts = [0, 4, 9, 10].map(|byte| lines.position(old, byte));
        assert_eq!(starts, [at(0, 0), at(1, 0), at(2, 0), at(3, 0)], "a carriage return alone ends a line");
        assert_eq!(lines.byte(old, at(0, 9)), 3);
    }

    #[test]
    fn changes_are_made_in_their_order_and_odd_ones_lose_nothing() {
        let text = "One.\nTwo.\n".to_owned();
        let changes = vec![
            change(Some((at(1, 0), at(1, 3))), "Three"),
            change(Some((at(0, 0), at(0, 0))), "😀 "),
            change(Some((at(0, 3), at(0, 6))), "Four"),
        ];
        assert_eq!(changed(text.clone(), changes), "😀 Four.\nThree.\n");
        let odd = vec![change(Some((at(0, 4), at(0, 1))), "!"), change(Some((at(9, 9), at(9, 9))), "End.")];
        assert_eq!(changed(text.clone(), odd), "One.!\nTwo.\nEnd.");
        assert_eq!(changed(text, vec![change(None, "New.")]), "New.");
    }

    proptest! {
        #[test]
        fn a_place_is_found_again(text in "[a-z😀é\r\n]{0,60}", byte in 0usize..80) {
            let lines = LineStarts::of(&text);
            let byte = (0..=byte.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap();
            // Nobody stands between the two characters of one line end.
            let byte = byte - usize::from(text[..byte].ends_with('\r') && text[byte..].starts_with('\n'));
            prop_assert_eq!(lines.byte(&text, lines.position(&text, byte)), byte);
        }
    }
}
