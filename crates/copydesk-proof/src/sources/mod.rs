//! The sources and what the rules ask them. They know the places of words and figures, what follows from figures, and
//! what a source takes back.

pub mod abbreviations;
pub mod archive;
pub mod bearing;
pub mod bindings;
pub mod derivation;
pub mod derived;
pub mod index;
pub mod known;
pub mod lasted;
pub mod lookup;
pub mod restated;
pub mod retractions;
pub mod sums;
pub mod tables;
pub mod texts;
pub mod turns;
pub mod units;
pub mod vicinity;
pub mod withdrawals;

pub use archive::{LineHit, SourceArchive, SourceLine, content};
pub use bindings::{
    Bond, around, common, companions, counted, figures_at, fitted, in_words, is_label, nearest, of_line, of_the_day,
    one_line, shared, siblings,
};
pub use texts::{DraftField, ProofTexts, SourceTexts, Spot, foreign_language};

pub use vicinity::Vicinity;
pub use withdrawals::Withdrawal;
