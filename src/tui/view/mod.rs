//! The screen's panes, each a pure function of plain data.

pub mod diff;
