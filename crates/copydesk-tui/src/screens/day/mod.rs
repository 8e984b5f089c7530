pub mod model;
pub mod numbers;
#[cfg(test)]
pub mod tests;
pub mod update;
pub mod view;
