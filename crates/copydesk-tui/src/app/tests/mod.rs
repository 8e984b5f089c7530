pub mod examined;
mod keys;
pub mod pictures;
mod random_keys;
pub mod seat;
