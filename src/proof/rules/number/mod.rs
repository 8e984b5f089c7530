//! Does each figure and date stand in a source, or follow from one, and for the same thing?

pub mod absent;
pub mod age;
pub mod calendar;
pub mod check;
pub mod contradicted;
pub mod direction;
#[cfg(test)]
pub mod given;
pub mod ordinal;
pub mod rivals;
pub mod row;
pub mod unit;
pub mod weekday;
pub mod withdrawn;
