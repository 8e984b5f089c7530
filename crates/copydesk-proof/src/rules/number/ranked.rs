//! The first or the last of a table's rows: `turnout was highest in Northgate`.
//!
//! Why: the figure beside it may be right, and a reader sees only in the table that another row is higher.

use crate::{
    reading::near,
    rules::{number::worked::RULE, prelude::*},
    sources::{
        of_line, siblings,
        tables::{RECORDS, tables, whole_column, words_of},
    },
};

static HIGHEST: WordList = words("highest largest biggest most longest greatest tallest oldest heaviest costliest");
static LOWEST: WordList = words("lowest smallest fewest least shortest youngest lightest cheapest");

/// Words before a superlative that make it another one: `second highest`, `among the largest`.
static OTHER: WordList = words("second third fourth fifth second- one among not at");

/// A table of fewer rows ranks nothing.
const ROWS: usize = 3;

/// The values of a column that is longer than a table is read: by source and column.
type LongColumn<'d> = ((usize, usize), Vec<&'d Figure>);

/// Enters each superlative of a row and a column of a table in which another row is higher, or lower.
pub fn check(ledger: &mut LedgerWriter<'_, '_>) {
    let texts = ledger.texts;
    let mut long = Vec::new();
    for Spot { field, index: line, item } in texts.sentences().filter(|spot| !spot.item.heading) {
        for at in item.tokens.clone() {
            if let Some(found) = outranked(texts, field, (line, at), &mut long) {
                ledger.enter(found);
            }
        }
    }
}

fn outranked<'d>(
    texts: &'d ProofTexts<'_>,
    field: &DraftField<'_>,
    (line, at): (usize, usize),
    long: &mut Vec<LongColumn<'d>>,
) -> Option<Fault> {
    let reading = &field.reading;
    let token = reading.tokens.get(at).filter(|token| !token.quoted())?;
    let high = HIGHEST.contains(&token.word);
    let before = at.saturating_sub(3)..at;
    let before = reading.tokens.get(before)?.iter().filter(|token| token.line == line);
    if !high && !LOWEST.contains(&token.word) || before.into_iter().any(|token| OTHER.contains(&token.word)) {
        return None;
    }
    let words = words_of(reading, line);
    let archive = &texts.archive;
    let (source, table, row, column) = tables(archive, &of_line(reading, line)).find_map(|(source, table)| {
        let (columns, rows) = table.named(&words);
        let row = *rows.first().filter(|_| rows.len() == 1)?;
        // "Turnout was highest in Northgate, where 36 per cent of the electorate voted."
        let apart = |column: &usize| {
            let line = reading.lines.get(line)?.tokens.clone();
            let is = |at: &usize| {
                reading
                    .tokens
                    .get(*at)
                    .zip(table.columns.get(*column))
                    .is_some_and(|(token, name)| name.own.contains(&token.stem.as_str()))
            };
            line.filter(is).map(|place| place.abs_diff(at)).min()
        };
        let column = columns.into_iter().min_by_key(apart)?;
        Some((source, table, row, column))
    })?;
    let own = table.cell(row, column)?;
    let text = archive.readings.get(source)?;
    let values: Vec<&Figure> = if table.rows.len() < RECORDS {
        table.values(column).map(|(_, figure)| figure).collect()
    } else {
        let known = long.iter().find(|(known, ..)| *known == (source, column)).map(|(_, values)| values.clone());
        known.unwrap_or_else(|| {
            let values = whole_column(text, own.start, column);
            long.push(((source, column), values.clone()));
            values
        })
    };
    let first = values.iter().copied().reduce(
        |first, figure| {
            if (figure.value > first.value) == high { figure } else { first }
        },
    )?;
    if values.len() < ROWS || near(first.value, own.value) || !values.iter().all(|figure| figure.comparable(own)) {
        return None;
    }
    // "The biggest gain, 3,600": the sentence ranks by the column of its own figure.
    let ranks = |own: &Figure| {
        (0..table.columns.len()).any(|at| {
            let mut values = table.values(at).map(|(_, figure)| figure).peekable();
            let has = table.cell(row, at).is_some_and(|cell| cell.same(own));
            has && values.peek().is_some()
                && values.all(|other| near(other.value, own.value) || (other.value < own.value) == high)
        })
    };
    if siblings(reading, line).iter().any(ranks) {
        return None;
    }
    let shown = |figure: &Figure| one_line(text.slice(figure.start..figure.end));
    let note = format!("The table has {} here, and {} in another row.", shown(own), shown(first));
    let passage = archive.sentence(SourceLine { source, line: text.line_of(&first.tokens) });
    Some(Fault::new(&RULE, field, token.start..token.end).note(note).passage(passage))
}

#[cfg(test)]
mod tests {
    use crate::testing::rules_of;

    #[test]
    fn a_superlative_is_that_of_its_column() {
        let source = "| Ward | Votes | Turnout |\n|---|---|---|\n| Northgate | 3,029 | 36.0% |\n| Saltmarsh | 2,831 | 41.0% |\n\
                      | Castle | 2,387 | 33.0% |\n| Total | 8,247 | 36.4% |\n";
        for (draft, wrong) in [
            ("Turnout was highest in Northgate.", true),
            ("Turnout was highest in Northgate, where 36 per cent cast their votes.", true),
            ("Turnout was highest in Saltmarsh.", false),
            ("Turnout was second highest in Northgate.", false),
            ("Turnout was lowest in Saltmarsh.", true),
            ("Turnout was lowest in Castle.", false),
            ("The most votes were cast in Castle.", true),
            ("The most votes were cast in Northgate.", false),
        ] {
            assert_eq!(rules_of(draft, source).contains(&"number.worked".to_owned()), wrong, "{draft}");
        }
        let letters = |at: usize| at.to_string().bytes().map(|digit| char::from(digit + 49)).collect::<String>();
        let row = |at: usize| format!("- Ward: M{}wick; Votes: {}\n", letters(at), 3_000 + at % 5_000);
        let long: String = (0..5_001).map(row).collect();
        for (at, wrong) in [(77, true), (4_999, false)] {
            let draft = format!("The most votes were cast in M{}wick.", letters(at));
            assert_eq!(rules_of(&draft, &long).contains(&"number.worked".to_owned()), wrong, "{draft}");
        }
    }
}
