pub mod examined;
mod keys;
pub mod pictures;
pub mod seat;
