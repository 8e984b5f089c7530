pub mod beside;
pub mod log;
pub mod model;
pub mod opened;
pub mod reading;
pub mod runs;
pub mod tab_bar;
pub mod tabs;
#[cfg(test)]
pub mod tests;
pub mod two_runs;
pub mod update;
pub mod view;
