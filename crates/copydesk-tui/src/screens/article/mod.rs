pub mod model;
pub mod noted;
pub mod page;
pub mod signing;
pub mod update;
pub mod view;
