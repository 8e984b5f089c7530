//! Compares two drafts.

use std::ops::Range;

use super::{
    comparison::{
        AskedFor, Change, ChangeKind, ChangeReason, ComparedParagraph, Comparison, Segment, asked, asked_between,
    },
    hunks, passage, why,
};
use crate::editorial::decisions;
use copydesk_newsroom::{ArticleResponse, Journal};
use copydesk_text::{
    alignment::{AlignedRow, RowKind, align},
    diff::DiffPiece,
    footnotes::body_only,
    sentences::sentences,
};

/// Compares two drafts and says of each change which of `asked` explains it; the module `why` has the rules.
pub fn compare(old: &ArticleResponse, new: &ArticleResponse, asked: &[AskedFor]) -> Comparison {
    let instructions = why::instructions(asked, old);
    let why = |place: usize, site: &why::Site<'_>| {
        if cites(site) { ChangeReason::Citation } else { why::why(&instructions, place, site) }
    };
    explained(old, new, asked.to_vec(), why)
}

/// Whether a change only adds or removes footnote marks.
fn cites(site: &why::Site<'_>) -> bool {
    let text = |text: &str, range: &Range<usize>| text.get(range.clone()).unwrap_or_default().to_owned();
    let (old, new) = (text(site.passage.old, &site.old), text(site.passage.new, &site.new));
    // A mark was replaced by as many blanks as it has bytes. Beside it the point that ends the sentence may have moved.
    let is_mute = |text: &str| !text.contains(char::is_alphanumeric);
    let moved = is_mute(&old) && is_mute(&new) && [&old, &new].iter().any(|text| text.contains("    "));
    site.kind == ChangeKind::Wording && (moved || old.split_whitespace().eq(new.split_whitespace()))
}

/// Compares the draft that an editor changed by hand with what it was.
pub fn by_hand(old: &ArticleResponse, new: &ArticleResponse) -> Comparison {
    explained(old, new, Vec::new(), |_, _| ChangeReason::ByHand)
}

/// Compares two drafts; `why` is asked about each changed stretch within a sentence, and about each paragraph that moved.
pub(super) fn explained(
    old: &ArticleResponse,
    new: &ArticleResponse,
    asked: Vec<AskedFor>,
    why: impl Fn(usize, &why::Site<'_>) -> ChangeReason,
) -> Comparison {
    let mut comparison = Comparison { asked, ..Comparison::default() };
    for (place, ((field, before), (_, after))) in old.fields().into_iter().zip(new.fields()).enumerate() {
        if before == after {
            comparison.paragraphs.extend(align(before, after).into_iter().map(|row| unchanged(field, after, &row)));
            continue;
        }
        let (old_sentences, new_sentences) = (sentences(before), sentences(after));
        // A mark and a note are no words of the text, and their numbers are no figures.
        let (bare_before, bare_after) = (body_only(before), body_only(after));
        let mut moved = Vec::new();
        for row in align(before, after) {
            if row.kind == RowKind::Same {
                comparison.paragraphs.push(unchanged(field, after, &row));
                continue;
            }
            if row.kind == RowKind::MovedAway {
                moved.push((comparison.paragraphs.len(), row.clone()));
            }
            let passage = passage::ChangedPassage::new(&bare_before, &bare_after, &row);
            let site = |old: Range<usize>, new: Range<usize>, kind| why::Site { passage: &passage, old, new, kind };
            let mut paragraph = ComparedParagraph { field, kind: row.kind, moved: None, segments: Vec::new() };
            if row.kind == RowKind::MovedHere {
                paragraph.moved = Some(comparison.changes.len());
                comparison.changes.push(Change {
                    field,
                    kind: ChangeKind::Moved,
                    pieces: vec![DiffPiece::Same(after.get(row.new.clone()).unwrap_or_default().to_owned())],
                    old: row.old.clone(),
                    new: row.new.clone(),
                    why: why(place, &site(row.old.clone(), row.new.clone(), ChangeKind::Moved)),
                });
            }
            let atoms = hunks::atoms(&row.runs, &old_sentences, &new_sentences);
            let reason = |old: &Range<usize>, new: &Range<usize>| {
                why(place, &site(old.clone(), new.clone(), ChangeKind::Wording))
            };
            let grouped = hunks::group(before, after, &atoms, reason);
            let (segments, changes) = grouped.written(field, before, after, comparison.changes.len());
            paragraph.segments = segments;
            comparison.changes.extend(changes);
            comparison.paragraphs.push(paragraph);
        }
        for (index, row) in moved {
            let found = comparison.changes.iter().position(|change| {
                change.field == field
                    && change.kind == ChangeKind::Moved
                    && change.old == row.old
                    && change.new == row.new
            });
            if let Some(paragraph) = comparison.paragraphs.get_mut(index) {
                paragraph.moved = found;
            }
        }
    }
    comparison
}

fn unchanged(field: &'static str, text: &str, row: &AlignedRow) -> ComparedParagraph {
    let words = text.get(row.new.clone()).unwrap_or_default().to_owned();
    let segment = Segment { piece: DiffPiece::Same(words), old: row.old.clone(), new: row.new.clone(), change: None };
    ComparedParagraph { field, kind: RowKind::Same, moved: None, segments: vec![segment] }
}

/// Compares the drafts of two rounds, the earlier one first. None if one of them does not exist or the later one is
/// named first.
///
/// Between neighbours this is [`compare`] with what the round asked for, or the editor's hand edit. Over several rounds
/// each changed word is traced through the drafts between. A change was asked for only if nothing in it was silent
/// drift in the round that made it. So drift stays marked however many drafts lie between.
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
                    slots(&mut next, &segment.new).for_each(|slot| *slot = Some(Origin::Came(why(segment.change))));
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
        ChangeReason::ByHand | ChangeReason::Citation => (1, 0),
        ChangeReason::Asked(index) => (2, *index),
    }
}

fn slots<'a, T>(all: &'a mut [T], range: &Range<usize>) -> impl Iterator<Item = &'a mut T> {
    all.get_mut(range.clone()).unwrap_or_default().iter_mut()
}
