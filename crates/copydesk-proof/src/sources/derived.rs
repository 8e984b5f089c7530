//! How a figure that no source has can follow from those that they have.

use crate::{
    reading::{Figure, ParsedText},
    sources::{
        ProofTexts,
        derivation::Derivation,
        lasted,
        sums::{derived, rounded},
        tables,
        units::converted,
    },
};

/// Tries each way in which a figure can follow from figures of the sources.
pub fn derivation_of(texts: &ProofTexts<'_>, reading: &ParsedText<'_>, figure: &Figure) -> Option<Derivation> {
    let archive = &texts.archive;
    rounded(archive, reading, figure)
        .or_else(|| tables::column(archive, reading, figure))
        .or_else(|| derived(archive, reading, figure))
        .or_else(|| converted(archive, reading, figure))
        .or_else(|| lasted::derived(archive, reading, figure))
}
