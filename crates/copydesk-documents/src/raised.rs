//! Raised figures: the number of a note, the power of a unit. Neither is part of the figure or the word before it.

use std::borrow::Cow;

use copydesk_text::{non_ascii, pattern::TextPattern, words::is_raised};

/// The longest number of a note.
const LONGEST: usize = 3;

/// Returns a raised text as it is written out: a figure in raised signs, also one in brackets; any other text as it stands (`5th`, `Mme`).
/// A mark (`*`) or a letter from a to h gives an empty text.
pub(super) fn raised(text: &str) -> String {
    let bare = text.trim().trim_start_matches(['[', '(']).trim_end_matches([']', ')']);
    let of_notes = |c: char| c.is_ascii_digit() || matches!(c, ',' | ' ' | '–' | '-');
    let marks = |c: char| matches!(c, '*' | '†' | '‡' | '§' | '¶' | '#');
    // French and Spanish raise the endings of ordinals.
    let letter = matches!(bare, "a" | "b" | "c" | "d" | "f" | "g" | "h");
    if bare.is_empty() || bare.chars().all(marks) || letter {
        return String::new();
    }
    if !bare.chars().all(of_notes) || !bare.contains(|c: char| c.is_ascii_digit()) {
        return text.to_owned();
    }
    bare.chars().filter_map(|c| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(c.to_digit(10)? as usize)).collect()
}

/// A number in brackets right behind a word or a figure: `45[3]`.
static BRACKETED: TextPattern = TextPattern::new(r"([\p{L}\d.,;:!?”’%)])(?:\[\^?\d{1,3}\])+");

/// The text without the numbers of its notes, raised or in brackets. Powers stay: `m²`, `10³`.
pub(super) fn without_notes(text: &str) -> Cow<'_, str> {
    let text = BRACKETED.replace_all(text, "$1");
    let first = |text: &str| non_ascii(text).find(|(_, c)| is_raised(*c)).map(|(at, _)| at);
    if first(&text).is_none() {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    let mut rest: &str = &text;
    while let Some(at) = first(rest) {
        let (before, tail) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.push_str(before);
        let end = tail.find(|c| !is_raised(c)).unwrap_or(tail.len());
        let (figure, behind) = tail.split_at_checked(end).unwrap_or((tail, ""));
        let mut last = out.chars().rev().chain([' ']);
        let (one, two, three) = (last.next(), last.next(), last.next());
        let is = |c: Option<char>, what: fn(char) -> bool| c.is_some_and(what);
        let ends = |c: Option<char>| !is(c, char::is_alphanumeric);
        let short = is(one, char::is_alphabetic) && (ends(two) || is(two, char::is_alphabetic) && ends(three));
        let power = short || (two, one) == (Some('1'), Some('0')) && ends(three);
        if power || figure.chars().count() > LONGEST {
            out.push_str(figure);
        }
        rest = behind;
    }
    out.push_str(rest);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_a_note_goes_and_a_power_stays() {
        for (text, wanted) in [
            ("It costs 45³ million, said¹² Berg.⁴", "It costs 45 million, said Berg."),
            ("It costs 45[3] million.[4][5] See [6] and [^7]: c.", "It costs 45 million. See [6] and [^7]: c."),
            ("5 m² or 3 × 10⁶ or R²", "5 m² or 3 × 10⁶ or R²"),
            ("½ and 2¼ stay", "½ and 2¼ stay"),
        ] {
            assert_eq!(without_notes(text), wanted);
        }
        for (text, wanted) in [("3", "³"), ("[12]", "¹²"), ("1, 2", "¹²"), ("th", "th"), ("*", ""), (" ", "")] {
            assert_eq!(raised(text), wanted, "{text:?}");
        }
    }
}
