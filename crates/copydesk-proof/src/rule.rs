//! A rule's description: its name, the kind of words that it judges, how grave its findings are, why it exists, and how often it was right
//! when measured. The screen shows this beside a finding, so that a reader need not trust the program blindly.

use std::fmt;

use copydesk_newsroom::{ConcernType, SpanKind, Standing};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gravity {
    /// Shown only on request: the rule is wrong too often to interrupt anybody.
    Note,
    /// The finding joins the review as a concern.
    Concern,
    /// The finding joins the review. The story cannot be signed before an editor has decided.
    Block,
}

impl Gravity {
    /// Its name on the command line and in the configuration.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Concern => "concern",
            Self::Block => "block",
        }
    }
}

/// How often a rule was right when it found something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Measured {
    pub right: u32,
    pub of: u32,
    /// The texts that it was measured on.
    pub on: &'static str,
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { right, of, on } = self;
        write!(f, "right {right} of {of} times (on {on})")
    }
}

/// The texts that most rules were measured on, and that none was made on. A finding there is right if people had called its text
/// inconsistent.
pub const SUMMARIES: &str = "1,487 summaries of news and earnings calls, 924 of them false (SummEdits)";

#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// Such as `quotation.altered`. It never changes, because journals keep it.
    pub name: &'static str,
    /// The kind of span that it judges. A rule for figures may also report a date.
    pub kind: SpanKind,
    /// The standing of a span that it finds fault with.
    pub standing: Standing,
    pub concern_type: ConcernType,
    pub gravity: Gravity,
    /// The fault, in a sentence for an editor.
    pub why: &'static str,
    /// The principle or the word lists that it rests on.
    pub source: &'static str,
    /// Its precision, if it was measured.
    pub measured: Option<Measured>,
}

impl Rule {
    /// The values of most rules: a concern about an unsupported fact, not measured yet. Each rule sets only the values that differ.
    pub(super) const USUAL: Self = Self {
        name: "",
        kind: SpanKind::Sentence,
        standing: Standing::NotFound,
        concern_type: ConcernType::UnsupportedFact,
        gravity: Gravity::Concern,
        why: "",
        source: "",
        measured: None,
    };

    /// The values of most rules for figures: a passage gives another one.
    pub(super) const FIGURE: Self = Self {
        kind: SpanKind::Number,
        standing: Standing::Contradicted,
        concern_type: ConcernType::InferredFact,
        ..Self::USUAL
    };

    /// The values of most rules for sentences: a passage says the opposite.
    pub(super) const OPPOSITE: Self = Self { kind: SpanKind::Certainty, standing: Standing::Denied, ..Self::USUAL };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn precision_is_told_as_it_was_measured() {
        let measured = Measured { right: 131, of: 133, on: "four domains of SummEdits" };
        assert_eq!(measured.to_string(), "right 131 of 133 times (on four domains of SummEdits)");
    }
}
