//! The search of what the newsroom has indexed.

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{ServedDesk, ToolRefusal, arguments};
use copydesk_core::ports::{Area, Filter, Hit, Occasion, Query};
use copydesk_newsroom::Tier;

/// What is searched for.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SearchArguments {
    /// A question, a claim, or a few words.
    #[serde(deserialize_with = "arguments::line")]
    query: String,
    /// Where to search: the files of the knowledge base, the sources of the newsroom's stories, its articles, or all of them.
    #[serde(default)]
    within: SearchPlace,
    /// The least credibility, from 0 to 1. Default: the newsroom's setting.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0))]
    min_credibility: Option<f64>,
    /// Only what was published on this day or later, such as 2026-01-31.
    #[serde(default, deserialize_with = "arguments::line_or_none")]
    from: Option<String>,
    /// Only what was published on this day or earlier.
    #[serde(default, deserialize_with = "arguments::line_or_none")]
    until: Option<String>,
    /// The most passages, from 1 to 50. Default: the newsroom's setting.
    #[serde(default)]
    #[schemars(range(min = 1, max = 50))]
    count: Option<usize>,
}

#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum SearchPlace {
    #[default]
    All,
    KnowledgeBase,
    Sources,
    Articles,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct KnowledgeAnswer {
    /// The nearest first.
    passages: Vec<FoundPassage>,
    /// Why only words were compared, if that is so.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

/// A passage that was found.
#[derive(Debug, Serialize, JsonSchema)]
struct FoundPassage {
    file: String,
    title: String,
    heading: String,
    /// `knowledge`, `source`, `article` or `evidence`.
    kind: Tier,
    #[serde(skip_serializing_if = "Option::is_none")]
    story: Option<String>,
    credibility: Option<f64>,
    published: Option<String>,
    start: u64,
    end: u64,
    text: String,
    /// From 0 to 1.
    score: f64,
    why: String,
}

/// Whether a passage is of a story that keeps something secret.
async fn is_secret(desk: &ServedDesk, hit: &Hit) -> Result<bool, ToolRefusal> {
    match (&hit.story, &desk.stories) {
        (Some(story), Some(stories)) => {
            let secrecy = stories.secrecy(story).await;
            Ok(!secrecy.map_err(|error| ToolRefusal::Knowledge(error.to_string()))?.is_none())
        }
        _ => Ok(false),
    }
}

impl From<Hit> for FoundPassage {
    fn from(hit: Hit) -> Self {
        let why = hit.why();
        Self {
            file: hit.passage.file,
            title: hit.title,
            heading: hit.passage.heading,
            kind: hit.passage.tier,
            story: hit.story.map(|story| story.to_string()),
            credibility: hit.passage.credibility,
            published: hit.passage.published,
            start: hit.passage.start,
            end: hit.passage.end,
            text: hit.passage.text,
            score: (hit.score * 100.0).round() / 100.0,
            why,
        }
    }
}

pub(super) async fn search(desk: &ServedDesk, given: Value) -> Result<Value, ToolRefusal> {
    let wanted: SearchArguments = arguments::read(given)?;
    let text = arguments::filled(wanted.query, "query")?;
    let wrong = |what: &str| Err(ToolRefusal::Arguments(what.to_owned()));
    let min_credibility = wanted.min_credibility.unwrap_or(desk.min_credibility);
    if !(0.0..=1.0).contains(&min_credibility) {
        return wrong("min_credibility is a number from 0 to 1");
    }
    let count = wanted.count.unwrap_or(desk.top);
    if !(1..=arguments::MOST_ENTRIES).contains(&count) {
        return wrong("count is a number from 1 to 50");
    }
    if [&wanted.from, &wanted.until].into_iter().flatten().any(|day| day.parse::<Date>().is_err()) {
        return wrong("from and until are days such as 2026-01-31");
    }
    let stories = |tiers: &[Tier]| Area::Stories { tiers: tiers.to_vec() };
    let areas = match wanted.within {
        SearchPlace::All => vec![Area::Knowledge, stories(&[])],
        SearchPlace::KnowledgeBase => vec![Area::Knowledge],
        SearchPlace::Sources => vec![stories(&[Tier::Source])],
        SearchPlace::Articles => vec![stories(&[Tier::Article])],
    };
    let filter = Filter { min_credibility, from: wanted.from, until: wanted.until };
    let query = Query { text, areas, filter, count };
    let occasion = Occasion::of_house("a program that calls this desk's tools: search", desk.books.clone());
    let found = occasion.during(desk.passages.search(&query)).await;
    let found = found.map_err(|error| ToolRefusal::Knowledge(error.to_string()))?;
    let mut passages = Vec::new();
    for hit in found.hits {
        // The calling program may send on what it is told.
        if !is_secret(desk, &hit).await? {
            passages.push(FoundPassage::from(hit));
        }
    }
    arguments::written(&KnowledgeAnswer { passages, note: found.words_only })
}
