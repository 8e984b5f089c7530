pub mod model;
pub mod page;
pub mod panes;
pub mod picked;
pub mod view;
