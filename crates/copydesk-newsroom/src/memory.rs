//! Records of earlier checks (docs/reference/contract.md).

use serde::{Deserialize, Serialize};

use super::{Specialist, Verdict};

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
    /// The query.
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
    /// The specialist's verdict.
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
    /// The query.
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
    /// The specialist's verdict.
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
    /// The story that asked, as `channel/slug`.
    #[must_use]
    pub fn article_id(&self) -> &str {
        match self {
            Self::FactCheck(record) => &record.article_id,
            Self::Evidence(record) => &record.article_id,
        }
    }

    /// The query.
    #[must_use]
    pub fn query(&self) -> &str {
        match self {
            Self::FactCheck(record) => &record.query,
            Self::Evidence(record) => &record.query,
        }
    }

    /// The query as it is compared.
    #[must_use]
    pub fn normalized_query(&self) -> &str {
        match self {
            Self::FactCheck(record) => &record.normalized_query,
            Self::Evidence(record) => &record.normalized_query,
        }
    }

    /// The model that judged a fact, or searched.
    #[must_use]
    pub fn model_name(&self) -> &str {
        match self {
            Self::FactCheck(record) => &record.model_name,
            Self::Evidence(record) => &record.model_name,
        }
    }

    /// The agent of its key.
    #[must_use]
    pub fn specialist(&self) -> Specialist {
        match self {
            Self::FactCheck(_) => Specialist::FactCheck,
            Self::Evidence(_) => Specialist::EvidenceFinding,
        }
    }

    /// The passages of the knowledge base, or the search's answer.
    #[must_use]
    pub fn found(&self) -> &str {
        match self {
            Self::FactCheck(record) => &record.kb_response,
            Self::Evidence(record) => &record.perplexity_response,
        }
    }

    /// Whether an earlier version made it, which asked by the bare excerpt. Nobody knows which sentence such a record
    /// speaks of, so no look-up finds it.
    #[must_use]
    pub fn is_outdated(&self) -> bool {
        !self.normalized_query().contains('⟦')
    }

    /// Whether the check is older than `since` (ISO 8601, UTC, with milliseconds), if that is given.
    #[must_use]
    pub fn is_expired(&self, since: Option<&str>) -> bool {
        since.is_some_and(|since| self.timestamp() < since)
    }
}
