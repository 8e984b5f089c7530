pub mod model;
pub mod panes;
pub mod picked;
pub mod view;
