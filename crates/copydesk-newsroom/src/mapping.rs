//! Which specialist looks at which concern.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ConcernType;

/// The five specialists (docs/reference/contract.md).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Specialist {
    /// Validates facts against the knowledge base.
    FactCheck,
    /// Looks for evidence outside the house.
    EvidenceFinding,
    /// Weighs fair interpretation against misleading.
    Opinion,
    /// Verifies who said it.
    Attribution,
    /// Holds the text against the style.
    StyleReview,
}

impl Specialist {
    /// All five, in the contract's order.
    pub const ALL: [Self; 5] =
        [Self::FactCheck, Self::EvidenceFinding, Self::Opinion, Self::Attribution, Self::StyleReview];

    /// The name in the contract, such as `fact_check`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::FactCheck => "fact_check",
            Self::EvidenceFinding => "evidence_finding",
            Self::Opinion => "opinion",
            Self::Attribution => "attribution",
            Self::StyleReview => "style_review",
        }
    }
}

/// How sure the mapping is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    /// The concern's type decides.
    High,
    /// More than one specialist would do.
    Medium,
    /// A guess, said to be one.
    Low,
}

/// One concern and its one specialist (docs/reference/contract.md).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConcernMapping {
    /// The concern that is routed.
    pub concern_id: u32,
    /// Its kind.
    pub concern_type: ConcernType,
    /// The specialist that decides it.
    pub selected_agent: Specialist,
    /// How sure the mapping is.
    pub confidence: Confidence,
    /// Why this specialist.
    pub reason: String,
}

/// The mapping agent's whole answer: each concern exactly once.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConcernMappingResult {
    /// One mapping a concern, in concern order once accepted.
    pub mappings: Vec<ConcernMapping>,
}
