//! The footer.

/// A key and what it does here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hint {
    /// The key.
    pub keys: String,
    /// What it does.
    pub title: String,
    /// Why it cannot be used now.
    pub off: Option<String>,
}
