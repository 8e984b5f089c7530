//! What the house remembers of earlier checks (seed 002, sections 4 and 7.3).

use serde::{Deserialize, Serialize};

use super::Verdict;

/// A fact check, kept for the next story that asks the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FactCheckRecord {
    /// When it was checked: ISO 8601, UTC.
    pub timestamp: String,
    /// `channel/slug` of the story that asked.
    pub article_id: String,
    /// The concern that asked.
    pub concern_id: u32,
    /// The prompt that the specialist was given.
    pub prompt: String,
    /// What was looked up.
    pub query: String,
    /// The query as it is compared.
    pub normalized_query: String,
    /// The model that judged.
    pub model_name: String,
    /// Digest of the knowledge base that was searched.
    pub kb_index_version: String,
    /// First 16 hex digits of the key's SHA-256.
    pub cache_key_hash: String,
    /// The passages that the search returned, as text.
    pub kb_response: String,
    /// What the specialist decided.
    pub verdict: Verdict,
}

/// A search for outside evidence, kept likewise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EvidenceRecord {
    /// When it was searched: ISO 8601, UTC.
    pub timestamp: String,
    /// `channel/slug` of the story that asked.
    pub article_id: String,
    /// The concern that asked.
    pub concern_id: u32,
    /// The prompt that the search was given.
    pub prompt: String,
    /// What was searched for.
    pub query: String,
    /// The query as it is compared.
    pub normalized_query: String,
    /// The search model.
    pub model_name: String,
    /// First 16 hex digits of the key's SHA-256.
    pub cache_key_hash: String,
    /// The search's answer.
    pub perplexity_response: String,
    /// The citations that came with it.
    pub citations: Vec<String>,
    /// What the specialist decided.
    pub verdict: Verdict,
}

/// Either record, as the memory stores it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum MemoryRecord {
    /// From a fact check.
    FactCheck(FactCheckRecord),
    /// From an evidence search.
    Evidence(EvidenceRecord),
}

impl MemoryRecord {
    /// The verdict that the record carries.
    #[must_use]
    pub fn verdict(&self) -> &Verdict {
        match self {
            Self::FactCheck(record) => &record.verdict,
            Self::Evidence(record) => &record.verdict,
        }
    }

    /// The key's hash, which is also the record's file name.
    #[must_use]
    pub fn cache_key_hash(&self) -> &str {
        match self {
            Self::FactCheck(record) => &record.cache_key_hash,
            Self::Evidence(record) => &record.cache_key_hash,
        }
    }

    /// When it was recorded: ISO 8601, UTC.
    #[must_use]
    pub fn timestamp(&self) -> &str {
        match self {
            Self::FactCheck(record) => &record.timestamp,
            Self::Evidence(record) => &record.timestamp,
        }
    }
}
