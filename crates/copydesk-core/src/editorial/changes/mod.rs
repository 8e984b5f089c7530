//! The changes from one draft to another, and the to-do that asked for each. A change that no to-do asked for is silent drift. The reverse
//! view gives the progress of each to-do.
//!
//! [`compare`] and [`between`] are pure. `why` explains a change, `asked` has the to-dos that may explain it, and `follow_up` says whether
//! a to-do is done.

mod accepting;
mod compare;
mod comparison;
mod follow_up;
mod hunks;
mod instruction;
mod passage;
mod why;

pub use accepting::{accepted, accepting, in_words, is_change, taken_back};
pub use compare::{between, by_hand, compare};
pub use comparison::{
    AskedFor, Change, ChangeKind, ChangeReason, ComparedParagraph, Comparison, Segment, asked, asked_between,
};
pub use follow_up::{FollowUp, Progress, follow_up, left};
pub(in crate::editorial) use passage::quotations;

#[cfg(test)]
mod tests;
