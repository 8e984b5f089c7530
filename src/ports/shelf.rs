//! Filling the index: texts and their vectors. A text is on one of two shelves: the knowledge base's, or the stories'.

use async_trait::async_trait;

use super::{RunKey, StoreError, StoryText};
use crate::newsroom::{StoryKey, Tier};

/// A file of the knowledge base, as it was when it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnowledgeFile {
    /// Relative to the knowledge folder, with forward slashes.
    pub path: String,
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
    pub tokens: u64,
}

/// A text to be indexed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NewDocument {
    /// Its name: a knowledge file's path, a source's name, a page's address.
    pub name: String,
    pub title: String,
    /// What kind of witness it is.
    pub tier: Tier,
    /// How far it is to be trusted, from 0 to 1.
    pub credibility: f64,
    /// The day of its publication, ISO 8601.
    pub published: Option<String>,
    /// SHA-256 of its text, hex.
    pub digest: String,
    /// Its tokens, 0 if nobody will ask.
    pub tokens: u64,
    /// The text that the passages are stretches of.
    pub text: String,
    /// Its passages, in order.
    pub passages: Vec<NewPassage>,
}

/// A run whose texts are not all indexed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unshelved {
    pub run: RunKey,
    pub story: StoryKey,
    /// Whether its article is its story's.
    pub article: bool,
}

/// A passage that has no vector yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unembedded {
    pub passage: i64,
    /// Its text's name: a knowledge file's path, a source's name, a page's address.
    pub name: String,
    /// The title of its text and the headings above it.
    pub title: String,
    pub text: String,
}

/// The vector of a part of a passage.
#[derive(Debug, Clone, PartialEq)]
pub struct ChildVector {
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

    /// Notes a file's new time, if nothing else of it changed.
    async fn touch_file(&self, file: KnowledgeFile) -> Result<(), StoreError>;

    /// Takes knowledge files out of the index, in one transaction: in their order, as many as go within a second, one at least. Returns
    /// how many; what is not indexed counts.
    async fn forget_files(&self, paths: Vec<String>) -> Result<usize, StoreError>;

    /// Which of these texts a story has, with the tokens of each.
    async fn story_texts(&self, story: &StoryKey, texts: Vec<StoryText>) -> Result<Vec<(StoryText, u64)>, StoreError>;

    /// Adds a text of a story, in one transaction; one that it has is left as it is, and an article takes the place of the one before.
    /// False if there is no such story.
    async fn index_story_text(&self, story: &StoryKey, document: NewDocument) -> Result<bool, StoreError>;

    /// Runs whose sources are not indexed yet, or that have an article which is not; earlier ones first.
    async fn unshelved(&self, most: usize) -> Result<Vec<Unshelved>, StoreError>;

    /// Notes that a run's sources are indexed, and its article if `article` says so.
    async fn note_shelved(&self, run: RunKey, article: bool) -> Result<(), StoreError>;

    /// How the knowledge base is read and cut, as the index was last built; none before the first.
    async fn chunking(&self) -> Result<Option<String>, StoreError>;

    /// Notes how it is from now on, and forgets every knowledge file that is indexed.
    async fn set_chunking(&self, chunking: &str) -> Result<(), StoreError>;

    /// How the stories' texts are cut, as all of them were last; none before the first time.
    async fn story_chunking(&self) -> Result<Option<String>, StoreError>;

    /// Notes that all of them are cut so.
    async fn set_story_chunking(&self, chunking: &str) -> Result<(), StoreError>;

    /// The stories' text with the lowest key above `after`: its key, and itself if it can be read.
    async fn next_story_text(&self, after: i64) -> Result<Option<(i64, Option<String>)>, StoreError>;

    /// Gives a story's text other passages and another number of tokens, in one transaction. If they are those that it has, it keeps
    /// them, with their vectors.
    async fn recut_story_text(&self, text: i64, tokens: u64, passages: Vec<NewPassage>) -> Result<(), StoreError>;

    /// Notes whose vectors are kept from now on. If that is another than before, or of another length, all vectors are forgotten, and
    /// what the one before refused is waiting again.
    async fn set_embedder(&self, identity: &str, dimension: usize) -> Result<(), StoreError>;

    /// Passages without a vector, the knowledge base's first.
    async fn unembedded(&self, most: usize) -> Result<Vec<Unembedded>, StoreError>;

    /// Keeps the vectors of passages, all parts of each, in one transaction. False, and nothing is kept, if another embedder's are kept
    /// by now than `embedder`'s.
    async fn keep_vectors(&self, embedder: &str, vectors: Vec<ChildVector>) -> Result<bool, StoreError>;

    /// Notes that `embedder` makes no vectors of a passage, which waits for none any more. False if another's are kept by now.
    async fn note_refused(&self, embedder: &str, passage: i64) -> Result<bool, StoreError>;
}
