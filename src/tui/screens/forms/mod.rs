pub mod model;
pub mod purpose;
#[cfg(test)]
pub mod tests;
pub mod update;
pub mod view;
