//! What changed from one draft to another, and which to-do asked for it. A change that no to-do asked for is silent drift.
//! The other way round, what became of each to-do.
//!
//! [`compare`] and [`between`] are pure; how a change is explained is in `why`, what may explain it in `asked`, whether a to-do
//! is done in `follow_up`.

mod accepting;
mod asked;
mod compare;
mod comparison;
mod follow_up;
mod hunks;
mod instruction;
mod passage;
mod taking_back;
mod trace;
mod wanted;
mod why;

pub use accepting::{accepted, accepting, in_words, is_change};
pub use asked::{AskedFor, asked, asked_between};
pub use compare::{by_hand, compare};
pub use comparison::{Change, ChangeKind, ComparedParagraph, Comparison, Segment, Why};
pub use follow_up::{FollowUp, Progress, follow_up, left};
pub use taking_back::taken_back;
pub use trace::between;

#[cfg(test)]
mod tests;
