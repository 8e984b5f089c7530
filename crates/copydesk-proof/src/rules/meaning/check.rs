//! Meaning: a sentence says something else than its sources, though most of its words are theirs.
//!
//! Why: `accepted` for `declined`, an added `not`: one word, and the report says the opposite. No rule here
//! understands a sentence. Each looks for one sign that an editor can check: a word of the draft, and what the
//! sources have instead, or that none of them has it.

use std::cell::LazyCell;

use crate::{
    rules::{
        meaning::{antonym, denied, rivalled, voted},
        prelude::*,
    },
    sources::Vicinity,
};

pub static RULES: [&Rule; 6] =
    [&antonym::RULE, &denied::RULE, &denied::NOTHING, &rivalled::RULE, &voted::SIDE, &voted::TALLY];

/// Enters every word that reverses what its sources say.
pub fn check(ledger: &mut LedgerWriter<'_, '_>) {
    if !RULES.iter().any(|rule| ledger.asks(rule)) {
        return;
    }
    let texts = ledger.texts;
    let denials = LazyCell::new(|| Vicinity::of(&texts.archive, Class::TURNS));
    enter_each(ledger, |sentence| {
        // For and against a motion are opposites, too: the result of a vote says more.
        let mut faults = voted::faults(sentence);
        faults.extend(antonym::faults(sentence));
        faults.extend(denied::faults(sentence, &denials));
        faults.extend(rivalled::faults(sentence));
        faults
    });
}
