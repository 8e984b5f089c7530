//! Fills the index with texts and their vectors. A text is on one of two shelves: the knowledge base's or the stories'.

use async_trait::async_trait;

use serde::{Deserialize, Serialize};

use super::{RunKey, StoreError, StoryText};
use copydesk_newsroom::{HiddenText, Secrecy, StoryKey, Tier};

/// A file of the knowledge base, as it was when it was read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KnowledgeFile {
    /// Relative to the knowledge folder, with forward slashes.
    pub path: String,
    pub size: u64,
    /// Nanoseconds since 1970.
    pub modified: i64,
    /// SHA-256 of the file, hex.
    pub digest: String,
}

/// A file that stopped its reader, or took too long. It is not read again, whatever it is called, until a newer reader may do better.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoppedFile {
    /// SHA-256 of the file, hex.
    pub digest: String,
    /// Its path when it was read.
    pub name: String,
    /// The reason: how it stopped its reader, or that it took too long.
    pub why: String,
    /// The version of the reader.
    pub reader: String,
}

impl StoppedFile {
    /// The reader that this program has.
    pub const READER: &str = env!("CARGO_PKG_VERSION");

    /// Whether the file stopped this program's version of the reader.
    pub fn counts(&self) -> bool {
        self.reader == Self::READER
    }
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
    /// The kind of text.
    pub tier: Tier,
    /// How far it is to be trusted, from 0 to 1.
    pub credibility: f64,
    /// The day of its publication, ISO 8601.
    pub published: Option<String>,
    /// SHA-256 of its text, hex.
    pub digest: String,
    /// Its tokens, 0 if no caller will ask.
    pub tokens: u64,
    /// The text that the passages are stretches of.
    pub text: String,
    /// Its passages, in order.
    pub passages: Vec<NewPassage>,
    /// Its text that no reader sees.
    pub hidden: Vec<HiddenText>,
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
    /// The story that it belongs to; none in the knowledge base.
    pub story: Option<StoryKey>,
    /// The secrecy of that story: the facts that must not leave this machine.
    pub secrecy: Secrecy,
}

/// The vector of a part of a passage.
#[derive(Debug, Clone, PartialEq)]
pub struct ChildVector {
    pub passage: i64,
    /// Its vector, of length 1.
    pub vector: Vec<f32>,
}

/// Fills the index.
#[async_trait]
pub trait Shelf: Send + Sync {
    /// The knowledge files that are indexed, by path.
    async fn indexed_files(&self) -> Result<Vec<KnowledgeFile>, StoreError>;

    /// Replaces what is indexed of one knowledge file, in one transaction.
    async fn index_file(&self, file: KnowledgeFile, document: NewDocument) -> Result<(), StoreError>;

    /// Notes a file's new time, if nothing else of it changed.
    async fn touch_file(&self, file: KnowledgeFile) -> Result<(), StoreError>;

    /// Takes knowledge files out of the index in one transaction: in their order, as many as it can in a second, at least one. Returns
    /// their number; files that are not indexed count too.
    async fn forget_files(&self, paths: Vec<String>) -> Result<usize, StoreError>;

    /// The knowledge files that stopped their readers, with those of earlier readers.
    async fn stopped_files(&self) -> Result<Vec<StoppedFile>, StoreError>;

    /// Notes that a file stopped its reader.
    async fn note_stopped(&self, file: StoppedFile) -> Result<(), StoreError>;

    /// Forgets which files stopped their readers, so that they are read again.
    async fn forget_stopped(&self) -> Result<(), StoreError>;

    /// The knowledge files that are indexed and hold text that no reader sees, by path.
    async fn hidden_in_files(&self) -> Result<Vec<(String, Vec<HiddenText>)>, StoreError>;

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

    /// Sets it, and removes every knowledge file from the index.
    async fn set_chunking(&self, chunking: &str) -> Result<(), StoreError>;

    /// How the stories' texts are cut, as all of them were last; none before the first time.
    async fn story_chunking(&self) -> Result<Option<String>, StoreError>;

    /// Notes that all of them are cut in this way.
    async fn set_story_chunking(&self, chunking: &str) -> Result<(), StoreError>;

    /// The stories' text with the lowest key above `after`: its key, and itself if it can be read.
    async fn next_story_text(&self, after: i64) -> Result<Option<(i64, Option<String>)>, StoreError>;

    /// Gives a story's text other passages and another number of tokens, in one transaction. If they are those that it has, it keeps
    /// them, with their vectors.
    async fn recut_story_text(&self, text: i64, tokens: u64, passages: Vec<NewPassage>) -> Result<(), StoreError>;

    /// Sets the embedder whose vectors are stored from now on. If it or its length is new, all vectors are deleted, and passages that the
    /// earlier embedder refused wait for a vector again.
    async fn set_embedder(&self, identity: &str, dimension: usize) -> Result<(), StoreError>;

    /// Lets the passages of confidential stories wait for no vector, because the embedder is on another machine; or wait again. Returns
    /// whether any passage waits for a vector of `embedder`.
    async fn spare_confidential(&self, embedder: &str, spare: bool) -> Result<bool, StoreError>;

    /// Passages without a vector, the knowledge base's first.
    async fn unembedded(&self, most: usize) -> Result<Vec<Unembedded>, StoreError>;

    /// Stores the vectors of passages, all parts of each, in one transaction. If another embedder than `embedder` has been set since, it
    /// stores nothing and returns false.
    async fn keep_vectors(&self, embedder: &str, vectors: Vec<ChildVector>) -> Result<bool, StoreError>;

    /// Notes that `embedder` refused a passage, which then waits for no vector. False if another embedder has been set since.
    async fn note_refused(&self, embedder: &str, passage: i64) -> Result<bool, StoreError>;
}
