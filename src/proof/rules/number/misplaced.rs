//! The right figure on the wrong thing: two amounts exchanged, or the amount of one thing given to another.
//!
//! Why: every figure of such a sentence is in the source, so that a search finds it. What the source says of the thing is another value.

use crate::proof::{
    binding::tie,
    rules::{number::absent::SMALL, prelude::*},
    sources::tables::may_be_record,
};

pub static RULE: Rule = Rule {
    name: "number.misplaced",
    kind: SpanKind::Number,
    standing: Standing::Contradicted,
    concern_type: ConcernType::InferredFact,
    gravity: Gravity::Note,
    why: "The source gives this figure for something else.",
    source: "The values of a kind in the passage compete for the words around the draft's figure; what stands in the stretch of another figure belongs to that one.",
    ..Rule::USUAL
};

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
    if !ledger.asks(&RULE)
        || small
        || matches!(figure.kind, FigureKind::Year | FigureKind::Date | FigureKind::Time | FigureKind::Fraction)
    {
        return None;
    }
    let archive = &ledger.texts.archive;
    let reading = &field.reading;
    let alignment = ledger.aligned(field, reading.line_of(&figure.tokens));
    let tie = tie(archive, reading, &alignment, figure, matches);
    let (same, other) = (tie.same?, tie.nearest?);
    let source = archive.reading(other.place)?;
    // Tables have a rule of their own.
    if other.near < FITS || other.near < same.near + BETTER || may_be_record(source, other.place.line) {
        return None;
    }
    let right = one_line(source.slice(other.span.clone()));
    Some(
        Fault::new(&RULE, field, figure.start..figure.end)
            .note(format!("The source has {right} here. It gives this figure for something else."))
            .passage(archive.sentence(other.place))
            .removable(),
    )
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::proof::trial::notes;

    const SOURCE: &str = "The judgment requires the laboratory to pay $3,999,500 in civil penalties, $700,000 in costs, and $300,000 for a training \
                          project. Another $200,000 was disbursed for the warehouse roof.";

    fn found(draft: &str) -> Vec<(String, String)> {
        notes(draft, SOURCE)
            .into_iter()
            .filter(|row| row.rule == RULE.name)
            .map(|row| (row.text, row.note.unwrap_or_default()))
            .collect()
    }

    #[test]
    fn amounts_that_were_exchanged_are_found() {
        let draft = "The laboratory is to pay $3,999,500 in civil penalties, $300,000 in costs and $700,000 for a training project.";
        let note = |right: &str| format!("The source has {right} here. It gives this figure for something else.");
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
