//! The ledger: what a program can prove about a draft, held against its sources.
//!
//! Each rule is one file that begins with why. The rules run from the strongest to the weakest, quotations, figures,
//! names, certainty, support, and a stretch of the draft that one has reported is not reported by a later one. They look
//! things up; they never guess at meaning, and where a source leaves a thing open, so do they: a finding that a journalist
//! must wave away costs more than one that a human reviewer adds. Nothing here reads a file, a clock or a network.

mod check;
mod claims;
mod languages;
mod ledger;
mod living;
mod reading;
mod recent;
mod registry;
mod rule;
mod rules;
mod scoring;
mod sources;
#[cfg(test)]
mod trial;
mod words;

pub use check::{check, ledger};
pub use claims::{Checkable, Testimony, checkable, testimony};
pub use languages::{applies, not_applied};
pub use living::living;
pub use recent::recent;
pub use registry::{asks_an_editor, rule, rules};
pub use rule::{Gravity, Measured, Rule};
pub use rules::{quotation::speaker::at_the_name, support::new_fact::new_facts};
pub use scoring::{FileScore, JudgedText, RuleScore, Scores, judges, score};
pub use sources::{
    bearing::{Bearing, Ground, Witnesses},
    lookup::{carried, verbatim},
    retractions::Retractions,
};
#[cfg(test)]
pub(crate) use trial::check_texts;
