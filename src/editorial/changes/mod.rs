//! What changed from one draft to another, and which to-do asked for it. A change that no to-do asked for is silent drift.
//!
//! [`compare`] and [`between`] are pure; how a change is explained is in `why`, what may explain it in `asked`.

mod asked;
mod compare;
mod comparison;
mod hunks;
mod instruction;
mod passage;
mod trace;
mod why;

pub use asked::{AskedFor, asked, asked_between};
pub use compare::{by_hand, compare};
pub use comparison::{Change, ChangeKind, ComparedParagraph, Comparison, Segment, Why};
pub use trace::between;

#[cfg(test)]
mod tests;
