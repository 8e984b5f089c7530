pub(crate) mod beside;
pub(crate) mod log;
pub(crate) mod model;
pub(crate) mod runs;
pub(crate) mod tab_bar;
pub mod tabs;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod update;
pub(crate) mod view;

pub(crate) use beside::FourPanes;
pub(crate) use model::StoryView;
pub(crate) use tabs::{Pane, Tab};
