//! Meaning: what a sentence of the draft says otherwise than its sources though most of its words are theirs.
//!
//! Why: `accepted` for `declined`, a `not` that nobody said, an `only`: one word, and the report is the opposite of what
//! happened. No rule here understands a sentence. Each looks for one sign that can be shown to an editor: a word of the
//! draft, and what the sources have in its place, or that none of them has it.

use std::cell::LazyCell;

use crate::proof::{
    ledger::LedgerWriter,
    rule::Rule,
    rules::meaning::{
        antonym, attributed, denied, narrowed, opposed, replaced, sentence::DraftSentence, turned, voted,
    },
    sources::{texts::Spot, vicinity::Vicinity},
    words::class::Class,
};

/// The rules of this folder.
pub static RULES: [&Rule; 10] = [
    &attributed::RULE,
    &antonym::RULE,
    &antonym::ELSEWHERE,
    &denied::RULE,
    &turned::RULE,
    &narrowed::RULE,
    &opposed::RULE,
    &replaced::RULE,
    &voted::SIDE,
    &voted::TALLY,
];

/// Enters every word that turns round what its sources say.
pub fn check(ledger: &mut LedgerWriter<'_, '_>) {
    if !RULES.iter().any(|rule| ledger.asks(rule)) {
        return;
    }
    let desk = ledger.desk;
    let denials = LazyCell::new(|| Vicinity::of(&desk.archive, Class::TURNS));
    let extent = LazyCell::new(|| narrowed::Extent::read(&desk.archive));
    for Spot { at, field, index, item: line } in desk.sentences() {
        if line.heading {
            continue;
        }
        let sentence = DraftSentence::new(&desk.archive, &field.reading, index, at);
        antonym::check(ledger, &sentence);
        denied::check(ledger, &sentence, &denials);
        turned::check(ledger, &sentence, &denials);
        narrowed::check(ledger, &sentence, &extent);
        opposed::check(ledger, &sentence);
        replaced::check(ledger, &sentence);
        attributed::check(ledger, &sentence);
        voted::check(ledger, &sentence, &field.reading, index);
    }
}
