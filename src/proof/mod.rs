//! What a program can prove about a draft: each span of it is compared with the sources, and the result is the ledger.
//!
//! A rule looks things up and never guesses at meaning. If a source leaves a thing open, so does the rule: a finding that a
//! journalist must wave away costs more than one that a human reviewer adds. Nothing here reads a file, a clock or a network.
//!
//! The folders, each of which knows only the ones before it:
//!
//! - `words/`: lists of words and what they say of a single word. They come first because each token carries the classes of
//!   its word. Long lists are text files in `assets/words`.
//! - `reading/`: a text cut into tokens, sentences, figures, dates, names, speakers, and the stream of words in which
//!   quotations are looked up.
//! - `sources/`: the sources as an archive with an index, what binds a figure to its words, what follows from figures
//!   (sums, tables, births, units), what a source takes back; and the draft beside them (`texts.rs`).
//! - `rule.rs`, `ledger.rs`: what a rule says of itself, and the ledger that rules write to.
//! - `rules/`: a folder a family, a file a rule. The file says name, gravity, why, and how the rule decides.
//! - `registry.rs`: all rules, in the order in which they speak. A new rule is entered here.
//! - The files beside this one: `check`, `ledger` and what else other rooms ask for.

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
