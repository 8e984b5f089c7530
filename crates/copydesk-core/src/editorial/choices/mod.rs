//! What an editor can decide now, and why not.

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
