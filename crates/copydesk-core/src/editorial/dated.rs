//! Whether a statement says something else on another day: "the season opens next month". A check of it serves no other story.
//! English only.

use super::listed::is_listed;
use copydesk_text::words::{fold, number_word, words};

/// They count from the day on which they are said. "Tuesdays" does not.
const FROM_TODAY: &str = "today tonight yesterday tomorrow ago recently lately soon monday tuesday wednesday thursday \
    friday saturday sunday";

/// With a unit of time behind them they do, too.
const RELATIVE: &str = "last next this past coming current previous following upcoming recent";

const UNITS: &str = "day week weekend fortnight month quarter year decade century season spring summer autumn fall \
    winter morning afternoon evening";

/// Without May: "this may be".
const MONTHS: &str = "january february march april june july august september october november december";

/// A unit may stand so many words behind: "the last two weeks".
const REACH: usize = 3;

/// Whether its time is told from the day on which it is said.
pub fn is_dated(statement: &str) -> bool {
    let words: Vec<String> =
        words(statement).into_iter().map(|word| fold(word.text).trim_end_matches("'s").to_owned()).collect();
    let is_unit = |word: &String| {
        let word = word.trim_end_matches('\'').trim_end_matches('s');
        is_listed(word, UNITS) || is_listed(word, MONTHS)
    };
    words.iter().enumerate().any(|(at, word)| {
        let behind = words.get(at + 1..).unwrap_or_default();
        let number = |word: &String| word.starts_with(|c: char| c.is_ascii_digit()) || number_word(word).is_some();
        let before = at.checked_sub(1).and_then(|before| words.get(before)).map_or("", String::as_str);
        match word.as_str() {
            "in" => behind.first().is_some_and(number) && behind.get(1).is_some_and(is_unit),
            day if is_listed(day, FROM_TODAY) => !["every", "each"].contains(&before),
            word => is_listed(word, RELATIVE) && behind.iter().take(REACH).any(is_unit),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_counts_from_the_day_on_which_it_is_said_is_dated() {
        for dated in [
            "the season opens ⟦next month⟧",
            "The council voted on Tuesday.",
            "It rained in the last two weeks.",
            "Last month's vote was close.",
            "The mill burnt down three years ago.",
            "The school closes in two weeks.",
            "Prices rose this summer.",
            "Today’s vote is the third.",
        ] {
            assert!(is_dated(dated), "{dated}");
        }
        for timeless in [
            "The council meets on Tuesdays.",
            "It meets every Tuesday.",
            "Herons nest from February until the end of July.",
            "The season opens on 1 May 2026.",
            "The next item is this plan for the park.",
            "It was built in 1958 in two parts.",
            "",
        ] {
            assert!(!is_dated(timeless), "{timeless}");
        }
    }
}
