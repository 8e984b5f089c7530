//! Two drafts beside one another, as data.

use std::ops::Range;

use super::asked::AskedFor;
use copydesk_text::{alignment::RowKind, diff::DiffPiece};

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
    pub pieces: Vec<DiffPiece>,
    /// Bytes of the field in the old draft; empty, at the place, where words were only added.
    pub old: Range<usize>,
    /// Bytes of the field in the new draft; empty, at the place, where words were only removed.
    pub new: Range<usize>,
    pub why: Why,
}

/// A piece of a paragraph in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    /// The words.
    pub piece: DiffPiece,
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
    /// The change that moved it, if it moved: a place in [`Comparison::changes`].
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

    /// The to-do that asked for a change, if one did.
    #[must_use]
    pub fn asked_for(&self, change: &Change) -> Option<&AskedFor> {
        match change.why {
            Why::Asked(index) => self.asked.get(index),
            Why::ByHand | Why::Nobody => None,
        }
    }
}
