//! Asks the rules that hold a sentence against the passages from which it is made.
//!
//! Why: in a long source every word stands somewhere. Only the place that the sentence comes from counts.

use crate::rules::{
    passage::{degree, reason},
    prelude::*,
};

pub static RULES: [&Rule; 2] = [&degree::RULE, &reason::RULE];

/// Enters what a sentence says otherwise than its passages.
pub fn check(ledger: &mut LedgerWriter<'_, '_>) {
    if !RULES.iter().any(|rule| ledger.looks(rule)) {
        return;
    }
    enter_each(ledger, |sentence| {
        if !sentence.field.is_body() {
            return Vec::new();
        }
        degree::faults(sentence).into_iter().chain(reason::faults(sentence)).collect()
    });
}
