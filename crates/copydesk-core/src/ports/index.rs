//! The search: passages that bear on a query, as the desk has them, and the database's candidates and texts.

use async_trait::async_trait;

use super::StoreError;
use copydesk_newsroom::{Journal, Passage, StoryKey, Tier};

/// A request for candidates by words and by vector.
#[derive(Debug, Clone, PartialEq)]
pub struct PassageRequest {
    pub area: Area,
    pub filter: Filter,
    /// The query's words, each once, without stop words. Any text can be a word.
    pub words: Vec<String>,
    pub vector: Option<Vec<f32>>,
    /// The most candidates of each kind.
    pub most: usize,
}

/// A candidate; the higher its score, the better.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PassageHit {
    pub passage: i64,
    pub score: f64,
}

/// Candidates of both kinds, each best first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Candidates {
    /// Those found by their words, by BM25.
    pub text: Vec<PassageHit>,
    /// Those found by their vectors, by the cosine similarity of the nearest part.
    pub dense: Vec<PassageHit>,
}

/// A passage as it is indexed, without its text.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredPassage {
    pub id: i64,
    /// The key of its text.
    pub document: i64,
    /// Its text is empty.
    pub passage: Passage,
    pub title: String,
    pub story: Option<StoryKey>,
    pub tokens: u64,
}

/// A stretch of an indexed text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    pub document: i64,
    pub start: u64,
    pub end: u64,
}

/// The contents of the index, counted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stock {
    /// Files of the knowledge base.
    pub files: u64,
    /// Passages of the knowledge base.
    pub passages: u64,
    pub story_texts: u64,
    pub story_passages: u64,
    /// Passages of both that have no vector yet.
    pub without_vector: u64,
    /// Passages of both that the embedder refused.
    pub refused: u64,
    /// The identity of the embedder whose vectors are stored, and their length; none if there are none.
    pub embedder: Option<(String, usize)>,
}

/// The database's side of the search.
#[async_trait]
pub trait Index: Send + Sync {
    /// Candidates for each request. Words that occur in more than a tenth of a large shelf are ignored if others remain.
    async fn candidates(&self, requests: Vec<PassageRequest>) -> Result<Vec<Candidates>, StoreError>;

    async fn passages(&self, passages: Vec<i64>) -> Result<Vec<StoredPassage>, StoreError>;

    /// The texts of spans, in the same order; empty if the text is gone.
    async fn texts(&self, spans: Vec<Span>) -> Result<Vec<String>, StoreError>;

    /// For each passage, those of the words beside it that it has, in the words' order.
    async fn words_in(&self, asked: Vec<(Vec<i64>, Vec<String>)>) -> Result<Vec<Vec<Vec<String>>>, StoreError>;

    /// The contents of the index, counted.
    async fn stock(&self) -> Result<Stock, StoreError>;

    /// As [`super::Passages::version`].
    async fn version(&self) -> Result<String, StoreError>;

    /// The text before and after a passage of a story's text, or of the knowledge base if there is no story; at most `most` bytes of each.
    /// None if the text is no longer indexed or has changed.
    async fn around(
        &self,
        story: Option<&StoryKey>,
        passage: &Passage,
        most: usize,
    ) -> Result<Option<Around>, StoreError>;
}

/// An area that is searched.
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
    /// Its kind of witness.
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
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct TextMatch {
    /// Its place among those found so, from 1.
    pub rank: usize,
    /// BM25 over title and body, higher is better.
    #[serde(rename = "bm25")]
    pub score: f64,
    /// The query's words that it has, in the query's order.
    pub words: Vec<String>,
}

impl TextMatch {
    fn in_words(&self) -> String {
        if self.words.is_empty() { "Found: the words".to_owned() } else { format!("Found: {}", self.words.join(", ")) }
    }
}

const IN_MEANING: &str = "similar in meaning";

/// How a passage was found by its vector.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
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
    /// Why it was found, without the scores; empty if only its neighbours were.
    pub fn why(&self) -> String {
        let words = self.text.as_ref().map(TextMatch::in_words);
        let meaning = self.dense.map(|_| IN_MEANING.to_owned());
        words.into_iter().chain(meaning).collect::<Vec<_>>().join(" · ")
    }

    /// Why it was found, with the scores.
    pub fn why_with_scores(&self) -> String {
        let words =
            self.text.as_ref().map(|text| format!("{} (BM25 {:.1}, rank {})", text.in_words(), text.score, text.rank));
        let meaning =
            self.dense.map(|dense| format!("{IN_MEANING} (cosine {:.2}, rank {})", dense.similarity, dense.rank));
        let score = format!("score {:.2}", self.score);
        [Some(score), words, meaning].into_iter().flatten().collect::<Vec<_>>().join(" · ")
    }
}

/// The result of a search.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Found {
    pub hits: Vec<Hit>,
    /// The number of the query's words that say something.
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
    async fn search(&self, query: &Query) -> Result<Found, StoreError> {
        Ok(self.search_each(std::slice::from_ref(query)).await?.pop().unwrap_or_default())
    }

    /// The results of [`Self::search`] for several queries, asked together.
    async fn search_each(&self, queries: &[Query]) -> Result<Vec<Found>, StoreError>;

    /// How near two texts are in meaning: the cosine of their vectors. None if there is no embedder, or it fails.
    async fn similarity(&self, one: &str, other: &str) -> Result<Option<f64>, StoreError>;

    /// Digest of the knowledge base: everything that is indexed and how; the same as long as nothing changed.
    async fn version(&self) -> Result<String, StoreError>;

    /// Makes sure that these texts of a story are indexed. Returns the texts as [`Area::Story`] names them, and the number of
    /// their tokens.
    async fn shelve(
        &self,
        story: &StoryKey,
        tier: Tier,
        texts: &[ShelvedText],
    ) -> Result<(Vec<StoryText>, u64), StoreError>;

    /// The same for all sources of a run, each by its tier; without those that an editor removed.
    async fn shelve_sources(&self, journal: &Journal) -> Result<(Vec<StoryText>, u64), StoreError> {
        let story = journal.opening.topic.story();
        let (mut shelved, mut tokens) = (Vec::new(), 0);
        for tier in [Tier::Source, Tier::Found] {
            let of_tier = journal.texts().filter(|(name, text)| !text.is_empty() && journal.tier(name) == tier);
            let shelved_as = |(name, text): (&str, &str)| ShelvedText {
                name: name.to_owned(),
                text: text.to_owned(),
                credibility: journal.credibility(name).unwrap_or(1.0),
                published: journal.found_source(name).and_then(|found| found.source.published.clone()),
            };
            let texts: Vec<ShelvedText> = of_tier.map(shelved_as).collect();
            if !texts.is_empty() {
                let (texts, own) = self.shelve(&story, tier, &texts).await?;
                shelved.extend(texts);
                tokens += own;
            }
        }
        Ok((shelved, tokens))
    }
}

/// A text of a story that is to be found again.
#[derive(Debug, Clone, PartialEq)]
pub struct ShelvedText {
    pub name: String,
    pub text: String,
    /// From 0 to 1.
    pub credibility: f64,
    /// The day of its publication, ISO 8601, if it is known.
    pub published: Option<String>,
}

/// The text before and after a passage.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Around {
    /// The text up to its first byte.
    pub before: String,
    /// The text after its last byte.
    pub after: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hit_says_why_it_was_found_with_and_without_scores() {
        let mut hit = Hit {
            passage: Passage::default(),
            title: String::new(),
            story: None,
            tokens: 4,
            score: 0.875,
            text: Some(TextMatch { rank: 1, score: 3.25, words: vec!["park".into(), "cost".into()] }),
            dense: Some(DenseMatch { rank: 2, similarity: 0.5 }),
        };
        assert_eq!(hit.why(), "Found: park, cost · similar in meaning");
        assert_eq!(
            hit.why_with_scores(),
            "score 0.88 · Found: park, cost (BM25 3.2, rank 1) · similar in meaning (cosine 0.50, rank 2)"
        );
        (hit.text, hit.dense) = (Some(TextMatch { rank: 1, score: 1.0, words: Vec::new() }), None);
        assert_eq!(hit.why(), "Found: the words");
        hit.text = None;
        assert_eq!((hit.why().as_str(), hit.why_with_scores().as_str()), ("", "score 0.88"));
    }

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
