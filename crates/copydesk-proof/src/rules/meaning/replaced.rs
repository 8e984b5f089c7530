//! A replaced adjective: the draft has a source's phrase word for word, except for one adjective.
//!
//! Why: `paid` in “the paid app that offers” is one word among many from the source. A free retelling changes all
//! words. If the words on both sides are kept, a changed one is no matter of style, unless it is a synonym.

use crate::{
    rules::{meaning::sentence::DraftSentence, prelude::*},
    words::{
        LexiconEntry, entries,
        lexicon::{self},
    },
};

pub static RULE: Rule = Rule {
    name: "meaning.replaced",
    kind: SpanKind::Certainty,
    standing: Standing::Altered,
    concern_type: ConcernType::UnsupportedFact,
    gravity: Gravity::Note,
    why: "The source has another adjective in this phrase.",
    source: "Adjectives according to WordNet. Words that share a synonym count as the same.",
    measured: Some(Measured { right: 58, of: 96, on: SUMMARIES }),
};

/// So many words on both sides must be the same, one of them with content.
const SAME: usize = 3;

/// The phrase is looked up by so many words beside it.
const BESIDE: usize = 2;

/// The phrase is looked up by its nearest content word, which stands at most so many words away.
const NEAR: usize = 3;

/// Enters the adjectives of a sentence for which a source has another.
pub fn check(ledger: &mut LedgerWriter<'_, '_>, sentence: &DraftSentence<'_, '_>) {
    if !ledger.asks(&RULE) {
        return;
    }
    for (at, token) in sentence.own() {
        if token.stop || sentence.names(token) || !is_adjective(token) {
            continue;
        }
        let Some((theirs, place)) = replaced(sentence, at, token) else { continue };
        let note = format!("The source says “{}” in this phrase, not “{}”.", theirs.word, token.word);
        ledger.enter(sentence.found(&RULE, token, note, sentence.archive.sentence(place)));
    }
}

/// What a source has instead of the word at `at`; none if a source has the word itself there.
fn replaced<'s>(sentence: &DraftSentence<'s, '_>, at: usize, token: &Token) -> Option<(&'s Token, SourceLine)> {
    let near = at.saturating_sub(NEAR)..(at + NEAR + 1).min(sentence.tokens.len());
    let mut beside: Vec<&Token> =
        sentence.tokens.get(near)?.iter().filter(|other| !other.stop && other.start != token.start).collect();
    beside.sort_by_key(|other| other.start.abs_diff(token.start));
    let mut found = None;
    for place in beside.into_iter().take(BESIDE).flat_map(|word| sentence.archive.places_of(&word.word)) {
        let tokens = sentence.archive.tokens(place);
        for (there, other) in tokens.iter().enumerate() {
            if other.stop || !same_place(sentence.tokens, at, tokens, there) {
                continue;
            }
            if other.stem == token.stem {
                return None;
            }
            let elsewhere = sentence.tokens.iter().any(|word| word.stem == other.stem);
            if found.is_none() && !elsewhere && is_adjective(other) && !alike(token, other) {
                found = Some((other, place));
            }
        }
    }
    found
}

/// Whether enough words on both sides of two places are the same.
fn same_place(ours: &[Token], at: usize, theirs: &[Token], there: usize) -> bool {
    let same = |(one, other): &(&Token, &Token)| one.word == other.word;
    let (before, behind) = (ours.get(..at).unwrap_or_default(), ours.get(at + 1..).unwrap_or_default());
    let (earlier, later) = (theirs.get(..there).unwrap_or_default(), theirs.get(there + 1..).unwrap_or_default());
    let left: Vec<&Token> =
        before.iter().rev().zip(earlier.iter().rev()).take_while(same).map(|(one, _)| one).collect();
    let right: Vec<&Token> = behind.iter().zip(later).take_while(same).map(|(one, _)| one).collect();
    let content = left.iter().chain(&right).any(|token| !token.stop);
    !left.is_empty() && !right.is_empty() && left.len() + right.len() >= SAME && content
}

/// Whether a word is mostly used as an adjective.
fn is_adjective(token: &Token) -> bool {
    lexicon::entry(&token.word).is_some_and(LexiconEntry::is_adjective)
}

/// Whether two words can be synonyms: directly, or both of a third.
fn alike(one: &Token, other: &Token) -> bool {
    let like = |token: &Token| -> Vec<&str> {
        entries(&token.word)
            .into_iter()
            .flat_map(|entry| entry.like().chain(entry.similar()).chain([entry.word()]))
            .collect()
    };
    let opposed = |one: &Token, other: &Token| {
        entries(&one.word).into_iter().flat_map(LexiconEntry::antonyms).any(|word| word == other.word.as_str())
    };
    let (ours, theirs) = (like(one), like(other));
    !opposed(one, other) && !opposed(other, one) && ours.iter().any(|word| theirs.contains(word))
}

#[cfg(test)]
mod tests {
    use crate::testing::notes;

    const SOURCE: &str = "They use the free anchor app which offers a map. It was still cloudy here as well. The speaker got rich \
                          at the fast food stand. The large grey house was sold, and the small grey house was sold.";

    fn found(draft: &str) -> Vec<(String, String)> {
        let rows = notes(draft, SOURCE).into_iter().filter(|row| row.rule == "meaning.replaced");
        rows.filter_map(|row| Some((row.text, row.passage?.text))).collect()
    }

    #[test]
    fn another_adjective_between_the_same_words_is_noted() {
        assert_eq!(
            found("Then it was still rainy here as well."),
            [("rainy".to_owned(), "It was still cloudy here as well.".to_owned())]
        );
    }

    #[test]
    fn a_synonym_a_freer_phrase_and_the_sources_own_word_are_not() {
        for draft in [
            "Then it was still overcast here as well.",
            "The day stayed rainy as well.",
            "It was still, as he said, rainy and here it was cloudy.",
            "The large grey house was sold.",
            "It was still there here as well.",
        ] {
            assert_eq!(found(draft), [], "{draft}");
        }
    }
}
