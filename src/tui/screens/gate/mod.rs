pub mod edits;
pub mod forks;
pub mod margin;
#[cfg(test)]
pub mod tests;
pub mod update;
pub mod view;
pub mod waiting;
