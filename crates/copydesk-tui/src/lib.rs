//! The desk in the terminal.

#![cfg_attr(test, allow(clippy::string_slice, reason = "a test that cuts at a wrong place should stop there"))]

pub mod app;
pub mod screens;
pub mod terminal;
#[cfg(test)]
pub(crate) mod testing;
pub mod widgets;
pub mod worker;
