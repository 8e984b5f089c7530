//! Tables: a figure from the wrong row.
//!
//! Why: in a table, a number means nothing without its row. The 86 beds are Oxley's or Port Merrin's. A reporter who
//! reads one line too far copies a wrong figure that the source contains. A table's record is a line `- Hospital:
//! Oxley; Beds: 86` (the form in which documents are read): its first cell says to whom the others belong.

use std::ops::Range;

use crate::{
    rules::prelude::*,
    sources::{
        derivation::shown,
        tables::{record, speaks, stems, table, value},
    },
};

pub static RULE: Rule = Rule {
    name: "number.row",
    kind: SpanKind::Number,
    standing: Standing::Contradicted,
    concern_type: ConcernType::InferredFact,
    why: "This figure is from another row of the table.",
    source: "The first cell of a row says to whom its other cells belong.",
    ..Rule::USUAL
};

/// Reports a figure that the table has only in another row than the draft's.
pub fn row(
    texts: &ProofTexts<'_>,
    field: &DraftField<'_>,
    figure: &Figure,
    matches: &[(SourceLine, &Figure)],
) -> Option<Fault> {
    let archive = &texts.archive;
    let reading = &field.reading;
    let line = reading.tokens.get(figure.tokens.start)?.line;
    let draft: Vec<Token> = reading
        .line_tokens(line)
        .iter()
        .filter(|token| token.start < figure.start || token.start >= figure.end)
        .cloned()
        .collect();
    let mut cells = Vec::new();
    for (place, theirs) in matches {
        let source = archive.reading(*place)?;
        let own = record(source, place.line)?;
        if speaks(&draft, source, &own) {
            return None;
        }
        let (column, _) = own.cells.iter().find(|(_, cell)| cell.contains(&theirs.tokens.start))?;
        cells.push((*place, source, stems(source, column)));
    }
    // Each column of a table is searched only once, even if the value stands in many rows.
    let mut looked: Vec<(usize, Range<usize>, Vec<&str>)> = Vec::new();
    let other = cells.into_iter().find_map(|(place, source, column)| {
        let again = |(at, lines, name): &(usize, Range<usize>, Vec<&str>)| {
            *at == place.source && lines.contains(&place.line) && *name == column
        };
        if looked.iter().any(again) {
            return None;
        }
        let records = table(source, place);
        looked.push((place.source, records.first()?.0..records.last()?.0 + 1, column.clone()));
        records.into_iter().find_map(|(line, record)| {
            let cell = record.cells.iter().find(|(name, _)| stems(source, name) == column).map(|(_, cell)| cell)?;
            let right = value(source, cell)?;
            (speaks(&draft, source, &record) && !right.same(figure))
                .then(|| (SourceLine { line, ..place }, shown(source, right)))
        })
    });
    let (place, right) = other?;
    Some(
        Fault::new(&RULE, field, figure.start..figure.end)
            .note(format!("The table has {right} here. This figure is from another row."))
            .passage(archive.sentence(place))
            .removable(),
    )
}

#[cfg(test)]
mod tests {
    use crate::{
        check::ledger,
        rule::Gravity,
        testing::{check_texts, texts},
    };
    use copydesk_newsroom::{SpanKind, Standing};

    const SOURCE: &str = "- Hospital: Oxley; Beds: 86; Nurses: 64; Cost ($): 14\n- Hospital: Port Merrin; Beds: 30; Nurses: 9; Cost ($): 15\n- Hospital: Wexcombe; Beds: 12; \
                          Nurses: 22\n\nThe board met.\n\n- Route: 3; Riders: 412,300\n- Route: 11; Riders: 198,100\n";

    fn found(draft: &str) -> Vec<(String, String, String)> {
        check_texts(draft, SOURCE).into_iter().map(|f| (f.rule, f.text, f.note)).collect()
    }

    #[test]
    fn a_figure_of_another_row_is_found() {
        let one = |text: &str, right: &str| {
            [(
                "number.row".to_owned(),
                text.to_owned(),
                format!("The table has {right} here. This figure is from another row."),
            )]
        };
        assert_eq!(found("Port Merrin has 86 beds."), one("86", "30"));
        assert_eq!(found("Route 3 carried 198,100 riders."), one("198,100", "412,300"));
        assert_eq!(found("Oxley has 86 beds and Port Merrin 30. Route 11 carried 198,100 riders."), []);
    }

    #[test]
    fn a_change_is_that_of_one_row() {
        let source = "- Route: 7; Riders 2024: 655,000; Riders 2025: 720,500; Staff: 21\n- Route: 9; Riders 2024: 10,000; Riders 2025: 12,000; Staff: 9\n";
        let of = |draft: &str| check_texts(draft, source).into_iter().map(|f| f.text).collect::<Vec<_>>();
        assert_eq!(of("Route 7 carried 720,500 people in 2025, 10 percent more than the year before."), [""; 0]);
        assert_eq!(of("Riders on route 9 rose by 20 percent."), [""; 0]);
        assert_eq!(of("Riders on route 9 rose by 10 percent."), ["10 percent"]);
        // Riders and staff are not added up.
        assert_eq!(of("Route 9 has 12,009 riders."), ["12,009"]);
    }

    #[test]
    fn the_sum_of_a_column_follows_from_it() {
        let (article, sources) = texts("The three hospitals have 128 beds, and 95 nurses work there.", SOURCE);
        let rows = ledger(&article, &sources, Gravity::Concern).rows;
        let of = |text: &str| {
            let row = rows.iter().find(|row| row.kind == SpanKind::Number && row.text == text);
            row.map(|row| (row.standing, row.note.clone().unwrap_or_default()))
        };
        assert_eq!(of("128"), Some((Standing::Derived, "The sum of the column “bed”.".to_owned())));
        assert_eq!(of("95"), Some((Standing::Derived, "The sum of the column “nurs”.".to_owned())));
        assert_eq!(found("The three hospitals have 118 beds.").len(), 1);
        assert_eq!(found("On average they have 43 beds."), []);
        assert_eq!(found("The routes carried some 0.61 million riders."), []);
    }
}
