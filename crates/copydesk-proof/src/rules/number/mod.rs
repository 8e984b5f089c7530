//! Figures and dates: does a source give each one for the same thing? Or does it follow from a source's figures?

pub mod absent;
pub mod address;
pub mod bound;
pub mod check;
pub mod contradicted;
pub mod direction;
pub mod exchanged;
pub mod figure;
#[cfg(test)]
pub mod given;
pub mod misplaced;
pub mod order;
pub mod quarters;
mod reckoned;
pub mod rivals;
pub mod shares;
pub mod states;
pub mod unit;
pub mod weekdays;
pub mod withdrawn;
pub mod worked;
