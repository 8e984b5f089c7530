pub mod check;
pub mod first_mention;
pub mod namesakes;
pub mod roles;
