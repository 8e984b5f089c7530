//! What changed from one draft to another, and which to-do asked for it. A change that no to-do asked for is silent drift.
//!
//! [`compare`] and [`between`] are pure; how a change is explained is in `why`, what may explain it in `asked`.

mod asked;
mod hunks;
mod instruction;
mod passage;
mod trace;
mod why;

use std::ops::Range;

pub use asked::{AskedFor, asked, asked_between};
pub use trace::between;

use crate::{
    newsroom::ArticleResponse,
    text::{
        alignment::{Row, RowKind, align},
        diff::Piece,
        sentences::sentences,
    },
};

/// Why a change was made, as far as the journal tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Why {
    /// A to-do asked for it: its place in [`Comparison::asked`].
    Asked(usize),
    /// The editor made it.
    ByHand,
    /// Nobody asked for it.
    Nobody,
}

/// What a change did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ChangeKind {
    /// It added words, removed words, or put some in the place of others.
    Wording,
    /// It moved a paragraph. What it did to the paragraph's words is a change of its own.
    Moved,
}

/// Changed words that belong together: inside one paragraph, for one reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The article's field, by its contract name.
    pub field: &'static str,
    /// What it did.
    pub kind: ChangeKind,
    /// Its words, in reading order; few words of both drafts may stand between.
    pub pieces: Vec<Piece>,
    /// Bytes of the field in the old draft; empty, at the place, where words were only added.
    pub old: Range<usize>,
    /// Bytes of the field in the new draft; empty, at the place, where words were only removed.
    pub new: Range<usize>,
    /// Why.
    pub why: Why,
}

/// A piece of a paragraph in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    /// The words.
    pub piece: Piece,
    /// Bytes of the field in the old draft.
    pub old: Range<usize>,
    /// Bytes of the field in the new draft.
    pub new: Range<usize>,
    /// The change that it is of: a place in [`Comparison::changes`].
    pub change: Option<usize>,
}

/// A paragraph of both drafts, or of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedParagraph {
    /// The article's field, by its contract name.
    pub field: &'static str,
    /// What became of it.
    pub kind: RowKind,
    /// The change that moved it, where it moved: a place in [`Comparison::changes`].
    pub moved: Option<usize>,
    /// Its words in reading order. None where it was moved away: they stand where it went.
    pub segments: Vec<Segment>,
}

/// Two drafts beside one another.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Comparison {
    /// What was to be done between the two.
    pub asked: Vec<AskedFor>,
    /// Every paragraph of every field, unchanged ones too, in reading order.
    pub paragraphs: Vec<ComparedParagraph>,
    /// The changes, in reading order.
    pub changes: Vec<Change>,
}

impl Comparison {
    /// How many changes nobody asked for.
    #[must_use]
    pub fn unasked(&self) -> usize {
        self.changes.iter().filter(|change| change.why == Why::Nobody).count()
    }

    /// The to-do that asked for a change, where one did.
    #[must_use]
    pub fn asked_for(&self, change: &Change) -> Option<&AskedFor> {
        match change.why {
            Why::Asked(index) => self.asked.get(index),
            Why::ByHand | Why::Nobody => None,
        }
    }
}

/// Compares two drafts and says of each change which of `asked` explains it; the module `why` has the rules.
#[must_use]
pub fn compare(old: &ArticleResponse, new: &ArticleResponse, asked: &[AskedFor]) -> Comparison {
    let reasons = why::Reasons::new(asked, old);
    explained(old, new, asked.to_vec(), |place, site| reasons.why(place, site))
}

/// Compares the draft that an editor changed by hand with what it was.
#[must_use]
pub fn by_hand(old: &ArticleResponse, new: &ArticleResponse) -> Comparison {
    explained(old, new, Vec::new(), |_, _| Why::ByHand)
}

/// Compares two drafts; `why` is asked about each changed stretch within a sentence, and about each paragraph that moved.
fn explained(
    old: &ArticleResponse,
    new: &ArticleResponse,
    asked: Vec<AskedFor>,
    why: impl Fn(usize, &why::Site<'_>) -> Why,
) -> Comparison {
    let mut comparison = Comparison { asked, ..Comparison::default() };
    for (place, ((field, before), (_, after))) in old.fields().into_iter().zip(new.fields()).enumerate() {
        if before == after {
            comparison.paragraphs.extend(align(before, after).into_iter().map(|row| unchanged(field, after, &row)));
            continue;
        }
        let (old_sentences, new_sentences) = (sentences(before), sentences(after));
        let mut moved = Vec::new();
        for row in align(before, after) {
            if row.kind == RowKind::Same {
                comparison.paragraphs.push(unchanged(field, after, &row));
                continue;
            }
            if row.kind == RowKind::MovedAway {
                moved.push((comparison.paragraphs.len(), row.clone()));
            }
            let passage = passage::ChangedPassage::new(before, after, &row);
            let site = |old: Range<usize>, new: Range<usize>, kind| why::Site { passage: &passage, old, new, kind };
            let mut paragraph = ComparedParagraph { field, kind: row.kind, moved: None, segments: Vec::new() };
            if row.kind == RowKind::MovedHere {
                paragraph.moved = Some(comparison.changes.len());
                comparison.changes.push(Change {
                    field,
                    kind: ChangeKind::Moved,
                    pieces: vec![Piece::Same(after.get(row.new.clone()).unwrap_or_default().to_owned())],
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

fn unchanged(field: &'static str, text: &str, row: &Row) -> ComparedParagraph {
    let words = text.get(row.new.clone()).unwrap_or_default().to_owned();
    let segment = Segment { piece: Piece::Same(words), old: row.old.clone(), new: row.new.clone(), change: None };
    ComparedParagraph { field, kind: RowKind::Same, moved: None, segments: vec![segment] }
}

#[cfg(test)]
mod tests;
