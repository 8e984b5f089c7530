//! A name that belongs to another person: the sources put another person, or another first name, in this place.
//!
//! Why: confusing two namesakes can cost a lawsuit. [`super::namesakes`] and [`super::roles`] find it.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    name: "name.swapped",
    kind: SpanKind::Name,
    standing: Standing::Swapped,
    why: "The sources name another person here.",
    source: "The sources show which first names belong to a surname, and which people to a role.",
    measured: Some(Measured { right: 2, of: 2, on: SUMMARIES }),
    ..Rule::USUAL
};
