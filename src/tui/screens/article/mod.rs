pub mod model;
pub mod signing;
pub mod update;
pub mod view;
