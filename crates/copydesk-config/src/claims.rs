//! The section `claims`.

use serde::{Deserialize, Deserializer, de::Error};

use super::fields::{number, whole_or_null};
use copydesk_newsroom::{ClaimRules, ConflictResolution, LeastSimilarity};

/// Reads the rules for checking claims; none if claims are not checked.
pub(super) fn claim_rules<'de, D: Deserializer<'de>>(value: D) -> Result<Option<ClaimRules>, D::Error> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Claims {
        enabled: bool,
        similarity: Similarity,
        #[serde(deserialize_with = "whole_or_null::<0, 100, _, _>")]
        score_floor: Option<u8>,
        conflict_resolution: ConflictResolution,
    }
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Similarity {
        #[serde(deserialize_with = "per_cent")]
        cosine: u8,
        #[serde(deserialize_with = "per_cent")]
        words: u8,
    }
    let Claims { enabled, similarity: Similarity { cosine, words }, score_floor, conflict_resolution } =
        Claims::deserialize(value)?;
    if !enabled && (score_floor.is_some() || conflict_resolution != ConflictResolution::Human) {
        let told = "has enabled: false, with which score_floor and conflict_resolution have no effect: set enabled to true, or set them to null and human";
        return Err(D::Error::custom(told));
    }
    let rules = ClaimRules { similarity: LeastSimilarity { cosine, words }, score_floor, conflict_resolution };
    Ok(enabled.then_some(rules))
}

/// A share from 0 to 1 in per cent.
fn per_cent<'de, D: Deserializer<'de>>(value: D) -> Result<u8, D::Error> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 100")]
    number::<1, _>(value).map(|share| (share * 100.0).round() as u8)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::{TEMPLATE, load};

    #[test]
    fn a_floor_or_an_order_of_sources_without_claims_is_refused() {
        let off = TEMPLATE.replace("claims:\n  enabled: true", "claims:\n  enabled: false");
        assert!(load(Path::new("config.yaml"), &off, Path::new("/desk")).unwrap().claims.is_none());
        for (from, to) in [
            ("score_floor: null", "score_floor: 50"),
            ("conflict_resolution: human", "conflict_resolution: credibility"),
        ] {
            let yaml = off.replace(from, to);
            let told = load(Path::new("config.yaml"), &yaml, Path::new("/desk")).unwrap_err().to_string();
            assert!(
                told.contains(
                    "claims: has enabled: false, with which score_floor and conflict_resolution have no effect"
                ),
                "{told}"
            );
            assert!(load(Path::new("config.yaml"), &TEMPLATE.replace(from, to), Path::new("/desk")).is_ok());
        }
    }

    const SECTION: &str = "  similarity:\n    cosine: 0.7\n    words: 0.6\n";

    fn with(similarity: &str) -> String {
        assert!(TEMPLATE.contains(SECTION));
        TEMPLATE.replace(SECTION, similarity)
    }

    fn read(yaml: &str) -> Result<LeastSimilarity, String> {
        let settings = load(Path::new("config.yaml"), yaml, Path::new("/desk")).map_err(|error| error.to_string())?;
        Ok(settings.claims.unwrap().similarity)
    }

    #[test]
    fn each_measure_has_its_own_value() {
        assert_eq!(read(TEMPLATE), Ok(LeastSimilarity { cosine: 70, words: 60 }));
    }

    #[test]
    fn what_cannot_be_read_says_what_belongs_there() {
        for (similarity, says) in [
            ("  similarity: 0.6\n", "claims.similarity: must be a section with its keys"),
            ("", "claims.similarity: is missing; the template has a section"),
            ("  similarity:\n    cosine: 0.7\n", "claims.similarity.words: is missing; the template has 0.6"),
            ("  similarity: { cosine: 2, words: 0.6 }\n", "claims.similarity.cosine: must be a number from 0 to 1"),
            (
                "  similarity: { cosine: 0.7, words: 0.6, vectors: 1 }\n",
                "claims.similarity.vectors: is not a key of this section; its keys are cosine, words",
            ),
        ] {
            let told = read(&with(similarity)).unwrap_err();
            assert!(told.contains(says), "{similarity}: {told}");
        }
    }
}
