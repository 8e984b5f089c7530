//! The words of the page.

use crate::newsroom::Standing;

/// Every standing, in the order of the legend.
pub(super) const STANDINGS: [Standing; 16] = [
    Standing::Verbatim,
    Standing::Normalised,
    Standing::Elided,
    Standing::Partial,
    Standing::Altered,
    Standing::WrongSpeaker,
    Standing::Found,
    Standing::Derived,
    Standing::Contradicted,
    Standing::Withdrawn,
    Standing::Misspelt,
    Standing::Swapped,
    Standing::Inflated,
    Standing::Denied,
    Standing::NotFound,
    Standing::Unchecked,
];

/// The meaning of a standing.
pub(super) fn meaning(standing: Standing) -> &'static str {
    match standing {
        Standing::Verbatim => "The source has it, byte for byte.",
        Standing::Normalised => "The source has it, except for case, white space, typography and Markdown.",
        Standing::Elided => "The source has its fragments, in order.",
        Standing::Partial => "The source has it as a part of a sentence.",
        Standing::Altered => "The source has other words there.",
        Standing::WrongSpeaker => "Somebody else said it.",
        Standing::Found => "The source has it.",
        Standing::Derived => "It rounds what the source has, or follows from it.",
        Standing::Contradicted => "The source has another one for the same thing.",
        Standing::Withdrawn => "The source takes it back.",
        Standing::Misspelt => "The source spells it differently.",
        Standing::Swapped => "The source says it about somebody else.",
        Standing::Inflated => "The source leaves open what the draft does not.",
        Standing::Denied => "One of the two denies what the other says.",
        Standing::NotFound => "No source has it.",
        Standing::Unchecked => "No rule can judge it.",
    }
}
