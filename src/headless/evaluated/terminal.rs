//! An evaluation for a terminal.

use super::{EvalTable, Evaluation};
use crate::{
    headless::table::{plain, trimmed},
    text::sanitise,
};

#[must_use]
pub fn evaluation_text(evaluation: &Evaluation) -> String {
    let mut parts: Vec<String> = evaluation.tables.iter().map(table).collect();
    parts.extend((!evaluation.notes.is_empty()).then(|| notes(&evaluation.notes)));
    let basis = evaluation.measured_on.parts();
    let basis: Vec<String> = basis.iter().map(|(name, what)| format!("{name}: {}", sanitise::one_line(what))).collect();
    parts.push(basis.join("\n"));
    parts.join("\n\n")
}

fn table(table: &EvalTable) -> String {
    let headings = table.headings();
    let mut shown = plain(&headings.iter().map(String::as_str).collect::<Vec<_>>());
    for row in table.words() {
        shown.add_row(row);
    }
    let mut text = format!("{}\n{}", sanitise::one_line(&table.title), trimmed(&shown));
    if !table.notes.is_empty() {
        text = format!("{text}\n{}", notes(&table.notes));
    }
    text
}

fn notes(notes: &[String]) -> String {
    notes.iter().map(|note| sanitise::one_line(note)).collect::<Vec<_>>().join("\n")
}
