//! Walks through the draft and asks the rules for comment.

use crate::rules::{
    comment::{itself, judged},
    prelude::*,
};

pub static RULES: [&Rule; 2] = [&judged::RULE, &itself::RULE];

/// Enters what the draft says of its own.
pub fn check(ledger: &mut LedgerWriter<'_, '_>) {
    if !RULES.iter().any(|rule| ledger.asks(rule)) {
        return;
    }
    let texts = ledger.texts;
    for Spot { field, index, .. } in texts.sentences() {
        judged::check(ledger, field, index);
        itself::check(ledger, field, index);
    }
}
