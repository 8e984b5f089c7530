pub(crate) mod model;
pub(crate) mod proved;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod told;
pub(crate) mod update;
pub(crate) mod view;

pub(crate) use proved::{ListedRow, NoProof, Proved};
