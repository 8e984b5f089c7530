pub mod comparisons;
pub mod model;
pub mod update;
pub mod view;
