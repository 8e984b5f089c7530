//! Accepting one change of a draft: the decision, and which changes have one. A change is known by its words and its place, so that
//! a later version that cuts changes otherwise takes none for accepted that was not.

use std::{collections::BTreeSet, ops::Range};

use super::comparison::{Change, ChangeKind, Comparison};
use crate::editorial::decisions::standing;
use copydesk_newsroom::{ArticleResponse, Choice, Journal};
use copydesk_text::{in_marks, sanitise};

/// Most characters of the words of a change in a line.
const LONGEST_WORDS: usize = 60;

/// The decision that a change from the draft of `from` to the draft of `to` may stand; none if there are no two such drafts.
pub fn accepting(journal: &Journal, (from, to): (u32, u32), change: &Change) -> Option<Choice> {
    let words = |round: u32, range: &std::ops::Range<usize>| {
        journal.draft(round)?.article.field(change.field)?.get(range.clone()).map(str::to_owned)
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
pub fn accepted(journal: &Journal, (from, to): (u32, u32), comparison: &Comparison) -> BTreeSet<usize> {
    let decided: Vec<&Choice> = standing(journal, to).map(|decided| &decided.decision.choice).collect();
    let is_accepted =
        |change: &Change| accepting(journal, (from, to), change).is_some_and(|choice| decided.contains(&&choice));
    comparison.changes.iter().enumerate().filter(|(_, change)| is_accepted(change)).map(|(at, _)| at).collect()
}

/// Whether the words that a choice accepts stand in the draft of `round`, and those that they replaced in the earlier one.
pub fn is_change(journal: &Journal, round: u32, choice: &Choice) -> bool {
    let Choice::AcceptChange { from, field: name, at, removed, added } = choice else { return false };
    let text = |round: u32| journal.draft(round)?.article.field(name);
    let (Some(old), Some(new)) = (text(*from), text(round)) else { return false };
    *from < round
        && !(removed.is_empty() && added.is_empty())
        && old.contains(removed.as_str())
        && new.get(*at..).is_some_and(|rest| rest.starts_with(added.as_str()))
}

/// A change in one line: `“in April” → “in May”`.
pub fn in_words(removed: &str, added: &str) -> String {
    let quoted = |text: &str| in_marks(&sanitise::excerpt(&sanitise::one_line(text), LONGEST_WORDS));
    match (removed.is_empty(), added.is_empty()) {
        (true, _) => format!("{} added", quoted(added)),
        (false, true) => format!("{} removed", quoted(removed)),
        (false, false) if removed == added => format!("{} moved", quoted(added)),
        (false, false) => format!("{} → {}", quoted(removed), quoted(added)),
    }
}

/// Bytes of the draft on each side that find the place of a change again; the longest first.
const CONTEXTS: [usize; 6] = [400, 160, 80, 40, 20, 10];

/// `now`, a later form of the draft `new`, with the words that the draft `old` has in place of a change. None if the change moved a
/// paragraph, or if its words do not stand there any more.
pub fn taken_back(
    old: &ArticleResponse,
    new: &ArticleResponse,
    change: &Change,
    now: &ArticleResponse,
) -> Option<ArticleResponse> {
    if change.kind == ChangeKind::Moved {
        return None;
    }
    let text = |article: &ArticleResponse| article.field(change.field).map(str::to_owned);
    let (old, new, own) = (text(old)?, text(new)?, text(now)?);
    let words = old.get(change.old.clone())?;
    let place = place_in(&own, &new, &change.new)?;
    let (head, tail) = (own.get(..place.start)?, own.get(place.end..)?);
    let is_paragraph = |text: &str, range: &Range<usize>| {
        let (before, after) = (text.get(..range.start), text.get(range.end..));
        !range.is_empty()
            && before.is_some_and(|text| text.is_empty() || text.ends_with('\n'))
            && after.is_some_and(|text| text.is_empty() || text.starts_with('\n'))
    };
    let comes_back = place.is_empty() && is_paragraph(&old, &change.old);
    let put = if comes_back || words.is_empty() && is_paragraph(&own, &place) {
        let parts = [head.trim_end_matches('\n'), words.trim_matches('\n'), tail.trim_start_matches('\n')];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
    } else {
        format!("{head}{words}{tail}")
    };
    Some(now.map(|field, text| if field == change.field { put.clone() } else { text.to_owned() }))
}

/// The place in `now` of a stretch of `new`: the only one with the same words and the same text around it.
fn place_in(now: &str, new: &str, range: &Range<usize>) -> Option<Range<usize>> {
    let words = new.get(range.clone())?;
    if now == new {
        return Some(range.clone());
    }
    // A neighbour may be taken back already, so one side must do.
    let mut sides = CONTEXTS.into_iter().flat_map(|bytes| [(bytes, bytes), (0, bytes), (bytes, 0)]);
    sides.find_map(|(before, after)| {
        let start = new.floor_char_boundary(range.start.saturating_sub(before));
        let end = new.ceil_char_boundary(range.end.saturating_add(after));
        let known = new.get(start..end).filter(|known| !known.is_empty())?;
        let mut found = now.match_indices(known);
        let (at, _) = found.next()?;
        let from = at + (range.start - start);
        found.next().is_none().then_some(from..from + words.len())
    })
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

#[cfg(test)]
mod taking_back_tests {
    use super::*;
    use crate::editorial::{changes::compare, testing::article};

    const OLD: &str = "The plan costs $1.8 million.\n\nNobody spoke.\n\nThe vote was five to two, after a long debate.";
    const NEW: &str = "The plan costs $1.4 million.\n\nThe vote was six to one, after a short debate.\n\nIt rained.";

    fn changes() -> Vec<Change> {
        compare(&article(OLD), &article(NEW), &[]).changes
    }

    fn back(change: &Change, now: &str) -> Option<String> {
        taken_back(&article(OLD), &article(NEW), change, &article(now)).map(|article| article.articleBody)
    }

    #[test]
    fn each_change_is_taken_back_alone_and_all_together_are_the_old_draft() {
        let changes = changes();
        assert!(changes.len() >= 4, "{changes:?}");
        assert_eq!(back(&changes[0], NEW).as_deref(), Some(NEW.replace("$1.4", "$1.8").as_str()));
        for order in [changes.iter().collect::<Vec<_>>(), changes.iter().rev().collect()] {
            let all = order.into_iter().fold(NEW.to_owned(), |now, change| back(change, &now).unwrap());
            assert_eq!(all, OLD);
        }
    }

    #[test]
    fn words_that_were_edited_since_are_left_alone() {
        let changes = changes();
        assert_eq!(back(&changes[0], &NEW.replace("$1.4 million", "$1.5 million")), None);
        let edited = NEW.replace("It rained.", "It snowed.");
        assert_eq!(back(&changes[0], &edited).as_deref(), Some(edited.replace("$1.4", "$1.8").as_str()));
    }
}
