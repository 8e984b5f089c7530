//! The rows that are shown, in their order: those of the ledger and the notes on style and spelling.

use std::{cmp::Reverse, ops::Range};

use crate::screens::proof::proved::Proved;
use copydesk_newsroom::{ArticleResponse, Ledger, LedgerRow};
use copydesk_style::StyleNote;

/// A row of the list.
#[derive(Debug, Clone, Copy)]
pub enum ListedRow<'p> {
    Statement(&'p LedgerRow),
    Word(&'p StyleNote),
}

impl<'p> ListedRow<'p> {
    /// The row at a place in [`listed`].
    pub(crate) fn at(place: usize, ledger: &'p Ledger, words: &'p [StyleNote]) -> Option<Self> {
        let statement = ledger.rows.get(place).map(Self::Statement);
        statement.or_else(|| words.get(place.checked_sub(ledger.rows.len())?).map(Self::Word))
    }

    /// Whether it is for an editor's eyes.
    pub fn is_finding(self) -> bool {
        match self {
            Self::Statement(row) => row.is_finding(),
            Self::Word(_) => true,
        }
    }

    /// Field, first byte and one past the last.
    pub(crate) fn span(self) -> (&'p str, Range<usize>) {
        match self {
            Self::Statement(row) => (&row.field, row.start..row.end),
            Self::Word(note) => (note.field, note.start..note.end),
        }
    }

    pub(crate) fn text(self) -> &'p str {
        match self {
            Self::Statement(row) => &row.text,
            Self::Word(note) => &note.text,
        }
    }

    /// How it stands.
    pub(crate) fn standing(self) -> &'static str {
        match self {
            Self::Statement(row) => row.standing.label(),
            Self::Word(note) if note.is_spelling() => "SPELLING",
            Self::Word(_) => "STYLE",
        }
    }

    pub(crate) fn kind(self) -> &'static str {
        match self {
            Self::Statement(row) => row.kind.name(),
            Self::Word(note) if note.is_spelling() => "word",
            Self::Word(_) => "wording",
        }
    }
}

/// All rows with their places: those of the ledger, then the notes on style and spelling.
pub(crate) fn listed<'p>(ledger: &'p Ledger, words: &'p [StyleNote]) -> impl Iterator<Item = (usize, ListedRow<'p>)> {
    ledger.rows.iter().map(ListedRow::Statement).chain(words.iter().map(ListedRow::Word)).enumerate()
}

/// The places of the rows in the order in which they are shown: findings first, the worst before the others, then style and spelling, then the rest. Equal ones are in the
/// order of the draft.
pub(crate) fn places(proved: &Proved, words: &[StyleNote], article: &ArticleResponse) -> Vec<usize> {
    let fields = article.fields().map(|(name, _)| name);
    let mut rows: Vec<_> = listed(&proved.ledger, words).collect();
    rows.sort_by_key(|(place, row)| {
        let (field, bytes) = row.span();
        let group = match row {
            ListedRow::Word(_) => 1,
            ListedRow::Statement(row) if row.is_finding() => 0,
            ListedRow::Statement(_) => 2,
        };
        (group, Reverse(proved.worth(*place).points), fields.iter().position(|name| *name == field), bytes.start)
    });
    rows.into_iter().map(|(place, _)| place).collect()
}
