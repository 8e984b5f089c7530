//! The encoding `p50k_base`: that of GPT-2 with tokens for runs of spaces. tiktoken has a list of its own for it, and all but 24 of its lines
//! are those of `r50k_base`. If it is made from that one, the program is 0.8 MB smaller.

use std::sync::LazyLock;

use tiktoken_rs::{CoreBPE, Rank, r50k_base_singleton};

/// The first token that GPT-2 has not, but for the end of a text.
const FIRST: Rank = 50_257;

/// The spaces of the runs that are tokens.
const RUNS: std::ops::RangeInclusive<usize> = 2..=25;

/// As tiktoken has it for both encodings.
const PATTERN: &str = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s";

/// The table; none only if tiktoken's list were another one.
pub(super) fn table() -> Option<&'static CoreBPE> {
    static TABLE: LazyLock<Option<CoreBPE>> = LazyLock::new(|| {
        let earlier = r50k_base_singleton();
        let words = (0..FIRST).filter_map(|rank| Some((earlier.decode_bytes(&[rank]).ok()?, rank)));
        let runs = RUNS.map(|spaces| b" ".repeat(spaces)).zip(FIRST..);
        let end = std::iter::once(("<|endoftext|>".to_owned(), FIRST - 1));
        let encoder = words.filter(|(_, rank)| *rank != FIRST - 1).chain(runs).collect();
        CoreBPE::new(encoder, end.collect(), PATTERN).ok()
    });
    TABLE.as_ref()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_counts_as_tiktoken_does() {
        let topic = include_str!("../../../../assets/topics/miller-park-renovation.json");
        let code: String = (1..40).flat_map(|depth| [" ".repeat(depth), "if x:\n".to_owned()]).collect();
        let all_bytes: String = (0..0x3000).filter_map(char::from_u32).collect();
        let (own, theirs) = (table().unwrap(), tiktoken_rs::p50k_base_singleton());
        for text in [topic, &code, &all_bytes, "don't 12,345 <|endoftext|>"] {
            assert_eq!(own.encode_ordinary(text), theirs.encode_ordinary(text));
        }
    }
}
