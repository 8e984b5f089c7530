//! The desk in the terminal.

pub mod action;
pub mod backroom;
pub mod help;
pub mod highlight;
pub mod key;
pub mod keymap;
pub mod mark;
pub mod markdown;
pub mod model;
pub mod msg;
pub mod open;
pub mod page;
pub mod palette;
mod rows;
pub mod run;
pub mod streaming;
mod stretches;
pub mod terminal;
#[cfg(test)]
pub mod testing;
pub mod theme;
pub mod update;
pub mod view;
pub mod wrap;
