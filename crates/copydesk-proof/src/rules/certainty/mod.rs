//! Is the draft more certain than its source?

pub mod check;
#[cfg(test)]
pub mod given;
pub mod inflated;
pub mod matter;
pub mod negation;
pub mod statement;
