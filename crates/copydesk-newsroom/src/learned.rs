//! What stories learned. Later stories are given it as a hint with its origin; it is no witness of anything.

use serde::{Deserialize, Serialize};

/// What kind of thing was learned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LearnedKind {
    /// A claim that matched a source, and nothing spoke against it.
    Claim,
    /// A name as such a claim and its source spell it.
    Name,
    /// The address of a source that research kept, with its credibility.
    Source,
}

impl LearnedKind {
    /// The word that the database has.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Claim => "claim",
            Self::Name => "name",
            Self::Source => "source",
        }
    }
}

/// What a story learned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Learned {
    pub kind: LearnedKind,
    /// The claim, the name, the address.
    pub text: String,
    /// The name of the source that has it; of an address its title, or why an editor distrusts it.
    pub source: String,
    /// Of an address: from 0 to 1; 0 if an editor distrusts it, because no rule goes so low.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub credibility: Option<f64>,
}

/// What an earlier story learned, as a later one is given it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EarlierHint {
    pub learned: Learned,
    /// `channel/slug` of the earlier story.
    pub story: String,
    /// When that ended: ISO 8601, UTC.
    pub at: String,
}
