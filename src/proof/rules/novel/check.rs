//! What is new: a word of the draft that pins something down, and that no source has, in any form or in other words.
//!
//! Why: who makes something up has to name it. Most new words of a summary are its own way of telling; a thing that can be
//! pointed at, a field of work, a name is not. These rules are for those who ask for every doubt: a good story may well
//! have such a word from somewhere else.

use crate::proof::{
    ledger::LedgerWriter,
    rule::Rule,
    rules::novel::{name, person, thing},
};

/// The rules of this folder.
pub static RULES: [&Rule; 3] = [&name::RULE, &thing::RULE, &person::RULE];

/// Enters every new word that pins something down.
pub fn check(ledger: &mut LedgerWriter<'_, '_>) {
    name::check(ledger);
    thing::check(ledger);
    person::check(ledger);
}
