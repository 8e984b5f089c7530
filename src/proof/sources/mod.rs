//! What the rules ask the sources: where a word or a figure stands, what follows from it, what is taken back.

pub mod abbreviations;
pub mod archive;
pub mod bearing;
pub mod bindings;
pub mod births;
pub mod derivation;
pub mod derived;
pub mod index;
pub mod known;
pub mod lookup;
pub mod retractions;
pub mod since;
pub mod sums;
pub mod tables;
pub mod texts;
pub mod units;
pub mod vicinity;
pub mod withdrawals;
