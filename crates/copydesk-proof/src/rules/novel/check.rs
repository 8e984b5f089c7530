//! New words: a specific word of the draft that no source has in any form, nor a synonym of it.
//!
//! Why: an invented thing needs a word. Most new words of a summary are only its own way of telling; a concrete
//! thing, a field of work or a name is not. These rules are notes, because a good story may well take such a word
//! from elsewhere.

use crate::{
    ledger::LedgerWriter,
    rule::Rule,
    rules::novel::{name, person, thing},
};

pub static RULES: [&Rule; 3] = [&name::RULE, &thing::RULE, &person::RULE];

pub fn check(ledger: &mut LedgerWriter<'_, '_>) {
    name::check(ledger);
    thing::check(ledger);
    person::check(ledger);
}
