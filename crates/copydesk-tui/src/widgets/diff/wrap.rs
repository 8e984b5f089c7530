//! Styled text in lines of a width, by the columns that its characters take.

use ratatui::style::Style;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// A stretch of text in one style.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fragment {
    pub text: String,
    pub style: Style,
    /// The change whose words these are.
    pub change: Option<usize>,
    /// The hit of a search that these words are part of.
    pub hit: Option<usize>,
}

/// A character as it is seen, with the fragment it is from.
struct Glyph<'a> {
    text: &'a str,
    width: usize,
    from: usize,
}

impl Glyph<'_> {
    fn is_space(&self) -> bool {
        self.text.chars().all(char::is_whitespace)
    }
}

/// Breaks fragments into lines of at most `width` columns: at white space, beside wide characters, and inside a word only if
/// it has no line to itself. A line feed ends a line.
pub(crate) fn wrap(fragments: &[Fragment], width: usize) -> Vec<Vec<Fragment>> {
    if width == 0 {
        return Vec::new();
    }
    let mut lines: Vec<Vec<Glyph<'_>>> = Vec::new();
    let mut line: Vec<Glyph<'_>> = Vec::new();
    let mut used = 0;
    let mut seam: Option<usize> = None;
    let glyphs = fragments
        .iter()
        .enumerate()
        .flat_map(|(from, fragment)| fragment.text.graphemes(true).map(move |text| (from, text)))
        .flat_map(|(from, text)| pieces(text, width).map(move |text| (from, text)));
    for (from, text) in glyphs {
        if text.contains('\n') {
            lines.push(std::mem::take(&mut line));
            (used, seam) = (0, None);
            continue;
        }
        let text = if text == "\t" { " " } else { text };
        if text.contains(char::is_control) {
            continue;
        }
        // A glyph that is wider than the whole line is replaced with a dot.
        let glyph = match text.width() {
            wide if wide > width => Glyph { text: "·", width: 1, from },
            width => Glyph { text, width, from },
        };
        if glyph.width > 1 && !line.is_empty() {
            seam = Some(line.len());
        }
        if used + glyph.width > width {
            let rest = if glyph.is_space() { Vec::new() } else { seam.map_or_else(Vec::new, |at| line.split_off(at)) };
            lines.push(std::mem::replace(&mut line, rest));
            used = line.iter().map(|glyph| glyph.width).sum();
            seam = None;
        }
        if glyph.is_space() && line.is_empty() && !lines.is_empty() {
            continue;
        }
        let opens = glyph.is_space() || glyph.width > 1;
        used += glyph.width;
        line.push(glyph);
        if opens {
            seam = Some(line.len());
        }
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines.iter().map(|line| joined(line, fragments)).collect()
}

/// A character as it is seen; one that is wider than a whole line, as some of many marks are, in the parts that it is made of.
fn pieces(text: &str, width: usize) -> impl Iterator<Item = &str> {
    let whole = text.width() <= width;
    let ends = text.char_indices().map(|(start, c)| (start, start + c.len_utf8()));
    let parts = ends.filter(move |_| !whole).filter_map(move |(start, end)| text.get(start..end));
    whole.then_some(text).into_iter().chain(parts)
}

/// The glyphs of a line as fragments again, without the white space at its end.
fn joined(line: &[Glyph<'_>], fragments: &[Fragment]) -> Vec<Fragment> {
    let end = line.iter().rposition(|glyph| !glyph.is_space()).map_or(0, |last| last + 1);
    let mut found: Vec<(usize, Fragment)> = Vec::new();
    for glyph in line.get(..end).unwrap_or_default() {
        match found.last_mut() {
            Some((from, open)) if *from == glyph.from => open.text.push_str(glyph.text),
            _ => found.extend(
                fragments
                    .get(glyph.from)
                    .map(|of| (glyph.from, Fragment { text: glyph.text.to_owned(), ..of.clone() })),
            ),
        }
    }
    found.into_iter().map(|(_, fragment)| fragment).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn plain(text: &str) -> Fragment {
        Fragment { text: text.to_owned(), style: Style::new(), change: None, hit: None }
    }

    fn lines(parts: &[&str], width: usize) -> Vec<String> {
        let fragments: Vec<Fragment> = parts.iter().map(|text| plain(text)).collect();
        wrap(&fragments, width).iter().map(|line| line.iter().map(|part| part.text.as_str()).collect()).collect()
    }

    #[test]
    fn a_word_of_several_styles_is_not_torn_and_a_long_one_is() {
        assert_eq!(lines(&["the cost is ", "1.8", "1.4", " million"], 16), ["the cost is", "1.81.4 million"]);
        assert_eq!(lines(&["Donaudampfschiff fährt"], 6), ["Donaud", "ampfsc", "hiff", "fährt"]);
        assert_eq!(lines(&["one\ntwo\n\nthree"], 9), ["one", "two", "", "three"]);
        assert_eq!(lines(&["a  b"], 0), Vec::<String>::new());
    }

    #[test]
    fn wide_and_combining_characters_take_their_columns() {
        assert_eq!(lines(&["市議会は計画"], 5), ["市議", "会は", "計画"]);
        assert_eq!(lines(&["e\u{301}e\u{301}e\u{301} x"], 3), ["e\u{301}e\u{301}e\u{301}", "x"]);
        assert_eq!(lines(&["市"], 1), ["·"]);
        assert_eq!(lines(&["A\u{b02}\u{dd0}"], 2).concat().chars().next(), Some('A'));
    }

    proptest! {
        #[test]
        fn no_line_is_too_wide_and_no_word_is_lost(text in "\\PC{0,60}|[a-c 市\n]{0,60}", width in 2usize..20) {
            let found = lines(&[&text], width);
            for line in &found {
                prop_assert!(line.width() <= width, "{line:?} is {} wide", line.width());
            }
            let letters = |text: &str| text.chars().filter(char::is_ascii_alphabetic).collect::<String>();
            prop_assert_eq!(letters(&found.concat()), letters(&text));
        }
    }
}
