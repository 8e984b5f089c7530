//! What an editor can decide now, and why not.

mod check;
mod findings;
mod flags;
mod refused;
mod texts;
mod words;

pub use check::{GateSeen, check};
pub use flags::accept_flags;
pub use refused::Refused;
pub use texts::cleaned;
pub use words::{state, words};

#[cfg(test)]
mod tests;
