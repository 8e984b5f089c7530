//! Does the person hold the office that the draft gives them?

pub mod office;
pub mod party;
pub mod titles;
