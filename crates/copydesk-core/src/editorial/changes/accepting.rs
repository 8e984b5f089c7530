//! Accepting one change of a draft: the decision, and which changes have one. A change is known by its words and its place, so that
//! a later version that cuts changes otherwise takes none for accepted that was not.

use std::collections::BTreeSet;

use super::comparison::{Change, Comparison};
use crate::editorial::decisions::standing;
use copydesk_newsroom::{ArticleResponse, Choice, Journal};
use copydesk_text::sanitise;

/// Most characters of the words of a change in a line.
const LONGEST_WORDS: usize = 60;

/// The decision that a change from the draft of `from` to the draft of `to` may stand; none if there are no two such drafts.
#[must_use]
pub fn accepting(journal: &Journal, (from, to): (u32, u32), change: &Change) -> Option<Choice> {
    let words = |round: u32, range: &std::ops::Range<usize>| {
        field(&journal.draft(round)?.article, change.field)?.get(range.clone()).map(str::to_owned)
    };
    Some(Choice::AcceptChange {
        from,
        field: change.field.to_owned(),
        at: change.new.start,
        removed: words(from, &change.old)?,
        added: words(to, &change.new)?,
    })
}

/// The changes between two drafts that an editor accepted when the later one waited: places in [`Comparison::changes`].
#[must_use]
pub fn accepted(journal: &Journal, (from, to): (u32, u32), comparison: &Comparison) -> BTreeSet<usize> {
    let decided: Vec<&Choice> = standing(journal, to).map(|decided| &decided.decision.choice).collect();
    let is_accepted =
        |change: &Change| accepting(journal, (from, to), change).is_some_and(|choice| decided.contains(&&choice));
    comparison.changes.iter().enumerate().filter(|(_, change)| is_accepted(change)).map(|(at, _)| at).collect()
}

/// Whether the words that a choice accepts stand in the draft of `round`, and those that they replaced in the earlier one.
#[must_use]
pub fn is_change(journal: &Journal, round: u32, choice: &Choice) -> bool {
    let Choice::AcceptChange { from, field: name, at, removed, added } = choice else { return false };
    let text = |round: u32| field(&journal.draft(round)?.article, name);
    let (Some(old), Some(new)) = (text(*from), text(round)) else { return false };
    *from < round
        && !(removed.is_empty() && added.is_empty())
        && old.contains(removed.as_str())
        && new.get(*at..).is_some_and(|rest| rest.starts_with(added.as_str()))
}

/// A change in one line: `“in April” → “in May”`.
#[must_use]
pub fn in_words(removed: &str, added: &str) -> String {
    let quoted = |text: &str| format!("“{}”", sanitise::excerpt(&sanitise::one_line(text), LONGEST_WORDS));
    match (removed.is_empty(), added.is_empty()) {
        (true, _) => format!("{} added", quoted(added)),
        (false, true) => format!("{} removed", quoted(removed)),
        (false, false) if removed == added => format!("{} moved", quoted(added)),
        (false, false) => format!("{} → {}", quoted(removed), quoted(added)),
    }
}

fn field<'a>(article: &'a ArticleResponse, name: &str) -> Option<&'a str> {
    article.fields().into_iter().find(|(field, _)| *field == name).map(|(_, text)| text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::{
        changes::between,
        choices::{Refused, check},
        testing::{add, add_round, verdict},
        testing::{at_gate, decide, go_on},
    };
    use copydesk_newsroom::{Outcome, Specialist, Status, Step};

    fn at_second_gate() -> Journal {
        let mut journal = at_gate();
        decide(&mut journal, 1, Choice::Continue);
        go_on(&mut journal);
        add_round(&mut journal, 2, &[Specialist::Opinion]);
        let step = Step::Judge { round: 2, concern: 1 };
        add(&mut journal, step, Outcome::Verdict(verdict(1, Status::Rewrite, Some("Say when."))));
        journal
    }

    #[test]
    fn a_change_is_accepted_by_its_words_and_its_place_until_that_is_undone() {
        let mut journal = at_second_gate();
        let comparison = between(&journal, 1, 2).unwrap();
        assert_eq!(accepted(&journal, (1, 2), &comparison), BTreeSet::new());
        let choice = accepting(&journal, (1, 2), &comparison.changes[0]).unwrap();
        assert!(check(&journal, &choice).is_ok());
        let read: Choice = serde_json::from_str(&serde_json::to_string(&choice).unwrap()).unwrap();
        assert_eq!(read, choice);
        decide(&mut journal, 2, choice);
        assert_eq!(accepted(&journal, (1, 2), &comparison), BTreeSet::from([0]));
        decide(&mut journal, 2, Choice::Undo { number: 1 });
        assert_eq!(accepted(&journal, (1, 2), &comparison), BTreeSet::new());
    }

    #[test]
    fn what_is_no_change_of_the_draft_that_waits_is_refused() {
        let journal = at_second_gate();
        let change = |from, at, removed: &str, added: &str| Choice::AcceptChange {
            from,
            field: "articleBody".into(),
            at,
            removed: removed.into(),
            added: added.into(),
        };
        for choice in [
            change(2, 0, "", "Draft"),
            change(1, 0, "", ""),
            change(1, 1, "", "Draft"),
            change(1, 999, "", "x"),
            change(1, 0, "never there", "Draft"),
            change(7, 0, "", "Draft"),
        ] {
            assert_eq!(check(&journal, &choice), Err(Refused::NoChange(2)), "{choice:?}");
        }
    }

    #[test]
    fn a_change_is_said_in_one_line() {
        assert_eq!(in_words("in April", "in\nMay"), "“in April” → “in May”");
        assert_eq!(in_words("It rained.", "It rained."), "“It rained.” moved");
        assert_eq!(in_words("", "It rained."), "“It rained.” added");
        assert_eq!(in_words("It rained.", ""), "“It rained.” removed");
    }
}
