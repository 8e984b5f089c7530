//! The desk in the terminal.

pub mod highlight;
pub mod mark;
pub mod markdown;
pub mod page;
mod rows;
pub mod streaming;
mod stretches;
pub mod theme;
pub mod wrap;
