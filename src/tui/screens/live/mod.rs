pub mod choices;
pub mod model;
pub mod page;
pub mod rail;
pub mod rail_view;
pub mod streaming;
pub mod view;
pub mod written;
