//! A result of a search, and what is read of it.

use serde_json::Value;

/// A result of a search, as the service wrote it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct WebResult {
    pub(super) title: String,
    pub(super) address: String,
    pub(super) snippet: String,
    pub(super) date: String,
    /// Who found it.
    pub(super) engine: String,
}

/// Whether an address can be opened.
pub(super) fn is_web(address: &str) -> bool {
    address.starts_with("https://") || address.starts_with("http://")
}

/// A text of an object; empty if there is none.
pub(super) fn text(of: &Value, key: &str) -> String {
    of.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
}
