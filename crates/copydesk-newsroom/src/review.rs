//! Concerns of a reviewer, who looks at each of them, and the verdicts.

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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
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

named!(ConcernType);

impl ConcernType {
    /// The words for a reader.
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

    /// A reviewer's note with the kind of the concern in words: `inferred_fact: It …` as `not stated in the source: It …`.
    pub fn in_words(note: &str) -> String {
        let named = |kind: Self| format!("{}:", kind.name());
        let kind = Self::ALL.into_iter().find(|kind| note.contains(&named(*kind)));
        kind.map_or_else(|| note.to_owned(), |kind| note.replacen(&named(kind), &format!("{}:", kind.words()), 1))
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

/// The five specialists (docs/reference/contract.md).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
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

named!(Specialist);

impl Specialist {
    /// All five, in the contract's order.
    pub const ALL: [Self; 5] =
        [Self::FactCheck, Self::EvidenceFinding, Self::Opinion, Self::Attribution, Self::StyleReview];
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

/// What should become of the excerpt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, strum::IntoStaticStr)]
#[serde(rename_all = "UPPERCASE")]
#[strum(serialize_all = "UPPERCASE")]
pub enum Status {
    /// The text may stand.
    Keep,
    /// The text must be put differently.
    Rewrite,
    /// The text must go.
    Remove,
}

named!(Status);

/// A specialist's verdict on one concern (docs/reference/contract.md).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Verdict {
    /// The concern that this verdict answers.
    pub concern_id: u32,
    /// Whether a reader would be misled by the text as it stands.
    pub misleading: bool,
    /// What should become of the text.
    pub status: Status,
    /// Why.
    pub rationale: String,
    /// What the writer should do; null if nothing is to be done or nothing can be said.
    #[serde(default)]
    pub suggested_fix: Option<String>,
    /// What was found, in a sentence or two; fact-check and evidence-finding only.
    #[serde(default)]
    pub evidence: Option<String>,
    /// The places where it was found: URLs or citation strings that the pipeline supplied.
    #[serde(default)]
    pub citations: Option<Vec<String>>,
}

impl Verdict {
    /// A verdict that lets the text stand.
    pub fn keep(concern_id: u32, rationale: String) -> Self {
        Self { misleading: false, status: Status::Keep, ..Self::rewrite(concern_id, rationale) }
    }

    /// A verdict that has the text rewritten, and does not say how.
    pub fn rewrite(concern_id: u32, rationale: String) -> Self {
        Self {
            concern_id,
            misleading: true,
            status: Status::Rewrite,
            rationale,
            suggested_fix: None,
            evidence: None,
            citations: None,
        }
    }

    /// Returns the verdict's own flaw: it keeps a text that it calls misleading, or its rationale is empty.
    pub fn flaw(&self) -> Option<&'static str> {
        if self.status == Status::Keep && self.misleading {
            return Some("it keeps a text that it calls misleading");
        }
        self.rationale.trim().is_empty().then_some("its rationale is empty")
    }
}
