pub mod columns;
pub mod model;
#[cfg(test)]
pub mod tests;
pub mod told;
pub mod update;
pub mod view;
