pub mod answer;
pub mod field_name;
pub mod margin;
pub mod model;
pub mod purpose;
#[cfg(test)]
pub mod tests;
pub mod top;
pub mod update;
pub mod view;
