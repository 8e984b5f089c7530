pub mod footer;
pub mod header;
pub mod help;
pub mod notices;
pub mod palette;
pub mod question;
