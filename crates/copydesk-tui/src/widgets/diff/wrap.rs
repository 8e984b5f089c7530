//! Styled text in lines of a width, by the columns that its characters take.

use std::ops::Range;

use ratatui::prelude::Style;

use crate::widgets::wrap;

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

impl Fragment {
    /// Some of it; `None` if that is nothing.
    pub(crate) fn part(&self, range: Range<usize>) -> Option<Self> {
        let text = self.text.get(range).filter(|text| !text.is_empty())?;
        Some(Self { text: text.to_owned(), ..self.clone() })
    }
}

/// Breaks fragments into lines of at most `width` columns, as [`wrap::rows`] does. A line feed ends a line.
pub(crate) fn wrap(fragments: &[Fragment], width: u16) -> Vec<Vec<Fragment>> {
    let text: String = fragments.iter().map(|fragment| fragment.text.as_str()).collect();
    let (mut lines, mut start) = (Vec::new(), 0);
    for line in text.split_terminator('\n') {
        for row in wrap::rows(line, width) {
            let shown = line.get(row.clone()).unwrap_or_default().trim_end();
            let from = start + row.start;
            lines.push(cut(fragments, from..from + shown.len(), width));
        }
        start += line.len() + 1;
    }
    lines
}

/// The fragments of some bytes of the whole text, as they are drawn.
fn cut(fragments: &[Fragment], range: Range<usize>, width: u16) -> Vec<Fragment> {
    let mut start = 0;
    let part = |fragment: &Fragment| {
        let end = start + fragment.text.len();
        let (from, to) = (range.start.clamp(start, end), range.end.clamp(start, end));
        let part = fragment.part(from - start..to - start);
        start = end;
        part.map(|part| Fragment { text: wrap::fitting(&part.text, width), ..part })
    };
    fragments.iter().filter_map(part).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use unicode_width::UnicodeWidthStr as _;

    use super::*;

    fn plain(text: &str) -> Fragment {
        Fragment { text: text.to_owned(), style: Style::new(), change: None, hit: None }
    }

    fn lines(parts: &[&str], width: u16) -> Vec<String> {
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
        fn no_line_is_too_wide_and_no_word_is_lost(text in "\\PC{0,60}|[a-c 市\n]{0,60}", width in 2u16..20) {
            let found = lines(&[&text], width);
            for line in &found {
                prop_assert!(line.width() <= usize::from(width), "{line:?} is {} wide", line.width());
            }
            let letters = |text: &str| text.chars().filter(char::is_ascii_alphabetic).collect::<String>();
            prop_assert_eq!(letters(&found.concat()), letters(&text));
        }
    }
}
