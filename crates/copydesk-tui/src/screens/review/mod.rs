pub(crate) mod model;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod update;

pub(crate) use model::{Direction, Walk};
