pub(crate) mod ask;
pub(crate) mod model;
pub(crate) mod proved;
pub(crate) mod rows;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod told;
pub(crate) mod update;
pub(crate) mod view;
