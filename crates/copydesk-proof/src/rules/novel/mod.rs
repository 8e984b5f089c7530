//! Words for things and people that no source mentions.

pub mod check;
pub mod name;
pub mod person;
pub mod thing;
