//! Tokens, as models count them.

mod hash;
mod o200k;

use tiktoken_rs::{CoreBPE, cl100k_base_singleton};

/// The encodings that a configuration may name.
pub const ENCODINGS: [&str; 3] = ["o200k_base", "o200k_harmony", "cl100k_base"];

/// Whether there is such an encoding.
pub fn is_encoding(encoding: &str) -> bool {
    ENCODINGS.contains(&encoding)
}

/// No token of these encodings is longer than this many bytes, so a text that is much larger than a limit need not be counted.
pub const LONGEST_TOKEN: u64 = 512;

/// How tokens of an encoding are counted.
enum Counter {
    /// Over the table in the program.
    Newer,
    /// By tiktoken. The first use of a table in a process takes up to a third of a second and 20 MiB.
    Tiktoken(&'static CoreBPE),
}

fn counter(encoding: &str) -> Option<Counter> {
    // Each by its own name: a choice among all encodings would bring the list of the newer one, 3.6 MB, into the program twice.
    match encoding {
        // The second knows more special tokens, which no text has.
        "o200k_base" | "o200k_harmony" => Some(Counter::Newer),
        "cl100k_base" => Some(Counter::Tiktoken(cl100k_base_singleton())),
        _ => None,
    }
}

/// Tokens of `text`; its bytes, which are never fewer, if the encoding has no table.
pub fn count(encoding: &str, text: &str) -> u64 {
    match counter(encoding) {
        Some(Counter::Newer) => pieces(text).map(|piece| o200k::count(piece).unwrap_or(piece.len() as u64)).sum(),
        Some(Counter::Tiktoken(table)) => pieces(text).map(|piece| table.encode_ordinary(piece).len() as u64).sum(),
        None => text.len() as u64,
    }
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
        assert!(ENCODINGS.into_iter().all(is_encoding) && !is_encoding("unknown"));
        assert!(count("o200k_base", &" ".repeat(3_000_000)) > 1_000, "a long run of spaces is counted, too");
    }
}
