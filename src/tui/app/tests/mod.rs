pub mod pictures;
pub mod seat;
