//! Which side of zero a figure is on: `−12`, `minus 12`, `12 below zero`, `(12)` in a table, `a loss of 12`.

use crate::{
    reading::{Figure, FigureKind, Sign, Token},
    words::{Class, WordList, words},
};

/// Things that can be lost: "the loss of 310 jobs" is not a loss of money.
static THINGS: WordList = words(
    "jobs posts lives seats places homes beds spaces parking members staff workers people trees shops routes services",
);

/// A word tells of a fall up to so many words before a figure, or behind it.
const BEFORE: usize = 7;
const BEHIND: usize = 4;

/// Marks a figure that is below zero, or that may be.
pub fn mark(text: &str, tokens: &[Token], figure: &mut Figure) {
    if !matches!(figure.kind, FigureKind::Money(_) | FigureKind::Percent | FigureKind::Points | FigureKind::Count) {
        return;
    }
    let at = &figure.tokens;
    let Some(line) = tokens.get(at.start).map(|token| token.line) else { return };
    let word = |at: usize| tokens.get(at).filter(|token| token.line == line).map_or("", |token| token.word.as_str());
    let before = at.start.checked_sub(1).map_or("", word);
    let summed = at.start.checked_sub(2).is_some_and(|at| word(at).starts_with(|c: char| c.is_ascii_digit()));
    let told = matches!(before, "minus" | "negative") && !summed;
    let told = at.start.checked_sub(1).and_then(|at| tokens.get(at)).filter(|_| told).map(|token| token.start);
    let behind = at.end..at.end + BEHIND;
    let below = || behind.clone().any(|at| matches!(word(at), "below" | "under") && word(at + 1) == "zero");
    let start = told.or_else(|| minus(text, figure)).or_else(|| below().then_some(figure.start));
    if let Some(start) = start {
        figure.start = start;
        figure.written.sign = Sign::Minus;
        return;
    }
    let falls = |at: usize| tokens.get(at).is_some_and(|token| token.line == line && token.class.has(Class::FALLS));
    // "Fell to 7 degrees" tells no amount of a fall.
    let level = before == "to" && matches!(word(at.end), "degrees" | "c" | "f");
    // "With the loss of 310 jobs"
    let things = figure.kind == FigureKind::Count && before == "of" && THINGS.contains(word(at.end));
    if !level && !things && (at.start.saturating_sub(BEFORE)..at.start).chain(behind).any(falls) {
        figure.written.sign = Sign::Down;
    }
}

/// The place of a figure's minus, or of its bracket in a table.
fn minus(text: &str, figure: &Figure) -> Option<usize> {
    let head = text.get(..figure.start)?;
    let mark = head.chars().next_back()?;
    let rest = head.strip_suffix(mark)?;
    let start = rest.len();
    let previous = rest.chars().next_back().unwrap_or('\n');
    let minus = match mark {
        '−' | '－' => !previous.is_alphanumeric(),
        // A hyphen at the head of a line is a list's, and one behind a number goes up to another.
        '-' | '–' | '‑' => {
            matches!(previous, ' ' | '(' | '\t' | '\u{A0}')
                && !rest.trim_end().is_empty()
                && !rest
                    .trim_end_matches([' ', '\t', '\u{A0}'])
                    .ends_with(|c: char| c.is_ascii_digit() || matches!(c, '%' | '\n'))
        }
        '(' => {
            let tail = text.get(figure.end..)?;
            // "Sales (1.8)%"
            if tail.starts_with(")%") {
                return Some(start);
            }
            let tail = tail.strip_prefix(')')?;
            rest.trim_end_matches(' ').ends_with([':', ';'])
                && (tail.trim().is_empty() || tail.starts_with(['\n', ';', '\r', '.']))
        }
        _ => false,
    };
    minus.then_some(start)
}

#[cfg(test)]
mod tests {
    use crate::reading::{Figure, ParsedText};

    fn one(text: &str) -> Figure {
        ParsedText::new(text).figures.into_iter().rfind(|figure| figure.value != 0.0).unwrap()
    }

    #[test]
    fn a_minus_is_read_in_each_of_its_forms() {
        let minus = one("The result was −7.5 million euros.");
        for same in [
            "The result was -7.5 million euros.",
            "The result was –€7.5 million.",
            "The result was minus 7.5 million euros.",
            "- Year: last; Result: (€7.5 million)",
            "It made a loss of 7.5 million euros.",
            "Its result fell by 7.5 million euros.",
        ] {
            assert!(minus.same(&one(same)), "{same}: {:?}", one(same));
        }
        assert!(!minus.same(&one("The result was 7.5 million euros.")));
        assert_eq!(ParsedText::new("It was 7 degrees below zero.").figures.len(), 1);
        assert!(one("It was -7 degrees.").same(&one("It was 7 degrees below zero.")));
    }

    #[test]
    fn a_dash_is_no_minus() {
        for text in ["- 7 trees", "-7 trees", "the 5–7 vote", "from 5 -7 trees", "Covid-19"] {
            let plain = one("They have 7 trees.");
            assert_eq!(one(text).written.sign, plain.written.sign, "{text}");
        }
    }
}
