//! The shapes of data that a model is shown, filled from the documents, and their tokens in each notation.

use anyhow::Result;
use copydesk::{
    config,
    newsroom::{
        ArticleReviewResult, Concern, ConcernMapping, ConcernMappingResult, ConcernType, Confidence, Passage, Source,
        Specialist, Status, Tier, Verdict,
    },
    proof::{self, Gravity},
    text::{sentences::sentences, toon::smaller},
};
use serde_json::{Value, json};

use super::ShapeTokens;
use crate::planted::PlantedDocument;

pub(crate) fn measured(documents: &[PlantedDocument], count: &impl Fn(&str) -> u64) -> Result<Vec<ShapeTokens>> {
    let shapes = [
        ("concerns", concerns(documents)?),
        ("verdicts with citations", verdicts(documents)?),
        ("mapping", mapping(documents)?),
        ("ledger rows", ledger(documents)?),
        ("search results", search_results(documents)),
        ("passages", passages(documents)?),
        ("numeric table", figures(documents)),
        ("nested configuration", serde_yaml::from_str(config::TEMPLATE)?),
    ];
    let tokens = |(shape, value): (&'static str, Value)| {
        let encoded = smaller(&value, count);
        Ok(ShapeTokens {
            shape,
            pretty: count(&serde_json::to_string_pretty(&value)?),
            json: encoded.json_tokens,
            toon: encoded.toon_tokens,
            sent: encoded.notation,
        })
    };
    shapes.into_iter().map(tokens).collect()
}

/// The planted errors of all documents: the document, the error's number from 1, its words in the draft, the passages that decide.
fn errors(documents: &[PlantedDocument]) -> impl Iterator<Item = (&PlantedDocument, u32, &str, Vec<Passage>)> {
    let all = documents.iter().flat_map(|document| document.errors.iter().map(move |error| (document, error)));
    all.zip(1..).map(|((document, error), number)| {
        let passage = |place: &std::ops::Range<usize>| Passage {
            file: document.name.clone(),
            start: place.start as u64,
            end: place.end as u64,
            text: document.source.get(place.clone()).unwrap_or_default().to_owned(),
            tier: Tier::Source,
            ..Passage::default()
        };
        let wrong = error.body.get(error.wrong.clone()).unwrap_or_default();
        (document, number, wrong, error.passages.iter().map(passage).collect())
    })
}

fn concerns(documents: &[PlantedDocument]) -> serde_json::Result<Value> {
    let concern = |(document, concern_id, wrong, _): (&PlantedDocument, u32, &str, Vec<Passage>)| Concern {
        concern_id,
        excerpt: wrong.to_owned(),
        review_note: format!("**{}**: “{wrong}” is not what {} says.", kind(concern_id).name(), document.name),
    };
    serde_json::to_value(ArticleReviewResult { concerns: errors(documents).map(concern).collect() })
}

fn verdicts(documents: &[PlantedDocument]) -> serde_json::Result<Value> {
    let verdict = |(document, concern_id, wrong, passages): (&PlantedDocument, u32, &str, Vec<Passage>)| Verdict {
        concern_id,
        misleading: true,
        status: Status::Rewrite,
        rationale: format!("{} does not say “{wrong}”.", document.name),
        suggested_fix: Some(format!("Write what {} says instead of “{wrong}”.", document.name)),
        evidence: passages.first().map(|passage| passage.text.clone()),
        citations: Some(passages.iter().map(Passage::citation).collect()),
    };
    serde_json::to_value(errors(documents).map(verdict).collect::<Vec<_>>())
}

fn mapping(documents: &[PlantedDocument]) -> serde_json::Result<Value> {
    let mapping = |(_, concern_id, ..): (&PlantedDocument, u32, &str, Vec<Passage>)| ConcernMapping {
        concern_id,
        concern_type: kind(concern_id),
        selected_agent: Specialist::FactCheck,
        confidence: Confidence::High,
        reason: "A statement that a source can decide.".to_owned(),
    };
    serde_json::to_value(ConcernMappingResult { mappings: errors(documents).map(mapping).collect() })
}

/// One kind after the other, as a review has several.
fn kind(number: u32) -> ConcernType {
    let all = ConcernType::ALL;
    all.into_iter().cycle().nth(usize::try_from(number).unwrap_or(0) % all.len()).unwrap_or(ConcernType::ALL[0])
}

/// The rows that the proof writes for the first document.
fn ledger(documents: &[PlantedDocument]) -> serde_json::Result<Value> {
    let rows = documents.first().map(|document| {
        let source = Source { name: document.name.clone(), text: document.source.clone() };
        proof::ledger(&document.article, &[source], Gravity::Concern).rows
    });
    serde_json::to_value(rows.unwrap_or_default())
}

/// The documents as a search names them.
pub(crate) fn search_results(documents: &[PlantedDocument]) -> Value {
    let result = |(document, rank): (&PlantedDocument, usize)| {
        let source = &document.source;
        let snippet = sentences(source).into_iter().filter_map(|range| source.get(range)).find(|text| text.len() > 80);
        json!({
            "rank": rank,
            "title": document.article.headline,
            "url": format!("https://documents.example/{}", document.name),
            "snippet": snippet,
            "bytes": source.len(),
        })
    };
    json!({ "results": documents.iter().zip(1..).map(result).collect::<Vec<_>>() })
}

fn passages(documents: &[PlantedDocument]) -> serde_json::Result<Value> {
    serde_json::to_value(errors(documents).flat_map(|(.., passages)| passages).collect::<Vec<_>>())
}

/// The length of each sentence of the drafts, in bytes and in words.
pub(crate) fn figures(documents: &[PlantedDocument]) -> Value {
    let rows = documents.iter().zip(1..).flat_map(|(document, number)| {
        let body = &document.article.articleBody;
        sentences(body).into_iter().zip(1..).map(move |(range, sentence)| {
            let words = body.get(range.clone()).map_or(0, |text| text.split_whitespace().count());
            json!({
                "document": number, "sentence": sentence, "start": range.start, "end": range.end, "words": words
            })
        })
    });
    Value::Array(rows.collect())
}
