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

/// The fields that both records have, each by its name.
macro_rules! of_both {
    ($($(#[$doc:meta])+ $field:ident: $type:ty;)+) => {
        impl MemoryRecord {$(
            $(#[$doc])+
            pub fn $field(&self) -> &$type {
                match self {
                    Self::FactCheck(record) => &record.$field,
                    Self::Evidence(record) => &record.$field,
                }
            }
        )+}
    };
}

of_both! {
    /// The verdict that the record carries.
    verdict: Verdict;
    /// The key's hash, which is also the record's file name.
    cache_key_hash: str;
    /// When it was recorded: ISO 8601, UTC.
    timestamp: str;
    /// The story that asked, as `channel/slug`.
    article_id: str;
    /// The query.
    query: str;
    /// The query as it is compared.
    normalized_query: str;
    /// The model that judged a fact, or searched.
    model_name: str;
}

impl MemoryRecord {
    /// The agent of its key.
    pub fn specialist(&self) -> Specialist {
        match self {
            Self::FactCheck(_) => Specialist::FactCheck,
            Self::Evidence(_) => Specialist::EvidenceFinding,
        }
    }

    /// The passages of the knowledge base, or the search's answer.
    pub fn passages_found(&self) -> &str {
        match self {
            Self::FactCheck(record) => &record.kb_response,
            Self::Evidence(record) => &record.perplexity_response,
        }
    }

    /// Whether an earlier version made it, which asked by the bare excerpt. Nobody knows which sentence such a record
    /// speaks of, so no look-up finds it.
    pub fn is_outdated(&self) -> bool {
        !self.normalized_query().contains('⟦')
    }

    /// Whether the check is older than `since` (ISO 8601, UTC, with milliseconds), if that is given.
    pub fn is_expired(&self, since: Option<&str>) -> bool {
        since.is_some_and(|since| self.timestamp() < since)
    }
}
