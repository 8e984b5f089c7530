pub mod page;
pub mod pane;
pub mod state;
pub mod status;
pub mod wrap;
