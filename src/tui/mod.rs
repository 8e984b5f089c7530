//! The desk in the terminal.

pub mod mark;
pub mod markdown;
pub mod model;
pub mod page;
mod rows;
mod stretches;
#[cfg(test)]
pub mod testing;
pub mod theme;
pub mod view;
pub mod wrap;
