pub(crate) mod model;
pub(crate) mod page;
pub mod panes;
pub(crate) mod view;

pub(crate) use model::ConcernRow;
pub(crate) use panes::ExcerptPlaces;
