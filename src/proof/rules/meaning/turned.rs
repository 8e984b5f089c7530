//! The word that turns a statement round: `fails to`, `ignores`, `inefficient`, where no source says anything of the kind.
//!
//! Why: a denial need not say `not`. Such a word is allowed where a source has it, or one like it, or denies something else
//! that the sentence speaks of.

use crate::{
    newsroom::{ConcernType, SpanKind, Standing},
    proof::{
        ledger::LedgerWriter,
        reading::token::Token,
        rule::{Gravity, Measured, Rule, SUMMARIES},
        rules::meaning::sentence::DraftSentence,
        sources::vicinity::Vicinity,
        words::{
            denials::turns,
            lexicon::{LexiconEntry, entries},
            list::{WordList, words},
        },
    },
};

/// A word that turns a statement round, in no source.
pub static RULE: Rule = Rule {
    name: "meaning.turned",
    kind: SpanKind::Certainty,
    standing: Standing::Denied,
    concern_type: ConcernType::UnsupportedFact,
    gravity: Gravity::Note,
    why: "No source says anything negative about this.",
    source: "A list of words that deny without saying not; a source must have the word, one like it, or a denial of what stands around it.",
    measured: Some(Measured { right: 49, of: 51, on: SUMMARIES }),
};

/// How far around the word a denial of the sources must touch what the sentence speaks of.
const AROUND: usize = 4;

/// Words that turn little round: they set one thing beside another, or name what anybody can have.
static MILD: WordList = words("instead problem");

/// Enters the words of a sentence that turn round what no source does.
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

/// Whether a word is the opposite of what is left without its first letters: `inconsistent`, `unhappy`.
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
    use crate::proof::trial::notes;

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
