pub mod edits;
pub mod forks;
pub mod margin;
pub mod notes;
pub mod one_change;
#[cfg(test)]
pub mod tests;
pub mod update;
pub mod view;
pub mod waiting;
