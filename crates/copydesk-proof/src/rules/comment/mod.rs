//! Comment: the draft judges, weighs or feels where no source does, or it speaks of itself.
//!
//! Why: of the sentences that a small model adds, most have no figure and no name that could be false. They lend weight and feelings:
//! *a significant milestone*, *emphasized the importance of safety*. A report takes such words from a source.

pub mod check;
mod itself;
mod judged;
