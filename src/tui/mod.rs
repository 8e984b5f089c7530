//! The desk in the terminal.

pub mod action;
pub mod help;
pub mod key;
pub mod keymap;
pub mod palette;
pub mod terminal;
pub mod theme;
