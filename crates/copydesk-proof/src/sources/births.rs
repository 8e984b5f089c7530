//! Ages: what follows from the year of a birth and the year of a story. People are a year younger before their
//! birthday, so two ages are right.

use std::ops::RangeInclusive;

use crate::{
    reading::{Figure, FigureKind, ParsedText},
    sources::{SourceArchive, derivation::Derivation, siblings},
    words::base,
};

/// At most so many words stand between an age and its year: `44 years old in 1999`.
const IN_YEAR: usize = 3;

/// A birth that a source mentions, and the ages that follow from it.
pub struct Birth {
    pub derivation: Derivation,
    pub ages: RangeInclusive<f64>,
}

/// How a figure of the draft follows from a birth.
pub fn derived(archive: &SourceArchive<'_>, reading: &ParsedText<'_>, figure: &Figure) -> Option<Derivation> {
    let birth = birth(archive, reading, figure)?;
    birth.ages.contains(&figure.value).then_some(birth.derivation)
}

/// The birth of a person whom the draft's sentence names, if the figure is an age and there is only one such birth.
pub fn birth(archive: &SourceArchive<'_>, reading: &ParsedText<'_>, figure: &Figure) -> Option<Birth> {
    if figure.kind != FigureKind::Count || !(1.0..=120.0).contains(&figure.value) || !is_age(reading, figure) {
        return None;
    }
    let line = reading.tokens.get(figure.tokens.start)?.line;
    let names: Vec<&str> = reading
        .line_tokens(line)
        .iter()
        .filter(|token| token.capital && !token.stop)
        .map(|token| base(&token.word))
        .collect();
    let born = archive.readings.iter().enumerate().find_map(|(source, reading)| {
        let births = (0..reading.lines.len()).filter(|line| {
            let tokens = reading.line_tokens(*line);
            tokens.iter().any(|token| token.word == "born")
                && tokens.iter().any(|token| token.capital && names.contains(&base(&token.word)))
        });
        let mut births = births.filter_map(|line| Some((line, year(siblings(reading, line))?)));
        let first = births.next()?;
        births.next().is_none().then_some((source, reading, first))
    });
    let (source, theirs, (line_there, born)) = born?;
    // An age in the source counts more than one that follows from a birth.
    let stated = (0..theirs.lines.len()).any(|line| {
        let of_them =
            || theirs.line_tokens(line).iter().any(|token| token.capital && names.contains(&base(&token.word)));
        siblings(theirs, line)
            .iter()
            .any(|age| age.kind == FigureKind::Count && is_age(theirs, age) && !age.same(figure))
            && of_them()
    });
    if stated {
        return None;
    }
    // "Aged 44 in 1999" has its year. Otherwise it is the source's own date, which comes first, or the latest year in
    // it.
    let told = siblings(reading, line).iter().find(|year| {
        let gap = reading.tokens.get(figure.tokens.end..year.tokens.start).unwrap_or_default();
        gap.len() <= IN_YEAR && gap.last().is_some_and(|token| token.word == "in")
    });
    let told = told.and_then(year_of);
    let dated = || theirs.figures.iter().filter(|date| date.kind == FigureKind::Date).filter_map(|date| date.year);
    let own = || dated().find(|year| *year > born);
    let now = told.or_else(own).or_else(|| theirs.figures.iter().filter_map(year_of).max())?;
    let oldest = now.checked_sub(born).filter(|age| *age <= 120)?;
    let youngest = oldest.saturating_sub(1);
    let place = theirs.lines.get(line_there)?;
    Some(Birth {
        derivation: Derivation {
            source,
            range: place.start..place.end,
            note: format!("Born in {born}, so {youngest} or {oldest} in {now}."),
        },
        ages: f64::from(youngest)..=f64::from(oldest),
    })
}

fn year(figures: &[Figure]) -> Option<u32> {
    let mut years = figures.iter().filter_map(year_of);
    years.next().filter(|_| years.next().is_none())
}

fn year_of(figure: &Figure) -> Option<u32> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "four digits")]
    let year = || figure.value as u32;
    if figure.kind == FigureKind::Year { Some(year()) } else { figure.year }
}

/// `Reyes, 44, said`, `aged 44`, `44 years old`, `44-year-old`.
fn is_age(reading: &ParsedText<'_>, figure: &Figure) -> bool {
    let word = |at: Option<usize>| at.and_then(|at| reading.tokens.get(at)).map_or("", |token| token.word.as_str());
    let end = figure.tokens.end;
    let old = matches!(word(Some(end)), "year" | "years") && word(Some(end + 1)) == "old";
    let aged = matches!(word(figure.tokens.start.checked_sub(1)), "aged" | "age");
    let head = reading.text.get(..figure.start).unwrap_or_default();
    let tail = reading.text.get(figure.end..).unwrap_or_default();
    let named = figure.tokens.start.checked_sub(1).and_then(|at| reading.tokens.get(at)).is_some_and(|t| t.capital);
    old || aged || named && head.ends_with(", ") && tail.starts_with([',', '.'])
}
