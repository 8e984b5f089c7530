pub(crate) mod model;
pub(crate) mod page;
pub(crate) mod view;
