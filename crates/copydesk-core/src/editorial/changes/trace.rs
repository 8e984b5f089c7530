//! Any two drafts of a run: each change is traced to the round that made it, and explained by that round's to-dos.

use std::ops::Range;

use super::{
    asked::{asked, asked_between},
    compare::{by_hand, compare, explained},
    comparison::{ChangeKind, ChangeReason, Comparison},
};
use crate::editorial::decisions;
use copydesk_newsroom::Journal;
use copydesk_text::diff::DiffPiece;

/// Compares the drafts of two rounds, the earlier one first. None if one of them does not exist or the later one is
/// named first.
///
/// Between neighbours this is [`compare`] with what the round asked for, or the editor's hand edit. Over several rounds
/// each changed word is traced through the drafts between. A change was asked for only if nothing in it was silent
/// drift in the round that made it. So drift stays marked however many drafts lie between.
#[must_use]
pub fn between(journal: &Journal, from_round: u32, to_round: u32) -> Option<Comparison> {
    if from_round > to_round {
        return None;
    }
    let (from, to) = (journal.draft(from_round)?, journal.draft(to_round)?);
    if to_round <= from_round.saturating_add(1) {
        return step(journal, from_round, to_round);
    }
    let mut fields: Vec<Trace> = from.article.fields().iter().map(|(_, text)| Trace::new(text)).collect();
    let mut before = 0;
    for round in from_round..to_round {
        let step = step(journal, round, round + 1)?;
        for (place, trace) in fields.iter_mut().enumerate() {
            let (name, text) = *journal.draft(round + 1)?.article.fields().get(place)?;
            trace.follow(&step, name, text.len(), before);
        }
        before += step.asked.len();
    }
    let asked = asked_between(journal, from_round, to_round);
    Some(explained(&from.article, &to.article, asked, |place, site| {
        fields.get(place).map_or(ChangeReason::Nobody, |trace| match site.kind {
            ChangeKind::Wording => trace.why(&site.old, &site.new),
            ChangeKind::Moved => trace.moves.iter().copied().min_by_key(rank).unwrap_or(ChangeReason::Nobody),
        })
    }))
}

fn step(journal: &Journal, round: u32, next: u32) -> Option<Comparison> {
    let (old, new) = (&journal.draft(round)?.article, &journal.draft(next)?.article);
    let edited = next > round && decisions::is_rewritten(journal, round);
    Some(if edited { by_hand(old, new) } else { compare(old, new, &asked(journal, round)) })
}

/// Where each byte of a field comes from, from draft to draft.
struct Trace {
    /// For each byte of the first draft, why it went, if it did.
    gone: Vec<Option<ChangeReason>>,
    /// For each byte of the latest draft, its place in the first one, or why it came.
    here: Vec<Origin>,
    /// Why paragraphs moved, of each one that did.
    moves: Vec<ChangeReason>,
}

#[derive(Debug, Clone, Copy)]
enum Origin {
    First(usize),
    Came(ChangeReason),
}

impl Trace {
    fn new(text: &str) -> Self {
        Self { gone: vec![None; text.len()], here: (0..text.len()).map(Origin::First).collect(), moves: Vec::new() }
    }

    /// Goes on to the next draft of the field; the to-dos of `step` count from `before`.
    fn follow(&mut self, step: &Comparison, field: &str, length: usize, before: usize) {
        let why = |change: Option<usize>| match change.and_then(|index| step.changes.get(index)).map(|c| c.why) {
            Some(ChangeReason::Asked(index)) => ChangeReason::Asked(index + before),
            Some(why) => why,
            None => ChangeReason::Nobody,
        };
        let moves = step.changes.iter().enumerate();
        let moves = moves.filter(|(_, change)| change.field == field && change.kind == ChangeKind::Moved);
        self.moves.extend(moves.map(|(index, _)| why(Some(index))));
        let mut next = vec![None; length];
        let segments = step.paragraphs.iter().filter(|paragraph| paragraph.field == field).flat_map(|p| &p.segments);
        for segment in segments {
            match &segment.piece {
                DiffPiece::Same(_) => {
                    let origins = self.here.get(segment.old.clone()).unwrap_or_default();
                    // White space may differ; the last origins then serve for the rest.
                    for (slot, origin) in slots(&mut next, &segment.new).zip(origins) {
                        *slot = Some(*origin);
                    }
                }
                DiffPiece::Added(_) => {
                    for slot in slots(&mut next, &segment.new) {
                        *slot = Some(Origin::Came(why(segment.change)));
                    }
                }
                DiffPiece::Removed(_) => {
                    for origin in self.here.get(segment.old.clone()).unwrap_or_default() {
                        if let Origin::First(at) = origin
                            && let Some(slot) = self.gone.get_mut(*at)
                        {
                            *slot = Some(why(segment.change));
                        }
                    }
                }
            }
        }
        self.here = next.into_iter().map(|origin| origin.unwrap_or(Origin::First(usize::MAX))).collect();
    }

    /// Why the bytes `old` of the first draft became the bytes `new` of the latest: drift before hand, hand before to-do. A change that
    /// cannot be traced counts as drift.
    fn why(&self, old: &Range<usize>, new: &Range<usize>) -> ChangeReason {
        let gone = self.gone.get(old.clone()).unwrap_or_default().iter().copied().flatten();
        let came = self.here.get(new.clone()).unwrap_or_default().iter().filter_map(|origin| match origin {
            Origin::Came(why) => Some(*why),
            Origin::First(_) => None,
        });
        gone.chain(came).min_by_key(rank).unwrap_or(ChangeReason::Nobody)
    }
}

/// Drift counts before the editor's hand, and that before a to-do.
fn rank(why: &ChangeReason) -> (u8, usize) {
    match why {
        ChangeReason::Nobody => (0, 0),
        ChangeReason::ByHand => (1, 0),
        ChangeReason::Asked(index) => (2, *index),
    }
}

fn slots<'a, T>(all: &'a mut [T], range: &Range<usize>) -> impl Iterator<Item = &'a mut T> {
    all.get_mut(range.clone()).unwrap_or_default().iter_mut()
}
