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
    pub fn verdict(&self) -> &Verdict {
        let (Self::FactCheck(FactCheckRecord { verdict, .. }) | Self::Evidence(EvidenceRecord { verdict, .. })) = self;
        verdict
    }

    /// The key's hash, which is also the record's file name.
    pub fn cache_key_hash(&self) -> &str {
        let (Self::FactCheck(FactCheckRecord { cache_key_hash, .. })
        | Self::Evidence(EvidenceRecord { cache_key_hash, .. })) = self;
        cache_key_hash
    }

    /// When it was recorded: ISO 8601, UTC.
    pub fn timestamp(&self) -> &str {
        let (Self::FactCheck(FactCheckRecord { timestamp, .. }) | Self::Evidence(EvidenceRecord { timestamp, .. })) =
            self;
        timestamp
    }
    /// The story that asked, as `channel/slug`.
    pub fn article_id(&self) -> &str {
        let (Self::FactCheck(FactCheckRecord { article_id, .. }) | Self::Evidence(EvidenceRecord { article_id, .. })) =
            self;
        article_id
    }

    /// The query.
    pub fn query(&self) -> &str {
        let (Self::FactCheck(FactCheckRecord { query, .. }) | Self::Evidence(EvidenceRecord { query, .. })) = self;
        query
    }

    /// The query as it is compared.
    pub fn normalized_query(&self) -> &str {
        let (Self::FactCheck(FactCheckRecord { normalized_query, .. })
        | Self::Evidence(EvidenceRecord { normalized_query, .. })) = self;
        normalized_query
    }

    /// The model that judged a fact, or searched.
    pub fn model_name(&self) -> &str {
        let (Self::FactCheck(FactCheckRecord { model_name, .. }) | Self::Evidence(EvidenceRecord { model_name, .. })) =
            self;
        model_name
    }

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
