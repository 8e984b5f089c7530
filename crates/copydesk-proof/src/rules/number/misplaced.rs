//! The right figure on the wrong thing: the amount or the date of one thing given to another.
//!
//! Why: every figure of such a sentence is in the source, so that a search finds it. What the source says of the thing is another value.

use std::ops::Range;

use crate::{
    binding::{Alignment, FigureFit, Tie, tie},
    rules::{number::absent::SMALL, prelude::*},
    sources::{companions, siblings, tables::may_be_record},
};

pub static RULE: Rule = Rule {
    name: "number.misplaced",
    kind: SpanKind::Number,
    standing: Standing::Contradicted,
    concern_type: ConcernType::InferredFact,
    gravity: Gravity::Note,
    why: "The source gives this figure for something else.",
    source: "The values of a kind in the passage compete for the words around the draft's figure; what stands in the stretch of another figure belongs to that one.",
    measured: Some(Measured { right: 35, of: 51, on: SUMMARIES }),
};

/// A date or a year on the wrong event.
pub static DATE: Rule = Rule {
    name: "date.misplaced",
    gravity: Gravity::Concern,
    kind: SpanKind::Date,
    why: "The source gives this date for something else.",
    source: "The passage of the sentence has one other date, and none of the places of this one has as much of the sentence.",
    measured: None,
    ..RULE
};

/// A date's passage has so much of the sentence, at least, and the places of the draft's date so much less.
const EVENT: f64 = 0.6;
const ELSEWHERE: f64 = 0.35;

/// The other value fits the draft's words so well, at least.
const FITS: f64 = 0.5;

/// And so much better than the draft's own.
const BETTER: f64 = 0.4;

/// Reports a figure whose words belong to another value of the kind.
pub fn misplaced(
    ledger: &LedgerWriter<'_, '_>,
    field: &DraftField<'_>,
    figure: &Figure,
    matches: &[(SourceLine, &Figure)],
) -> Option<Fault> {
    // The reporter's own small counts are not exchanged.
    let small = figure.spelled && figure.value <= SMALL;
    // Tallies have a rule of their own.
    if small || figure.partner.is_some() || matches!(figure.kind, FigureKind::Time | FigureKind::Fraction) {
        return None;
    }
    let archive = &ledger.texts.archive;
    let reading = &field.reading;
    let alignment = ledger.aligned(field, reading.line_of(&figure.tokens));
    let tie = tie(archive, reading, &alignment, figure, matches);
    // A value that the sentence has as well belongs to that one.
    let used = |other: &FigureFit| {
        let theirs = archive.reading(other.place).map_or(&[][..], |source| siblings(source, other.place.line));
        let theirs = theirs.iter().find(|theirs| theirs.start == other.span.start);
        theirs.is_none_or(|theirs| companions(reading, figure).any(|own| own.same(theirs)))
    };
    // Tables have a rule of their own.
    let record =
        |other: &FigureFit| archive.reading(other.place).is_none_or(|source| may_be_record(source, other.place.line));
    let plain = tie.taken().filter(|other| !used(other) && !record(other));
    // The head of the document dates what it reports.
    if tie.heading.is_some() {
        return None;
    }
    if matches!(figure.kind, FigureKind::Year | FigureKind::Date) {
        let other = date(archive, reading, figure, &tie, &alignment);
        let sure = other.and_then(|other| fault(ledger, field, figure, &DATE, other));
        return sure
            .or_else(|| fault(ledger, field, figure, &RULE, plain.map(|other| (other.place, other.span.clone()))?));
    }
    let loose = || {
        let (same, other) = (tie.same.as_ref()?, tie.nearest.as_ref().filter(|other| !record(other))?);
        let fits = other.near >= FITS && other.near >= same.near + BETTER && other.whole >= same.whole;
        fits.then_some(other)
    };
    let other = plain.or_else(loose)?;
    fault(ledger, field, figure, &RULE, (other.place, other.span.clone()))
}

fn fault(
    ledger: &LedgerWriter<'_, '_>,
    field: &DraftField<'_>,
    figure: &Figure,
    rule: &'static Rule,
    (place, span): (SourceLine, Range<usize>),
) -> Option<Fault> {
    let archive = &ledger.texts.archive;
    let source = archive.reading(place).filter(|_| ledger.looks(rule))?;
    let dated = matches!(figure.kind, FigureKind::Year | FigureKind::Date);
    let what = if dated { "date" } else { "figure" };
    let note =
        format!("The source has {} here. It gives this {what} for something else.", one_line(source.slice(span)));
    Some(Fault::new(rule, field, figure.start..figure.end).note(note).passage(archive.sentence(place)).removable())
}

/// The date of the event, if it has another one.
fn date(
    archive: &SourceArchive<'_>,
    reading: &ParsedText<'_>,
    figure: &Figure,
    tie: &Tie,
    alignment: &Alignment,
) -> Option<(SourceLine, Range<usize>)> {
    let window = alignment.windows.first().filter(|window| window.share >= EVENT)?;
    let source = archive.reading(window.place)?;
    // A heading's date is that of the whole text.
    if source.heads(window.place.line) {
        return None;
    }
    let here = siblings(source, window.place.line);
    // What the passage itself has may be a matter of order.
    if here.iter().any(|theirs| theirs.same(figure) && theirs.kind == figure.kind) && !exchanges(reading, figure, here)
    {
        return None;
    }
    let mut others = here.iter().filter(|theirs| theirs.kind == figure.kind && figure.comparable(theirs));
    let only = others.next().filter(|other| !other.same(figure) && others.all(|next| next.same(other)));
    let only = only.map(|other| other.start..other.end).filter(|_| {
        tie.same.as_ref().is_none_or(|same| {
            same.whole < ELSEWHERE && !alignment.windows.iter().any(|window| window.lines.contains(&same.place.line))
        })
    });
    // With several dates in the passage, the words around each decide.
    let nearest = tie.nearest.as_ref().filter(|other| {
        let (near, whole) = tie.same.as_ref().map_or((0.0, 0.0), |same| (same.near, same.whole));
        other.place == window.place && other.near >= FITS && other.near >= near + BETTER && other.whole > whole
    });
    Some((window.place, only.or_else(|| nearest.map(|other| other.span.clone()))?))
}

/// Whether the draft's sentence has another date of the passage, so that the two may be exchanged.
fn exchanges(reading: &ParsedText<'_>, figure: &Figure, here: &[Figure]) -> bool {
    let beside = siblings(reading, reading.line_of(&figure.tokens)).iter().filter(|other| other.kind == figure.kind);
    let mut others = beside.filter(|other| !other.same(figure));
    others.any(|other| here.iter().any(|theirs| theirs.same(other)))
}

#[cfg(test)]
mod tests {
    use super::{DATE, RULE};
    use crate::{check::ledger, rule::Gravity, testing::texts};

    const SOURCE: &str = "There was a $100,000 expenditure to buy radio equipment for an island country. Another $200,000 was disbursed for the \
                          warehouse roof. The harbour opened in May last year, nine months ago, to much noise. In August last year the warden \
                          spoke of herring.";

    fn found(draft: &str) -> Vec<(String, String, String)> {
        let (article, sources) = texts(draft, SOURCE);
        let rows = ledger(&article, &sources, Gravity::Note).rows.into_iter();
        let rows = rows.filter(|row| [RULE.name, DATE.name].contains(&row.rule.as_str()));
        rows.map(|row| (row.rule, row.text, row.note.unwrap_or_default())).collect()
    }

    #[test]
    fn a_figure_of_something_else_is_found() {
        let one = |rule: &str, text: &str, note: &str| [(rule.to_owned(), text.to_owned(), note.to_owned())];
        assert_eq!(
            found("Some $200,000 went for radio equipment for an island country."),
            one(RULE.name, "$200,000", "The source has $100,000 here. It gives this figure for something else.")
        );
        assert_eq!(
            found("The harbour opened nine months ago, in August last year."),
            one(
                DATE.name,
                "August last year",
                "The source has May last year here. It gives this date for something else."
            )
        );
    }

    #[test]
    fn figures_in_their_place_may_stand() {
        for fine in [
            "Some $100,000 went for radio equipment for an island country.",
            "The warehouse roof took $200,000.",
            "The harbour opened nine months ago, in May last year.",
            "The warden spoke of herring in August last year.",
        ] {
            assert_eq!(found(fine), [], "{fine}");
        }
    }
}
