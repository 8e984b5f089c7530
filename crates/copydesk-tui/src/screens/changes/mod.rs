pub mod comparisons;
pub(crate) mod model;
pub(crate) mod update;
pub(crate) mod view;
