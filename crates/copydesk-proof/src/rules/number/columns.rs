//! The right figure of another column or row of a table: `940 million in 2023` from the column of 2022.
//!
//! Why: the figure, the row and the column stand close together in the source. A search finds all three.

use crate::{
    binding::belonging,
    rules::{number::contradicted::contradicted, prelude::*},
    sources::tables::{SourceTable, words_of},
};

/// The finding for a figure of another column or row than the draft's words name. Each source has it only there.
pub fn another(
    ledger: &LedgerWriter<'_, '_>,
    field: &DraftField<'_>,
    figure: &Figure,
    matches: &[(SourceLine, &Figure)],
) -> Option<Fault> {
    let reading = &field.reading;
    let archive = &ledger.texts.archive;
    let line = reading.line_of(&figure.tokens);
    let sentence = words_of(reading, line);
    let clause = belonging(reading, line, figure).into_iter().filter_map(|at| reading.tokens.get(at));
    let clause: Vec<&str> = clause.map(|token| token.stem.as_str()).collect();
    let mut wrong = None;
    for (place, theirs) in matches {
        let source = archive.reading(*place)?;
        let table = SourceTable::around(source, theirs.start)?;
        let (row, column) = table.place(theirs.start)?;
        let written = table.cell(row, column)?;
        let other = |row: usize, column: usize| {
            table.cell(row, column).filter(|other| written.comparable(other) && !written.same(other))
        };
        let name = &table.rows.get(row)?.name;
        let unnamed = !name.own.iter().any(|word| sentence.contains(word));
        let mut rivals: Vec<&Figure> = match (name.is_in(&sentence), table.columns.get(column)?.is_in(&clause)) {
            (true, false) => table.named(&clause).0.into_iter().filter_map(|at| other(row, at)).collect(),
            (false, true) if unnamed => {
                table.named(&sentence).1.into_iter().filter_map(|at| other(at, column)).collect()
            }
            _ => return None,
        };
        let rival = rivals.pop().filter(|_| rivals.is_empty())?;
        wrong = wrong.or(Some((*place, rival)));
    }
    let (place, rival) = wrong?;
    let place = SourceLine { line: archive.reading(place)?.line_of(&rival.tokens), ..place };
    Some(contradicted(ledger.texts, field, figure, (place, rival), true))
}

#[cfg(test)]
mod tests {
    use crate::testing::rules_of;

    #[test]
    fn a_figure_belongs_to_its_row_and_its_column() {
        let bars = "| Country | 2022 | 2023 |\n|---|---|---|\n| Poland | 14.3 | 24.9 |\n| Romania | 4.7 | 5.1 |\n";
        let blanks = "Key figures\n\n                 2023     2022\nSales, EURm       812      940\nEmployees       3,100    3,240\n";
        let records = "- Ward: Eastgate; Votes for: 812; Votes against: 455\n- Ward: Millbrook; Votes for: 390; Votes against: 702\n";
        for (source, draft, wrong) in [
            (bars, "Poland spent 24.9 on defence in 2022, and Romania 5.1 in 2023.", true),
            (bars, "Poland spent 14.3 on defence in 2022, and Romania 5.1 in 2023.", false),
            (bars, "Romania spent 24.9 on defence in 2023.", true),
            (bars, "Romania spent less than Poland's 24.9 in 2023.", false),
            (bars, "Defence cost 24.9.", false),
            (blanks, "Sales came to 940 million euros in 2023.", true),
            (blanks, "Sales came to 812 million euros in 2023, after 940 million in 2022.", false),
            (blanks, "The mill had 3,240 employees in 2023.", true),
            (records, "In Millbrook 812 people voted for the plan.", true),
            (records, "In Eastgate 812 people voted for the plan, 455 against.", false),
        ] {
            assert_eq!(rules_of(draft, source).contains(&"number.contradicted".to_owned()), wrong, "{draft}");
        }
    }

    #[test]
    fn a_column_or_the_named_rows_add_up() {
        let years =
            "Roads of Lie\n\nYear   Killed   Hurt\n2021       31    204\n2022       27    221\n2023       36    198\n";
        let cargo = "- Cargo: Timber; 2024: 184; 2025: 161\n- Cargo: Grain; 2024: 92; 2025: 138\n- Cargo: Total; 2024: 323; 2025: 346\n";
        for (source, draft, fine) in [
            (years, "Over the three years 94 people were killed.", true),
            (years, "Over the three years 95 people were killed.", false),
            (cargo, "The port handled 299 tonnes of timber and grain in 2025.", true),
            (cargo, "The port handled 289 tonnes of timber and grain in 2025.", false),
        ] {
            assert_eq!(rules_of(draft, source).is_empty(), fine, "{draft}");
        }
    }

    #[test]
    fn a_multiple_is_that_of_two_cells() {
        let years =
            "Roads of Lie\n\nYear   Killed   Hurt\n2021       31    204\n2022       36    221\n2023       18    198\n";
        let cargo = "- Cargo: Timber; 2024: 184; 2025: 161\n- Cargo: Grain; 2024: 92; 2025: 138\n";
        for (source, draft, wrong) in [
            (years, "The number of people killed doubled between 2022 and 2023.", true),
            (years, "The number of people killed halved between 2022 and 2023.", false),
            (cargo, "Grain doubled to 138 in 2025.", true),
            (cargo, "Grain grew by half to 138 in 2025.", false),
        ] {
            assert_eq!(rules_of(draft, source).contains(&"number.worked".to_owned()), wrong, "{draft}");
        }
    }
}
