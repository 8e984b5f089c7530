//! Passages: what is indexed, and what is found.
//!
//! Three traits, from the reader's side to the writer's: [`Passages`] is the search as the desk has it; [`Index`] is what a database gives
//! it to rank; [`Shelf`] fills that database. A text is on one of two shelves: the knowledge base's, or the stories'.

use async_trait::async_trait;

use super::{RunKey, StoreError};
use crate::newsroom::{Passage, StoryKey, Tier};

/// Where is searched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Area {
    /// The knowledge base.
    Knowledge,
    /// Texts of one story.
    Story {
        /// The story.
        story: StoryKey,
        /// Those with these digests (SHA-256 of the text, hex); none: all that it has.
        digests: Option<Vec<String>>,
    },
    /// The texts of these tiers, of every story.
    Stories {
        /// The tiers.
        tiers: Vec<Tier>,
    },
}

/// Which texts count.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Filter {
    /// The least credibility, from 0 to 1.
    pub min_credibility: f64,
    /// The first day of publication, ISO 8601. A text without a date is left out where either is given.
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
    /// Any text.
    pub text: String,
    /// Where is searched.
    pub areas: Vec<Area>,
    /// Which texts count.
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
    /// Its tokens.
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
        parts.extend((!passage.heading.is_empty()).then(|| passage.heading.clone()));
        parts.extend(passage.credibility.map(|credibility| format!("credibility {credibility}")));
        parts.extend(passage.published.as_ref().map(|day| format!("of {day}")));
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
    /// Best first.
    pub hits: Vec<Hit>,
    /// How many words of the query say something.
    pub words: usize,
    /// Why only words were compared, where only they were: a sentence.
    pub words_only: Option<String>,
}

/// The search, and what it searches.
#[async_trait]
pub trait Passages: Send + Sync {
    /// The passages that bear most on the query, best first. Any text is a valid query.
    async fn search(&self, query: &Query) -> Result<Found, StoreError>;

    /// How near two texts are in meaning: the cosine of their vectors. None where there is no embedder, or it fails.
    async fn similarity(&self, one: &str, other: &str) -> Result<Option<f64>, StoreError>;

    /// Digest of the knowledge base: everything that is indexed and how; the same as long as nothing changed.
    async fn version(&self) -> Result<String, StoreError>;

    /// Makes sure that these texts of a story are indexed: (name, text). Returns their digests, by which [`Area::Story`] names them, and
    /// how many tokens they hold.
    async fn shelve(
        &self,
        story: &StoryKey,
        tier: Tier,
        texts: &[(String, String)],
    ) -> Result<(Vec<String>, u64), StoreError>;
}

/// A part of the search: candidates by words and by vector.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// Where.
    pub area: Area,
    /// Which texts count.
    pub filter: Filter,
    /// The query's words, each once, none that says nothing; any text is a word.
    pub words: Vec<String>,
    /// The query's vector, where there is one.
    pub vector: Option<Vec<f32>>,
    /// Most candidates of either kind.
    pub most: usize,
}

/// A candidate found by its words.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TextHit {
    /// The passage.
    pub passage: i64,
    /// BM25, higher is better.
    pub score: f64,
}

/// A candidate found by its vector.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DenseHit {
    /// The passage.
    pub passage: i64,
    /// Cosine similarity of the passage's nearest part.
    pub similarity: f64,
}

/// Candidates, best first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Candidates {
    /// Found by their words.
    pub text: Vec<TextHit>,
    /// Found by their vectors.
    pub dense: Vec<DenseHit>,
}

/// A passage as it is indexed, without its text.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredPassage {
    /// Its key.
    pub id: i64,
    /// The key of its text.
    pub document: i64,
    /// The text's name.
    pub name: String,
    /// The text's title.
    pub title: String,
    /// What kind of witness the text is.
    pub tier: Tier,
    /// The story that it belongs to.
    pub story: Option<StoryKey>,
    /// The text's credibility.
    pub credibility: f64,
    /// The text's day of publication.
    pub published: Option<String>,
    /// The headings above the passage.
    pub heading: String,
    /// First byte.
    pub start: u64,
    /// One past the last byte.
    pub end: u64,
    /// Its tokens.
    pub tokens: u64,
}

/// A stretch of an indexed text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// The text's key.
    pub document: i64,
    /// First byte.
    pub start: u64,
    /// One past the last byte.
    pub end: u64,
}

/// What is indexed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stock {
    /// Files of the knowledge base.
    pub files: u64,
    /// Passages of the knowledge base.
    pub passages: u64,
    /// Texts of stories.
    pub story_texts: u64,
    /// Passages of stories.
    pub story_passages: u64,
    /// Passages, of either, that have no vector yet.
    pub without_vector: u64,
    /// Whose vectors are kept, where any are: the embedder's identity and their length.
    pub embedder: Option<(String, usize)>,
}

/// What a database gives the search.
#[async_trait]
pub trait Index: Send + Sync {
    /// Candidates for a query. Words that stand in more than a tenth of a large shelf are left out while others remain.
    async fn candidates(&self, request: Request) -> Result<Candidates, StoreError>;

    /// Those of `passages` that are indexed, in that order.
    async fn passages(&self, passages: Vec<i64>) -> Result<Vec<StoredPassage>, StoreError>;

    /// The texts of stretches, in that order.
    async fn texts(&self, spans: Vec<Span>) -> Result<Vec<String>, StoreError>;

    /// Which of `words` each of `passages` has, in the words' order.
    async fn words_in(&self, passages: Vec<i64>, words: Vec<String>) -> Result<Vec<Vec<String>>, StoreError>;

    /// What is indexed.
    async fn stock(&self) -> Result<Stock, StoreError>;

    /// As [`Passages::version`].
    async fn version(&self) -> Result<String, StoreError>;
}

/// A file of the knowledge base, as it was when it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnowledgeFile {
    /// Relative to the knowledge folder, with forward slashes.
    pub path: String,
    /// Size in bytes.
    pub size: u64,
    /// Nanoseconds since 1970.
    pub modified: i64,
    /// SHA-256 of the file, hex.
    pub digest: String,
}

/// A passage to be indexed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewPassage {
    /// First byte in the text.
    pub start: u64,
    /// One past the last byte.
    pub end: u64,
    /// The headings above it.
    pub heading: String,
    /// Its tokens.
    pub tokens: u64,
}

/// A text to be indexed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NewDocument {
    /// Its name: a knowledge file's path, a source's name, a page's address.
    pub name: String,
    /// Its title.
    pub title: String,
    /// What kind of witness it is.
    pub tier: Tier,
    /// How far it is to be trusted, from 0 to 1.
    pub credibility: f64,
    /// The day of its publication, ISO 8601.
    pub published: Option<String>,
    /// SHA-256 of its text, hex.
    pub digest: String,
    /// Its tokens, 0 where nobody will ask.
    pub tokens: u64,
    /// The text that the passages are stretches of.
    pub text: String,
    /// Its passages, in order.
    pub passages: Vec<NewPassage>,
}

/// A run whose texts are not all indexed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unshelved {
    /// The run.
    pub run: RunKey,
    /// Its story.
    pub story: StoryKey,
    /// Whether its article is its story's.
    pub article: bool,
}

/// A passage that has no vector yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unembedded {
    /// The passage.
    pub passage: i64,
    /// The title of its text and the headings above it.
    pub title: String,
    /// Its text.
    pub text: String,
}

/// The vector of a part of a passage.
#[derive(Debug, Clone, PartialEq)]
pub struct ChildVector {
    /// The passage.
    pub passage: i64,
    /// Its vector, of length 1.
    pub vector: Vec<f32>,
}

/// Filling the index.
#[async_trait]
pub trait Shelf: Send + Sync {
    /// The knowledge files that are indexed, by path.
    async fn indexed_files(&self) -> Result<Vec<KnowledgeFile>, StoreError>;

    /// Replaces what is indexed of one knowledge file, in one transaction.
    async fn index_file(&self, file: KnowledgeFile, document: NewDocument) -> Result<(), StoreError>;

    /// Notes a file's new time, where nothing else of it changed.
    async fn touch_file(&self, file: KnowledgeFile) -> Result<(), StoreError>;

    /// Takes a knowledge file out of the index.
    async fn forget_file(&self, path: &str) -> Result<(), StoreError>;

    /// Which of these digests a story has texts of, with the tokens of each.
    async fn story_texts(&self, story: &StoryKey, digests: Vec<String>) -> Result<Vec<(String, u64)>, StoreError>;

    /// Adds a text of a story, in one transaction; one that it has is left as it is, and an article takes the place of the one before.
    /// False where there is no such story.
    async fn index_story_text(&self, story: &StoryKey, document: NewDocument) -> Result<bool, StoreError>;

    /// Runs whose sources are not indexed yet, or that have an article which is not; earlier ones first.
    async fn unshelved(&self, most: usize) -> Result<Vec<Unshelved>, StoreError>;

    /// Notes that a run's sources are indexed, and its article where `article` says so.
    async fn note_shelved(&self, run: RunKey, article: bool) -> Result<(), StoreError>;

    /// How the knowledge base is read and cut, as the index was last built; none before the first.
    async fn chunking(&self) -> Result<Option<String>, StoreError>;

    /// Notes how it is from now on, and forgets every knowledge file that is indexed.
    async fn set_chunking(&self, chunking: &str) -> Result<(), StoreError>;

    /// Notes whose vectors are kept from now on. Where that is another than before, or of another length, all vectors are forgotten.
    async fn set_embedder(&self, identity: &str, dimension: usize) -> Result<(), StoreError>;

    /// Passages without a vector, the knowledge base's first.
    async fn unembedded(&self, most: usize) -> Result<Vec<Unembedded>, StoreError>;

    /// Keeps the vectors of passages, all parts of each, in one transaction.
    async fn keep_vectors(&self, vectors: Vec<ChildVector>) -> Result<(), StoreError>;
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
