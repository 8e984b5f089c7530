//! What a figure that no source has follows from.

use crate::proof::{
    reading::{figure::Figure, text::ParsedText},
    sources::{
        births,
        derivation::Derivation,
        since,
        sums::{derived, rounded},
        tables,
        texts::ProofTexts,
        units::converted,
    },
};

/// Tries each way in which a figure can follow from the figures of a source.
pub fn derivation_of(desk: &ProofTexts<'_>, reading: &ParsedText<'_>, figure: &Figure) -> Option<Derivation> {
    let archive = &desk.archive;
    rounded(archive, reading, figure)
        .or_else(|| tables::column(archive, reading, figure))
        .or_else(|| derived(archive, reading, figure))
        .or_else(|| converted(archive, reading, figure))
        .or_else(|| births::derived(archive, reading, figure))
        .or_else(|| since::derived(archive, reading, figure))
}
