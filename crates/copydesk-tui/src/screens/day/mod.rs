pub(crate) mod model;
pub(crate) mod page;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod view;

pub(crate) use model::{DayNumbers, DayPage, DayStage, OpenCall, QueueNow};
