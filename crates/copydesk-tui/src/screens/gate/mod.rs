pub(crate) mod edits;
pub(crate) mod forks;
pub(crate) mod margin;
pub(crate) mod notes;
pub(crate) mod one_change;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod update;
pub(crate) mod view;
pub(crate) mod waiting;
