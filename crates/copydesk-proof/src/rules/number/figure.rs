//! A figure of the draft in the form that the rules judge: in its sentence, beside the places of the sources that have its value.

use std::ops::Deref;

use crate::{
    reading::{month, near},
    rules::prelude::*,
    sources::{counted, figures_at, siblings},
};

/// A figure of the draft.
pub struct DraftFigure<'c> {
    sentence: DraftSentence<'c>,
    pub figure: &'c Figure,
    /// The places of the sources that have its value.
    pub matches: Vec<(SourceLine, &'c Figure)>,
}

impl<'c> Deref for DraftFigure<'c> {
    type Target = DraftSentence<'c>;

    fn deref(&self) -> &DraftSentence<'c> {
        &self.sentence
    }
}

impl<'c> DraftFigure<'c> {
    pub fn new(ledger: &'c LedgerWriter<'c, 'c>, field: &'c DraftField<'c>, figure: &'c Figure) -> Self {
        let sentence = DraftSentence::new(ledger, field, field.reading.line_of(&figure.tokens));
        let matches = occurrences(sentence.archive, figure);
        Self { sentence, figure, matches }
    }

    /// The noun that it counts.
    pub fn noun(&self) -> Option<&'c Token> {
        counted(self.reading, self.figure)
    }

    /// The share of its sentence that one of the passages has, the figures apart.
    pub fn carried(&self) -> f64 {
        self.ledger.carried(self.field, &self.figure.tokens)
    }

    /// A finding at it.
    pub fn fault(&self, rule: &'static Rule, note: String, place: Option<SourceLine>) -> Fault {
        self.found(rule, self.figure.start..self.figure.end, note, place)
    }
}

/// The places in the sources with the same value, and for a tally with its other number beside it.
pub fn occurrences<'d>(archive: &'d SourceArchive<'_>, figure: &Figure) -> Vec<(SourceLine, &'d Figure)> {
    let mut found = archive.equal(figure);
    if found.is_empty() {
        found = in_parts(archive, figure);
    }
    // "In May" is neither May 18 nor the May of any year.
    if figure.kind == FigureKind::Date && !figure.bare_month() {
        let dated = |place: SourceLine| {
            let (Some(year), Some(reading)) = (figure.year, archive.reading(place)) else { return false };
            let is = |other: &Figure| other.kind == FigureKind::Year && near(other.value, f64::from(year));
            let own = reading.figures.iter().find_map(|date| date.year);
            near(figure.value % 100.0, 0.0) && (siblings(reading, place.line).iter().any(is) || own == Some(year))
        };
        found.retain(|(place, theirs)| !theirs.bare_month() || dated(*place));
    }
    // "8 percent" is not eight drivers. But in a table or a list, the word for it may stand only in the heading.
    if figure.kind == FigureKind::Percent {
        found.retain(|(place, theirs)| {
            theirs.kind != FigureKind::Count || !theirs.spelled && of_shares(archive, *place)
        });
    }
    if let Some(mine) = figure.partner {
        found.retain(|(place, theirs)| {
            theirs.partner.is_none_or(|other| near(other, mine))
                || figures_at(archive, *place).iter().any(|figure| near(figure.value, mine))
        });
    }
    found
}

/// The sentences of the sources that have the month and the year of a date apart from each other: `in April, in the last
/// week of 1986` for April 1986.
fn in_parts<'d>(archive: &'d SourceArchive<'_>, figure: &Figure) -> Vec<(SourceLine, &'d Figure)> {
    let month_alone = figure.kind == FigureKind::Date && near(figure.value % 100.0, 0.0);
    let Some(year) = figure.year.filter(|_| month_alone) else { return Vec::new() };
    let mut found = archive.equal(&Figure { kind: FigureKind::Year, value: f64::from(year), ..figure.clone() });
    found.retain(|(place, theirs)| {
        let told = |token: &Token| month(token).is_some_and(|month| near(f64::from(month * 100), figure.value));
        theirs.kind == FigureKind::Year && archive.tokens(*place).iter().any(told)
    });
    found
}

/// Whether a passage speaks of shares.
fn of_shares(archive: &SourceArchive<'_>, place: SourceLine) -> bool {
    let Some(reading) = archive.reading(place) else { return false };
    archive.window(place, 1).any(|line| {
        let told = |token: &Token| {
            matches!(token.word.as_str(), "percent" | "percentage" | "pct" | "share" | "rate" | "points")
        };
        reading.line_text(line).contains('%') || reading.line_tokens(line).iter().any(told)
    })
}
