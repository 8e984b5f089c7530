//! The decisions that an editor can make now, and the reasons against the others.

mod check;
mod refused;
mod sources;
mod texts;

pub use check::accept_flags;
pub use check::{GateSeen, admit, check};
pub use refused::Refused;
pub use refused::state;

#[cfg(test)]
mod tests;
