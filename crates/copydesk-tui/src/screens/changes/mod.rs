pub mod comparisons;
pub(crate) mod model;
pub(crate) mod update;
pub(crate) mod view;

pub(crate) use comparisons::{Comparisons, DraftPair};
pub(crate) use model::{Compared, Jump};
