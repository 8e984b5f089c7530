pub mod comparisons;
pub mod model;
pub mod page;
pub mod update;
pub mod view;
