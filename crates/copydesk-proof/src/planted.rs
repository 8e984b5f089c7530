//! Measures the proof on articles with one planted error each. Does it raise the error, and for the right reason? Does
//! it call the false words proved? How often does it raise what is true?

use std::{collections::BTreeMap, ops::Range};

use serde::Serialize;

use crate::{
    check::{at_the_name, ledger},
    rule::Gravity,
};
use copydesk_newsroom::{ArticleResponse, Footing, LedgerRow, Source};
use copydesk_text::sentences::sentences;

/// A faithful article, its source, and the errors that were planted into it.
#[derive(Debug, Clone)]
pub struct PlantedDocument {
    pub name: String,
    pub source: String,
    pub article: ArticleResponse,
    pub errors: Vec<PlantedError>,
}

/// One error, planted into the body of the article.
#[derive(Debug, Clone)]
pub struct PlantedError {
    pub id: String,
    /// Such as `number` or `wrong_speaker`.
    pub kind: String,
    /// The body with the error.
    pub body: String,
    /// The false words: bytes of the body.
    pub wrong: Range<usize>,
    /// The passages that show the truth: bytes of the source. None if no passage speaks of it.
    pub passages: Vec<Range<usize>>,
}

/// The proof's result on one planted error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlantedOutcome {
    pub document: String,
    pub id: String,
    pub kind: String,
    /// The rules that raise the false words; empty if none does.
    pub raised: Vec<String>,
    /// Whether one of these findings shows a passage that decides, or none is known.
    pub right_passage: bool,
    /// The rows that call the false words proved, by their rule.
    pub assured: Vec<String>,
}

/// The proof's result on one true article.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TrueOutcome {
    pub document: String,
    pub sentences: usize,
    /// The rule and the words of each finding.
    pub raised: Vec<(String, String)>,
    /// How many rows there are for each word of [`Footing`].
    pub rows: BTreeMap<&'static str, usize>,
}

/// Judges the true article and each planted error. Rules below `least` are not asked.
#[must_use]
pub fn judge(document: &PlantedDocument, least: Gravity) -> (TrueOutcome, Vec<PlantedOutcome>) {
    let sources = [Source { name: "source".to_owned(), text: document.source.clone() }];
    let truth = ledger(&document.article, &sources, least);
    let known: Vec<(&str, &str)> = truth.findings().map(told).collect();
    let errors = document.errors.iter().map(|error| {
        let article = ArticleResponse { articleBody: error.body.clone(), ..document.article.clone() };
        outcome(document, error, &known, &article, &sources, least)
    });
    let errors = errors.collect();
    let mut rows: BTreeMap<&'static str, usize> = BTreeMap::new();
    for row in &truth.rows {
        *rows.entry(row.standing.footing().name()).or_default() += 1;
    }
    let raised = truth.findings().map(|row| (row.rule.clone(), row.text.clone()));
    let truth = TrueOutcome {
        document: document.name.clone(),
        sentences: document.article.fields().iter().map(|(_, text)| sentences(text).len()).sum(),
        raised: raised.collect(),
        rows,
    };
    (truth, errors)
}

fn told(row: &LedgerRow) -> (&str, &str) {
    (&row.rule, &row.text)
}

fn outcome(
    document: &PlantedDocument,
    error: &PlantedError,
    known: &[(&str, &str)],
    article: &ArticleResponse,
    sources: &[Source],
    least: Gravity,
) -> PlantedOutcome {
    let ledger = ledger(article, sources, least);
    let inside = |start: usize, end: usize| start < error.wrong.end && error.wrong.start < end;
    // The row of a wrong speaker is at the quotation. The false words are the name.
    let named = |row: &LedgerRow| {
        let moved = row.clone().finding().and_then(|finding| at_the_name(&finding, article, sources));
        moved.is_some_and(|finding| inside(finding.start, finding.end))
    };
    let touches = |row: &&LedgerRow| row.field == "articleBody" && (inside(row.start, row.end) || named(row));
    // A finding that is also in the true article is not due to the error.
    let found: Vec<&LedgerRow> = ledger.findings().filter(touches).filter(|row| !known.contains(&told(row))).collect();
    let decides = |row: &&LedgerRow| {
        let shown = row.passage.as_ref();
        shown.is_some_and(|shown| error.passages.iter().any(|right| shown.start < right.end && right.start < shown.end))
    };
    let assured = ledger.rows.iter().filter(|row| row.standing.footing() == Footing::Matches && touches(row));
    PlantedOutcome {
        document: document.name.clone(),
        id: error.id.clone(),
        kind: error.kind.clone(),
        right_passage: !found.is_empty() && (error.passages.is_empty() || found.iter().any(decides)),
        raised: found.into_iter().map(|row| row.rule.clone()).collect(),
        assured: assured.map(|row| row.rule.clone()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_raised_or_missed_and_its_words_are_assured_or_not() {
        let source = "The council voted on Tuesday to spend $1.8 million on the park. Ana Reyes was there.";
        let body = |money: &str, who: &str| {
            format!("The council voted on Tuesday to spend {money} on the park. {who} was there.")
        };
        let error = |id: &str, body: String, wrong: &str, right: &str| PlantedError {
            id: id.into(),
            kind: "number".into(),
            wrong: body.find(wrong).map(|at| at..at + wrong.len()).unwrap(),
            passages: source.find(right).map(|at| at..at + right.len()).into_iter().collect(),
            body,
        };
        let document = PlantedDocument {
            name: "park".into(),
            source: source.into(),
            article: ArticleResponse {
                headline: String::new(),
                alternativeHeadline: String::new(),
                articleBody: body("$1.8 million", "Ana Reyes"),
                description: String::new(),
            },
            errors: vec![
                error("1", body("$2.8 million", "Ana Reyes"), "$2.8 million", "$1.8 million"),
                error("2", body("$1.8 million", "Ana Reyes"), "Ana Reyes", "$1.8 million"),
            ],
        };
        let (truth, errors) = judge(&document, Gravity::Concern);
        assert_eq!((truth.sentences, truth.raised.len()), (2, 0));
        let [raised, missed] = errors.as_slice() else { panic!("{errors:?}") };
        assert_eq!((raised.raised.as_slice(), raised.right_passage), (&["number.contradicted".to_owned()][..], true));
        assert_eq!((missed.raised.len(), missed.right_passage, missed.assured.is_empty()), (0, false, false));
    }
}
