pub(crate) mod list;
pub(crate) mod record;
#[cfg(test)]
pub(crate) mod tests;
