//! What can be wrong with a name: it is misspelt, it is somebody else's, or no source has it. [`super::check`] decides which.

use crate::{
    newsroom::{ConcernType, SpanKind, Standing},
    proof::rule::{Gravity, Measured, Rule, SUMMARIES},
};

/// A slip of the pen in a name.
pub static SPELLING: Rule = Rule {
    name: "name.spelling",
    kind: SpanKind::Name,
    standing: Standing::Misspelt,
    concern_type: ConcernType::UnsupportedFact,
    gravity: Gravity::Concern,
    why: "The sources spell this name differently.",
    source: "A name within one or two letters of one in the sources, and of no other, is that one (Damerau-Levenshtein distance).",
    measured: Some(Measured { right: 4, of: 4, on: SUMMARIES }),
};

/// Somebody else of that name, or of that role.
pub static SWAPPED: Rule = Rule {
    name: "name.swapped",
    kind: SpanKind::Name,
    standing: Standing::Swapped,
    concern_type: ConcernType::UnsupportedFact,
    gravity: Gravity::Concern,
    why: "The sources name another person here.",
    source: "A surname goes with the first names, and a role with the people, that the sources put beside it.",
    measured: Some(Measured { right: 4, of: 4, on: SUMMARIES }),
};

/// A name that no source has.
pub static NOT_FOUND: Rule = Rule {
    name: "name.not_found",
    kind: SpanKind::Name,
    standing: Standing::NotFound,
    concern_type: ConcernType::UnsupportedFact,
    gravity: Gravity::Concern,
    why: "No source has this name.",
    source: "Names in the sources are the only ones that a story knows; weekdays, nationalities and first words are no names.",
    measured: Some(Measured { right: 131, of: 131, on: SUMMARIES }),
};
