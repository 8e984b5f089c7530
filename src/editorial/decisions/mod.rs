//! What an editor's decisions mean for a run. What can be decided when is said in [`super::choices`].

pub(super) mod record;

mod effect;
pub(super) mod effective;

pub use effect::{accepting, feedback, house_style_to_dos, outcome, overruled_concerns, waits};
pub use effective::effective_verdicts;
pub use record::{at_sign_off, edit, left, lines, max_rounds, overruled, passed, signed_by, standing, to_dos};

#[cfg(test)]
pub(crate) mod tests;
