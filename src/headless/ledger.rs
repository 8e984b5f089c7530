//! A proof's ledger: as lines for a person, as one JSON object for a program.

use serde_json::{Value, json};

use super::{
    LineNumbers, Paint,
    style::{self, short},
    wrapped::wrapped,
};
use crate::{
    newsroom::{Ledger, LedgerRow, SourceSpan, Standing, UnsureBySource, UnsureWords, clock_of},
    proof,
    style::StyleReview,
    text::{
        count,
        diff::{self, DiffPiece},
        in_marks, sanitise,
    },
};

/// The ledger as one JSON object. It also has what house style says, if it was asked. `unsure` are the words that
/// a recogniser was unsure of, by the source's name.
///
/// # Errors
/// If it cannot be written as JSON, which its types rule out.
pub fn ledger_json(ledger: &Ledger, review: &StyleReview, unsure: &UnsureBySource) -> serde_json::Result<String> {
    let passage = |span: &SourceSpan| {
        let unsure = unsure.get(&span.source).map_or(&[][..], Vec::as_slice);
        let heard = |(words, said): (UnsureWords, &str)| json!({ "text": said, "listen": clock_of(words.seconds) });
        let heard: Vec<Value> = UnsureWords::within(unsure, span.start, &span.text).map(heard).collect();
        json!({ "source": span.source, "span": [span.start, span.end], "text": span.text, "unsure": heard })
    };
    let row = |row: &LedgerRow| {
        json!({
            "kind": row.kind, "status": row.standing, "text": row.text, "field": row.field, "span": [row.start, row.end],
            "rule": row.rule, "concern_type": row.concern_type, "note": row.note,
            "passage": row.passage.as_ref().map(passage),
        })
    };
    let (checked, total) = ledger.coverage();
    let rows: Vec<Value> = ledger.rows.iter().map(row).collect();
    let findings: Vec<Value> = ledger.findings().map(row).collect();
    serde_json::to_string(&json!({
        "ledger": rows,
        "findings": findings,
        "coverage": { "checked": checked, "total": total },
        "style": style::notes(review),
        "readability": review.readability,
    }))
}

/// Which rows of a ledger are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowsShown {
    /// Those for an editor's eyes; of the others how many there are.
    Findings,
    All,
}

/// The ledger as lines: how many findings there are, what stands in order, house style if it was asked for, and the
/// findings. They come last, because in a small terminal the last lines are read and nothing may push the findings out
/// of it. In a terminal of `width` columns lines are broken between words.
pub fn ledger_lines(
    ledger: &Ledger,
    style: Option<&StyleReview>,
    places: &LineNumbers<'_>,
    rows: RowsShown,
    verbose: bool,
    paint: Paint,
    width: Option<usize>,
) -> String {
    let found = ledger.findings().count();
    let mut lines = vec![paint.heading(&format!("{}. {}", count(found, "finding"), ledger.coverage_in_words()))];
    let rest: Vec<&LedgerRow> = ledger.rows.iter().filter(|row| !row.is_finding()).collect();
    let unsure: Vec<String> = rest.iter().filter_map(|row| to_be_heard(row, places)).collect();
    match rows {
        _ if rest.is_empty() => {}
        RowsShown::Findings => {
            lines.push(format!("  --all lists the {} without a finding", count(rest.len(), "statement")));
            if !unsure.is_empty() {
                lines.push(paint.heading("Resting on words that the recogniser was unsure of"));
                lines.extend(unsure);
            }
        }
        RowsShown::All => {
            lines.push(paint.heading("No finding"));
            lines.extend(rest.iter().map(|row| sound(row, places, paint)));
        }
    }
    lines.extend(style.into_iter().flat_map(|review| style::style_lines(review, places, paint)));
    lines.push(paint.heading("Findings"));
    if found == 0 {
        lines.push("  none".into());
    }
    let findings: Vec<String> = ledger.findings().map(|row| finding(row, places, verbose, paint, width)).collect();
    let mut lines: Vec<String> = lines.iter().map(|line| wrapped(line, 2, width)).collect();
    lines.extend((found > 0).then(|| findings.join("\n\n")));
    lines.join("\n")
}

/// A finding in one line: its place, what stands there, what the source has. `verbose` adds the whole note, the rule and the passage.
fn finding(row: &LedgerRow, places: &LineNumbers<'_>, verbose: bool, paint: Paint, width: Option<usize>) -> String {
    let source = row.passage.as_ref().map(|passage| places.in_source(passage));
    let at = places.in_draft(&row.field, row.start);
    let stands = format!("{at}: {} {}", paint.bad(row.standing.label()), row.kind.name());
    let note = row.note.as_ref().map(|note| sanitise::one_line(note)).filter(|note| !note.is_empty());
    let difference = row.passage.as_ref().filter(|_| row.standing == Standing::Altered).map(|passage| {
        let changed: Vec<Vec<DiffPiece>> = diff::changed_paragraphs(&row.text, &passage.text);
        changed.iter().map(|pieces| paint.difference(pieces).replace('\n', " ")).collect::<Vec<_>>().join(" … ")
    });
    let source = source.map_or_else(String::new, |source| format!(" ({source})"));
    let listen = row.passage.as_ref().and_then(|passage| places.listen(passage));
    let first = match (&difference, &note) {
        // The marks say what the source has.
        (Some(difference), _) => format!("{stands} “{difference}”{source}"),
        (None, Some(note)) => {
            let said = note.strip_suffix('.').unwrap_or(note);
            format!("{stands} {}. {said}{source}.", in_marks(&short(&row.text)))
        }
        (None, None) => format!("{stands} {}{source}", in_marks(&short(&row.text))),
    };
    let mut lines = vec![first];
    lines.extend(listen.map(|listen| format!("  {listen}")));
    if verbose {
        lines.extend(difference.and(note).map(|note| format!("  {note}")));
        let measured = proof::rule(&row.rule).and_then(|rule| rule.measured);
        let measured = measured.map_or_else(String::new, |measured| format!(": {measured}"));
        lines.push(format!("  rule {}{measured}", row.rule));
        let place =
            |passage: &SourceSpan| format!("  {}: {}", places.in_source(passage), in_marks(&short(&passage.text)));
        lines.extend(row.passage.iter().map(place));
    }
    lines.iter().map(|line| wrapped(line, 2, width)).collect::<Vec<_>>().join("\n")
}

fn sound(row: &LedgerRow, places: &LineNumbers<'_>, paint: Paint) -> String {
    let standing = row.standing.label();
    let standing = if matches!(row.standing, Standing::StandsThere | Standing::Unchecked) {
        standing.to_owned()
    } else {
        paint.good(standing)
    };
    let at = row.passage.as_ref().map_or_else(String::new, |passage| format!(" {}", places.in_source(passage)));
    let why = row.note.as_ref().filter(|_| row.standing == Standing::Unchecked);
    let why = why.map_or_else(String::new, |why| format!(". {}", sanitise::one_line(why)));
    let listen = row.passage.as_ref().and_then(|passage| places.listen(passage));
    let listen = listen.map_or_else(String::new, |listen| format!(", {listen}"));
    format!("  {standing} {} {}{at}{listen}{why}", row.kind.name(), in_marks(&short(&row.text)))
}

/// The line of a statement in order whose own words may have been heard wrongly.
fn to_be_heard(row: &LedgerRow, places: &LineNumbers<'_>) -> Option<String> {
    let listen = places.to_be_heard(row)?;
    let at = places.in_draft(&row.field, row.start);
    Some(format!("  {at}: {} {}, {listen}", row.kind.name(), in_marks(&short(&row.text))))
}
