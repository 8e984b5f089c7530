//! Raised figures: the number of a note, the power of a unit. Neither is part of the figure or the word before it.

use std::borrow::Cow;

use copydesk_text::words::is_raised;

/// The longest number of a note.
const LONGEST: usize = 3;

/// What a raised text is: a figure in raised signs, also one in brackets; any other text as it stands (`5th`, `Mme`).
pub(super) fn raised(text: &str) -> String {
    let bare = text.trim().trim_start_matches(['[', '(']).trim_end_matches([']', ')']);
    let of_notes = |c: char| c.is_ascii_digit() || matches!(c, ',' | ' ' | '–' | '-');
    let marks = |c: char| matches!(c, '*' | '†' | '‡' | '§' | '¶' | '#');
    if bare.is_empty() || bare.chars().all(marks) {
        return String::new();
    }
    if !bare.chars().all(of_notes) || !bare.contains(|c: char| c.is_ascii_digit()) {
        return text.to_owned();
    }
    let sign = |c: char| match c {
        '0' => Some('⁰'),
        '1' => Some('¹'),
        '2' => Some('²'),
        '3' => Some('³'),
        _ => char::from_u32(u32::from('⁰') + c.to_digit(10)?),
    };
    bare.chars().filter_map(sign).collect()
}

/// The text without the raised numbers of its notes. Powers stay: `m²`, `10³`.
pub(super) fn without_notes(text: &str) -> Cow<'_, str> {
    if !text.contains(is_raised) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(is_raised) {
        let (before, tail) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.push_str(before);
        let end = tail.find(|c| !is_raised(c)).unwrap_or(tail.len());
        let (figure, behind) = tail.split_at_checked(end).unwrap_or((tail, ""));
        let word = out.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        let power = word == "10" || word.len() <= 2 && word.chars().all(char::is_alphabetic) && !word.is_empty();
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
