//! What the screen knows, as plain data.

pub mod diff;
