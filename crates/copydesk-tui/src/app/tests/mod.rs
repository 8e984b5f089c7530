pub mod examined;
pub mod pictures;
pub mod seat;
