//! Which sentences of a draft can be checked, and what a passage says of one.

use std::ops::Range;

use super::{Gravity, carried, ledger, verbatim};
use crate::{
    newsroom::{ArticleResponse, Ledger, LedgerRow, Source, SpanKind, Stance, Standing},
    text::sentences::sentences,
};

/// A sentence of a draft's body that says something a witness could carry or contradict, and what the proof holds against it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkable {
    /// Its place in the body.
    pub range: Range<usize>,
    /// Why it is in doubt, a sentence each; empty where nothing speaks against it.
    pub findings: Vec<String>,
    /// Whether all that is held against it is that the sources do not have it.
    pub only_missing: bool,
}

/// The checkable sentences of the body: those of which the ledger has a row that a rule could judge.
#[must_use]
pub fn checkable(article: &ArticleResponse, ledger: &Ledger) -> Vec<Checkable> {
    let rows: Vec<&LedgerRow> = ledger.rows.iter().filter(|row| row.field == "articleBody").collect();
    let judged = |row: &&&LedgerRow| row.standing != Standing::Unchecked;
    let mut claims = Vec::new();
    for range in sentences(&article.articleBody) {
        let of_it: Vec<&&LedgerRow> =
            rows.iter().filter(|row| row.start < range.end && range.start < row.end).filter(judged).collect();
        if of_it.is_empty() {
            continue;
        }
        let against: Vec<&&&LedgerRow> = of_it.iter().filter(|row| row.is_finding()).collect();
        claims.push(Checkable {
            findings: against
                .iter()
                .map(|row| row.note.clone().unwrap_or_else(|| row.standing.name().to_owned()))
                .collect(),
            only_missing: against.iter().all(|row| row.standing == Standing::NotFound),
            range,
        });
    }
    claims
}

/// What a passage says of a claim, with how it says otherwise; none where it does not speak of it, or leaves some of it open.
#[must_use]
pub fn stance(claim: &str, passage: &Source) -> Option<(Stance, Option<String>)> {
    let article = ArticleResponse {
        headline: String::new(),
        alternativeHeadline: String::new(),
        articleBody: claim.to_owned(),
        description: String::new(),
    };
    let ledger = ledger(&article, std::slice::from_ref(passage), Gravity::Concern);
    let otherwise = ledger.findings().find(|row| {
        matches!(
            row.standing,
            Standing::Contradicted
                | Standing::Altered
                | Standing::WrongSpeaker
                | Standing::Withdrawn
                | Standing::Swapped
                | Standing::Denied
        )
    });
    if let Some(row) = otherwise {
        return Some((Stance::Contradicts, row.note.clone()));
    }
    let sources = std::slice::from_ref(passage);
    let supported = |row: &LedgerRow| row.kind == SpanKind::Support && row.standing == Standing::Found;
    let carries = ledger.findings().next().is_none()
        && (ledger.rows.iter().any(supported)
            || verbatim(claim, sources).is_some()
            || carried(claim, sources).is_some());
    carries.then_some((Stance::Carries, None))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTES: &str =
        "The council voted on Tuesday to spend $1.8 million on the park, which opened in 1958. Inez Calloway spoke.";

    fn source(text: &str) -> Source {
        Source { name: "notes".into(), text: text.into() }
    }

    #[test]
    fn a_passage_carries_contradicts_or_is_silent() {
        let says = |claim: &str, text: &str| stance(claim, &source(text)).map(|(stance, _)| stance);
        assert_eq!(says("The council voted to spend $1.8 million on the park.", NOTES), Some(Stance::Carries));
        assert_eq!(says("The council voted to spend $2.8 million on the park.", NOTES), Some(Stance::Contradicts));
        assert_eq!(says("The bridge over the river was closed in 1970.", NOTES), None);
        let (_, note) = stance("The park opened in 1985.", &source(NOTES)).unwrap();
        assert!(note.unwrap().contains("1958"));
    }

    #[test]
    fn claims_are_sentences_that_can_be_checked_with_what_speaks_against_them() {
        let article = ArticleResponse {
            headline: "The park".into(),
            alternativeHeadline: String::new(),
            articleBody: "The park opened in 1985. Inez Calloway spoke. The river flooded in 1911. Why not?".into(),
            description: String::new(),
        };
        let ledger = ledger(&article, &[source(NOTES)], Gravity::Concern);
        let claims = checkable(&article, &ledger);
        let told: Vec<(&str, bool, bool)> = claims
            .iter()
            .map(|claim| (&article.articleBody[claim.range.clone()], claim.findings.is_empty(), claim.only_missing))
            .collect();
        assert_eq!(
            told,
            [
                ("The park opened in 1985.", false, false),
                ("Inez Calloway spoke.", true, true),
                ("The river flooded in 1911.", false, true)
            ]
        );
    }
}
