//! Numbers that count nothing: parts of links, footnote marks, telephone numbers.

use crate::{rules::prelude::*, sources::siblings};

/// The digits of a telephone number that a place is in, with those parted by blanks, points and strokes. It has a nought or a plus in
/// front, or seven digits and more.
fn telephone(text: &str, at: usize) -> Option<String> {
    let dials = |c: char| c.is_ascii_digit() || matches!(c, ' ' | '-' | '.' | '(' | ')' | '\u{A0}');
    let start = text.get(..at)?.rfind(|c: char| !dials(c)).map_or(0, |place| text.ceil_char_boundary(place + 1));
    let end = text.get(at..)?.find(|c: char| !dials(c)).map_or(text.len(), |place| at + place);
    let digits: String = text.get(start..end)?.chars().filter(char::is_ascii_digit).collect();
    let international = text.get(..start)?.ends_with('+');
    let groups = text.get(start..end)?.split(|c: char| !c.is_ascii_digit()).filter(|group| !group.is_empty()).count();
    let length = if international || digits.starts_with('0') { 8..=15 } else { 7..=11 };
    (groups > 1 && length.contains(&digits.len())).then_some(digits)
}

/// Whether a figure is a part of a telephone number that a source has, however its digits are grouped.
pub fn is_dialled(archive: &SourceArchive<'_>, reading: &ParsedText<'_>, figure: &Figure) -> bool {
    let number = |reading: &ParsedText<'_>, figure: &Figure| {
        telephone(reading.text, figure.start).filter(|_| figure.kind == FigureKind::Count && !figure.spelled)
    };
    let Some(own) = number(reading, figure) else { return false };
    let same = |other: String| other == own;
    archive.readings.iter().any(|source| source.figures.iter().filter_map(|other| number(source, other)).any(same))
}

/// Whether a number is part of a link, a footnote mark or a telephone number, and so counts nothing.
pub fn is_address(reading: &ParsedText<'_>, figure: &Figure) -> bool {
    let head = reading.text.get(..figure.start).unwrap_or_default();
    let tail = reading.text.get(figure.end..).unwrap_or_default();
    // 555-010-0199: groups of digits in a row are dialled.
    let group = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count() > 1;
    let ends = |text: &str| text.bytes().rev().take_while(u8::is_ascii_digit).count();
    let before = head.strip_suffix(['-', '.']).filter(|head| ends(head) > 1);
    let third =
        |text: &str| text.trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix(['-', '.']).is_some_and(group);
    // "(555) 010-0199"
    let bracketed = |head: &str| head.trim_end().strip_suffix(')').is_some_and(|head| ends(head) > 2);
    let after = tail.strip_prefix(['-', '.']).filter(|tail| group(tail));
    let earlier = |head: &str| {
        let rest = head.trim_end_matches(|c: char| c.is_ascii_digit());
        rest.strip_suffix(['-', '.']).is_some_and(|head| ends(head) > 1) || bracketed(rest)
    };
    let dialled = match (before, after) {
        (Some(_), Some(_)) => true,
        (None, Some(tail)) => third(tail) || bracketed(head),
        (Some(head), None) => earlier(head),
        (None, None) => false,
    };
    if dialled && !figure.spelled && figure.kind != FigureKind::Date {
        return true;
    }
    // "2023/24" is a year of accounts.
    let year = |other: &Figure| {
        let beside = other.end + 1 == figure.start || figure.end + 1 == other.start;
        other.kind == FigureKind::Year && beside
    };
    if figure.kind == FigureKind::Year && siblings(reading, reading.line_of(&figure.tokens)).iter().any(year) {
        return false;
    }
    let glued = head.chars().next_back().is_some_and(|c| matches!(c, '/' | '^' | '#' | '_' | '=' | '@' | '&'));
    glued || tail.starts_with(['/', '@', '='])
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_texts, notes};

    #[test]
    fn half_of_a_share_counts_nothing() {
        let source = "The pool of 80 swimmers closes at noon. It has 3,500 guests, of whom 80 percent swim.";
        assert_eq!(check_texts("Four in five guests of the pool swim.", source), []);
    }

    #[test]
    fn a_telephone_number_counts_nothing() {
        let source = "The pool of 45 swimmers closes at noon. It cost $91 in 2019.";
        for fine in ["Call 555-010-0199.", "Call (555) 010-0199.", "Call 555.010.0199 at noon."] {
            assert_eq!(check_texts(fine, source), [], "{fine}");
        }
        for found in ["The pool cost $93-95.", "The pool (for children) has 93-95 swimmers."] {
            assert!(check_texts(found, source).len() + notes(found, source).len() > 0, "{found}");
        }
    }
}
