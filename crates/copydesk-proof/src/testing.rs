//! Helpers for tests: they prove a body against one source.

#![allow(missing_docs, clippy::must_use_candidate, reason = "for tests, which stop at the unexpected")]

use crate::{
    check::{check, ledger},
    registry::rule,
    rule::Gravity,
};
use copydesk_newsroom::{ArticleResponse, Finding, LedgerRow, Source};

pub fn check_texts(body: &str, source: &str) -> Vec<Finding> {
    let (article, sources) = texts(body, source);
    check(&article, &sources)
}

pub fn texts(body: &str, source: &str) -> (ArticleResponse, [Source; 1]) {
    let article = ArticleResponse { articleBody: body.to_owned(), ..ArticleResponse::default() };
    (article, [Source { name: "source.txt".to_owned(), text: source.to_owned() }])
}

/// The findings of the rules whose gravity is a note.
pub fn notes(body: &str, source: &str) -> Vec<LedgerRow> {
    let (article, sources) = texts(body, source);
    let grave = |row: &LedgerRow| rule(&row.rule).is_none_or(|rule| rule.gravity > Gravity::Note);
    let rows = ledger(&article, &sources, Gravity::Note).rows;
    rows.into_iter().filter(|row| row.is_finding() && !grave(row)).collect()
}

pub fn rules_of(body: &str, source: &str) -> Vec<String> {
    let (article, sources) = texts(body, source);
    let rows = ledger(&article, &sources, Gravity::Note).rows;
    rows.into_iter().filter(LedgerRow::is_finding).map(|row| row.rule).collect()
}
