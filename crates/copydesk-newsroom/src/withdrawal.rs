//! A version that was taken back after it had gone out.

use serde::{Deserialize, Serialize};

/// When a version was withdrawn, by whom, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoryWithdrawal {
    /// ISO 8601, UTC.
    pub at: String,
    /// The editor.
    pub by: String,
    /// The reason that recipients of the version are given; one line, never empty.
    pub reason: String,
    /// The number of the notice among the versions of its story. The store gives it.
    #[serde(default)]
    pub number: u32,
}
