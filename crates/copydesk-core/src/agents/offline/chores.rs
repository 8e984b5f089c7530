//! Finds sentences that no reader needs: procedure, greetings, hand-overs, words about the recording, a reporter's notes.

use copydesk_text::words::{is_stop_word, words as raw_words};

use super::copy::{folded, is_in, is_question};

/// Phrases that mark such a sentence, wherever they occur in it.
const PHRASES: &[&str] = &[
    // Procedure.
    "to order",
    "called the roll",
    "roll call",
    "a quorum",
    "no further business",
    "respectfully submitted",
    "subject to approval",
    "opened the hearing",
    "opened the meeting",
    "hearing was closed",
    "hearing is closed",
    "meeting closed",
    "meeting ended",
    "briefing ended",
    "recording ends",
    "recording starts",
    "following is a summary",
    "spoke to the main motion",
    "spoke to the motion",
    "was before the council",
    "were before the council",
    "this is a hearing",
    "moved that",
    "seconded",
    // Courtesy and hand-overs.
    "thank you",
    "thanks to",
    "thanked",
    "good morning",
    "good afternoon",
    "good evening",
    "ladies and gentlemen",
    "go ahead",
    "hand over to",
    "questions from the floor",
    "question from",
    "first is",
    "next card",
    "three minutes each",
    "two minutes each",
    "cards up",
    "keep us moving",
    "take the public",
    "if i may",
    "may i say",
    "could i say",
    "let me say",
    "forgive me",
    "is noted",
    "are noted",
    "is minuted",
    "that minuted",
    "asked me to say",
    "we will have a statement",
    "is here from",
    "is also here",
    "correct myself",
    "fix something i said",
    "here is what we have",
    // The document itself.
    "see below",
    "see above",
    "see the",
    "see schedule",
    "the transcript",
    "transcript of",
    "transcribed",
    "on the tape",
    "off the tape",
    "the tape",
    "tape is",
    "the recording",
    "the audio",
    "the slide",
    "slide four",
    "read out by",
    "handed round",
    "recorded between",
    "note to editors",
    "this release",
    "correction to",
    "corrected the packet",
    "of that paragraph",
    "for release",
    "for questions",
    "for the press",
    "avoidance of letters",
    // A reporter's notes.
    "don't use",
    "don't mix",
    "please use",
    "use it whole",
    "as the paper had",
    "checked twice",
    "adds up",
    "he wants that clear",
    "she wants that clear",
];

/// Labels of a list or a note, which is not copy.
const HEADS: &[&str] = &[
    "present",
    "absent",
    "staff present",
    "to do",
    "todo",
    "nb",
    "note",
    "contact",
    "speakers",
    "subject",
    "from",
    "to",
    "cc",
    "re",
    "attendees",
    "agenda",
    "disclosure",
];

/// Verbs of motions, after `moved to`.
const MOVED: &str =
    "add approve adopt amend table delay strike adjourn accept deny reject authorize authorise postpone refer";

/// Verbs of a reporter's notes for later work.
const ERRANDS: &str = "ask call check confirm verify remember use see";

/// Whether no reader needs a sentence.
pub(super) fn is_chore(sentence: &str) -> bool {
    let words = folded(sentence);
    let line = format!(" {} ", words.join(" "));
    let has = |phrase: &str| line.contains(&format!(" {phrase} "));
    let head = sentence.split_once(':').map(|(head, _)| head.trim().to_lowercase()).unwrap_or_default();
    let minutes = has("minutes") && (has("approved") || has("approval"));
    let moved = MOVED.split(' ').any(|verb| has(&format!("moved to {verb}")));
    let adjourned = words.iter().any(|word| word == "adjourned");
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
    HEADS.contains(&head.as_str())
        || words.first().is_some_and(|word| is_in(ERRANDS, word)) && !is_of_a_call
        || shouts
        || minutes
        || moved
        || adjourned
        || is_question(sentence)
        || sentence.starts_with('(')
        || PHRASES.iter().any(|phrase| has(phrase))
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
