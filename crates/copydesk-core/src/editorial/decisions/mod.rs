//! The effects of an editor's decisions on a run. [`super::choices`] says when each can be made.

pub(super) mod record;

mod effect;
pub(super) mod effective;

pub use effect::{accepting, feedback, house_style_to_dos, outcome, overruled_concerns, waits};
pub use effective::{effective_verdicts, settled_verdicts};
pub use record::{
    applied, at_sign_off, edit, is_by_hand, is_rewritten, left, lines, max_rounds, overruled, passed, signed_by,
    signed_in_words, standing, to_dos,
};

#[cfg(test)]
pub(crate) mod tests;
