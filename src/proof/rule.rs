//! What a rule says of itself: its name, what it judges, how grave its findings are, why it is there, and how often it was
//! right when measured. The screen shows this beside a finding, so that nobody has to take a program's word.

use std::fmt;

use crate::newsroom::{ConcernType, SpanKind, Standing};

/// What a finding of a rule does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gravity {
    /// It is for those who ask for every doubt: too often wrong to interrupt anybody.
    Note,
    /// It joins the review as a concern.
    Concern,
    /// It joins the review, and the story cannot be signed until a human has decided.
    Block,
}

impl Gravity {
    /// The word for it on the command line and in the configuration.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Concern => "concern",
            Self::Block => "block",
        }
    }
}

/// How often a rule was right when it spoke.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Measured {
    /// Findings that were right.
    pub right: u32,
    /// Findings.
    pub of: u32,
    /// On what.
    pub on: &'static str,
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { right, of, on } = self;
        write!(f, "right {right} of {of} times (on {on})")
    }
}

/// What most rules were measured on: of the texts in which a rule spoke, those that people had found inconsistent.
pub const SUMMARIES: &str = "2,150 summaries of dialogues, podcasts, calls and papers, 1,427 of them false (SummEdits)";

/// A rule.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its name, such as `quotation.altered`; stable, since journals keep it.
    pub name: &'static str,
    /// What it judges; a figure's finding can be one of a date.
    pub kind: SpanKind,
    /// How a span stands that it finds fault with.
    pub standing: Standing,
    /// The concern that it raises.
    pub concern_type: ConcernType,
    /// What its findings do.
    pub gravity: Gravity,
    /// Why, in a sentence for an editor.
    pub why: &'static str,
    /// What it rests on.
    pub source: &'static str,
    /// Its precision, where it was measured.
    pub measured: Option<Measured>,
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
