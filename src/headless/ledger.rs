//! A proof's ledger: as lines for a person, as one JSON object for a program.

use serde::Serialize;

use super::{Paint, style};
use crate::{
    newsroom::{ConcernType, Ledger, LedgerRow, SourceSpan, SpanKind, Standing},
    proof,
    style::Review,
    text::{
        count,
        diff::{self, Piece},
        sanitise,
    },
};

/// Most characters of a span or passage in a line.
const LONGEST: usize = 160;

/// The ledger as one JSON object, with what house style says beside it; nothing where it was not asked.
///
/// # Errors
/// Where it cannot be written as JSON, which its types rule out.
pub fn ledger_json(ledger: &Ledger, review: &Review) -> serde_json::Result<String> {
    #[derive(Serialize)]
    struct Row<'l> {
        kind: SpanKind,
        status: Standing,
        text: &'l str,
        field: &'l str,
        span: [usize; 2],
        rule: &'l str,
        concern_type: Option<ConcernType>,
        note: Option<&'l str>,
        passage: Option<Passage<'l>>,
    }
    #[derive(Serialize)]
    struct Passage<'l> {
        source: &'l str,
        span: [usize; 2],
        text: &'l str,
    }
    fn row(row: &LedgerRow) -> Row<'_> {
        Row {
            kind: row.kind,
            status: row.standing,
            text: &row.text,
            field: &row.field,
            span: [row.start, row.end],
            rule: &row.rule,
            concern_type: row.concern_type,
            note: row.note.as_deref(),
            passage: row.passage.as_ref().map(passage),
        }
    }
    fn passage(span: &SourceSpan) -> Passage<'_> {
        Passage { source: &span.source, span: [span.start, span.end], text: &span.text }
    }
    let (checked, total) = ledger.coverage();
    let rows: Vec<Row<'_>> = ledger.rows.iter().map(row).collect();
    let findings: Vec<Row<'_>> = ledger.findings().map(row).collect();
    serde_json::to_string(&serde_json::json!({
        "ledger": rows,
        "findings": findings,
        "coverage": { "checked": checked, "total": total },
        "style": style::notes(review),
        "readability": review.readability,
    }))
}

/// The ledger as lines: what is for an editor's eyes in full, then what stands in order, a line each, then the coverage.
#[must_use]
pub fn ledger_lines(ledger: &Ledger, paint: Paint) -> String {
    let mut lines = Vec::new();
    let findings: Vec<&LedgerRow> = ledger.findings().collect();
    for row in &findings {
        lines.extend(finding(row, paint));
    }
    let rest: Vec<&LedgerRow> = ledger.rows.iter().filter(|row| !row.is_finding()).collect();
    if !rest.is_empty() {
        lines.push(paint.heading("Otherwise"));
        lines.extend(rest.iter().map(|row| sound(row, paint)));
    }
    let (checked, total) = ledger.coverage();
    lines.push(format!("{}; {checked} of {} checked", count(findings.len(), "finding"), count(total, "span")));
    lines.join("\n")
}

fn finding(row: &LedgerRow, paint: Paint) -> Vec<String> {
    let mut lines = vec![format!(
        "{} {} “{}” ({}, bytes {}-{})",
        paint.bad(row.standing.name()),
        row.kind.name(),
        short(&row.text),
        row.field,
        row.start,
        row.end
    )];
    lines.extend(row.note.iter().map(|note| format!("  {}", sanitise::one_line(note))));
    // How far to trust it is said where it was measured, and nowhere else.
    if let Some(measured) = proof::rule(&row.rule).and_then(|rule| rule.measured) {
        lines.push(format!("  {}: {measured}", row.rule));
    }
    if row.standing == Standing::Altered
        && let Some(passage) = &row.passage
    {
        let changed: Vec<Vec<Piece>> = diff::changed_paragraphs(&row.text, &passage.text);
        lines.extend(changed.iter().map(|pieces| format!("  {}", paint.difference(pieces).replace('\n', " "))));
    }
    lines.extend(row.passage.iter().map(|passage| format!("  {}", place(passage))));
    lines
}

fn sound(row: &LedgerRow, paint: Paint) -> String {
    let standing = row.standing.name();
    let standing = if row.standing == Standing::Unchecked { standing.to_owned() } else { paint.good(standing) };
    let at = row.passage.as_ref().map_or_else(String::new, |passage| {
        format!(" {}, bytes {}-{}", sanitise::one_line(&passage.source), passage.start, passage.end)
    });
    format!("  {standing} {} “{}”{at}", row.kind.name(), short(&row.text))
}

fn place(passage: &SourceSpan) -> String {
    let source = sanitise::one_line(&passage.source);
    format!("{source}, bytes {}-{}: “{}”", passage.start, passage.end, short(&passage.text))
}

pub(super) fn short(text: &str) -> String {
    sanitise::excerpt(&sanitise::one_line(text), LONGEST)
}
