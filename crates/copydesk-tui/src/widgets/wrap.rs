//! Cutting one line of text into rows of a width, and how a piece of a row is written into cells.
//!
//! Widths are counted by grapheme, as the cells are drawn (`CellWidth`). So a wide character never straddles the edge,
//! and a combining one stays with its base. Blanks at the end of a row hang over the edge and are not drawn.

use std::ops::Range;

use ratatui::buffer::CellWidth;
use unicode_segmentation::UnicodeSegmentation;

/// Columns between two stops of a tab.
const TAB: u16 = 4;

/// Longest grapheme in bytes that is drawn whole; a letter under a heap of combining marks is cut here.
const LONGEST_GRAPHEME: usize = 64;

/// Replaces a character that is wider than the whole row.
const TOO_WIDE: &str = "·";

/// The rows of `line` (without line feeds) at `width` columns, as byte ranges that follow each other without a gap. An
/// empty line is one empty row; no row fits into no columns. Linear in the line's length.
pub(crate) fn rows(line: &str, width: u16) -> Vec<Range<usize>> {
    if width == 0 {
        return Vec::new();
    }
    let mut rows = Vec::new();
    let (mut start, mut column) = (0, 0u16);
    // The latest place at which this row may end, with its column.
    let mut stop: Option<(usize, u16)> = None;
    let mut after_blank = true;
    for (at, grapheme) in line.grapheme_indices(true) {
        let wide = columns(grapheme, column, width);
        let behind = at + grapheme.len();
        if is_blank(grapheme) {
            column = column.saturating_add(wide);
            stop = Some((behind, column));
            after_blank = true;
            continue;
        }
        // Scripts without spaces may break between any two of their characters.
        if wide > 1 && at > start {
            stop = Some((at, column));
        }
        if column.saturating_add(wide) > width
            && let Some((to, before)) = stop.take().filter(|(to, _)| *to > start)
        {
            rows.push(start..to);
            start = to;
            column = column.saturating_sub(before);
        }
        if column.saturating_add(wide) > width && at > start {
            rows.push(start..at);
            (start, column, stop) = (at, 0, None);
        }
        column = column.saturating_add(wide);
        if wide > 1 || !after_blank && matches!(grapheme, "-" | "–" | "—" | "/") {
            stop = Some((behind, column));
        }
        after_blank = false;
    }
    rows.push(start..line.len());
    rows
}

/// Columns that a grapheme takes at `column` of a row of `width`.
pub fn columns(grapheme: &str, column: u16, width: u16) -> u16 {
    if grapheme == "\t" {
        return TAB - column % TAB;
    }
    // Control characters are not drawn.
    if grapheme.contains(char::is_control) {
        return 0;
    }
    drawn(grapheme).cell_width().min(width)
}

/// The part of a grapheme that is drawn.
fn drawn(grapheme: &str) -> &str {
    grapheme.get(..grapheme.floor_char_boundary(LONGEST_GRAPHEME)).unwrap_or(grapheme)
}

/// `text` as it is drawn: a mark stands for a character that is wider than a whole row of `width`, none for a control character.
pub(crate) fn fitting(text: &str, width: u16) -> String {
    let mut out = String::with_capacity(text.len());
    for grapheme in text.graphemes(true) {
        draw(grapheme, 0, width, &mut out);
    }
    out
}

/// Writes `grapheme` as it is drawn at `column` of a row of `width` onto `out`; gives the columns that it takes.
pub fn draw(grapheme: &str, column: u16, width: u16, out: &mut String) -> u16 {
    let wide = columns(grapheme, column, width);
    if grapheme == "\t" {
        out.extend(std::iter::repeat_n(' ', usize::from(wide)));
    } else if wide == width && columns(grapheme, column, u16::MAX) > width {
        // Of a letter under marks that take columns of their own, the letter is drawn.
        let letter = grapheme.get(..grapheme.ceil_char_boundary(1)).filter(|letter| letter.cell_width() <= width);
        out.push_str(letter.unwrap_or(TOO_WIDE));
    } else if !grapheme.contains(char::is_control) {
        out.push_str(drawn(grapheme));
    }
    wide
}

/// Whether a row may end behind it and it may hang over the edge.
pub(crate) fn is_blank(grapheme: &str) -> bool {
    let mut chars = grapheme.chars();
    let single = chars.next().filter(|_| chars.next().is_none());
    single.is_some_and(|c| c.is_whitespace() && !matches!(c, '\u{A0}' | '\u{2007}' | '\u{202F}'))
}

/// Columns of a whole text in one row.
pub fn width_of(text: &str) -> usize {
    text.graphemes(true).map(|grapheme| usize::from(columns(grapheme, 0, u16::MAX))).sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shown(text: &str, width: u16) -> Vec<String> {
        rows(text, width)
            .into_iter()
            .map(|row| {
                let (mut out, mut column) = (String::new(), 0);
                for grapheme in text[row].trim_end_matches([' ', '\t']).graphemes(true) {
                    column += draw(grapheme, column, width, &mut out);
                }
                out
            })
            .collect()
    }

    #[test]
    fn rows_end_at_spaces_hyphens_and_between_wide_characters() {
        assert_eq!(shown("the council voted", 11), ["the council", "voted"]);
        assert_eq!(shown("a two-step rise", 7), ["a two-", "step", "rise"]);
        assert_eq!(shown("東京都知事", 5), ["東京", "都知", "事"]);
        assert_eq!(shown("", 5), [""]);
        assert_eq!(shown("word", 0), [""; 0]);
    }

    #[test]
    fn a_word_without_spaces_is_cut_where_the_row_is_full() {
        assert_eq!(shown("abcdefghij", 4), ["abcd", "efgh", "ij"]);
        assert_eq!(shown("x abcdefghij", 4), ["x", "abcd", "efgh", "ij"]);
    }

    #[test]
    fn what_is_wider_than_the_row_has_a_stand_in_and_tabs_become_spaces() {
        assert_eq!(shown("東a", 1), ["·", "a"]);
        assert_eq!(shown("a\tb", 8), ["a   b"]);
        assert_eq!(shown("e\u{301}e\u{301}e\u{301}", 2), ["e\u{301}e\u{301}", "e\u{301}"]);
    }

    proptest! {
        #[test]
        fn every_grapheme_is_in_one_row_and_no_row_is_too_wide(
            text in "([a-z]{1,9}|[ \t\u{a0}]|東|é|e\u{301}|\u{301}|👩‍👩‍👧|\u{1F1E9}\u{1F1EA}|שלום|[-/—]|\u{200b}|\u{7}|\\PC){0,40}",
            width in 1u16..30,
        ) {
            prop_assume!(!text.contains('\n'));
            let rows = rows(&text, width);
            let mut next = 0;
            let mut graphemes: Vec<&str> = Vec::new();
            for row in rows {
                prop_assert_eq!(row.start, next);
                next = row.end;
                let own: Vec<&str> = text[row].graphemes(true).collect();
                let seen = own.iter().rposition(|grapheme| !is_blank(grapheme)).map_or(0, |last| last + 1);
                let (mut out, mut column) = (String::new(), 0);
                for grapheme in &own[..seen] {
                    column += draw(grapheme, column, width, &mut out);
                }
                prop_assert!(column <= width, "{:?} at {}", own, width);
                graphemes.extend(own);
            }
            prop_assert_eq!(next, text.len());
            prop_assert_eq!(graphemes, text.graphemes(true).collect::<Vec<_>>());
        }
    }
}
