//! Two drafts beside one another, as data.

use std::ops::Range;

use super::asked::AskedFor;
use copydesk_text::{alignment::RowKind, diff::DiffPiece};

/// Why a change was made, as far as the journal tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ChangeReason {
    /// A to-do asked for it: its place in [`Comparison::asked`].
    Asked(usize),
    /// The editor made it.
    ByHand,
    /// No to-do and no editor asked for it.
    Nobody,
}

/// The kind of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ChangeKind {
    /// It added words, removed words, or put some in the place of others.
    Wording,
    /// It moved a paragraph. Changes to the paragraph's words are separate changes.
    Moved,
}

/// Changed words that belong together: inside one paragraph, for one reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The article's field, by its contract name.
    pub field: &'static str,
    /// Whether it changed words or moved a paragraph.
    pub kind: ChangeKind,
    /// Its words, in reading order; few words of both drafts may stand between.
    pub pieces: Vec<DiffPiece>,
    /// Bytes of the field in the old draft; empty, at the place, if words were only added.
    pub old: Range<usize>,
    /// Bytes of the field in the new draft; empty, at the place, if words were only removed.
    pub new: Range<usize>,
    pub why: ChangeReason,
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
    /// Whether it is the same, changed, added, removed or moved.
    pub kind: RowKind,
    /// The change that moved it, if it moved: a place in [`Comparison::changes`].
    pub moved: Option<usize>,
    /// Its words in reading order. Empty if the paragraph was moved away: the words stand at its new place.
    pub segments: Vec<Segment>,
}

/// Two drafts beside one another.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Comparison {
    /// The to-dos between the two drafts.
    pub asked: Vec<AskedFor>,
    /// Every paragraph of every field, unchanged ones too, in reading order.
    pub paragraphs: Vec<ComparedParagraph>,
    /// The changes, in reading order.
    pub changes: Vec<Change>,
}

impl Comparison {
    /// The number of changes that no to-do asked for.
    #[must_use]
    pub fn unasked(&self) -> usize {
        self.changes.iter().filter(|change| change.why == ChangeReason::Nobody).count()
    }

    /// The to-do that asked for a change, if one did.
    #[must_use]
    pub fn asked_for(&self, change: &Change) -> Option<&AskedFor> {
        match change.why {
            ChangeReason::Asked(index) => self.asked.get(index),
            ChangeReason::ByHand | ChangeReason::Nobody => None,
        }
    }
}
