//! All rules, in the order in which they speak: from the strongest to the weakest. What one has reported, a later one does not
//! report again.

use crate::proof::{
    ledger::LedgerWriter,
    rule::Rule,
    rules::{
        certainty, meaning,
        name::{self, first_mention},
        novel, number,
        quotation::{self, speaker},
        support::{completed, new_fact, none},
        title,
    },
};

/// Every rule, in the order in which they speak.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    let folders: [&[&'static Rule]; 12] = [
        &quotation::check::RULES,
        &speaker::RULES,
        &number::check::RULES,
        &name::check::RULES,
        &title::check::RULES,
        &certainty::check::RULES,
        &meaning::check::RULES,
        &completed::RULES,
        &none::RULES,
        &novel::check::RULES,
        &first_mention::RULES,
        &new_fact::RULES,
    ];
    folders.into_iter().flatten().copied()
}

/// The rule of that name; none for the names under which spans in order are kept, or of another version.
#[must_use]
pub fn rule(name: &str) -> Option<&'static Rule> {
    rules().find(|rule| rule.name == name)
}

/// Whether what a rule finds is for an editor's eyes only: every word of it may be right, so no program repairs it or takes it
/// out.
#[must_use]
pub fn asks_an_editor(name: &str) -> bool {
    quotation::check::FOR_AN_EDITOR.iter().any(|rule| rule.name == name)
}

/// Asks every rule about the draft.
pub fn run(ledger: &mut LedgerWriter<'_, '_>) {
    quotation::check::check(ledger);
    number::check::check(ledger);
    name::check::check(ledger);
    if ledger.desk.foreign {
        none::leave_unjudged(ledger);
    } else {
        title::check::check(ledger);
        certainty::check::check(ledger);
        completed::check(ledger);
        meaning::check::check(ledger);
        none::check(ledger);
        novel::check::check(ledger);
        // Last, so that a matter of manners hides no matter of fact in its sentence.
        first_mention::check(ledger);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::proof::rule::Measured;

    #[test]
    fn every_rule_has_a_name_of_its_own_and_says_why() {
        let names: BTreeSet<&str> = rules().map(|rule| rule.name).collect();
        assert_eq!(names.len(), rules().count());
        for one in rules() {
            assert_eq!(rule(one.name), Some(one));
            assert!(one.why.ends_with('.') && one.source.ends_with('.'), "{}", one.name);
            if let Some(Measured { right, of, .. }) = one.measured {
                assert!(right <= of && of > 0, "{}", one.name);
            }
        }
        assert_eq!(rule("quotation.carried"), None);
    }
}
