//! What an editor's decisions mean for a run. What can be decided when is said in [`super::choices`].

pub(super) mod record;

mod effect;

pub use effect::{accepting, effective_verdicts, feedback, house_style_to_dos, outcome, overruled_concerns, waits};
pub use record::{at_sign_off, edit, left, lines, max_rounds, overruled, passed, signed_by, standing, to_dos};

#[cfg(test)]
pub(crate) mod tests;
