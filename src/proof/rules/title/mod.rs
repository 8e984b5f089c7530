//! Is the office that the draft gives somebody theirs?

pub mod check;
