//! All rules, from the strongest to the weakest, in the order in which they are asked. A later rule does not report
//! again what an earlier one has reported.

use crate::{
    fixes,
    ledger::LedgerWriter,
    rule::Rule,
    rules::{
        certainty, comment, meaning, name, number, passage,
        quotation::{self, speaker},
        speech,
        support::{carried, new_fact},
    },
};

static FOLDERS: [&[&Rule]; 10] = [
    &quotation::check::RULES,
    &[&speaker::RULE],
    &number::check::RULES,
    &name::check::RULES,
    &certainty::check::RULES,
    &meaning::check::RULES,
    &passage::check::RULES,
    &[&speech::RULE],
    &[&comment::RULE],
    &[&new_fact::RULE],
];

pub fn rules() -> impl Iterator<Item = &'static Rule> {
    FOLDERS.into_iter().flatten().copied()
}

/// The rule of that name. Spans in order are kept under names that are no rule's, and another version may know other
/// rules: there is none for them.
#[must_use]
pub fn rule(name: &str) -> Option<&'static Rule> {
    rules().find(|rule| rule.name == name)
}

/// Whether only an editor can judge what a rule finds. Every word of it may be right, so no program repairs it or
/// deletes it.
#[must_use]
pub fn asks_an_editor(name: &str) -> bool {
    quotation::check::FOR_AN_EDITOR.iter().any(|rule| rule.name == name)
}

/// Asks every rule about the draft, and tries what they offer to write instead.
pub fn run(ledger: &mut LedgerWriter<'_, '_>) {
    ask(ledger);
    fixes::settle(ledger, ask);
}

/// Asks every rule about the draft.
pub fn ask(ledger: &mut LedgerWriter<'_, '_>) {
    quotation::check::check(ledger);
    number::check::check(ledger);
    name::check::check(ledger);
    // The others know the words of one language.
    if !ledger.texts.foreign {
        certainty::check::check(ledger);
        meaning::check::check(ledger);
        passage::check::check(ledger);
        speech::check(ledger);
        comment::check(ledger);
    }
    carried::check(ledger);
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::rule::{Gravity, Measured};

    #[test]
    fn every_rule_has_a_name_of_its_own_and_says_why() {
        let names: BTreeSet<&str> = rules().map(|rule| rule.name).collect();
        assert_eq!(names.len(), rules().count());
        for one in rules() {
            assert_eq!(rule(one.name), Some(one));
            assert!(one.why.ends_with('.') && one.source.ends_with('.'), "{}", one.name);
            if let Some(Measured { right, of, .. }) = one.measured {
                assert!(right <= of && of > 0, "{}", one.name);
                let is_often_wrong = of >= 20 && right * 10 < of * 8;
                assert!(!is_often_wrong || one.gravity == Gravity::Note, "{}", one.name);
            }
        }
        assert_eq!(rule("quotation.carried"), None);
    }
}
