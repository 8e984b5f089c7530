//! The rules, each by its name: what it finds, how grave that is, why it is there, and how often it was right when measured.
//!
//! A rule is a file; it says all this at its head, and the screen shows it beside a finding, so that nobody has to take a
//! program's word.

use std::fmt;

use crate::newsroom::{ConcernType, SpanKind, Standing};

use super::{
    certainty, completed, first_mention, identities, meaning, new_facts, novel, numbers, quotations, support, titles,
    voices,
};

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
pub(super) const SUMMARIES: &str =
    "2,150 summaries of dialogues, podcasts, calls and papers, 1,427 of them false (SummEdits)";

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

/// Every rule, in the order in which they speak.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    let folders: [&[&'static Rule]; 12] = [
        &quotations::RULES,
        &voices::RULES,
        &numbers::RULES,
        &identities::RULES,
        &titles::RULES,
        &certainty::RULES,
        &meaning::RULES,
        &completed::RULES,
        &support::RULES,
        &novel::RULES,
        &first_mention::RULES,
        &new_facts::RULES,
    ];
    folders.into_iter().flatten().copied()
}

/// The rule of that name; none for the names under which spans in order are kept, or of another version.
#[must_use]
pub fn rule(name: &str) -> Option<&'static Rule> {
    rules().find(|rule| rule.name == name)
}

/// Whether what a rule finds is for an editor's eyes only: every word of it may be right, so no program repairs it or takes it
/// out.
#[must_use]
pub fn asks_an_editor(name: &str) -> bool {
    quotations::FOR_AN_EDITOR.iter().any(|rule| rule.name == name)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn precision_is_told_as_it_was_measured() {
        let measured = Measured { right: 131, of: 133, on: "four domains of SummEdits" };
        assert_eq!(measured.to_string(), "right 131 of 133 times (on four domains of SummEdits)");
    }

    #[test]
    fn every_rule_has_a_name_of_its_own_and_says_why() {
        let names: BTreeSet<&str> = rules().map(|rule| rule.name).collect();
        assert_eq!(names.len(), rules().count());
        for one in rules() {
            assert_eq!(rule(one.name), Some(one));
            assert!(one.why.ends_with('.') && one.source.ends_with('.'), "{}", one.name);
            if let Some(Measured { right, of, .. }) = one.measured {
                assert!(right <= of && of > 0, "{}", one.name);
            }
        }
        assert_eq!(rule("quotation.carried"), None);
    }
}
