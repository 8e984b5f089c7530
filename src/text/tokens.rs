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
    let Some(table) = table(encoding) else { return text.len() as u64 };
    pieces(text).map(|piece| table.encode_ordinary(piece).len() as u64).sum()
}

/// Cuts a text into pieces that the encoder's pattern can take: a run of a million spaces makes it give up. A cut may cost a
/// token, never hide one.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut end = rest.len().min(LONGEST_PIECE);
        while !rest.is_char_boundary(end) {
            end += 1;
        }
        let (piece, after) = rest.split_at(end);
        rest = after;
        Some(piece)
    })
}

/// Bytes of text that are encoded at once.
const LONGEST_PIECE: usize = 1 << 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_encoding_has_a_table() {
        for encoding in ENCODINGS {
            assert_eq!(count(encoding, "hello world"), 2, "{encoding}");
        }
        assert_eq!(count("unknown", "hello world"), 11);
        assert!(count("o200k_base", &" ".repeat(3_000_000)) > 1_000, "a long run of spaces is counted, too");
    }
}
