//! Reads how exact a text says a figure is: `more than`, `at least`, `nearly`, `up to`, `about`.

use crate::{
    reading::{Figure, FigureKind, ParsedText, Token, near},
    words::{WordList, words},
};

/// How the true value lies to a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    Exact,
    About,
    Above,
    AtLeast,
    /// `fewer than`, and also `nearly`.
    Below,
    AtMost,
}

/// Words that say that a figure is passed.
static PASSING: WordList =
    words("over above beyond exceed exceeds exceeded exceeding topped topping surpass surpasses surpassed surpassing");

/// A denial stands at most so many words before what it denies.
const DENIED_WITHIN: usize = 4;

/// Whether a mark between a token and a figure ends the clause.
fn parts(text: &str, token: &Token, figure: &Figure) -> bool {
    text.get(token.end..figure.start)
        .is_some_and(|between| between.contains([',', ';', ':', '—', '–', '(', '"', '“', '”']))
}

/// Whether a figure, by its index, and the next one are the ends of a range: `150 to 200 boats`. `From 150 to 200` may be a rise, and `7 to 2`
/// is a tally.
fn is_range(reading: &ParsedText<'_>, at: usize) -> bool {
    let Some([low, high]) = reading.figures.get(at..at + 2) else { return false };
    let gap = reading.text.get(low.end..high.start).unwrap_or_default();
    matches!(gap, " to " | "–" | "-" | " – ")
        && low.value < high.value
        && (low.kind == high.kind || low.kind == FigureKind::Count)
        && !matches!(high.kind, FigureKind::Year | FigureKind::Date | FigureKind::Time)
        && reading.word_before(low.tokens.start, 1) != "from"
}

/// The lower end of a range, if a figure is its upper end.
pub fn lower_end<'r>(reading: &'r ParsedText<'_>, figure: &Figure) -> Option<&'r Figure> {
    let low = reading.figures.partition_point(|other| other.start < figure.start).checked_sub(1)?;
    reading.figures.get(low).filter(|_| is_range(reading, low))
}

impl Bound {
    /// The bound of a figure, by the words right before and behind it.
    pub fn of(reading: &ParsedText<'_>, figure: &Figure) -> Self {
        let Some(own) = reading.tokens.get(figure.tokens.start) else { return Self::Exact };
        let first = reading.tokens.partition_point(|token| token.end <= figure.start);
        let on_line = |at: usize| reading.tokens.get(at).filter(|token| token.line == own.line);
        let before = |steps: usize| first.checked_sub(steps).and_then(on_line).map_or("", |token| token.word.as_str());
        // "Some" and articles may stand between.
        let skip = usize::from(matches!(before(1), "a" | "an" | "the" | "some") && !before(2).is_empty());
        let word = |steps: usize| before(steps + skip);
        // "No more than" and "may not cost more than", but not "he did not stay, and more than".
        let denied = |steps: usize| {
            let ahead =
                (steps + skip..steps + skip + DENIED_WITHIN).map(|back| first.checked_sub(back).and_then(on_line));
            let clause = ahead.map_while(|token| token.filter(|token| !parts(reading.text, token, figure)));
            let mut clause =
                clause.take_while(|token| !matches!(token.word.as_str(), "and" | "but" | "that" | "which" | "who"));
            clause.any(|token| {
                matches!(token.word.as_str(), "no" | "not" | "never" | "cannot" | "none" | "nobody" | "neither" | "nor")
                    || token.word.ends_with("n't")
            })
        };
        let behind = |steps: usize| on_line(figure.tokens.end + steps).map_or("", |token| token.word.as_str());
        // "Between 250 and 300"
        if word(1) == "between" && behind(0) == "and" {
            return Self::AtLeast;
        }
        let place = reading.figures.partition_point(|other| other.start < figure.start);
        let lower = || {
            let lower = reading.figures.get(place.checked_sub(1)?).filter(|lower| lower.tokens.end + 1 == first)?;
            on_line(lower.tokens.start.checked_sub(1)?)
        };
        if word(1) == "and" && lower().is_some_and(|token| token.word == "between") {
            return Self::AtMost;
        }
        if is_range(reading, place) {
            return Self::AtLeast;
        }
        if lower_end(reading, figure).is_some() {
            return Self::AtMost;
        }
        let span = matches!(
            behind(0),
            "year" | "years" | "month" | "months" | "week" | "weeks" | "day" | "days" | "hours" | "decades" | "seasons"
        );
        match (behind(0), behind(1)) {
            ("or" | "and", "more" | "over" | "above" | "up") | ("at", "least") => return Self::AtLeast,
            ("or" | "and", "fewer" | "less" | "under" | "below") | ("at", "most") => return Self::AtMost,
            ("or", "so") => return Self::About,
            _ => {}
        }
        if reading.text.get(figure.end..).is_some_and(|rest| rest.starts_with('+')) {
            return Self::AtLeast;
        }
        match (word(2), word(1)) {
            ("more" | "greater" | "higher" | "larger" | "longer" | "better", "than") if denied(3) => Self::AtMost,
            ("more" | "greater" | "higher" | "larger" | "longer" | "better", "than") | ("upward" | "upwards", "of") => {
                Self::Above
            }
            ("less" | "fewer" | "lower" | "smaller" | "shorter", "than") if denied(3) => Self::AtLeast,
            ("less" | "fewer" | "lower" | "smaller" | "shorter", "than")
            | ("short" | "shy", "of")
            | (_, "nearly" | "almost" | "under" | "below" | "approaching") => Self::Below,
            ("at", "least") | ("minimum", "of") | ("little" | "few", "as") => Self::AtLeast,
            ("at", "most")
            | (_, "within")
            | ("up", "to")
            | ("maximum" | "ceiling" | "cap" | "limit", "of")
            | ("capped" | "limited", "at" | "to")
            | ("many" | "much", "as") => Self::AtMost,
            (_, "over" | "above") if span => Self::Exact,
            (_, word) if PASSING.contains(word) && denied(2) => Self::AtMost,
            (_, word) if PASSING.contains(word) => Self::Above,
            ("close" | "near", "to")
            | (
                _,
                "about" | "around" | "roughly" | "approximately" | "near" | "circa" | "approx" | "some" | "estimated",
            ) => Self::About,
            _ if before(1) == "some" => Self::About,
            _ => Self::Exact,
        }
    }

    /// Whether a value can be what a figure with this bound tells of.
    pub fn holds(self, told: f64, value: f64) -> bool {
        match self {
            Self::Exact => near(told, value),
            Self::About => (0.92..=1.08).contains(&(value / told)),
            Self::Above => value > told,
            Self::AtLeast => value >= told,
            Self::Below => value < told,
            Self::AtMost => value <= told,
        }
    }

    fn upward(self) -> Option<bool> {
        match self {
            Self::Above | Self::AtLeast => Some(true),
            Self::Below | Self::AtMost => Some(false),
            Self::Exact | Self::About => None,
        }
    }

    /// Whether one says that it is more, and the other that it is less.
    pub fn opposes(self, other: Self) -> bool {
        self.upward().zip(other.upward()).is_some_and(|(one, other)| one != other)
    }

    /// Whether one figure with this bound says what another with the other bound says. "About" may be added or left out.
    pub fn agrees(self, other: Self) -> bool {
        self.upward() == other.upward()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_stands_right_beside_its_figure() {
        for (text, bound) in [
            ("more than 70 boats", Bound::Above),
            ("no more than 70 boats", Bound::AtMost),
            ("at least 70 boats", Bound::AtLeast),
            ("not fewer than 70 boats", Bound::AtLeast),
            ("a maximum of 70 boats", Bound::AtMost),
            ("just short of 70 boats", Bound::Below),
            ("nearly C$70 million", Bound::Below),
            ("some 70 boats", Bound::About),
            ("70 boats or more", Bound::Exact),
            ("70 or more boats", Bound::AtLeast),
            ("over 70 years", Bound::Exact),
            ("It may not cost more than 70 million", Bound::AtMost),
            ("at a cost not to exceed 70 million", Bound::AtMost),
            ("The fleet cannot exceed 70 boats", Bound::AtMost),
            ("It did not last, and more than 70 boats", Bound::Above),
            ("He does not know that more than 70 boats", Bound::Above),
            ("as few as 70 boats", Bound::AtLeast),
            ("capped at 70 boats", Bound::AtMost),
            ("men of 70 and over", Bound::AtLeast),
            ("70 to 90 boats", Bound::AtLeast),
            ("70 boats to 90", Bound::Exact),
            ("from 70 to 90 boats", Bound::Exact),
        ] {
            let reading = ParsedText::new(text);
            let figure = reading.figures.first().unwrap();
            assert_eq!(Bound::of(&reading, figure), bound, "{text}");
        }
    }
}
