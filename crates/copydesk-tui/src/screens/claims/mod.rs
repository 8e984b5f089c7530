pub(crate) mod columns;
pub(crate) mod model;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod told;
pub(crate) mod update;
pub(crate) mod view;
