//! A newsroom's statement to its readers about artificial intelligence in an article.

use serde::{Deserialize, Serialize};

/// The statement in an exported article.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Disclosure {
    /// Nothing.
    #[default]
    None,
    /// That a model helped to make it.
    AiAssisted,
    /// That a model wrote it.
    AiGenerated,
}

impl Disclosure {
    /// All, each by its word in the configuration.
    pub const ALL: [(&'static str, Self); 3] =
        [("none", Self::None), ("ai_assisted", Self::AiAssisted), ("ai_generated", Self::AiGenerated)];

    /// The word in the configuration.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::AiAssisted => "ai_assisted",
            Self::AiGenerated => "ai_generated",
        }
    }

    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == Self::None
    }
}
