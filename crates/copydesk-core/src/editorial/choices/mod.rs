//! The decisions that an editor can make now, and the reasons against the others.

mod check;
mod refused;
mod sources;
mod texts;

pub use check::{GateSeen, accept_flags, admit, check};
pub use refused::{Refused, state};

#[cfg(test)]
mod tests;
