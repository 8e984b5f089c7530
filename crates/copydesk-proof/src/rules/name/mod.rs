//! Names: is each in a source, spelled this way, and the person meant?

pub mod check;
pub mod namesakes;
pub mod not_found;
pub mod parties;
pub mod roles;
pub mod spelling;
pub mod swapped;
pub mod title;
