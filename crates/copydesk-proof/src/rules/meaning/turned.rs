//! A word that reverses a statement: `fails to`, `ignores`, `inefficient`, if no source says anything like it.
//!
//! Why: a sentence can deny without `not`. Such a word is allowed if a source has it, has one like it, or denies
//! something else in the sentence.

use crate::{
    rules::{meaning::sentence::DraftSentence, prelude::*},
    sources::Vicinity,
    words::{LexiconEntry, denials::turns, entries},
};

pub static RULE: Rule = Rule {
    name: "meaning.turned",
    kind: SpanKind::Certainty,
    standing: Standing::Denied,
    concern_type: ConcernType::UnsupportedFact,
    gravity: Gravity::Note,
    why: "No source says anything negative about this.",
    source: "A list of words that deny without “not”. A source must have the word, a similar one, or a denial of the words around it.",
    measured: Some(Measured { right: 47, of: 65, on: SUMMARIES }),
};

/// A denial of the sources counts if it is near a word that stands at most so many words from this one.
const AROUND: usize = 4;

/// Words that reverse little: they contrast two things, or name what anybody can have.
static MILD: WordList = words("instead problem");

/// Enters the words of a sentence that reverse what no source reverses.
pub fn check(ledger: &mut LedgerWriter<'_, '_>, sentence: &DraftSentence<'_, '_>, denials: &Vicinity<'_>) {
    if !ledger.asks(&RULE) {
        return;
    }
    for (at, token) in sentence.own().filter(|(_, token)| turns(&token.word) || opens_negative(token)) {
        if MILD.contains(&token.word) {
            continue;
        }
        let touched = || sentence.around(at, AROUND).into_iter().any(|stem| denials.has(stem));
        if !sentence.known(token) && !touched() {
            let note = format!("No source says “{}”, and none denies anything about this.", token.word);
            ledger.enter(sentence.found(&RULE, token, note, None));
        }
    }
}

/// Whether a word is the opposite of the rest without its first letters: `inconsistent`, `unhappy`.
fn opens_negative(token: &Token) -> bool {
    let negative = |entry: LexiconEntry| {
        entry.antonyms().any(|other| {
            let prefix = entry.word().strip_suffix(other);
            prefix.is_some_and(|prefix| matches!(prefix, "un" | "in" | "im" | "il" | "ir" | "dis" | "mis" | "non"))
        })
    };
    !token.stop && entries(&token.word).into_iter().any(negative)
}

#[cfg(test)]
mod tests {
    use crate::testing::notes;

    const SOURCE: &str = "The method boosts performance across noise levels. The hall was full long before the speeches began, and the band went on playing until the last guests had found a seat. The client did not want the discount. The board turned down the offer.";

    fn found(draft: &str) -> Vec<(String, String)> {
        notes(draft, SOURCE).into_iter().map(|row| (row.rule, row.text)).collect()
    }

    #[test]
    fn a_word_that_turns_round_what_no_source_does_is_noted() {
        let noted = |word: &str| [("meaning.turned".to_owned(), word.to_owned())];
        assert_eq!(found("The method is inconsistent across noise levels."), noted("inconsistent"));
        assert_eq!(found("The method fails across noise levels."), noted("fails"));
    }

    #[test]
    fn what_a_source_denies_may_be_turned_down() {
        assert_eq!(found("The client refused the discount."), []);
        assert_eq!(found("The board rejected the offer."), []);
        assert_eq!(found("The method boosts performance instead."), []);
    }
}
