pub(crate) mod model;
#[cfg(test)]
mod tests;
pub(crate) mod told;
pub(crate) mod update;
pub(crate) mod view;

pub(crate) use model::{SourceRow, SourcesPage};
