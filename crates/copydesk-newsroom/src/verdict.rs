//! The verdict of a specialist on a concern.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What should become of the excerpt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum Status {
    /// The text may stand.
    Keep,
    /// The text must be put differently.
    Rewrite,
    /// The text must go.
    Remove,
}

impl Status {
    /// The name in the contract, such as `KEEP`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Keep => "KEEP",
            Self::Rewrite => "REWRITE",
            Self::Remove => "REMOVE",
        }
    }
}

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
    /// Returns the verdict's own flaw: it keeps a text that it calls misleading, or its rationale is empty.
    #[must_use]
    pub fn flaw(&self) -> Option<&'static str> {
        if self.status == Status::Keep && self.misleading {
            return Some("it keeps a text that it calls misleading");
        }
        self.rationale.trim().is_empty().then_some("its rationale is empty")
    }
}
