//! The desk in the terminal.

pub mod mark;
pub mod markdown;
pub mod model;
pub mod page;
mod rows;
mod stretches;
pub mod theme;
pub mod wrap;
