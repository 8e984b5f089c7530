//! Asks the rules that hold a sentence against the passages from which it is made.
//!
//! Why: in a long source every word stands somewhere. Only the place that the sentence comes from counts.

use crate::rules::{
    passage::{degree, reason, sentence::AlignedSentence},
    prelude::*,
};

pub static RULES: [&Rule; 2] = [&degree::RULE, &reason::RULE];

/// Enters what a sentence says otherwise than its passages.
pub fn check(ledger: &mut LedgerWriter<'_, '_>) {
    if !RULES.iter().any(|rule| ledger.looks(rule)) {
        return;
    }
    let texts = ledger.texts;
    for Spot { field, index, item: line } in texts.sentences() {
        if line.heading || !field.is_body() {
            continue;
        }
        let sentence = AlignedSentence::new(&texts.archive, field, index, ledger.aligned(field, index));
        degree::check(ledger, &sentence);
        reason::check(ledger, &sentence);
    }
}
