//! Notices, while an answer arrives, that it says the same again and again, as small models do until their limit is reached.
//!
//! Each byte costs the same, however long the answer is: a rolling hash over the last bytes finds where they stood before. From there on
//! each byte is compared with the one that stood so far before it.

use std::collections::HashMap;

/// The bytes that are looked up. Shorter repetitions, such as a name or a key, say nothing.
const LOOKED_UP: usize = 64;
/// Every so many bytes their place is kept.
const EVERY: usize = 8;
/// Bytes of the same that count, if what is repeated is short: three times about 40 tokens.
const SHORTEST: usize = 480;
/// How often what is repeated has to stand there.
const TIMES: usize = 3;
/// White space in a row that no text and no JSON has.
const MOST_BLANK: usize = 1000;
/// Most digits of an item's number in a list.
const MOST_DIGITS: usize = 4;

const BASE: u64 = 0x0100_0000_01b3;

#[derive(Default)]
pub(super) struct Repeats {
    /// The text; white space of any kind and length is one space, and items of a list have no numbers: a model may count on while it
    /// repeats the item.
    text: Vec<u8>,
    /// Digits at the beginning of a line, until it is known whether they are such a number.
    number: Vec<u8>,
    /// Whether the line has begun.
    begun: bool,
    /// Bytes of white space in a row.
    blank: usize,
    hash: u64,
    /// Where bytes of this hash last ended.
    places: HashMap<u64, usize>,
    /// How far back the same stands, and for how many bytes it has been the same.
    same: Option<(usize, usize)>,
}

impl Repeats {
    /// Takes what was said now. True if the answer repeats itself.
    pub(super) fn take(&mut self, piece: &str) -> bool {
        piece.bytes().any(|byte| self.take_one(byte))
    }

    fn take_one(&mut self, byte: u8) -> bool {
        if byte.is_ascii_digit() && !self.begun && self.number.len() < MOST_DIGITS {
            self.number.push(byte);
            self.blank = 0;
            return false;
        }
        let number = std::mem::take(&mut self.number);
        if !matches!(byte, b'.' | b')') && number.iter().any(|digit| self.take_byte(*digit)) {
            return true;
        }
        if byte.is_ascii_whitespace() {
            self.begun = byte != b'\n' && (self.begun || !number.is_empty());
            self.blank += 1;
            return self.blank >= MOST_BLANK || self.blank == 1 && self.take_byte(b' ');
        }
        (self.begun, self.blank) = (true, 0);
        self.take_byte(byte)
    }

    fn take_byte(&mut self, byte: u8) -> bool {
        let at = self.text.len();
        let back = |distance: usize| at.checked_sub(distance).and_then(|place| self.text.get(place)).copied();
        let gone = back(LOOKED_UP);
        self.same = self.same.filter(|(period, _)| back(*period) == Some(byte)).map(|(period, run)| (period, run + 1));
        self.text.push(byte);
        self.hash = self.hash.wrapping_mul(BASE).wrapping_add(u64::from(byte) + 1);
        if let Some(gone) = gone {
            self.hash = self.hash.wrapping_sub((u64::from(gone) + 1).wrapping_mul(power()));
        }
        if at + 1 < LOOKED_UP {
            return false;
        }
        if self.same.is_none() {
            self.same = self.places.get(&self.hash).map(|place| (at - place, LOOKED_UP)).filter(|(period, _)| {
                let ends = |end: usize| end.checked_sub(LOOKED_UP).and_then(|begin| self.text.get(begin..end));
                ends(at + 1 - period) == ends(at + 1)
            });
        }
        if at.is_multiple_of(EVERY) {
            self.places.insert(self.hash, at);
        }
        // The comparison leaves out the first time.
        self.same.is_some_and(|(period, run)| run + period >= SHORTEST.max(period.saturating_mul(TIMES)))
    }

    /// The repeated text, as far as it is known.
    pub(super) fn repeated(&self) -> String {
        let Some((period, _)) = self.same else { return String::new() };
        let begin = self.text.len().saturating_sub(period.max(40));
        String::from_utf8_lossy(self.text.get(begin..).unwrap_or_default()).trim_start_matches('\u{FFFD}').to_owned()
    }
}

/// The factor of the byte that leaves the hash.
const fn power() -> u64 {
    let (mut power, mut left) = (1u64, LOOKED_UP);
    while left > 0 {
        power = power.wrapping_mul(BASE);
        left -= 1;
    }
    power
}

#[cfg(test)]
mod tests {
    use super::*;

    /// After how many bytes it is noticed.
    fn noticed(text: &str) -> Option<usize> {
        let mut repeats = Repeats::default();
        text.char_indices().position(|(at, c)| repeats.take(&text[at..at + c.len_utf8()]))
    }

    const SENTENCE: &str = "The council voted seven to two on Tuesday to renovate the park, and the work begins in April, \
        said the director of parks, who had asked for it twice before in vain. ";

    #[test]
    fn the_same_sentence_three_times_in_a_row_is_noticed_at_once() {
        let long = SENTENCE.repeat(50);
        let seen = noticed(&long).unwrap();
        assert!(seen <= SENTENCE.len() * 3 + EVERY, "{seen} of {}", SENTENCE.len());
        let after = format!("{}\n{}", "Another text stands before it, and it is long enough. ".repeat(2), long);
        assert!(noticed(&after).unwrap() <= SENTENCE.len() * 3 + 120);
        // Forty words, each of them a token.
        let words = (0..40).map(|n| format!("w{n} ")).collect::<Vec<_>>().concat();
        assert!(noticed(&words.repeat(8)).unwrap() < words.len() * 5);
    }

    #[test]
    fn a_few_words_or_a_bullet_without_end_are_noticed_too() {
        for unit in ["the ", "- “April” unsupported_fact.\n", "ha", ".", "議会は可決した。"] {
            assert!(noticed(&unit.repeat(1000)).is_some_and(|seen| seen <= SHORTEST + EVERY * 2), "{unit}");
        }
        assert!(noticed(&"\n \t".repeat(2000)).is_some(), "white space without end");
        let folded = format!("{}\n\n", SENTENCE.trim()).replace(", ", ",\n") + SENTENCE;
        assert!(noticed(&folded.repeat(4)).is_some(), "in other lines");
    }

    #[test]
    fn an_item_that_is_repeated_with_other_numbers_is_noticed() {
        for mark in [".", ")"] {
            let counted = (9..40).map(|n| format!("{n}{mark} {}\n", SENTENCE.trim())).collect::<Vec<_>>().concat();
            assert!(noticed(&counted).is_some_and(|seen| seen < SENTENCE.len() * 4), "{mark}");
            let list =
                (9..40).map(|n| format!("{n}{mark} Verse {n} says another thing.\n")).collect::<Vec<_>>().concat();
            assert_eq!(noticed(&list), None, "{mark}");
        }
        let years = (1900..2020).map(|year| format!("{year} {}\n", year % 7)).collect::<Vec<_>>().concat();
        assert_eq!(noticed(&years), None);
        assert!(noticed(&"1".repeat(2000)).is_some());
    }

    #[test]
    fn what_is_said_twice_or_differs_a_little_is_no_repetition() {
        assert_eq!(noticed(&SENTENCE.repeat(2)), None);
        let numbered =
            (1..60).map(|n| format!("{{\"concern_id\": {n}, \"status\": \"KEEP\"}},\n")).collect::<Vec<_>>().concat();
        assert_eq!(noticed(&numbered), None);
        let table = format!("| a | b |\n|{}|{}|\n", "-".repeat(100), "-".repeat(100));
        assert_eq!(noticed(&table), None);
        let refrain =
            (0..9).map(|n| format!("Verse {n} says something else each time. {SENTENCE}")).collect::<Vec<_>>().concat();
        assert_eq!(noticed(&refrain), None);
    }

    #[test]
    fn a_long_answer_is_kept_once_with_few_places() {
        let text = (0..4_000)
            .map(|n| format!("Sentence {n} is like the others but for its number. "))
            .collect::<Vec<_>>()
            .concat();
        let mut repeats = Repeats::default();
        assert!(!repeats.take(&text));
        assert!(repeats.text.len() <= text.len() && repeats.places.len() <= text.len() / EVERY);
    }
}
