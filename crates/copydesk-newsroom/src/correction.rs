//! A correction: why a version that was out is replaced by another.

use serde::{Deserialize, Serialize};

/// A correction of a version that was signed off. A story has one for each time that it was corrected, oldest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Correction {
    /// The note for readers; one line, never empty.
    pub note: String,
    /// Who corrects.
    pub by: String,
    /// When that was begun: ISO 8601, UTC.
    pub at: String,
    pub corrects: CorrectedVersion,
}

/// The version that a correction replaces.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CorrectedVersion {
    /// Its run's id.
    pub run: String,
    /// Its number, from 1, as other systems count versions. A notice that withdrew it has its own number.
    pub number: u32,
    /// SHA-256 of its article, hex.
    pub article: String,
    /// Who signed it off; none if it went out without a signature.
    pub signed_by: Option<String>,
    /// When its run was opened: ISO 8601, UTC.
    pub opened_at: String,
    /// When it was finished: ISO 8601, UTC.
    pub at: String,
}
