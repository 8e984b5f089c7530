//! How grave a rule must be to be asked.

use clap::ValueEnum;

use crate::proof::Gravity;

/// The least grave rules that are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Level {
    /// Every rule, also those that are often wrong.
    Note,
    /// Rules whose findings join a review.
    Concern,
    /// Rules whose findings block a sign-off.
    Block,
}

impl From<Level> for Gravity {
    fn from(level: Level) -> Self {
        match level {
            Level::Note => Self::Note,
            Level::Concern => Self::Concern,
            Level::Block => Self::Block,
        }
    }
}
