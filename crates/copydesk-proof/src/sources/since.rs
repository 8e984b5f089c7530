//! Years since: `for 17 years`, if the source of 2026 says `since 2009`.
//!
//! Why: reporters often count like this, and no source has the number.

use crate::{
    reading::{Figure, FigureKind, ParsedText},
    sources::{SourceArchive, SourceLine, derivation::Derivation, of_line, siblings},
};

/// How a count of years follows from a year of a source and the source's own date.
pub fn derived(archive: &SourceArchive<'_>, reading: &ParsedText<'_>, figure: &Figure) -> Option<Derivation> {
    let behind = reading.tokens.get(figure.tokens.end)?;
    let years = figure.kind == FigureKind::Count && matches!(behind.word.as_str(), "year" | "years");
    if !years || figure.value.fract() != 0.0 {
        return None;
    }
    let line = reading.tokens.get(figure.tokens.start)?.line;
    // A source's own date stands first in it.
    let year_of = |reading: &ParsedText<'_>| {
        reading.figures.iter().filter(|date| date.kind == FigureKind::Date).find_map(|date| date.year)
    };
    let dates: Vec<Option<u32>> = archive.readings.iter().map(year_of).collect();
    archive.sharing(&of_line(reading, line), 1).iter().find_map(|&place| {
        let now = dates.get(place.source).copied().flatten()?;
        from(archive, place, now, figure.value)
    })
}

fn from(archive: &SourceArchive<'_>, place: SourceLine, now: u32, count: f64) -> Option<Derivation> {
    let reading = archive.reading(place)?;
    siblings(reading, place.line).iter().find_map(|year| {
        let first = (year.kind == FigureKind::Year).then_some(year.value)?;
        let most = f64::from(now) - first;
        let fits = most > 0.0 && (most - count).abs() < 0.5 || most > 1.0 && (most - 1.0 - count).abs() < 0.5;
        let range = reading.lines.get(place.line).map(|line| line.start..line.end)?;
        let note = format!("From {first} to {now} it is {most} years, or one less.");
        fits.then_some(Derivation { source: place.source, range, note })
    })
}

#[cfg(test)]
mod tests {
    use crate::{
        check::ledger,
        rule::Gravity,
        testing::{rules_of, texts},
    };
    use copydesk_newsroom::{SpanKind, Standing};

    const SOURCE: &str = "Recorded October 6, 2026. Lindqvist has been with the transit company since 2009.";

    #[test]
    fn years_since_follow_and_others_do_not() {
        for draft in
            ["Lindqvist has worked for the company for 17 years.", "Lindqvist joined the company 16 years ago."]
        {
            let (article, sources) = texts(draft, SOURCE);
            let rows = ledger(&article, &sources, Gravity::Concern).rows;
            let row = rows.into_iter().find(|row| row.kind == SpanKind::Number).unwrap();
            let note = "From 2009 to 2026 it is 17 years, or one less.";
            assert_eq!((row.standing, row.note.as_deref()), (Standing::Derived, Some(note)), "{draft}");
        }
        assert_eq!(rules_of("Lindqvist has worked for the company for 19 years.", SOURCE), ["number.uncounted"]);
    }
}
