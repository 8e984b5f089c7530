//! What a database gives the search to rank.

use async_trait::async_trait;

use super::{Area, Filter, StoreError};
use crate::newsroom::{StoryKey, Tier};

/// A part of the search: candidates by words and by vector.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    pub area: Area,
    pub filter: Filter,
    /// The query's words, each once, none that says nothing; any text is a word.
    pub words: Vec<String>,
    /// The query's vector, if there is one.
    pub vector: Option<Vec<f32>>,
    /// Most candidates of either kind.
    pub most: usize,
}

/// A candidate found by its words.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TextHit {
    pub passage: i64,
    /// BM25, higher is better.
    pub score: f64,
}

/// A candidate found by its vector.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DenseHit {
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
    pub id: i64,
    /// The key of its text.
    pub document: i64,
    pub name: String,
    pub title: String,
    /// What kind of witness the text is.
    pub tier: Tier,
    /// The story that it belongs to.
    pub story: Option<StoryKey>,
    pub credibility: f64,
    /// The text's day of publication.
    pub published: Option<String>,
    /// The headings above the passage.
    pub heading: String,
    pub start: u64,
    /// One past the last byte.
    pub end: u64,
    pub tokens: u64,
}

/// A stretch of an indexed text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    pub document: i64,
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
    pub story_texts: u64,
    pub story_passages: u64,
    /// Passages, of either, that have no vector yet.
    pub without_vector: u64,
    /// Passages, of either, of which the embedder makes no vector.
    pub refused: u64,
    /// Whose vectors are kept, if any are: the embedder's identity and their length.
    pub embedder: Option<(String, usize)>,
}

/// What a database gives the search.
#[async_trait]
pub trait Index: Send + Sync {
    /// Candidates for each of several queries. Words that stand in more than a tenth of a large shelf are left out while others remain.
    async fn candidates(&self, requests: Vec<Request>) -> Result<Vec<Candidates>, StoreError>;

    /// Those of `passages` that are indexed, in that order.
    async fn passages(&self, passages: Vec<i64>) -> Result<Vec<StoredPassage>, StoreError>;

    /// The texts of stretches, in that order; empty if the text is gone.
    async fn texts(&self, spans: Vec<Span>) -> Result<Vec<String>, StoreError>;

    /// Which of the words each of the passages beside them has, in the words' order.
    async fn words_in(&self, asked: Vec<(Vec<i64>, Vec<String>)>) -> Result<Vec<Vec<Vec<String>>>, StoreError>;

    /// What is indexed.
    async fn stock(&self) -> Result<Stock, StoreError>;

    /// As [`super::Passages::version`].
    async fn version(&self) -> Result<String, StoreError>;
}
