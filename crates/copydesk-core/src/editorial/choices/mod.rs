//! The decisions that an editor can make now, and the reasons against the others.

mod check;
mod findings;
mod flags;
mod refused;
mod sources;
mod texts;
mod words;

pub use check::{GateSeen, admit, check};
pub use flags::accept_flags;
pub use refused::Refused;
pub use words::state;

#[cfg(test)]
mod tests;
