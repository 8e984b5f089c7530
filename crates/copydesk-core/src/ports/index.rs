//! The database's side of the search: candidates and texts.

use async_trait::async_trait;

use super::{Area, Filter, StoreError};
use copydesk_newsroom::{StoryKey, Tier};

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

/// Candidates of both kinds, each best first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Candidates {
    pub text: Vec<TextHit>,
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
    /// The kind of text.
    pub tier: Tier,
    pub story: Option<StoryKey>,
    pub credibility: f64,
    /// The text's day of publication.
    pub published: Option<String>,
    /// The headings above the passage.
    pub heading: String,
    pub start: u64,
    pub end: u64,
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
}
