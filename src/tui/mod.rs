//! The desk in the terminal.

pub mod app;
pub mod screens;
pub mod terminal;
#[cfg(test)]
pub mod testing;
pub mod widgets;
pub mod worker;
