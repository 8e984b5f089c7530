pub(crate) mod detail;
pub mod model;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod update;
pub(crate) mod view;

pub(crate) use model::{DeskList, DeskRow, StoryHolder, StoryState};
