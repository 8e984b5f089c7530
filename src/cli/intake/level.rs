//! How grave a rule must be to be asked.

use clap::ValueEnum;

use crate::proof::Gravity;

/// The least grave rules that are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum GravityArg {
    /// Every rule, also those that are often wrong.
    Note,
    /// Rules whose findings join a review.
    Concern,
    /// Rules whose findings block a sign-off.
    Block,
}

impl From<GravityArg> for Gravity {
    fn from(level: GravityArg) -> Self {
        match level {
            GravityArg::Note => Self::Note,
            GravityArg::Concern => Self::Concern,
            GravityArg::Block => Self::Block,
        }
    }
}
