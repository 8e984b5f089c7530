//! The names of months and weekdays, and the ordinals of their days.

use std::sync::LazyLock;

use foldhash::HashMap;

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// The months of other languages.
static FOREIGN: LazyLock<HashMap<&str, u32>> = LazyLock::new(|| {
    let lines = include_str!("../../../../assets/words/months.txt").lines().filter(|line| !line.starts_with('#'));
    lines.zip(1..).flat_map(|(line, month)| line.split(' ').map(move |name| (name, month))).collect()
});

const WEEKDAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// The month that a word names, from 1. Words such as `may` need a capital letter.
pub fn month(word: &str, capital: bool) -> Option<u32> {
    if !capital && matches!(word, "may" | "mar" | "march" | "august") || word.len() < 3 {
        return None;
    }
    let place = MONTHS.iter().position(|name| {
        *name == word || (word.len() <= 4 && name.starts_with(word) && (word.len() == 3 || word == "sept"))
    });
    place.map_or_else(|| FOREIGN.get(word).copied(), |place| u32::try_from(place + 1).ok())
}

/// The weekday that a word names, Monday 0.
pub fn weekday(word: &str, capital: bool) -> Option<u8> {
    let place = WEEKDAYS
        .iter()
        .position(|name| *name == word || (capital && word.len() >= 3 && word.len() <= 5 && name.starts_with(word)))?;
    u8::try_from(place).ok()
}

/// Whether a folded word can be a month's or a weekday's name, or its abbreviation.
pub fn may_name_a_day(word: &str) -> bool {
    // Of nearly every word its first letters say that it cannot.
    let head = |text: &str| text.as_bytes().first_chunk::<3>().copied();
    let begins = |name: &&str| head(name) == head(word) && name.starts_with(word);
    word.len() >= 3 && MONTHS.iter().chain(&WEEKDAYS).any(begins) || word == "sept" || FOREIGN.contains_key(word)
}

/// An ordinal in one word.
pub fn small_ordinal(word: &str) -> Option<u32> {
    // No other word is an ordinal.
    if !word.ends_with("th") && !matches!(word, "first" | "second" | "third") {
        return None;
    }
    let at = SMALL.split(' ').position(|known| known == word)?;
    let value = u32::try_from(at).ok()? + 1;
    Some(if value > 20 { (value - 18) * 10 } else { value })
}

/// From 1 to 20, then by tens.
const SMALL: &str = "first second third fourth fifth sixth seventh eighth ninth \
                     tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth \
                     twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth";
