//! The done deed: the draft does what its passage only considers, proposes or asks for.

use crate::proof::{
    reading::{denies, hedges::softens},
    rules::{
        passage::sentence::{AlignedPassage, AlignedSentence},
        prelude::*,
    },
};

pub static RULE: Rule = Rule {
    name: "certainty.considered",
    kind: SpanKind::Certainty,
    standing: Standing::Inflated,
    concern_type: ConcernType::CertaintyInflation,
    gravity: Gravity::Note,
    why: "The source only considers this.",
    source: "Consider, propose, plan, ask for, subject to and the like stand right before the same verb or its noun.",
    measured: Some(Measured { right: 20, of: 24, on: SUMMARIES }),
};

/// Words that only consider what follows.
static CONSIDERING: WordList = words(
    "consider considers considering considered propose proposes proposing proposed proposal plan plans planning planned intend \
     intends intended seek seeks seeking sought request requests requested recommend recommends recommended recommendation hope \
     hopes hoped aim aims aimed want wants wanted inclined leaning pending subject awaiting probably likely possibly perhaps",
);

/// What is considered follows within so many words.
const BEHIND: usize = 4;

pub fn check(ledger: &mut LedgerWriter<'_, '_>, sentence: &AlignedSentence<'_, '_>) {
    let own: Vec<Token> = sentence.own().map(|(_, token)| token.clone()).collect();
    let open = |token: &Token| CONSIDERING.contains(&token.word) || denies(token);
    if !ledger.looks(&RULE) || softens(&own) || own.iter().any(open) {
        return;
    }
    for (at, token) in sentence.own() {
        if token.stop || !sentence.grammar().tag(at).is_verb() {
            continue;
        }
        let mut places = sentence.passages.iter().flat_map(|passage| {
            let words = passage.words.iter().enumerate().filter(|(_, other)| other.stem == token.stem);
            words.map(move |(there, _)| (passage, there))
        });
        let considered = |(passage, there): &(&AlignedPassage<'_>, usize)| {
            let before = passage.words.get(there.saturating_sub(BEHIND)..*there).unwrap_or_default();
            before.iter().any(|other| CONSIDERING.contains(&other.word))
        };
        let plain = places.clone().any(|place| !considered(&place));
        let Some((passage, _)) = places.next().filter(|_| !plain) else { continue };
        let note = format!("The source only considers “{}”.", token.word);
        if let Some(fault) = sentence.found(&RULE, at..at + 1, note, Some(passage.place)) {
            ledger.enter(fault);
        }
    }
}
