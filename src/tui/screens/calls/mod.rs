pub mod model;
pub mod view;
