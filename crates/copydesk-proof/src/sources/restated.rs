//! Figures that a source states in another form: `one in five` for 20 percent, a date in digits, a day without its
//! month.
//!
//! Why: a reporter says a figure as readers know it. Neither form is wrong, and neither contradicts the other.

use crate::{
    reading::{Figure, FigureKind, ParsedText, Token, denies, numerals::value_of},
    sources::{SourceArchive, common, of_line, siblings},
};
use copydesk_text::tagger::Tag;

/// Whether a source has the figure in another form.
pub fn restated(archive: &SourceArchive<'_>, reading: &ParsedText<'_>, figure: &Figure) -> bool {
    archive.readings.iter().any(|source| match figure.kind {
        FigureKind::Percent => {
            shares(source).any(|share| (share * 100.0 - figure.value).abs() <= 0.5) || others(reading, figure, source)
        }
        FigureKind::Fraction => shares(source).any(|share| (share - figure.value).abs() <= 0.005),
        FigureKind::Time => by_the_clock(reading, figure, source),
        _ => false,
    }) || figure.kind == FigureKind::Date && (in_digits(archive, figure) || by_the_day(archive, reading, figure))
}

/// Whether a percentage counts those who did not do what a source says of the rest: `39% were not seen` for `61% were seen`.
fn others(reading: &ParsedText<'_>, figure: &Figure, source: &ParsedText<'_>) -> bool {
    let line = reading.line_of(&figure.tokens);
    let denied = reading.line_tokens(line).iter().any(denies);
    let own = of_line(reading, line);
    source.figures.iter().filter(|other| other.kind == FigureKind::Percent).any(|other| {
        let there = source.line_of(&other.tokens);
        let told = || !some(source, there).iter().any(denies) && common(&own, &of_line(source, there)) > 1;
        (100.0 - other.value - figure.value).abs() <= 0.5
            && (denied && told() || tells_of_the_rest(source, there, &own))
    })
}

/// Whether a sentence tells of some and of `the others`, and has more of these words for the others: `55 per cent sleep badly; all the
/// others sleep well`.
pub fn tells_of_the_rest(source: &ParsedText<'_>, line: usize, own: &[&str]) -> bool {
    let (some, others) = source.line_tokens(line).split_at(some(source, line).len());
    if others.is_empty() {
        return false;
    }
    // Both parts have the subject before the figure.
    let figure = siblings(source, line).first().map_or(0, |figure| figure.end);
    let some = some.get(some.partition_point(|token| token.start < figure)..).unwrap_or_default();
    let has = |part: &[Token]| own.iter().filter(|stem| part.iter().any(|token| token.stem == **stem)).count();
    has(others) > has(some)
}

/// The words of a sentence before it tells of the others.
fn some<'r>(source: &'r ParsedText<'_>, line: usize) -> &'r [Token] {
    let tokens = source.line_tokens(line);
    let rest = |pair: &[Token]| matches!(pair, [the, rest] if the.word == "the" && REST.contains(&&*rest.word));
    tokens.windows(2).position(rest).and_then(|at| tokens.get(..at)).unwrap_or(tokens)
}

/// Words for those who are left.
const REST: [&str; 5] = ["other", "others", "rest", "remainder", "remaining"];

/// The shares of a text that are told as `one in five`.
fn shares<'s>(source: &'s ParsedText<'s>) -> impl Iterator<Item = f64> + 's {
    source.figures.iter().filter_map(|figure| share(source, figure))
}

fn share(reading: &ParsedText<'_>, figure: &Figure) -> Option<f64> {
    let word = |at: usize| reading.word(at);
    let mut at = figure.tokens.start.checked_sub(1)?;
    if word(at) == "every" {
        at = at.checked_sub(1)?;
    }
    match word(at) {
        "in" => {}
        "of" if at.checked_sub(1).is_some_and(|at| word(at) == "out") => at -= 1,
        _ => return None,
    }
    let number = |at: usize| value_of(word(at));
    // "One household in eight"
    let part = at.checked_sub(1)?;
    let value = number(part).or_else(|| number(part.checked_sub(1)?))?;
    (figure.kind == FigureKind::Count && value >= 1.0 && value < figure.value).then(|| value / figure.value)
}

/// A time is shortly after or before another, or about it, if it is at most so many minutes apart.
const SHORTLY: f64 = 30.0;
const ABOUT: f64 = 15.0;

/// Whether a source has the time near which the draft tells of something: `shortly after midnight` for 00:06.
fn by_the_clock(reading: &ParsedText<'_>, figure: &Figure, source: &ParsedText<'_>) -> bool {
    let before = |steps: usize| reading.word_before(figure.tokens.start, steps);
    let (least, most) = match (before(2), before(1)) {
        ("shortly" | "just" | "soon" | "minutes" | "moments", "after") => (0.0, SHORTLY),
        ("shortly" | "just" | "minutes" | "moments", "before") => (-SHORTLY, 0.0),
        (_, "about" | "around" | "nearly" | "almost" | "circa") | ("close", "to") => (-ABOUT, ABOUT),
        _ => return false,
    };
    let own = of_line(reading, reading.line_of(&figure.tokens));
    source.figures.iter().filter(|other| other.kind == FigureKind::Time).any(|other| {
        let off = (other.value - figure.value + 720.0).rem_euclid(1_440.0) - 720.0;
        (least..=most).contains(&off) && common(&own, &of_line(source, source.line_of(&other.tokens))) > 0
    })
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
                let next = source.tokens.get(at..at + 2);
                let thing = range.contains(&(at + 1))
                    && (grammar.tag(at + 1).is_noun() || grammar.tag(at + 1) == Tag::Adjective)
                    && next.is_some_and(|next| matches!(next, [day, next] if next.start == day.end + 1));
                is(at, &word) && at.checked_sub(1).is_some_and(|before| is(before, "the")) && !thing
            });
            told && common(&own, &of_line(source, place.line)) > 0
        })
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::check_texts;

    #[test]
    fn a_figure_may_be_told_in_another_form() {
        for (draft, source) in [
            ("Some 25 percent of the lamps were broken.", "One in four lamps was broken. The pool is shut."),
            ("Some 40 percent of the lamps were broken.", "Two out of every five lamps were broken. The pool is shut."),
            ("One in four lamps was broken.", "Of 200 lamps 50 were broken. The pool is shut."),
            (
                "Some 45 percent of the keepers said they swim well.",
                "Of the keepers 55 percent said they swim badly; all the others said they swim well.",
            ),
            (
                "Some 38 percent of the keepers had not been paid.",
                "62 percent of the keepers had been paid; the rest had not.",
            ),
            ("The pool was shut on May 6, 2021.", "Notice of 5/6/2021: the pool is shut."),
            ("The pool was shut on May 6, 2021.", "Notice of 06.05.21: the pool is shut."),
            ("The pool was shut shortly after midnight.", "The pool was shut at 00:06."),
            ("The pool was shut just before noon.", "The pool was shut at 11:48."),
            ("The pool was shut at about 3 p.m.", "The pool was shut at 15:10."),
            ("The pool shuts on May 18.", "In May we met. The pool is to be shut on the 18th."),
        ] {
            assert_eq!(check_texts(draft, source), [], "{draft}");
        }
        for (draft, source) in [
            ("The pool was shut on May 7, 2021.", "Notice of 5/6/2021: the pool is shut."),
            ("The pool was shut shortly after midnight.", "The pool was shut at 23:50."),
            ("The pool was shut just before noon.", "The pool was shut at 10:48."),
        ] {
            assert_eq!(check_texts(draft, source).len(), 1, "{draft}");
        }
    }
}
