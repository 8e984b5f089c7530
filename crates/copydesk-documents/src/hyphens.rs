//! Hyphens at a line's end: `renova-` `tion` is one word, `decision-` `making` are two with a hyphen.
//!
//! The page does not say which. What the document has elsewhere decides: the hyphenated form, else the joined one. If
//! it has neither, a joined form that the dictionary knows is one word. Any other hyphen stays if both halves are
//! words, and goes otherwise. No printer hyphenates a fragment, and a compound that nobody wrote makes a true quotation
//! look altered.

use std::collections::HashSet;

use copydesk_text::spelling;

/// Follows a hyphen that is still to be decided; no character of any text (a noncharacter of Unicode).
pub(super) const DOUBT: char = '\u{FDD0}';

/// The text with each doubtful hyphen kept or gone.
pub(super) fn settled(text: &str) -> String {
    let mut pieces = text.split(DOUBT);
    let mut out = pieces.next().unwrap_or_default().to_owned();
    if out.len() == text.len() {
        return out;
    }
    // The divided words themselves bear nothing out.
    let known: HashSet<String> = text.split(|c: char| !is_of_word(c) && c != DOUBT).flat_map(forms).collect();
    let is_word = |word: &str| known.contains(word) || spelling::is_word(word);
    for piece in pieces {
        let left = out.trim_end_matches(is_hyphen);
        if left.len() < out.len() {
            let left = left.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_lowercase();
            let right = piece.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_lowercase();
            let joined = format!("{left}{right}");
            // "Marsk-on-Sea"
            let goes_on = piece.trim_start_matches(char::is_alphanumeric).starts_with(is_hyphen) && is_word(&right);
            let whole = !known.contains(&format!("{left}-{right}"))
                && (is_word(&joined) || !(is_word(&left) && is_word(&right) || goes_on));
            if whole {
                out.pop();
            }
        }
        out.push_str(piece);
    }
    out
}

fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '‐')
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || is_hyphen(c)
}

/// A word, its parts, and each two of them that a hyphen joins; nothing of one that a line's end divided.
fn forms(word: &str) -> Vec<String> {
    if word.contains(DOUBT) {
        return Vec::new();
    }
    let parts: Vec<String> = word.split(is_hyphen).map(str::to_lowercase).collect();
    let pairs = parts.iter().zip(parts.iter().skip(1)).map(|(one, two)| format!("{one}-{two}"));
    pairs.chain(parts.iter().cloned()).filter(|form| !form.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hyphen_stays_where_it_belongs_to_the_word() {
        for (text, wanted) in [
            ("a fair decision-|making process", "a fair decision-making process"),
            ("the renova-|tion of the park", "the renovation of the park"),
            ("for long-|term members", "for long-term members"),
            ("state-of-the-|art", "state-of-the-art"),
            // The document knows better than any dictionary.
            ("Callo-|way and Calloway", "Calloway and Calloway"),
            ("the Whit-|taker plan, Whittaker’s own", "the Whittaker plan, Whittaker’s own"),
            ("an on-|line form; On-line forms", "an on-line form; On-line forms"),
            ("die Renovie-|rung", "die Renovierung"),
            ("Ruud-|by-Sea", "Ruud-by-Sea"),
            ("no doubt-ful one", "no doubt-ful one"),
        ] {
            assert_eq!(settled(&text.replace('|', &DOUBT.to_string())), wanted, "{text:?}");
        }
    }

    #[test]
    fn a_mark_that_stands_alone_goes() {
        assert_eq!(settled("one\u{FDD0}two"), "onetwo");
    }
}
