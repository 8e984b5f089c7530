//! The opposite word in the very passage: the draft has `reverse`, the passage has `affirm`.
//!
//! Why: in a long source somebody also says `reverse` of something else, so that a search of the whole source finds it.

use crate::proof::{
    binding::alike,
    reading::denies,
    rules::{meaning::antonym::opposites, passage::sentence::AlignedSentence, prelude::*},
};

pub static RULE: Rule = Rule {
    name: "meaning.opposite",
    kind: SpanKind::Certainty,
    standing: Standing::Denied,
    gravity: Gravity::Note,
    why: "The passage has the opposite of this word.",
    source: "WordNet's antonyms and a list, inside the passage from which the sentence is made.",
    measured: Some(Measured { right: 1, of: 1, on: SUMMARIES }),
    ..Rule::USUAL
};

/// The passage has so much of the sentence, at least.
const FROM: f64 = 0.5;

/// So many words of the draft's company stand around the opposite.
const COMPANY: usize = 2;

/// The company of a word: the content words up to so many words away.
const REACH: usize = 7;

/// A denial stands at most so many words before what it denies.
const BESIDE: usize = 4;

pub fn check(ledger: &mut LedgerWriter<'_, '_>, sentence: &AlignedSentence<'_, '_>) {
    if !ledger.asks(&RULE) || sentence.share() < FROM {
        return;
    }
    let theirs = &sentence.theirs;
    for (at, token) in sentence.own() {
        if token.stop || token.word.len() < 3 || token.capital || sentence.has(token) {
            continue;
        }
        let opposite = opposites(token, |word| theirs.iter().any(|other| is(other, word)));
        let like = alike(sentence.archive, token);
        let Some(there) = theirs.iter().position(|other| opposite.iter().any(|word| is(other, word))) else { continue };
        let own: Vec<&Token> = sentence.own().map(|(_, token)| token).collect();
        let both = theirs.get(there).is_some_and(|other| own.iter().any(|own| own.stem == other.stem));
        let turned = |tokens: &[&Token], at: usize| {
            tokens.get(at.saturating_sub(BESIDE)..at).unwrap_or_default().iter().any(|token| denies(token))
        };
        let here = own.iter().position(|own| own.start == token.start).unwrap_or_default();
        if both || turned(&own, here) || turned(theirs, there) || theirs.iter().any(|t| like.contains(&t.stem_id)) {
            continue;
        }
        let near = |tokens: &[&Token], at: usize| -> Vec<u32> {
            let range = at.saturating_sub(REACH)..(at + REACH + 1).min(tokens.len());
            let near = tokens.get(range).unwrap_or_default().iter().filter(|token| !token.stop);
            near.map(|token| token.stem_id).collect()
        };
        let ours = near(&own, here);
        let company = near(theirs, there);
        let shared = ours.iter().filter(|stem| company.contains(stem)).count();
        if shared >= COMPANY {
            let word = theirs.get(there).map_or("", |other| other.word.as_str());
            let note = format!("The source says “{word}” here, not “{}”.", token.word);
            if let Some(fault) = sentence.found(&RULE, at..at + 1, note) {
                ledger.enter(fault);
            }
        }
    }
}

/// Whether a word of a source is a form of a dictionary's word.
fn is(token: &Token, word: &str) -> bool {
    token.word == word || crate::text::inflection::bases(&token.word).iter().any(|base| base == word)
}
