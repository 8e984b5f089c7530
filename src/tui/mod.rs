//! The desk in the terminal.

pub mod highlight;
pub mod mark;
pub mod markdown;
pub mod model;
pub mod page;
mod rows;
pub mod streaming;
mod stretches;
#[cfg(test)]
pub mod testing;
pub mod theme;
pub mod view;
pub mod wrap;
