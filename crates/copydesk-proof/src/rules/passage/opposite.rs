//! The opposite word in the very passage: the draft has `reverse`, the passage has `affirm`.
//!
//! Why: in a long source somebody also says `reverse` of something else, so that a search of the whole source finds it.

use foldhash::HashSet;

use crate::{
    reading::denies,
    rules::{
        meaning::antonym::opposites,
        passage::sentence::{AlignedPassage, AlignedSentence},
        prelude::*,
    },
};

pub static RULE: Rule = Rule {
    name: "meaning.opposite",
    kind: SpanKind::Certainty,
    standing: Standing::Denied,
    gravity: Gravity::Note,
    why: "The passage has the opposite of this word.",
    source: "WordNet's antonyms and a list, inside the passage from which the sentence is made.",
    measured: Some(Measured { right: 5, of: 5, on: SUMMARIES }),
    ..Rule::USUAL
};

/// So many words of the draft's company stand around the opposite.
const COMPANY: usize = 2;

/// The company of a word: the content words up to so many words away.
const REACH: usize = 7;

/// A denial stands at most so many words before what it denies.
const BESIDE: usize = 4;

pub fn check(ledger: &mut LedgerWriter<'_, '_>, sentence: &AlignedSentence<'_, '_>) {
    if !ledger.looks(&RULE) {
        return;
    }
    let own: Vec<&Token> = sentence.own().map(|(_, token)| token).collect();
    for (here, (at, token)) in sentence.own().enumerate() {
        if token.stop || token.word.len() < 3 || token.capital || denied(&own, here) {
            continue;
        }
        let ours = near(&own, here);
        let like = sentence.archive.alike(token);
        let found = sentence.passages.iter().find_map(|passage| {
            let there = opposed(passage, token, &like, &own)?;
            let shared = near(&passage.words, there);
            let company = ours.iter().filter(|stem| shared.contains(stem)).count();
            (company >= COMPANY).then_some((passage.place, passage.words.get(there)?))
        });
        // Another passage that has the word may be the one.
        let said = || {
            sentence.passages.iter().filter(|passage| passage.has(token, &like)).any(|passage| {
                let place = passage.words.iter().position(|other| other.stem == token.stem).unwrap_or_default();
                let shared = near(&passage.words, place);
                ours.iter().filter(|stem| shared.contains(stem)).count() >= COMPANY
            })
        };
        let Some((place, other)) = found.filter(|_| !said()) else { continue };
        let note = format!("The source says “{}” here, not “{}”.", other.word, token.word);
        if let Some(fault) = sentence.found(&RULE, at..at + 1, note, Some(place)) {
            ledger.enter(fault);
        }
    }
}

/// The place of a word's opposite in a passage that does not have the word itself, and does not deny the opposite.
fn opposed(passage: &AlignedPassage<'_>, token: &Token, like: &HashSet<u32>, own: &[&Token]) -> Option<usize> {
    if passage.has(token, like) {
        return None;
    }
    let opposite = opposites(token, |word| passage.form_of(word).is_some());
    let there = opposite.iter().filter_map(|word| passage.form_of(word)).min()?;
    let words = &passage.words;
    let both = words.get(there).is_some_and(|other| own.iter().any(|own| own.stem == other.stem));
    (!both && !denied(words, there)).then_some(there)
}

/// Whether a denial stands right before a word.
fn denied(tokens: &[&Token], at: usize) -> bool {
    tokens.get(at.saturating_sub(BESIDE)..at).unwrap_or_default().iter().any(|token| denies(token))
}

/// The stems around a word.
fn near(tokens: &[&Token], at: usize) -> Vec<u32> {
    let range = at.saturating_sub(REACH)..(at + REACH + 1).min(tokens.len());
    let near = tokens.get(range).unwrap_or_default().iter().filter(|token| !token.stop);
    near.map(|token| token.stem_id).collect()
}
