//! The desk in the terminal.

pub mod model;
#[cfg(test)]
pub(crate) mod testing;
pub mod theme;
pub mod view;
