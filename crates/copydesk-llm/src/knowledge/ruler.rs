//! Counts the tokens of many stretches of one text, reading each byte once.
//!
//! The splitter tries one stretch after another until it finds those that fit, and counting each would take ten times as long as counting
//! the text. So the text is counted from mark to mark beforehand; for a stretch, only its ends beyond the marks are counted again.

use text_splitter::ChunkSizer;

use copydesk_text::tokens;

/// Fewest bytes between marks.
const STEP: usize = 64;

/// Most bytes between marks, if the text has no better place for a mark.
const LONGEST_STEP: usize = 256;

/// A text with its marks.
pub(super) struct Ruler<'a> {
    encoding: &'a str,
    text: &'a str,
    /// Places, and the tokens before each.
    marks: Vec<(usize, usize)>,
}

impl<'a> Ruler<'a> {
    pub(super) fn new(encoding: &'a str, text: &'a str) -> Self {
        let mut marks = vec![(0, 0)];
        let (mut last, mut sum, mut before) = (0, 0, None);
        for (place, next) in text.char_indices() {
            let step = place - last;
            let divided = step >= STEP && before.is_some_and(|before| apart(before, next));
            if divided || step >= LONGEST_STEP {
                // A mark at another place can change the count by one; the sum must never be too low.
                sum += count(encoding, text.get(last..place).unwrap_or_default()) + usize::from(!divided);
                marks.push((place, sum));
                last = place;
            }
            before = Some(next);
        }
        Self { encoding, text, marks }
    }

    /// The tokens of a stretch, a few too many if it is a run of hundreds of letters or blanks. `chunk` must be a part of the text itself, not
    /// a copy, so that its place is known.
    fn tokens(&self, chunk: &str) -> usize {
        let start = chunk.as_ptr().addr().wrapping_sub(self.text.as_ptr().addr());
        let end = start.wrapping_add(chunk.len());
        let first = self.marks.partition_point(|(place, _)| *place < start);
        let behind = self.marks.partition_point(|(place, _)| *place <= end);
        let within = self.marks.get(first..behind).unwrap_or_default();
        let (Some((from, before)), Some((until, sum))) = (within.first(), within.last()) else {
            return count(self.encoding, chunk);
        };
        let part = |from: usize, until: usize| count(self.encoding, self.text.get(from..until).unwrap_or_default());
        part(start, *from) + (sum - before) + part(*until, end)
    }
}

impl ChunkSizer for Ruler<'_> {
    fn size(&self, chunk: &str) -> usize {
        self.tokens(chunk)
    }
}

fn count(encoding: &str, text: &str) -> usize {
    usize::try_from(tokens::count(encoding, text)).unwrap_or(usize::MAX)
}

/// Whether no token can span the place between two characters, in any context. Every encoding first divides a text by a pattern, and all
/// the patterns divide at these places: after a word or a number. Blank space never counts as an end, because its division depends on
/// the text after it.
fn apart(before: char, after: char) -> bool {
    match (before, after) {
        _ if before.is_ascii_alphabetic() => after.is_ascii_digit() || ends_a_word(after),
        _ if before.is_ascii_digit() => after.is_ascii_alphabetic() || ends_a_word(after),
        // Ideographs, kana.
        ('\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}' | '\u{4e00}'..='\u{9fff}', _) => ends_a_word(after),
        _ => false,
    }
}

/// An apostrophe does not end a word: `it's` is one word to some encodings.
fn ends_a_word(after: char) -> bool {
    after.is_ascii() && !after.is_ascii_alphanumeric() && after != '\''
        || matches!(after, '、' | '。' | '！' | '，' | '？')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_stretch_has_as_many_tokens_as_counted_alone(
            text in "([A-Za-z]{1,9}|[0-9]{1,5}|[ \n\r\t]{1,3}|'(s|t|LL)?|[.,;:!?/()\"*#+=_-]{1,3}|[éüß’“”–]|[\u{301}\u{93e}क]|[公园的かナ]{1,3}|[。、，]){80,300}",
            cut in (any::<prop::sample::Index>(), any::<prop::sample::Index>()),
        ) {
            let places: Vec<usize> = text.char_indices().map(|(place, _)| place).collect();
            let (one, other) = (*cut.0.get(&places), *cut.1.get(&places));
            let chunk = &text[one.min(other)..one.max(other)];
            for encoding in tokens::ENCODINGS {
                let ruler = Ruler::new(encoding, &text);
                prop_assert!(ruler.marks.len() > 1);
                // A mark at a place that divides no word may count a few too many, as below.
                let forced = ruler.marks.windows(2).filter(|pair| pair[1].0 - pair[0].0 >= LONGEST_STEP).count();
                for (part, alone) in [(chunk, count(encoding, chunk)), (&*text, count(encoding, &text))] {
                    let ruled = ruler.size(part);
                    prop_assert!((alone..=alone + 4 * forced).contains(&ruled), "{} {} {} {:?}", encoding, ruled, alone, part);
                }
            }
        }
    }

    #[test]
    fn a_run_without_a_word_is_never_said_to_have_less_than_it_has() {
        for text in ["ac".repeat(2000), "\n".repeat(4000), format!("{}a", " \n".repeat(2000))] {
            for encoding in tokens::ENCODINGS {
                let (ruled, whole) = (Ruler::new(encoding, &text).size(&text), count(encoding, &text));
                assert!(ruled >= whole && ruled <= whole + 4 * text.len() / LONGEST_STEP, "{ruled} {whole}");
            }
        }
    }

    #[test]
    fn what_is_no_part_of_the_text_is_counted_by_itself() {
        let text = "The council met. ".repeat(20);
        let ruler = Ruler::new("o200k_base", &text);
        assert_eq!(ruler.size(&"It voted. ".repeat(30)), count("o200k_base", &"It voted. ".repeat(30)));
    }
}
