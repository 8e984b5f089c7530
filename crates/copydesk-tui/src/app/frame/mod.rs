pub(crate) mod footer;
pub(crate) mod header;
pub(crate) mod help;
pub(crate) mod notices;
pub(crate) mod palette;
pub(crate) mod question;
