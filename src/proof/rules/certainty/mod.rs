pub mod cause;
pub mod check;
#[cfg(test)]
pub mod given;
pub mod inflated;
pub mod negation;
pub mod settled;
pub mod statement;
