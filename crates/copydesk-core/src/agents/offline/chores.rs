//! Finds sentences that no reader needs: procedure, greetings, hand-overs, words about the recording, a reporter's notes.

use copydesk_text::words::{is_stop_word, words as raw_words};

use super::copy::{folded, is_in, is_question};

/// Phrases that mark such a sentence, wherever they occur in it. One that ends with a colon is the label of a list or a note, which is not
/// copy.
const PHRASES: &str = include_str!("../../../../../assets/words/chores.txt");

/// Verbs of a reporter's notes for later work.
const ERRANDS: &str = "ask call check confirm verify remember use see";

/// Whether no reader needs a sentence.
pub(super) fn is_chore(sentence: &str) -> bool {
    let words = folded(sentence);
    let line = format!(" {} ", words.join(" "));
    let has = |phrase: &str| line.contains(&format!(" {phrase} "));
    let head = sentence.split_once(':').map(|(head, _)| head.trim().to_lowercase()).unwrap_or_default();
    let minutes = has("minutes") && (has("approved") || has("approval"));
    // "NOT next fall": a small word in capitals marks a reporter's note.
    let shouts = raw_words(sentence).iter().any(|word| {
        let word = word.text;
        word.len() > 2 && word.chars().all(char::is_uppercase) && is_stop_word(&word.to_lowercase())
    });
    // "Call 4.12 am" is the time of a call, and nothing to do.
    let is_of_a_call = words.first().is_some_and(|word| word == "call")
        && words.get(1).is_some_and(|word| {
            matches!(word.as_str(), "at" | "came" | "in") || word.starts_with(|c: char| c.is_ascii_digit())
        });
    let marks = |line: &str| line.strip_suffix(':').map_or_else(|| has(line), |label| label == head);
    words.first().is_some_and(|word| is_in(ERRANDS, word)) && !is_of_a_call
        || shouts
        || minutes
        || is_question(sentence)
        || sentence.starts_with('(')
        || PHRASES.lines().filter(|line| !line.starts_with('#')).any(marks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chores_are_known_and_news_is_not_one() {
        for chore in [
            "Mayor Roth called the meeting to order at 7 p.m.",
            "Thank you, Madam Chair.",
            "The minutes of May 5 were approved without change, 7–0.",
            "Tape is good from the start.",
            "Councilmember Foley moved to add a pond.",
            "TO DO: call the county.",
            "Is that right?",
            "NOT next fall.",
            "Ask Pinckney why no.",
            "(See the correction below.)",
        ] {
            assert!(is_chore(chore), "{chore}");
        }
        for news in [
            "The council approved the park, 5–2.",
            "call 4.12 am, nine engines",
            "Two families moved to a new house.",
            "It took ten minutes to put out the fire.",
            "The board will not vote tonight.",
        ] {
            assert!(!is_chore(news), "{news}");
        }
    }
}
