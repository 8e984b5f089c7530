//! The denial that nobody made: the draft says `not` of a thing that no source denies.
//!
//! Why: an inserted `not` is the shortest lie, and every other word of its sentence is true. What a denial denies is the
//! next content word; where a source has that word, a denial must stand near it there, and where none has it, near
//! something else that the sentence speaks of.

use crate::{
    newsroom::{ConcernType, SpanKind, Standing},
    proof::{
        ledger::LedgerWriter,
        reading::{hedges::denies, token::Token},
        rule::{Gravity, Measured, Rule, SUMMARIES},
        rules::meaning::sentence::DraftSentence,
        sources::vicinity::Vicinity,
        words::{
            lexicon::{LexiconEntry, entries},
            list::{WordList, words},
        },
    },
};

/// A denial that no source makes.
pub static RULE: Rule = Rule {
    name: "meaning.denied",
    kind: SpanKind::Certainty,
    standing: Standing::Denied,
    concern_type: ConcernType::UnsupportedFact,
    gravity: Gravity::Note,
    why: "No source denies this.",
    source: "A denial, or a word that turns a statement round, stands within eight words of what it denies.",
    measured: Some(Measured { right: 197, of: 211, on: SUMMARIES }),
};

/// How far behind a denial, in words, what it denies can stand.
const BEHIND: usize = 5;

/// How far before a denial, in words, an `if` can stand.
const CONDITION: usize = 3;

/// How far around it the rest of what it speaks of is looked for.
const AROUND: usize = 4;

/// Enters the denials of a sentence that no source makes.
pub fn check(ledger: &mut LedgerWriter<'_, '_>, sentence: &DraftSentence<'_, '_>, denials: &Vicinity<'_>) {
    if !ledger.asks(&RULE) {
        return;
    }
    for (at, token) in sentence.own().filter(|(_, token)| denies(token)) {
        let behind = sentence.tokens.get(at + 1..).unwrap_or_default().iter().take(BEHIND);
        if manner(sentence.tokens, at) {
            continue;
        }
        let denied = behind.filter(|token| !token.stop && !denies(token)).map(|token| token.stem.as_str()).next();
        let known = denied.filter(|stem| sentence.archive.knows(stem));
        let said = match known {
            Some(stem) => denials.has(stem),
            None => sentence.around(at, AROUND).into_iter().any(|stem| denials.has(stem)),
        };
        if denials.any && said || sentence.tokens.get(at + 1..).is_some_and(|behind| opposed(sentence, behind)) {
            continue;
        }
        let note = known.and(denied).map_or_else(
            || "No source denies anything about this.".to_owned(),
            |_| format!("No source says “{}” about this.", token.word),
        );
        ledger.enter(sentence.found(&RULE, token, note, None));
    }
}

/// Whether a source has the opposite of what is denied: who is `not awake` is `asleep`.
fn opposed(sentence: &DraftSentence<'_, '_>, behind: &[Token]) -> bool {
    let denied = behind.iter().take(BEHIND).find(|token| !token.stop && !denies(token));
    let opposites = denied.into_iter().flat_map(|token| entries(&token.word)).flat_map(LexiconEntry::antonyms);
    opposites.into_iter().any(|word| sentence.archive.has(word))
}

/// What somebody does not think, know or want: another's silence, an excuse or a question can tell as much.
static MIND: WordList =
    words("believe believes care know knows mind sure think thinks understand understands want wants");

/// Whether a denial needs no denial in a source: it denies nothing (`whether or not`, `not only`, `if it is not`), asks somebody
/// not to do a thing, or speaks of a state of mind.
fn manner(tokens: &[Token], at: usize) -> bool {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.word.as_str());
    let before = at.checked_sub(1).and_then(|at| tokens.get(at));
    let somebody =
        |token: &Token| token.capital || matches!(token.word.as_str(), "him" | "her" | "them" | "us" | "me" | "you");
    let behind = tokens.get(at + 1..).unwrap_or_default();
    let asks = word(at + 1) == "to" && before.is_some_and(somebody);
    let condition =
        tokens.get(at.saturating_sub(CONDITION)..at).unwrap_or_default().iter().any(|token| token.word == "if");
    let first = behind.iter().take(BEHIND).find(|token| !token.stop);
    asks || condition
        || word(at + 1) == "only"
        || behind.iter().all(|token| token.stop)
        || first.is_some_and(|token| MIND.contains(&token.word))
}

#[cfg(test)]
mod tests {
    use crate::proof::trial::notes;

    const SOURCE: &str = "The agent described home insurance and two plans for drivers. The client did not ask about discounts. The office is closed on Sundays; nobody answers then. The drivers are late, sorry, they come tomorrow.";

    fn found(draft: &str) -> Vec<(String, String)> {
        let rows = notes(draft, SOURCE).into_iter().filter(|row| row.rule.starts_with("meaning."));
        rows.map(|row| (row.rule, row.text)).collect()
    }

    #[test]
    fn a_denial_that_no_source_makes_is_noted() {
        let noted = |word: &str| [("meaning.denied".to_owned(), word.to_owned())];
        assert_eq!(found("The agent did not describe the plans for drivers."), noted("not"));
        assert_eq!(found("There is no insurance for homes."), noted("no"));
        assert_eq!(found("No tigers roam the mountains."), noted("No"));
    }

    #[test]
    fn what_needs_no_denial_in_a_source_is_not_noted() {
        for draft in [
            "The agent does not know the plans for drivers.",
            "The agent described not only the plans for drivers.",
            "The agent asked her not to compare the plans.",
            "The agent asked whether it was home insurance or not.",
            "They will drive if insurance is not described.",
            // The opposite word says the same.
            "The office is not open.",
            "The drivers cannot come.",
        ] {
            assert_eq!(found(draft), [], "{draft}");
        }
    }

    #[test]
    fn a_denial_that_a_source_makes_in_its_own_words_is_not() {
        for draft in
            ["The client never asked about discounts.", "On Sundays no calls are taken.", "Discounts were not raised."]
        {
            assert_eq!(found(draft), [], "{draft}");
        }
    }
}
