//! The words of the page.

use copydesk_newsroom::Standing;

/// Every standing, in the order of the legend.
pub(super) const STANDINGS: [Standing; 17] = [
    Standing::Verbatim,
    Standing::Normalised,
    Standing::Elided,
    Standing::Partial,
    Standing::Altered,
    Standing::WrongSpeaker,
    Standing::Matches,
    Standing::StandsThere,
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
        Standing::Verbatim => "The source says it in the same words.",
        Standing::Normalised => "The source says it; only case, spaces or typography differ.",
        Standing::Elided => "The source has its parts, in this order.",
        Standing::Partial => "The source says it within a longer sentence.",
        Standing::Altered => "The source uses other words.",
        Standing::WrongSpeaker => "The source gives it to another speaker.",
        Standing::Matches => "The source says it of the same thing.",
        Standing::StandsThere => "Similar passage: compare. Whether it says it of the same thing is for you to read.",
        Standing::Derived => "It is rounded or follows from the source.",
        Standing::Contradicted => "The source says something else about the same thing.",
        Standing::Withdrawn => "The source corrects itself later.",
        Standing::Misspelt => "The source spells it differently.",
        Standing::Swapped => "The source says it of someone else.",
        Standing::Inflated => "The draft is more certain than the source.",
        Standing::Denied => "One says yes, the other no.",
        Standing::NotFound => "Not found in any source.",
        Standing::Unchecked => "Unchecked: read this yourself.",
    }
}
