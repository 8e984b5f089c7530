//! Tokens, as models count them.

mod hash;
mod o200k;

use tiktoken_rs::cl100k_base_singleton;

/// The encodings that a configuration may name.
pub const ENCODINGS: [&str; 3] = ["o200k_base", "o200k_harmony", "cl100k_base"];

/// No token of these encodings is longer than this many bytes, so a text that is much larger than a limit need not be counted.
pub const LONGEST_TOKEN: u64 = 512;

/// Tokens of `text`; its bytes, which are never fewer, if the encoding has no table.
pub fn count(encoding: &str, text: &str) -> u64 {
    // Each by its own name: a choice among all encodings would bring the list of the newer one, 3.6 MB, into the program twice.
    match encoding {
        // The second knows more special tokens, which no text has.
        "o200k_base" | "o200k_harmony" => {
            pieces(text).map(|piece| o200k::count(piece).unwrap_or(piece.len() as u64)).sum()
        }
        // The first use of the table in a process takes up to a third of a second and 20 MiB.
        "cl100k_base" => {
            let table = cl100k_base_singleton();
            pieces(text).map(|piece| table.encode_ordinary(piece).len() as u64).sum()
        }
        _ => text.len() as u64,
    }
}

/// Cuts a text into pieces that the encoder's pattern can take: a run of a million spaces makes it give up. A cut may cost a
/// token, never hide one.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (piece, after) = rest.split_at(rest.ceil_char_boundary(LONGEST_PIECE));
        rest = after;
        (!piece.is_empty()).then_some(piece)
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
