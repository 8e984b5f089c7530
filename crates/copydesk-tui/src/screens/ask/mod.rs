pub(crate) mod model;
pub(crate) mod page;
#[cfg(test)]
mod tests;
