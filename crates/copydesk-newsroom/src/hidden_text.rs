//! Text that stands in a source and that no reader of it sees.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A stretch of text that no reader sees.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HiddenText {
    /// How it is hidden, in a few words.
    pub how: String,
    /// How it begins, in one line.
    pub text: String,
}

impl HiddenText {
    /// Most characters of the text that are kept.
    pub const LONGEST: usize = 200;
}

impl std::fmt::Display for HiddenText {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "{}: “{}”", self.how, self.text)
    }
}

/// A source that has such text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HidingSource {
    /// The name of the source.
    pub source: String,
    pub texts: Vec<HiddenText>,
}
