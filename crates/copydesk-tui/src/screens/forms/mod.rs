pub(crate) mod answer;
pub(crate) mod draft;
pub(crate) mod drafting;
pub(crate) mod field_name;
pub(crate) mod history;
pub(crate) mod kept;
pub(crate) mod margin;
pub(crate) mod model;
pub(crate) mod purpose;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod top;
pub(crate) mod update;
pub(crate) mod view;
