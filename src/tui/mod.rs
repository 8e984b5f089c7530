//! The desk in the terminal.

pub mod model;
pub mod theme;
