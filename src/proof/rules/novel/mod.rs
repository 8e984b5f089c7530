pub mod check;
pub mod name;
pub mod person;
pub mod thing;
