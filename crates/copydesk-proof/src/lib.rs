//! The proof: it compares each span of a draft with the sources, and writes the result into a ledger.
//!
//! A rule looks things up and never guesses at meaning. If a source leaves something open, the rule says nothing: a false
//! finding costs a journalist more than an error that a reviewer still catches. Nothing here reads a file, a clock or a
//! network.
//!
//! Each folder knows only those before it:
//!
//! - `words/`: lists of words, and what they say about a single word. They come first, because each token carries the
//!   kinds of its word. Long lists are text files in `assets/words`.
//! - `reading/`: cuts a text into tokens, sentences, figures, dates, names and speakers, and into the stream of words in
//!   which quotations are looked up.
//! - `sources/`: the sources with their index, what each figure is about, what follows from figures (sums, tables,
//!   units), and what a source takes back; and the draft beside them (`texts.rs`).
//! - `binding/`: whether the sources say of the same thing what the draft says.
//! - `rule.rs`, `ledger.rs`: the description of a rule, and the ledger that rules write to.
//! - `rules/`: a folder for each family, a file for each rule. The file says the rule's name, gravity and reason, and
//!   decides.
//! - `fixes.rs`: tries what a finding offers to write instead, and keeps one finding for each error.
//! - `registry.rs`: all rules, in the order in which they are asked. A new rule is entered here, or in its folder's
//!   `check.rs`.
//! - The other files offer what other rooms ask for, such as `check` and `ledger`.

#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::string_slice,
        reason = "a test that meets the unexpected should stop there and say so"
    )
)]

mod attributed;
mod binding;
mod check;
mod claims;
mod doubts;
mod facts;
mod fixes;
mod kept;
mod languages;
mod ledger;
mod living;
mod named;
mod notes;
mod passages;
mod question;
mod reading;
mod registry;
mod rule;
mod rules;
mod sources;
mod strangers;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod typed;
mod unsaid;
mod words;

pub use attributed::Attributions;
pub use check::{DraftLedger, at_the_name, check, check_beside, ledger, ledger_beside};
pub use claims::{Checkable, Testimony, checkable, says_it, testimony};
pub use doubts::doubts;
pub use facts::{TextFact, TextFactKind, facts};
pub use kept::ledger_of;
pub use languages::{applies, not_applied};
pub use living::living;
pub use named::named;
pub use notes::{PLACE, cites, remembered_only};
pub use passages::passages_of;
pub use question::AskedQuestion;
pub use registry::{asks_an_editor, rule, rules};
pub use rule::{Gravity, Measured, Rule};
pub use sources::{
    bearing::{Bearing, Ground, Witnesses},
    lookup::{carried, verbatim},
    retractions::Retractions,
};
pub use strangers::{NAME_NOT_FOUND, strangers};
pub use typed::{ChangedStretch, ReadSources, TypedProof};
pub use unsaid::{UnsaidSentence, unsaid};
