//! The right figure on the wrong thing: two amounts exchanged, or the amount of one thing given to another.
//!
//! Why: every figure of such a sentence is in the source, so that a search finds it. What the source says of the thing is another value.

use std::ops::Range;

use crate::proof::{
    binding::{Alignment, tie},
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
    measured: Some(Measured { right: 11, of: 15, on: SUMMARIES }),
};

/// Two figures of a sentence, each where the source has the other.
pub static EXCHANGED: Rule = Rule {
    name: "number.exchanged",
    gravity: Gravity::Concern,
    why: "The source has these two figures the other way round.",
    source: "As number.misplaced, if the figure that belongs here stands elsewhere in the sentence, and this one belongs there.",
    measured: Some(Measured { right: 1, of: 1, on: SUMMARIES }),
    ..RULE
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
    if small || matches!(figure.kind, FigureKind::Time | FigureKind::Fraction) {
        return None;
    }
    let archive = &ledger.texts.archive;
    let reading = &field.reading;
    let alignment = ledger.aligned(field, reading.line_of(&figure.tokens));
    if matches!(figure.kind, FigureKind::Year | FigureKind::Date) {
        return date(ledger, field, figure, matches, &alignment);
    }
    let tied = |figure: &Figure, matches: &[(SourceLine, &Figure)]| {
        let tie = tie(archive, reading, &alignment, figure, matches);
        let (same, other) = (tie.same?, tie.nearest?);
        // Tables have a rule of their own.
        let record = may_be_record(archive.reading(other.place)?, other.place.line);
        (!record && other.near >= FITS && other.near >= same.near + BETTER).then_some(other)
    };
    let other = tied(figure, matches)?;
    let source = archive.reading(other.place)?;
    let right = one_line(source.slice(other.span.clone()));
    let has = |place: SourceLine, span: &Range<usize>, wanted: &Figure| {
        let figures = archive.reading(place).map_or(&[][..], |source| siblings(source, place.line));
        figures.iter().any(|theirs| theirs.start == span.start && theirs.same(wanted))
    };
    let exchanged = companions(reading, figure).any(|beside| {
        has(other.place, &other.span, beside)
            && tied(beside, &archive.equal(beside)).is_some_and(|back| has(back.place, &back.span, figure))
    });
    let rule = if exchanged { &EXCHANGED } else { &RULE };
    let note = if exchanged {
        format!("The source has {right} here, and this figure in its place.")
    } else {
        format!("The source has {right} here. It gives this figure for something else.")
    };
    ledger.looks(rule).then(|| {
        Fault::new(rule, field, figure.start..figure.end).note(note).passage(archive.sentence(other.place)).removable()
    })
}

/// Reports a date whose event has another one.
fn date(
    ledger: &LedgerWriter<'_, '_>,
    field: &DraftField<'_>,
    figure: &Figure,
    matches: &[(SourceLine, &Figure)],
    alignment: &Alignment,
) -> Option<Fault> {
    let archive = &ledger.texts.archive;
    let window = alignment.windows.first().filter(|window| window.share >= EVENT)?;
    let source = archive.reading(window.place)?;
    // A heading's date is that of the whole text.
    if source.heads(window.place.line) {
        return None;
    }
    let tie = tie(archive, &field.reading, alignment, figure, matches);
    let here = siblings(source, window.place.line);
    // What the passage itself has may be a matter of order.
    if here.iter().any(|theirs| theirs.same(figure) && theirs.kind == figure.kind)
        && !exchanges(&field.reading, figure, here)
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
    let nearest = tie.nearest.filter(|other| {
        let (near, whole) = tie.same.as_ref().map_or((0.0, 0.0), |same| (same.near, same.whole));
        other.place == window.place && other.near >= FITS && other.near >= near + BETTER && other.whole > whole
    });
    let other = only.or_else(|| nearest.map(|other| other.span))?;
    ledger.looks(&DATE).then(|| {
        let right = one_line(source.slice(other));
        Fault::new(&DATE, field, figure.start..figure.end)
            .note(format!("The source has {right} here. It gives this date for something else."))
            .passage(archive.sentence(window.place))
            .removable()
    })
}

/// Whether the draft's sentence has another date of the passage, so that the two may be exchanged.
fn exchanges(reading: &ParsedText<'_>, figure: &Figure, here: &[Figure]) -> bool {
    let beside = siblings(reading, reading.line_of(&figure.tokens)).iter().filter(|other| other.kind == figure.kind);
    let mut others = beside.filter(|other| !other.same(figure));
    others.any(|other| here.iter().any(|theirs| theirs.same(other)))
}

#[cfg(test)]
mod tests {
    use super::{EXCHANGED, RULE};
    use crate::proof::{check::ledger, rule::Gravity, trial::texts};

    const SOURCE: &str = "The judgment requires the laboratory to pay $3,999,500 in civil penalties, $700,000 in costs, and $300,000 for a training \
                          project. Another $200,000 was disbursed for the warehouse roof.";

    fn found(draft: &str) -> Vec<(String, String)> {
        let (article, sources) = texts(draft, SOURCE);
        ledger(&article, &sources, Gravity::Note)
            .rows
            .into_iter()
            .filter(|row| row.rule == RULE.name || row.rule == EXCHANGED.name)
            .map(|row| (row.text, row.note.unwrap_or_default()))
            .collect()
    }

    #[test]
    fn amounts_that_were_exchanged_are_found() {
        let draft = "The laboratory is to pay $3,999,500 in civil penalties, $300,000 in costs and $700,000 for a training project.";
        let note = |right: &str| format!("The source has {right} here, and this figure in its place.");
        assert_eq!(
            found(draft),
            [("$300,000".to_owned(), note("$700,000")), ("$700,000".to_owned(), note("$300,000"))]
        );
    }

    #[test]
    fn amounts_in_their_place_may_stand() {
        for fine in [
            "The laboratory is to pay $3,999,500 in civil penalties, $700,000 in costs and $300,000 for a training project.",
            "Some $300,000 goes to a training project, and $700,000 covers costs.",
            "The warehouse roof took $200,000.",
        ] {
            assert_eq!(found(fine), [], "{fine}");
        }
    }
}
