//! The section `claims`.

use super::reader::Section;
use crate::newsroom::{ClaimRules, ConflictResolution};

/// What the section says, where it can be read.
pub(super) struct ReadClaims {
    /// The rules by which claims are checked; none where they are not.
    pub(super) rules: Option<ClaimRules>,
}

/// Reads the section.
pub(super) fn read_claims(claims: &Section<'_>) -> Option<ReadClaims> {
    let enabled = claims.yes_or_no("enabled", "whether the claims of each draft are checked");
    let similarity =
        claims.number("similarity", 0.0..=1.0, "the least similarity of a verified claim to its passage, from 0 to 1");
    let floor = claims.whole_or_null(
        "score_floor",
        0..=100,
        "the share of verified claims below which a story is flagged, in per cent",
    );
    let ways = ConflictResolution::ALL.map(|way| (way.name(), way));
    let conflict_resolution =
        claims.one_of("conflict_resolution", &ways, "who decides where sources contradict each other")?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 100")]
    let similarity = (similarity * 100.0).round() as u8;
    let score_floor = floor.and_then(|floor| u8::try_from(floor).ok());
    let rules = ClaimRules { similarity, score_floor, conflict_resolution };
    Some(ReadClaims { rules: enabled.then_some(rules) })
}
