//! The desk in the terminal.

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

pub mod app;
pub mod screens;
pub mod terminal;
#[cfg(test)]
pub(crate) mod testing;
pub mod widgets;
pub mod worker;
