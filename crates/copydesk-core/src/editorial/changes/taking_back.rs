//! Taking one change of a draft back: the old words stand again, in a text that may have changed elsewhere since.

use std::ops::Range;

use super::comparison::{Change, ChangeKind};
use copydesk_newsroom::ArticleResponse;

/// Bytes of the draft on each side that find the place of a change again; the longest first.
const CONTEXTS: [usize; 6] = [400, 160, 80, 40, 20, 10];

/// `now`, a later form of the draft `new`, with the words that the draft `old` has in place of a change. None if the change moved a
/// paragraph, or if its words do not stand there any more.
#[must_use]
pub fn taken_back(
    old: &ArticleResponse,
    new: &ArticleResponse,
    change: &Change,
    now: &ArticleResponse,
) -> Option<ArticleResponse> {
    if change.kind == ChangeKind::Moved {
        return None;
    }
    let text = |article: &ArticleResponse| {
        let mut fields = article.fields().into_iter();
        fields.find(|(name, _)| *name == change.field).map(|(_, text)| text.to_owned())
    };
    let (old, new, own) = (text(old)?, text(new)?, text(now)?);
    let words = old.get(change.old.clone())?;
    let place = place_in(&own, &new, &change.new)?;
    let (head, tail) = (own.get(..place.start)?, own.get(place.end..)?);
    let is_paragraph = |text: &str, range: &Range<usize>| {
        let ends = |side: Option<&str>, at_end: bool| {
            side.is_some_and(|side| {
                side.is_empty() || if at_end { side.starts_with('\n') } else { side.ends_with('\n') }
            })
        };
        !range.is_empty() && ends(text.get(..range.start), false) && ends(text.get(range.end..), true)
    };
    let put = if place.is_empty() && is_paragraph(&old, &change.old) {
        let words = words.trim_matches('\n');
        match (head.is_empty(), tail.is_empty()) {
            (true, true) => words.to_owned(),
            (true, false) => format!("{words}\n\n{}", tail.trim_start_matches('\n')),
            (false, true) => format!("{}\n\n{words}", head.trim_end_matches('\n')),
            (false, false) => {
                format!("{}\n\n{words}\n\n{}", head.trim_end_matches('\n'), tail.trim_start_matches('\n'))
            }
        }
    } else if words.is_empty() && is_paragraph(&own, &place) {
        let between = if head.trim().is_empty() || tail.trim().is_empty() { "" } else { "\n\n" };
        format!("{}{between}{}", head.trim_end_matches('\n'), tail.trim_start_matches('\n'))
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
        let mut start = range.start.saturating_sub(before);
        while !new.is_char_boundary(start) {
            start -= 1;
        }
        let mut end = range.end.saturating_add(after).min(new.len());
        while !new.is_char_boundary(end) {
            end += 1;
        }
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
