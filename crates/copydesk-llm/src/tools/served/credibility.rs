//! The credibility of sources that a caller hands over: each is held beside the others.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    ServedDesk, ToolRefusal, arguments,
    compared::{ReadSource, SourceSaid, claims},
};
use copydesk_core::editorial::credibility::{Agreement, credibility};
use copydesk_newsroom::{Credibility, FoundSource, Source, Stance, Witness};
use copydesk_text::overlap::Stems;

/// So many claims of a source are held beside each of the others.
pub(super) const CLAIMS: usize = 40;

/// A source with what is known of its publication.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PublishedSource {
    /// Its title, or what else it is called. Answers name it so. Default: its address.
    #[serde(default, deserialize_with = "arguments::line")]
    name: String,
    /// Its address on the web, or its file's name. It is not opened.
    #[serde(deserialize_with = "arguments::line")]
    address: String,
    /// Who published it, if it says so.
    #[serde(default, deserialize_with = "arguments::line_or_none")]
    publisher: Option<String>,
    /// Who signed it, if anybody did.
    #[serde(default, deserialize_with = "arguments::line_or_none")]
    byline: Option<String>,
    /// The day of its publication, such as 2026-01-31, if it says so.
    #[serde(default, deserialize_with = "arguments::line_or_none")]
    published: Option<String>,
    /// Its text. Without one it is not compared with the others.
    #[serde(default, deserialize_with = "arguments::text")]
    text: String,
}

/// One source, and others to compare it with.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct EvaluateArguments {
    source: PublishedSource,
    /// Other sources on the same matter.
    #[serde(default)]
    others: Vec<arguments::GivenSource>,
}

/// Sources on one matter.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ScoreArguments {
    /// Sources on the same matter.
    sources: Vec<PublishedSource>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ScoredSources {
    /// The most credible first.
    sources: Vec<ScoredSource>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ScoredSource {
    name: String,
    #[serde(flatten)]
    credibility: Credibility,
    /// Says so if only the address was given: its page may be signed and dated.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'static str>,
    /// What the other sources say of its claims.
    others: Vec<OtherSaid>,
}

const ADDRESS_ALONE: &str = "Scored by its address alone, which was not opened. Give its publisher, byline, published and text to have them count.";

impl PublishedSource {
    fn name(&self) -> &str {
        if self.name.is_empty() { &self.address } else { &self.name }
    }

    fn is_address_alone(&self) -> bool {
        self.text.is_empty() && [&self.publisher, &self.byline, &self.published].into_iter().all(Option::is_none)
    }
}

#[derive(Debug, Serialize, JsonSchema)]
struct OtherSaid {
    claim: String,
    #[serde(flatten)]
    said: SourceSaid,
}

pub(super) fn evaluate(desk: &ServedDesk, given: EvaluateArguments) -> Result<ScoredSource, ToolRefusal> {
    let others: Vec<Source> = given.others.into_iter().map(Source::from).collect();
    let read = ReadSource::all(&others);
    scored(desk, &given.source, &read.iter().collect::<Vec<_>>())
}

pub(super) fn score(desk: &ServedDesk, given: &ScoreArguments) -> Result<ScoredSources, ToolRefusal> {
    if given.sources.is_empty() {
        return Err(ToolRefusal::Empty("sources"));
    }
    let texts: Vec<Source> = given
        .sources
        .iter()
        .map(|source| Source { name: source.name().to_owned(), text: source.text.clone() })
        .collect();
    let read = ReadSource::all(&texts);
    let mut sources = Vec::with_capacity(given.sources.len());
    for (at, source) in given.sources.iter().enumerate() {
        let others: Vec<&ReadSource> =
            read.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, other)| other).collect();
        sources.push(scored(desk, source, &others)?);
    }
    sources.sort_by(|one, other| other.credibility.score.total_cmp(&one.credibility.score));
    Ok(ScoredSources { sources })
}

fn scored(desk: &ServedDesk, given: &PublishedSource, others: &[&ReadSource]) -> Result<ScoredSource, ToolRefusal> {
    if given.address.is_empty() {
        return Err(ToolRefusal::Empty("address"));
    }
    let mut witnesses: Vec<Witness> = Vec::new();
    let mut said = Vec::new();
    let claims: Vec<&str> = claims(&given.text, CLAIMS).into_iter().filter_map(|range| given.text.get(range)).collect();
    // A copy of the source is no other source.
    for other in others.iter().filter(|other| other.source.text.trim() != given.text.trim()) {
        let mut heard: Vec<_> =
            claims.iter().filter_map(|claim| Some((*claim, other.testimony(claim, &Stems::of(claim))?))).collect();
        said.extend(
            heard
                .iter()
                .map(|(claim, testimony)| OtherSaid { claim: (*claim).to_owned(), said: other.said(testimony) }),
        );
        // One contradiction outweighs what else it supports.
        heard.sort_by_key(|(_, testimony)| testimony.stance == Stance::Carries);
        witnesses.extend(heard.into_iter().next().map(|(_, testimony)| other.witness(testimony, false)));
    }
    let source = FoundSource {
        title: given.name().to_owned(),
        address: given.address.clone(),
        published: given.published.clone(),
        byline: given.byline.clone(),
        publisher: given.publisher.clone(),
        read_at: desk.clock.now().to_string(),
        ..FoundSource::default()
    };
    Ok(ScoredSource {
        name: given.name().to_owned(),
        note: given.is_address_alone().then_some(ADDRESS_ALONE),
        credibility: credibility(&source, Agreement::of(&given.address, &witnesses)),
        others: said,
    })
}
