//! The credibility of sources that a caller hands over: each is held beside the others.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    ServedDesk, ToolRefusal, arguments,
    compared::{ReadSource, SourceSaid, claims},
};
use copydesk_core::editorial::credibility::{Agreement, credibility, voice};
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
    /// Its address on the web, or its file's name. It is not opened. The source that is evaluated must have one.
    #[serde(default, deserialize_with = "arguments::line")]
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
    others: Vec<PublishedSource>,
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

    /// As a source without its text.
    fn found(&self, read_at: &str) -> FoundSource {
        FoundSource {
            title: self.name().to_owned(),
            address: if self.address.is_empty() { self.name.clone() } else { self.address.clone() },
            published: self.published.clone(),
            byline: self.byline.clone(),
            publisher: self.publisher.clone(),
            read_at: read_at.to_owned(),
            ..FoundSource::default()
        }
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
    let all: Vec<PublishedSource> = std::iter::once(given.source).chain(given.others).collect();
    let texts = texts(&all);
    scored(desk, &all, &ReadSource::all(&texts), 0)
}

pub(super) fn score(desk: &ServedDesk, given: &ScoreArguments) -> Result<ScoredSources, ToolRefusal> {
    if given.sources.is_empty() {
        return Err(ToolRefusal::Empty("sources"));
    }
    let texts = texts(&given.sources);
    let read = ReadSource::all(&texts);
    let scored = (0..given.sources.len()).map(|at| scored(desk, &given.sources, &read, at));
    let mut sources = scored.collect::<Result<Vec<_>, _>>()?;
    sources.sort_by(|one, other| other.credibility.score.total_cmp(&one.credibility.score));
    Ok(ScoredSources { sources })
}

fn texts(given: &[PublishedSource]) -> Vec<Source> {
    given.iter().map(|source| Source { name: source.name().to_owned(), text: source.text.clone() }).collect()
}

/// The source at a place of `all`, held beside the others.
fn scored(
    desk: &ServedDesk,
    all: &[PublishedSource],
    read: &[ReadSource],
    at: usize,
) -> Result<ScoredSource, ToolRefusal> {
    let now = desk.clock.now().to_string();
    let found: Vec<FoundSource> = all.iter().map(|source| source.found(&now)).collect();
    let voices: Vec<&str> = found.iter().map(|source| voice(source, found.iter())).collect();
    let (Some(given), Some(own), Some(own_voice)) = (all.get(at), found.get(at), voices.get(at)) else {
        return Err(ToolRefusal::Empty("sources"));
    };
    if given.address.is_empty() {
        return Err(ToolRefusal::Empty("address"));
    }
    let mut witnesses: Vec<Witness> = Vec::new();
    let mut said = Vec::new();
    let claims: Vec<&str> = claims(&given.text, CLAIMS).into_iter().filter_map(|range| given.text.get(range)).collect();
    for (other, other_voice) in read.iter().zip(&voices) {
        // Neither the source itself nor a copy of it counts as another source.
        if other.source.text.trim() == given.text.trim() {
            continue;
        }
        let mut heard: Vec<_> =
            claims.iter().filter_map(|claim| Some((*claim, other.testimony(claim, &Stems::of(claim))?))).collect();
        said.extend(
            heard
                .iter()
                .map(|(claim, testimony)| OtherSaid { claim: (*claim).to_owned(), said: other.said(testimony) }),
        );
        // One contradiction outweighs what else it supports.
        heard.sort_by_key(|(_, testimony)| testimony.stance == Stance::Carries);
        witnesses.extend(heard.into_iter().next().map(|(_, testimony)| {
            let mut witness = other.witness(testimony, false);
            (*other_voice).clone_into(&mut witness.passage.file);
            witness
        }));
    }
    Ok(ScoredSource {
        name: given.name().to_owned(),
        note: given.is_address_alone().then_some(ADDRESS_ALONE),
        credibility: credibility(own, Agreement::of(own_voice, &witnesses)),
        others: said,
    })
}
