//! The section `claims`.

use super::reader::Section;
use copydesk_newsroom::{ClaimRules, ConflictResolution, LeastSimilarity};

/// The section's content, if it can be read.
pub(super) struct ReadClaims {
    /// The rules for checking claims; none if claims are not checked.
    pub(super) rules: Option<ClaimRules>,
}

/// Reads the section.
pub(super) fn read_claims(claims: &Section<'_>) -> Option<ReadClaims> {
    let enabled = claims.yes_or_no("enabled", "whether the claims of each draft are checked");
    let similarity = read_similarity(claims);
    let floor = claims.whole_or_null(
        "score_floor",
        0..=100,
        "the share of verified claims below which a story is flagged, in per cent",
    );
    let ways = ConflictResolution::ALL.map(|way| (way.name(), way));
    let conflict_resolution =
        claims.one_of("conflict_resolution", &ways, "who decides where sources contradict each other")?;
    let score_floor = floor.and_then(|floor| u8::try_from(floor).ok());
    let rules = ClaimRules { similarity: similarity?, score_floor, conflict_resolution };
    Some(ReadClaims { rules: enabled.then_some(rules) })
}

/// One number for each measure. Earlier versions had one for both, which is still read so.
fn read_similarity(claims: &Section<'_>) -> Option<LeastSimilarity> {
    let key = "similarity";
    if claims.is_number(key) {
        return Some(LeastSimilarity::both(per_cent(claims, key, "the least similarity of a verified claim")));
    }
    claims.section(key, "cosine and words, the least similarity by each measure,", |least| LeastSimilarity {
        cosine: per_cent(least, "cosine", "the least cosine of a verified claim and its passage"),
        words: per_cent(least, "words", "the least share of a verified claim's words"),
    })
}

fn per_cent(section: &Section<'_>, key: &'static str, belongs: &str) -> u8 {
    let share = section.number(key, 0.0..=1.0, belongs);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 100")]
    let per_cent = (share * 100.0).round() as u8;
    per_cent
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::{TEMPLATE, add_keys, load};

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
    fn each_measure_has_its_own_value_and_one_number_is_for_both() {
        assert_eq!(read(TEMPLATE), Ok(LeastSimilarity { cosine: 70, words: 60 }));
        let old = with("  similarity: 0.55\n");
        assert_eq!(read(&old), Ok(LeastSimilarity::both(55)));
        assert_eq!(add_keys(&old).unwrap().keys, [""; 0], "nothing is missing");
    }

    #[test]
    fn what_cannot_be_read_says_what_belongs_there() {
        for (similarity, says) in [
            (
                "  similarity: 60\n",
                "claims.similarity is out of range; the least similarity of a verified claim, a number from 0 to 1, belongs there",
            ),
            (
                "  similarity: high\n",
                "claims.similarity is a text; cosine and words, the least similarity by each measure, belongs there",
            ),
            ("", "claims.similarity is missing; cosine and words, "),
            (
                "  similarity:\n    cosine: 0.7\n",
                "claims.similarity.words is missing; the least share of a verified claim's words, a number",
            ),
            ("  similarity: { cosine: 2, words: 0.6 }\n", "claims.similarity.cosine is out of range; "),
            (
                "  similarity: { cosine: 0.7, words: 0.6, vectors: 1 }\n",
                "claims.similarity.vectors is not a key of this section; its keys are cosine, words",
            ),
        ] {
            let told = read(&with(similarity)).unwrap_err();
            assert!(told.contains(says), "{similarity}: {told}");
        }
    }

    #[test]
    fn a_measure_that_is_missing_is_added() {
        let added = add_keys(&with("  similarity:\n    cosine: 0.8\n")).unwrap();
        assert_eq!(added.keys, ["claims.similarity.words"]);
        assert_eq!(read(&added.yaml), Ok(LeastSimilarity { cosine: 80, words: 60 }));
    }
}
