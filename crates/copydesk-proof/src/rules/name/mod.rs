//! Names: is each in a source, spelled this way, and the person meant?

pub mod actor;
pub mod check;
pub mod first_mention;
pub mod namesakes;
pub mod not_found;
pub mod partner;
pub mod roles;
pub mod spelling;
pub mod swapped;
