//! The desk in the terminal.

pub mod theme;
