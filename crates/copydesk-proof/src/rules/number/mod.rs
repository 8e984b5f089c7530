//! Figures and dates: does a source give each one for the same thing? Or does it follow from a source's figures?

pub mod absent;
pub mod adding;
pub mod address;
pub mod bound;
pub mod check;
pub mod columns;
pub mod contradicted;
pub mod exchanged;
#[cfg(test)]
pub mod given;
pub mod held;
pub mod led;
pub mod misplaced;
mod numbered;
pub mod order;
pub mod ordinal;
pub mod quarters;
mod ranked;
mod reckoned;
pub mod rivals;
pub mod rows;
pub mod shares;
pub mod states;
pub mod unit;
pub mod withdrawn;
pub mod worked;
