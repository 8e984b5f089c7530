//! Concerns of a reviewer, and sections of a draft.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::SourcePlace;

/// The reviewer's answer as it came: a Markdown bullet list (docs/reference/contract.md).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArticleReviewRaw {
    /// The bullets; empty means that nothing was found.
    pub markdown_bullets: String,
}

/// The eight kinds of concern (docs/reference/contract.md).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ConcernType {
    /// A fact that the source does not carry.
    UnsupportedFact,
    /// A fact concluded from the source, not stated by it.
    InferredFact,
    /// The draft says more than the source covers.
    ScopeExpansion,
    /// The draft judges where it should report.
    Editorializing,
    /// A part of the text's structure that the source gives no ground for.
    StructuredAddition,
    /// A statement without the one who made it.
    AttributionGap,
    /// The source hedges, the draft does not.
    CertaintyInflation,
    /// A text that breaks off in the source is completed in the draft.
    TruncationCompletion,
}

impl ConcernType {
    /// The words for a reader.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::UnsupportedFact => "not in the source",
            Self::InferredFact => "not stated in the source",
            Self::ScopeExpansion => "goes beyond the source",
            Self::Editorializing => "opinion of the writer",
            Self::StructuredAddition => "structure that the source does not have",
            Self::AttributionGap => "no speaker named",
            Self::CertaintyInflation => "more certain than the source",
            Self::TruncationCompletion => "completes what the source breaks off",
        }
    }

    /// All eight, in the contract's order.
    pub const ALL: [Self; 8] = [
        Self::UnsupportedFact,
        Self::InferredFact,
        Self::ScopeExpansion,
        Self::Editorializing,
        Self::StructuredAddition,
        Self::AttributionGap,
        Self::CertaintyInflation,
        Self::TruncationCompletion,
    ];

    /// The name in the contract, such as `unsupported_fact`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::UnsupportedFact => "unsupported_fact",
            Self::InferredFact => "inferred_fact",
            Self::ScopeExpansion => "scope_expansion",
            Self::Editorializing => "editorializing",
            Self::StructuredAddition => "structured_addition",
            Self::AttributionGap => "attribution_gap",
            Self::CertaintyInflation => "certainty_inflation",
            Self::TruncationCompletion => "truncation_completion",
        }
    }
}

/// One concern, read from one bullet (docs/reference/contract.md).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Concern {
    /// 1 for the first bullet, counted up without gaps.
    pub concern_id: u32,
    /// The passage of the draft that the bullet quotes.
    pub excerpt: String,
    /// The whole bullet without its marker.
    pub review_note: String,
}

/// The room in the reviewer's window beside its instructions and the style.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReviewRoom {
    /// A draft and its sources of so many bytes fit in any case.
    pub bytes: u64,
    /// Most tokens of the sources, if that is bounded by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sources: Option<u64>,
}

/// A section of a draft that is reviewed by a call of its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DraftSection {
    /// In the order of the draft.
    pub parts: Vec<DraftPart>,
    /// Where the sources speak of its sentences: the best passage of each, then the second of each, and so on.
    pub passages: Vec<SourcePlace>,
    /// Its sentences for which no passage stands in the whole of the sources.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unfound: Vec<DraftPart>,
}

/// A part of a draft.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DraftPart {
    /// The field by its contract name, such as `articleBody`.
    pub field: String,
    /// Bytes of the field.
    pub start: usize,
    pub end: usize,
}

/// The concerns of one review, in bullet order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArticleReviewResult {
    /// Every concern, ids 1..n.
    pub concerns: Vec<Concern>,
}
