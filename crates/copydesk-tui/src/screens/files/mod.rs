pub mod model;
#[cfg(test)]
pub(crate) mod tests;
pub mod update;
pub(crate) mod view;
