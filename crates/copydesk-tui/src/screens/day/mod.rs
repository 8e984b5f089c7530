pub(crate) mod model;
pub(crate) mod numbers;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod update;
pub(crate) mod view;
