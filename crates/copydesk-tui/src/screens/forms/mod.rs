pub mod answer;
pub mod draft;
pub mod drafting;
pub mod field_name;
pub mod history;
pub mod kept;
pub mod margin;
pub mod model;
pub mod purpose;
#[cfg(test)]
pub mod tests;
pub mod top;
pub mod update;
pub mod view;
