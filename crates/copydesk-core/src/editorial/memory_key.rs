//! Under which key the institutional memory keeps a check (docs/reference/contract.md).

use sha2::{Digest, Sha256};
use unicode_normalization::UnicodeNormalization;

/// NFKC, lower case, white space folded, ends trimmed of space and punctuation.
pub fn normalise(query: &str) -> String {
    let folded: String = query.nfkc().collect::<String>().to_lowercase();
    let spaced = folded.split_whitespace().collect::<Vec<_>>().join(" ");
    // No sign that belongs to a value: `$5`, `5 %` and `-5` are not `5`.
    let is_punctuation = |c: char| c.is_ascii_punctuation() && !"$%+-<=>^~#@&|".contains(c);
    let is_mark = |c: char| c.is_whitespace() || is_punctuation(c) || "“”‘’„‚«»‹›…–—·•¿¡".contains(c);
    spaced.trim_matches(is_mark).to_owned()
}

/// First 16 hex digits of SHA-256 over `agent|normalized_query|model_name[|kb_index_version]`.
pub fn cache_key_hash(agent: &str, normalized_query: &str, model: &str, kb_index_version: Option<&str>) -> String {
    let fields: Vec<&str> = [agent, normalized_query, model].into_iter().chain(kb_index_version).collect();
    hex::encode(Sha256::digest(fields.join("|"))).chars().take(16).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_is_compared_without_case_space_and_outer_punctuation() {
        assert_eq!(normalise("  “The  Council\nvoted 7–2.” "), "the council voted 7–2");
        assert_eq!(normalise("ﬁve ＭＩＬＥＳ"), "five miles");
        assert_eq!(normalise("..."), "");
        for (one, other) in [("$5", "5"), ("5 %", "5"), ("-5", "5")] {
            assert_ne!(normalise(one), normalise(other));
        }
    }

    #[test]
    fn the_key_is_the_digest_of_the_joined_fields() {
        // printf 'fact_check|q|m|v' | sha256sum; printf 'evidence_finding|q|sonar' | sha256sum
        assert_eq!(cache_key_hash("fact_check", "q", "m", Some("v")), "88c0ede5914b414f");
        assert_eq!(cache_key_hash("evidence_finding", "q", "sonar", None), "88af1665d139569f");
    }
}
