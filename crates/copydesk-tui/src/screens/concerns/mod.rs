pub(crate) mod model;
pub(crate) mod page;
pub mod panes;
pub(crate) mod picked;
pub(crate) mod view;
