//! A review copy that came back from a colleague, as plain data.

use serde::{Deserialize, Serialize};

/// A document that came back.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReturnedDocument {
    /// Its paragraphs with every tracked change taken as accepted; those without a word are left out.
    pub paragraphs: Vec<ReturnedParagraph>,
    /// The names of its bookmarks.
    pub bookmarks: Vec<String>,
    /// The changes that nobody has accepted or rejected.
    pub pending: Vec<PendingChange>,
    pub comments: Vec<ReturnedComment>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReturnedParagraph {
    /// The id of its style; empty if it has none.
    pub style: String,
    pub text: String,
}

/// A change that is still tracked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PendingChange {
    /// Else the words were deleted.
    pub inserted: bool,
    pub text: String,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReturnedComment {
    pub by: String,
    pub text: String,
    /// The words that it is on.
    pub about: String,
}
