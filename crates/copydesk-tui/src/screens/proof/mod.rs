pub mod ask;
pub mod model;
pub mod proved;
pub mod rows;
#[cfg(test)]
pub mod tests;
pub mod told;
pub mod update;
pub mod view;
