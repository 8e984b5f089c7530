pub mod model;
#[cfg(test)]
pub mod tests;
pub mod update;
