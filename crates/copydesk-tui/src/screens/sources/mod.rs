pub mod model;
#[cfg(test)]
mod tests;
pub mod told;
pub mod update;
pub mod view;
