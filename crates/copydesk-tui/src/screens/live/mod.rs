pub(crate) mod choices;
pub(crate) mod model;
pub(crate) mod pace;
pub(crate) mod rail;
pub(crate) mod rail_view;
pub mod streaming;
pub(crate) mod view;

pub(crate) use model::{Live, OnItsWay};
pub(crate) use rail::{RailRow, RailState};
