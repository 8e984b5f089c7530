//! Binding: whether the sources say of the same thing what the draft says.
//!
//! Why: every word of a false sentence can stand in its source. A value is bound only if one passage says it of the
//! same thing: with the same unit, at the same time, by the same speaker. A value that is not bound *stands there*: the
//! reader must look.
//!
//! - `alignment.rs`: the passages from which a sentence of the draft is made, and which of its words they have.
//! - `figures.rs`, `names.rs`, `sentences.rs`: whether a figure, a name, a whole sentence is bound to one of them.
//! - `voices.rs`: who speaks.

mod alignment;
mod belongings;
mod figures;
mod names;
mod sentences;
mod voices;

pub use alignment::{Alignment, GENERAL, tells, worth};
pub use belongings::belonging;
pub use figures::{day_of, tie};
pub use names::takes_part;
pub use sentences::says_no_more;
pub use voices::{Telling, has_turns, is_person, office, office_named, same_voice, teller, told_by, voice_of};
