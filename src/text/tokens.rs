//! Tokens, as models count them.

use tiktoken_rs::{CoreBPE, bpe_for_tokenizer, tokenizer::Tokenizer};

/// The encodings that a configuration may name.
pub const ENCODINGS: [&str; 5] = ["o200k_base", "o200k_harmony", "cl100k_base", "p50k_base", "r50k_base"];

/// The table of an encoding; none for a name that is not in [`ENCODINGS`]. The first use of a table in a process takes up
/// to a third of a second and some 48 MiB.
#[must_use]
pub fn table(encoding: &str) -> Option<&'static CoreBPE> {
    let tokenizer = match encoding {
        "o200k_base" => Tokenizer::O200kBase,
        "o200k_harmony" => Tokenizer::O200kHarmony,
        "cl100k_base" => Tokenizer::Cl100kBase,
        "p50k_base" => Tokenizer::P50kBase,
        "r50k_base" => Tokenizer::R50kBase,
        _ => return None,
    };
    bpe_for_tokenizer(tokenizer).ok()
}

/// Tokens of `text`; its bytes, which are never fewer, where the encoding has no table.
#[must_use]
pub fn count(encoding: &str, text: &str) -> u64 {
    table(encoding).map_or(text.len(), |table| table.encode_ordinary(text).len()) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_encoding_has_a_table() {
        for encoding in ENCODINGS {
            assert_eq!(count(encoding, "hello world"), 2, "{encoding}");
        }
        assert_eq!(count("unknown", "hello world"), 11);
    }
}
