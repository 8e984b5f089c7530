pub mod model;
pub mod page;
pub mod view;
