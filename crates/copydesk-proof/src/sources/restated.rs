//! Figures that a source states in another form: a rent by the month for one by the year, `one in five` for 20 percent, a date in
//! digits, `FY12` for the fiscal year.
//!
//! Why: a reporter says a figure as readers know it. Neither form is wrong, and neither contradicts the other.

use crate::{
    reading::{Figure, FigureKind, ParsedText, near},
    sources::{SourceArchive, common, of_line},
};
use copydesk_text::tagger::Tag;
use copydesk_text::words::{NumberWord, number_word};

/// How many of a period are in a year.
const PERIODS: [(&[&str], f64); 5] = [
    (&["year", "yearly", "annual", "annually"], 1.0),
    (&["quarter", "quarterly"], 4.0),
    (&["month", "monthly"], 12.0),
    (&["week", "weekly"], 52.0),
    (&["day", "daily"], 365.0),
];

/// A period stands at most so many words from its figure.
const NEAR: usize = 5;

/// A figure for another period is off by at most this part.
const OFF: f64 = 0.02;

/// Whether a source has the figure in another form.
pub fn restated(archive: &SourceArchive<'_>, reading: &ParsedText<'_>, figure: &Figure) -> bool {
    archive.readings.iter().any(|source| match figure.kind {
        FigureKind::Money(_) | FigureKind::Count => by_period(reading, figure, source),
        FigureKind::Percent => shares(source).any(|share| (share * 100.0 - figure.value).abs() <= 0.5),
        FigureKind::Fraction => shares(source).any(|share| (share - figure.value).abs() <= 0.005),
        _ => false,
    }) || figure.kind == FigureKind::Date && (in_digits(archive, figure) || by_the_day(archive, reading, figure))
        || figure.kind == FigureKind::Year && fiscal(archive, figure)
}

/// Whether a figure is the second of a share, as the four of `one in four` and `one out of every four`.
pub fn of_a_share(reading: &ParsedText<'_>, figure: &Figure) -> bool {
    share(reading, figure).is_some()
}

fn by_period(reading: &ParsedText<'_>, figure: &Figure, source: &ParsedText<'_>) -> bool {
    let Some(own) = period(reading, figure) else { return false };
    source.figures.iter().filter(|other| figure.comparable(other)).any(|other| {
        let theirs = period(source, other).filter(|theirs| !near(*theirs, own));
        theirs.is_some_and(|theirs| (other.value * theirs - figure.value * own).abs() <= OFF * figure.value * own)
    })
}

/// How many of the period that a figure is told for are in a year: `$900 a month`, `a monthly rent of $900`.
fn period(reading: &ParsedText<'_>, figure: &Figure) -> Option<f64> {
    let line = reading.line_of(&figure.tokens);
    let near = figure.tokens.start.saturating_sub(NEAR)..figure.tokens.end + NEAR;
    let tokens = reading.tokens.get(near.start..near.end.min(reading.tokens.len()))?;
    let word = |token: &str, before: Option<&str>| {
        let each = matches!(before, Some("a" | "per" | "each" | "every"))
            || token.ends_with("ly")
            || token.starts_with("annual");
        PERIODS.iter().find(|(names, _)| each && names.contains(&token)).map(|(_, in_a_year)| *in_a_year)
    };
    tokens.iter().enumerate().filter(|(_, token)| token.line == line).find_map(|(at, token)| {
        let before = at.checked_sub(1).and_then(|at| tokens.get(at)).map(|token| token.word.as_str());
        word(&token.word, before)
    })
}

/// The shares of a text that are told as `one in five`.
fn shares<'s>(source: &'s ParsedText<'s>) -> impl Iterator<Item = f64> + 's {
    source.figures.iter().filter_map(|figure| share(source, figure))
}

fn share(reading: &ParsedText<'_>, figure: &Figure) -> Option<f64> {
    let word = |at: usize| reading.tokens.get(at).map_or("", |token| token.word.as_str());
    let mut at = figure.tokens.start.checked_sub(1)?;
    if word(at) == "every" {
        at = at.checked_sub(1)?;
    }
    match word(at) {
        "in" => {}
        "of" if at.checked_sub(1).is_some_and(|at| word(at) == "out") => at -= 1,
        _ => return None,
    }
    let part = reading.tokens.get(at.checked_sub(1)?)?;
    let value = match number_word(&part.word) {
        Some(NumberWord::Unit(unit)) => f64::from(unit),
        _ => part.word.parse().ok()?,
    };
    (figure.kind == FigureKind::Count && value >= 1.0 && value < figure.value).then(|| value / figure.value)
}

/// Whether the sources have a date in digits, the month before the day or behind it.
fn in_digits(archive: &SourceArchive<'_>, figure: &Figure) -> bool {
    let Some(year) = figure.year else { return false };
    let (month, day) = ((figure.value / 100.0).floor(), figure.value % 100.0);
    let forms = |year: i64| [format!("{month:.0}/{day:.0}/{year}"), format!("{day:.0}/{month:.0}/{year}")];
    day > 0.0
        && [i64::from(year), i64::from(year) % 100]
            .iter()
            .any(|year| forms(*year).iter().any(|form| archive.has_digits(form)))
}

/// Whether a sentence on the same has the day without its month: `the nominations are due on the 18th`.
fn by_the_day(archive: &SourceArchive<'_>, reading: &ParsedText<'_>, figure: &Figure) -> bool {
    let day = figure.value % 100.0;
    if day < 1.0 {
        return false;
    }
    let own = of_line(reading, reading.line_of(&figure.tokens));
    ["st", "nd", "rd", "th"].iter().map(|ending| format!("{day:.0}{ending}")).any(|word| {
        archive.places_of(&word).any(|place| {
            let Some(source) = archive.reading(place) else { return false };
            let grammar = source.grammar(place.line);
            let range = source.lines.get(place.line).map_or(0..0, |line| line.tokens.clone());
            // "The 18th hole" is no day.
            let told = range.clone().any(|at| {
                let is = |at: usize, word: &str| source.tokens.get(at).is_some_and(|token| token.word == word);
                let thing = range.contains(&(at + 1))
                    && (grammar.tag(at + 1).is_noun() || grammar.tag(at + 1) == Tag::Adjective)
                    && source
                        .tokens
                        .get(at)
                        .zip(source.tokens.get(at + 1))
                        .is_some_and(|(day, next)| next.start == day.end + 1);
                is(at, &word) && at.checked_sub(1).is_some_and(|before| is(before, "the")) && !thing
            });
            told && common(&own, &of_line(source, place.line)) > 0
        })
    })
}

/// Whether the sources have a fiscal year in its short form: `FY12`, `FY2012`.
fn fiscal(archive: &SourceArchive<'_>, figure: &Figure) -> bool {
    let year = figure.value;
    let forms = [format!("fy{:02.0}", year % 100.0), format!("fy{year:.0}")];
    forms.iter().any(|form| archive.seen(form).is_some())
}

#[cfg(test)]
mod tests {
    use crate::testing::check_texts;

    #[test]
    fn a_figure_may_be_told_in_another_form() {
        for (draft, source) in [
            ("The berth costs $10,800 a year.", "The berth costs $900 a month. The pool is shut."),
            ("The warden earns $1,000 a week.", "The warden’s annual pay is $52,000. The pool is shut."),
            ("Some 25 percent of the lamps were broken.", "One in four lamps was broken. The pool is shut."),
            ("Some 40 percent of the lamps were broken.", "Two out of every five lamps were broken. The pool is shut."),
            ("One in four lamps was broken.", "Of 200 lamps 50 were broken. The pool is shut."),
            ("The pool was shut on May 6, 2021.", "Notice of 5/6/2021: the pool is shut."),
            ("The pool was shut on May 6, 2021.", "Notice of 06.05.21: the pool is shut."),
            ("In 2012 the pool was shut.", "The pool was shut in FY12."),
            ("The pool shuts on May 18.", "In May we met. The pool is to be shut on the 18th."),
        ] {
            assert_eq!(check_texts(draft, source), [], "{draft}");
        }
        for (draft, source) in [
            ("The berth costs $11,800 a year.", "The berth costs $900 a month. The pool is shut."),
            ("The pool was shut on May 7, 2021.", "Notice of 5/6/2021: the pool is shut."),
            ("The pool shuts on May 18.", "In May we met. The pool is at the 18th hole. Lamps go on the 18th."),
        ] {
            assert_eq!(check_texts(draft, source).len(), 1, "{draft}");
        }
    }
}
