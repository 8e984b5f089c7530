//! Only citations that a verdict of this run carries may stand in a footnote (docs/reference/contract.md).
//!
//! A writer that is a model can make up a URL, a DOI or a footnote. Each is taken out that no verdict supplied and no
//! source, editor or earlier human draft contains. A report says what was taken out. Outside evidence stays in
//! footnotes: a citation's address in the running text is taken out too, unless a source has it.

mod addresses;
mod allowed;
mod body;
mod check;
mod patterns;

pub use allowed::Allowed;
pub use check::{Nested, check};

#[cfg(test)]
mod tests;
