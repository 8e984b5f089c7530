pub(crate) mod page;
pub(crate) mod pane;
pub(crate) mod state;
pub(crate) mod status;
pub(crate) mod wrap;
