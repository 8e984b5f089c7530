pub mod edits;
pub mod forks;
pub mod margin;
pub mod notes;
pub mod taking_back;
#[cfg(test)]
pub mod tests;
pub mod update;
pub mod view;
pub mod waiting;
