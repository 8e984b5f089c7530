//! The tokens of the newer models' encoding, counted over a table that lies in the program (`build.rs` writes it): nothing is read or
//! built before the first count.

use std::{cmp::Reverse, collections::BinaryHeap, sync::LazyLock};

use regex::Regex;
use tiktoken_rs::O200K_BASE_PAT_STR;

use super::hash::{SLOTS, slot};

/// The tokens in the order of their ranks: of each its length in a byte, then its bytes.
static LIST: &[u8] = include_bytes!("../../../../assets/tokens/o200k.tokens");
/// Where in the list the token of a slot stands, from 1; 0 if there is none. Three bytes each, the lowest first.
static TABLE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/o200k.slots"));

/// The pattern that divides a text into pieces: the encoding's own without its one look-ahead, which [`pieces`] does.
static PATTERN: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(&O200K_BASE_PAT_STR.replace(r"\s+(?!\S)|", "")).ok());

/// Tokens of `text`; none if the pattern is not what it was.
pub(super) fn count(text: &str) -> Option<u64> {
    let pattern = PATTERN.as_ref()?;
    Some(pieces(pattern, text).map(|piece| tokens(piece.as_bytes())).sum())
}

/// The pieces of a text that are encoded by themselves. Blank space leaves its last character to the word behind it.
fn pieces<'t>(pattern: &'static Regex, text: &'t str) -> impl Iterator<Item = &'t str> {
    let mut at = 0;
    std::iter::from_fn(move || {
        if let Some(word) = plain_word(text.get(at..)?) {
            at += word.len();
            return Some(word);
        }
        let found = pattern.find_at(text, at)?;
        let mut piece = found.as_str();
        let last = piece.chars().next_back()?;
        let blank = last.is_whitespace() && !matches!(last, '\r' | '\n') && piece.chars().all(char::is_whitespace);
        if blank && found.end() < text.len() && piece.len() > last.len_utf8() {
            piece = piece.get(..piece.len() - last.len_utf8())?;
        }
        at = found.start() + piece.len();
        Some(piece)
    })
}

/// The word that a text begins with, with the space before it. None unless all of it is plain English letters and
/// nothing behind it can belong to it. Most words are so, and the pattern finds the same more slowly.
fn plain_word(text: &str) -> Option<&str> {
    let bytes = text.as_bytes();
    let run = |from: usize, is: fn(&u8) -> bool| {
        from + bytes.get(from..).unwrap_or_default().iter().take_while(|byte| is(byte)).count()
    };
    let capitals = run(usize::from(bytes.first() == Some(&b' ')), u8::is_ascii_uppercase);
    let end = run(capitals, u8::is_ascii_lowercase);
    let over =
        bytes.get(end).is_none_or(|behind| behind.is_ascii() && !behind.is_ascii_alphabetic() && *behind != b'\'');
    text.get(..end).filter(|_| over && end > capitals)
}

/// How many tokens a piece comes to: two neighbours become one, those of the lowest rank first and of these the first, as long as any are a
/// token together.
fn tokens(piece: &[u8]) -> u64 {
    if rank(piece).is_some() {
        return 1;
    }
    // Where the part that begins at a byte ends, and where the part before it begins; a part that was joined to another ends nowhere.
    let mut ends: Vec<usize> = (1..=piece.len()).collect();
    let mut befores: Vec<usize> = (0..piece.len()).map(|start| start.saturating_sub(1)).collect();
    let mut pairs = BinaryHeap::new();
    let pair = |start: usize, end: usize| Some(Reverse((rank(piece.get(start..end)?)?, start, end)));
    pairs.extend((0..piece.len()).filter_map(|start| pair(start, start + 2)));
    let mut parts = piece.len() as u64;
    while let Some(Reverse((_, start, end))) = pairs.pop() {
        // Another pair may have taken one of the two meanwhile.
        let Some(middle) = ends.get(start).copied().filter(|middle| *middle > start) else { continue };
        if ends.get(middle) != Some(&end) {
            continue;
        }
        ends.get_mut(start).into_iter().for_each(|joined| *joined = end);
        ends.get_mut(middle).into_iter().for_each(|gone| *gone = 0);
        befores.get_mut(end).into_iter().for_each(|before| *before = start);
        parts -= 1;
        pairs.extend(ends.get(end).and_then(|behind| pair(start, *behind)));
        if start > 0 {
            pairs.extend(befores.get(start).and_then(|before| pair(*before, end)));
        }
    }
    parts
}

/// The place of a token in the list: a lower place is a lower rank. None if the bytes are no token.
fn rank(token: &[u8]) -> Option<usize> {
    let mut place = slot(token);
    loop {
        let bytes = TABLE.get(place * 3..)?.first_chunk::<3>()?;
        let at = bytes.iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte)).checked_sub(1)?;
        let (length, behind) = LIST.get(at..)?.split_first()?;
        if behind.get(..usize::from(*length)) == Some(token) {
            return Some(at);
        }
        place = (place + 1) % SLOTS;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn by_the_list(text: &str) -> u64 {
        tiktoken_rs::o200k_base_singleton().encode_ordinary(text).len() as u64
    }

    #[test]
    fn a_text_has_as_many_tokens_as_tiktoken_counts() {
        for text in [
            "",
            "The council voted 5–2 on Tuesday; it’s $2,480,000, they’LL say.",
            "a  b   \n\n  c\t\td \r\n",
            "   ",
            "x   ",
            "Zoë’s cafés 公园的 かな カナ 👩‍👩‍👧 \u{301}\u{93e}क",
            "ſ'ſ ÀÉ IJsland ǅungla",
        ] {
            assert_eq!(count(text), Some(by_the_list(text)), "{text:?}");
        }
        for long in ["a".repeat(3000), "ab1".repeat(2000), " \n".repeat(900), "Zoë".repeat(700)] {
            assert_eq!(count(&long), Some(by_the_list(&long)));
        }
        let topic = include_str!("../../../../assets/topics/miller-park-renovation.json");
        assert_eq!(count(topic), Some(by_the_list(topic)));
    }

    #[test]
    fn the_list_is_tiktokens() {
        let list = tiktoken_rs::o200k_base_singleton();
        let (mut rest, mut number) = (LIST, 0);
        while let Some((length, behind)) = rest.split_first() {
            let (token, later) = behind.split_at(usize::from(*length));
            assert_eq!(list.decode_bytes(&[number]).unwrap(), token, "{number}");
            (rest, number) = (later, number + 1);
        }
        assert!(list.decode_bytes(&[number]).is_err());
    }

    proptest! {
        #[test]
        fn any_text_has(text in "\\PC*", busy in "([A-Za-z]{1,9}|[0-9]{1,5}|[ \n\r\t\u{a0}\u{3000}]{1,4}|'(s|t|LL|Re)?|[.,;:!?/()\"*#+=_-]{1,3}|[éüß’“”–ſ]|[\u{301}\u{93e}क]|[公园的かナ]{1,3}|[。、，]){0,80}") {
            for text in [text, busy] {
                prop_assert_eq!(count(&text), Some(by_the_list(&text)), "{:?}", text);
            }
        }
    }
}
