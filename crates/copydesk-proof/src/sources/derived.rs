//! How a figure that no source has can follow from those that they have.

use crate::{
    reading::{Figure, ParsedText, Written},
    sources::{
        ProofTexts,
        derivation::Derivation,
        lasted,
        sums::{compared, derived, rounded},
        units::converted,
    },
};

/// Tries each way in which a figure can follow from figures of the sources.
pub fn derivation_of(texts: &ProofTexts<'_>, reading: &ParsedText<'_>, figure: &Figure) -> Option<Derivation> {
    let archive = &texts.archive;
    // "800.000 euros" are 800,000 if the sources' figures lead to that.
    let other = |value| derivation_of(texts, reading, &Figure { value, written: Written::default(), ..figure.clone() });
    rounded(archive, reading, figure)
        .or_else(|| derived(archive, reading, figure))
        .or_else(|| converted(archive, reading, figure))
        .or_else(|| lasted::derived(archive, reading, figure))
        .or_else(|| compared(archive, reading, figure))
        .or_else(|| figure.written.other.and_then(other))
}
