pub mod check;
pub mod faults;
pub mod first_mention;
pub mod namesakes;
pub mod roles;
