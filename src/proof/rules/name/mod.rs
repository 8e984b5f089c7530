//! Is everybody whom the draft names in a source, spelled so, and the one who is meant?

pub mod check;
pub mod faults;
pub mod first_mention;
pub mod namesakes;
pub mod roles;
