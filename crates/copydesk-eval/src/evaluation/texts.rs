//! An evaluation as a text: for a terminal, and in Markdown.

use copydesk::{headless::set_in, text::sanitise};

use super::{EvalTable, Evaluation};

/// An evaluation for a terminal.
pub(crate) fn evaluation_text(evaluation: &Evaluation) -> String {
    let mut parts: Vec<String> = evaluation.tables.iter().map(for_terminal).collect();
    parts.extend((!evaluation.notes.is_empty()).then(|| in_lines(&evaluation.notes)));
    let basis = evaluation.measured_on.parts();
    let basis: Vec<String> = basis.iter().map(|(name, what)| format!("{name}: {}", sanitise::one_line(what))).collect();
    parts.push(basis.join("\n"));
    parts.join("\n\n")
}

fn for_terminal(table: &EvalTable) -> String {
    let rows: Vec<Vec<String>> = std::iter::once(table.headings()).chain(table.words()).collect();
    let mut text = format!("{}\n{}", sanitise::one_line(&table.title), set_in(&rows));
    if !table.notes.is_empty() {
        text = format!("{text}\n{}", in_lines(&table.notes));
    }
    text
}

fn in_lines(notes: &[String]) -> String {
    notes.iter().map(|note| sanitise::one_line(note)).collect::<Vec<_>>().join("\n")
}

/// An evaluation in Markdown.
pub(crate) fn evaluation_markdown(evaluation: &Evaluation) -> String {
    let Evaluation { title, command, made_at, measured_on, tables, notes, .. } = evaluation;
    let mut out = format!("# {}\n\n", text(title));
    for table in tables {
        out.push_str(&as_markdown(table));
    }
    out.push_str(&listed(notes));
    out.push_str("## Measured on\n\n");
    let mut basis = measured_on.parts();
    basis.extend([("command", command.clone()), ("tables made", made_at.clone())]);
    let basis: Vec<String> = basis.iter().map(|(name, what)| format!("{name}: {what}")).collect();
    out.push_str(&listed(&basis));
    out
}

fn as_markdown(table: &EvalTable) -> String {
    let mut out = format!("## {}\n\n", text(&table.title));
    let line =
        |cells: &[String]| format!("| {} |\n", cells.iter().map(|cell| text(cell)).collect::<Vec<_>>().join(" | "));
    out.push_str(&line(&table.headings()));
    let rules: Vec<&str> = std::iter::once("---")
        .chain((0..table.columns.len()).map(|at| if table.has_numbers(at) { "---:" } else { "---" }))
        .collect();
    out.extend(["|", &rules.join("|"), "|\n"]);
    for row in table.words() {
        out.push_str(&line(&row));
    }
    out.push('\n');
    out.push_str(&listed(&table.notes));
    out
}

fn listed(notes: &[String]) -> String {
    let lines: Vec<String> = notes.iter().map(|note| format!("- {}\n", text(note))).collect();
    if lines.is_empty() { String::new() } else { format!("{}\n", lines.concat()) }
}

/// A text in one line, with nothing in it that is markup.
fn text(text: &str) -> String {
    let mut out = String::new();
    for c in sanitise::one_line(text).chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '&' => out.push_str("&amp;"),
            '|' | '`' | '*' | '[' | ']' | '\\' | '!' | '#' => out.extend(['\\', c]),
            // Within a word it marks nothing.
            c => out.push(c),
        }
    }
    out
}
