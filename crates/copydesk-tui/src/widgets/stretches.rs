//! Where the lines of a long text begin, found once for each text, so that a page lays out only its visible part.
//!
//! A line that is longer than `LONGEST` counts as several, cut at a blank or between two graphemes. The beginning of a
//! stretch does not depend on the width: whatever the window's size, the work for a page is bounded by the stretches
//! that it shows.

use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};

/// Longest stretch in bytes.
pub(crate) const LONGEST: usize = 4_096;

/// The first byte of each stretch of `text`; at least one. A line feed at the very end begins no stretch.
pub(crate) fn starts(text: &str) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let mut rest = line.strip_suffix('\n').unwrap_or(line);
        let mut start = at;
        starts.push(start);
        while rest.len() > LONGEST {
            let (piece, after) = rest.split_at_checked(cut(rest)).unwrap_or((rest, ""));
            start += piece.len();
            rest = after;
            if !rest.is_empty() {
                starts.push(start);
            }
        }
        at += line.len();
    }
    if starts.is_empty() {
        starts.push(0);
    }
    starts
}

/// Where to cut a line that is too long: behind its last blank, else before its last whole grapheme, within [`LONGEST`].
fn cut(line: &str) -> usize {
    let end = line.floor_char_boundary(LONGEST);
    let window = line.get(..end).unwrap_or_default();
    if let Some(blank) = window.rfind([' ', '\t']).filter(|blank| *blank > LONGEST / 2) {
        let behind = blank + 1;
        let whole = GraphemeCursor::new(behind, line.len(), true).is_boundary(line, 0).unwrap_or(false);
        if whole {
            return behind;
        }
    }
    // The window's last grapheme may go on behind it.
    match window.grapheme_indices(true).next_back() {
        Some((last, _)) if last > 0 => last,
        _ => end,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn lines_begin_behind_line_feeds() {
        assert_eq!(starts(""), [0]);
        assert_eq!(starts("a\n\nb\n"), [0, 2, 3]);
        assert_eq!(starts("\n"), [0]);
    }

    #[test]
    fn a_long_line_is_cut_at_blanks_and_never_within_a_grapheme() {
        let words = "word ".repeat(2_000);
        let cuts = starts(&words);
        assert_eq!(cuts.len(), 3);
        assert!(cuts.iter().all(|cut| words[*cut..].starts_with("word")));
        let accents = "e\u{301}".repeat(5_000);
        assert!(starts(&accents).iter().all(|cut| accents[*cut..].starts_with('e')));
        // A letter under a megabyte of marks is no grapheme that can be kept whole.
        let heap = format!("e{}", "\u{301}".repeat(500_000));
        assert!(starts(&heap).windows(2).all(|pair| pair[1] - pair[0] <= LONGEST));
    }

    proptest! {
        #[test]
        fn stretches_are_short_and_in_order(text in "([a-z]{1,3000}|[ \n]|東|e\u{301}|\\PC){0,40}") {
            let starts = starts(&text);
            prop_assert_eq!(starts.first(), Some(&0));
            let ends = starts.iter().skip(1).copied().chain([text.len()]);
            for (start, end) in starts.iter().zip(ends) {
                prop_assert!(*start < end || text.is_empty());
                prop_assert!(text[*start..end].trim_end_matches('\n').len() <= LONGEST);
            }
        }
    }
}
