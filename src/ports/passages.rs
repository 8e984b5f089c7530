//! The search as the desk has it: passages that bear on a query.

use async_trait::async_trait;

use super::StoreError;
use crate::newsroom::{Passage, StoryKey, Tier};

/// Where is searched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Area {
    Knowledge,
    /// Texts of one story.
    Story {
        story: StoryKey,
        /// Which of them; none: all that it has.
        texts: Option<Vec<StoryText>>,
    },
    /// The texts of these tiers, of every story.
    Stories {
        tiers: Vec<Tier>,
    },
}

/// A text of a story. The same words under another name, or as another kind of witness, are another text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoryText {
    /// What kind of witness it is.
    pub tier: Tier,
    pub name: String,
    /// SHA-256 of the text, hex.
    pub digest: String,
}

/// Which texts count.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Filter {
    /// The least credibility, from 0 to 1.
    pub min_credibility: f64,
    /// The first day of publication, ISO 8601. A text without a date is left out if either is given.
    pub from: Option<String>,
    /// The last day of publication.
    pub until: Option<String>,
}

impl Filter {
    /// Whether a text with this credibility and date counts.
    #[must_use]
    pub fn admits(&self, credibility: f64, published: Option<&str>) -> bool {
        let dated = |bound: &Option<String>, holds: fn(&str, &str) -> bool| match (bound, published) {
            (None, _) => true,
            (Some(bound), Some(day)) => holds(day, bound),
            (Some(_), None) => false,
        };
        credibility >= self.min_credibility
            && dated(&self.from, |day, bound| day >= bound)
            && dated(&self.until, |day, bound| day <= bound)
    }
}

/// A question to the passages.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    pub text: String,
    pub areas: Vec<Area>,
    pub filter: Filter,
    /// Most passages that are found.
    pub count: usize,
}

/// How a passage was found by its words.
#[derive(Debug, Clone, PartialEq)]
pub struct TextMatch {
    /// Its place among those found so, from 1.
    pub rank: usize,
    /// BM25 over title and body, higher is better.
    pub score: f64,
    /// The query's words that it has, in the query's order.
    pub words: Vec<String>,
}

/// How a passage was found by its vector.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DenseMatch {
    /// Its place among those found so, from 1.
    pub rank: usize,
    /// Cosine similarity of query and the nearest part of the passage, from -1 to 1.
    pub similarity: f64,
}

/// A passage that was found, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// The passage; neighbours that were found as well are one with it.
    pub passage: Passage,
    /// The title of its text.
    pub title: String,
    /// The story that its text belongs to.
    pub story: Option<StoryKey>,
    pub tokens: u64,
    /// The score that it is ranked by, from 0 to 1.
    pub score: f64,
    /// How it was found by its words.
    pub text: Option<TextMatch>,
    /// How it was found by its vector.
    pub dense: Option<DenseMatch>,
}

impl Hit {
    /// Where it stands: the file with its offsets, what kind of witness it is, its story, headings, credibility, date.
    #[must_use]
    pub fn place(&self) -> String {
        let passage = &self.passage;
        let mut parts = vec![passage.citation(), passage.tier.words().to_owned()];
        parts.extend(self.story.as_ref().map(|story| format!("story {story}")));
        parts.extend(passage.particulars());
        parts.join(" · ")
    }

    /// Why it was found, with its scores.
    #[must_use]
    pub fn why(&self) -> String {
        let mut parts = vec![format!("score {:.2}", self.score)];
        if let Some(text) = &self.text {
            let words = if text.words.is_empty() { "its words".to_owned() } else { text.words.join(", ") };
            parts.push(format!("has {words} (BM25 {:.1}, place {})", text.score, text.rank));
        }
        if let Some(dense) = self.dense {
            parts.push(format!("near in meaning (cosine {:.2}, place {})", dense.similarity, dense.rank));
        }
        parts.join(" · ")
    }
}

/// What a search found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Found {
    pub hits: Vec<Hit>,
    /// How many words of the query say something.
    pub words: usize,
    /// Why only words were compared, if only they were: a sentence.
    pub words_only: Option<String>,
    /// Whether vectors should have been compared, and the embedder failed.
    pub degraded: bool,
}

/// The search, and what it searches.
#[async_trait]
pub trait Passages: Send + Sync {
    /// The passages that bear most on the query, best first. Any text is a valid query.
    async fn search(&self, query: &Query) -> Result<Found, StoreError>;

    /// What [`Self::search`] finds for each of several queries, asked together.
    async fn search_each(&self, queries: &[Query]) -> Result<Vec<Found>, StoreError>;

    /// How near two texts are in meaning: the cosine of their vectors. None if there is no embedder, or it fails.
    async fn similarity(&self, one: &str, other: &str) -> Result<Option<f64>, StoreError>;

    /// Digest of the knowledge base: everything that is indexed and how; the same as long as nothing changed.
    async fn version(&self) -> Result<String, StoreError>;

    /// Makes sure that these texts of a story are indexed: (name, text). Returns what [`Area::Story`] knows them by, and how many tokens
    /// they hold.
    async fn shelve(
        &self,
        story: &StoryKey,
        tier: Tier,
        texts: &[(String, String)],
    ) -> Result<(Vec<StoryText>, u64), StoreError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_on_dates_leaves_out_what_has_none() {
        let filter = Filter { min_credibility: 0.7, from: Some("2026-01-01".into()), until: Some("2026-06-30".into()) };
        let cases = [
            (0.7, Some("2026-01-01"), true),
            (0.9, Some("2026-06-30"), true),
            (0.9, Some("2025-12-31"), false),
            (0.9, Some("2026-07-01"), false),
            (0.9, None, false),
            (0.69, Some("2026-02-01"), false),
        ];
        for (credibility, published, admitted) in cases {
            assert_eq!(filter.admits(credibility, published), admitted, "{credibility} {published:?}");
        }
        assert!(Filter::default().admits(0.0, None));
    }
}
