pub mod detail;
pub mod model;
pub mod standing;
#[cfg(test)]
pub mod tests;
pub mod update;
pub mod view;
