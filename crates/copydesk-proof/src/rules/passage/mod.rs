//! Does a sentence's own passage say the same? Other words elsewhere in the sources do not count here.

pub mod check;
pub mod degree;
pub mod reason;
