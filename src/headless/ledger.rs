//! A proof's ledger: as lines for a person, as one JSON object for a program.

use serde::Serialize;

use super::{
    LineNumbers, Paint,
    style::{self, short},
};
use crate::{
    newsroom::{ArticleResponse, ConcernType, Ledger, LedgerRow, Opinion, Opinions, SourceSpan, SpanKind, Standing},
    proof,
    style::StyleReview,
    text::{
        count,
        diff::{self, DiffPiece},
        sanitise,
    },
};

/// The ledger as one JSON object, with what house style says beside it, nothing where it was not asked; and what a model thinks, if one was
/// asked.
///
/// # Errors
/// Where it cannot be written as JSON, which its types rule out.
pub fn ledger_json(ledger: &Ledger, review: &StyleReview, opinions: Option<&Opinions>) -> serde_json::Result<String> {
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
    let mut whole = serde_json::json!({
        "ledger": rows,
        "findings": findings,
        "coverage": { "checked": checked, "total": total },
        "style": style::notes(review),
        "readability": review.readability,
    });
    if let (Some(opinions), Some(whole)) = (opinions, whole.as_object_mut()) {
        whole.insert("opinions".into(), serde_json::to_value(opinions)?);
    }
    serde_json::to_string(&whole)
}

/// What a model thinks of the sentences that do not match, as lines.
#[must_use]
pub fn opinion_lines(opinions: &Opinions, article: &ArticleResponse, places: &LineNumbers<'_>, paint: Paint) -> String {
    let fields = article.fields();
    let text = |opinion: &Opinion| {
        let field = fields.iter().find(|(name, _)| *name == opinion.field);
        field.and_then(|(_, text)| text.get(opinion.start..opinion.end)).unwrap_or_default()
    };
    let line = |opinion: &Opinion| {
        let at = places.in_draft(&opinion.field, opinion.start);
        format!("  a model thinks: {} “{}” ({at})", opinion.in_words(), short(text(opinion)))
    };
    let heading = paint.heading(&format!("What {} thinks. This is no proof.", sanitise::one_line(&opinions.by)));
    std::iter::once(heading).chain(opinions.given.iter().map(line)).collect::<Vec<_>>().join("\n")
}

/// Which rows of a ledger are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowsShown {
    /// Those for an editor's eyes; of the others how many there are.
    Findings,
    All,
}

/// The ledger as lines: how many findings there are, what stands in order, house style where it was asked for, and the findings last: in a
/// small terminal they are what is read, and nothing may push them out of it.
#[must_use]
pub fn ledger_lines(
    ledger: &Ledger,
    style: Option<&StyleReview>,
    places: &LineNumbers<'_>,
    rows: RowsShown,
    verbose: bool,
    paint: Paint,
) -> String {
    let found = ledger.findings().count();
    let mut lines = vec![paint.heading(&format!("{}. {}", count(found, "finding"), ledger.coverage_in_words()))];
    let rest: Vec<&LedgerRow> = ledger.rows.iter().filter(|row| !row.is_finding()).collect();
    match rows {
        _ if rest.is_empty() => {}
        RowsShown::Findings => {
            lines.push(format!("  --all lists the {} without a finding", count(rest.len(), "statement")));
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
    lines.extend(ledger.findings().flat_map(|row| finding(row, places, verbose, paint)));
    lines.join("\n")
}

fn finding(row: &LedgerRow, places: &LineNumbers<'_>, verbose: bool, paint: Paint) -> Vec<String> {
    let mut lines = vec![format!(
        "{} {} “{}” ({})",
        paint.bad(row.standing.name()),
        row.kind.name(),
        short(&row.text),
        places.in_draft(&row.field, row.start)
    )];
    lines.extend(row.note.iter().map(|note| format!("  {}", sanitise::one_line(note))));
    if verbose {
        let measured = proof::rule(&row.rule).and_then(|rule| rule.measured);
        let measured = measured.map_or_else(String::new, |measured| format!(": {measured}"));
        lines.push(format!("  rule {}{measured}", row.rule));
    }
    if row.standing == Standing::Altered
        && let Some(passage) = &row.passage
    {
        let changed: Vec<Vec<DiffPiece>> = diff::changed_paragraphs(&row.text, &passage.text);
        lines.extend(changed.iter().map(|pieces| format!("  {}", paint.difference(pieces).replace('\n', " "))));
    }
    let place = |passage: &SourceSpan| format!("  {}: “{}”", places.in_source(passage), short(&passage.text));
    lines.extend(row.passage.iter().map(place));
    lines
}

fn sound(row: &LedgerRow, places: &LineNumbers<'_>, paint: Paint) -> String {
    let standing = row.standing.name();
    let standing = if matches!(row.standing, Standing::StandsThere | Standing::Unchecked) {
        standing.to_owned()
    } else {
        paint.good(standing)
    };
    let at = row.passage.as_ref().map_or_else(String::new, |passage| format!(" {}", places.in_source(passage)));
    format!("  {standing} {} “{}”{at}", row.kind.name(), short(&row.text))
}
