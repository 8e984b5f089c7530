pub(crate) mod model;
pub(crate) mod view;
