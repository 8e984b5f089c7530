pub(crate) mod model;
pub(crate) mod page;
#[cfg(test)]
mod tests;

pub(crate) use model::AskPage;
