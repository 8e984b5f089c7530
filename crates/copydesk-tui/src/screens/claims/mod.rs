pub(crate) mod model;
pub(crate) mod page;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod told;

pub(crate) use model::ClaimsPage;
