//! The rows that are shown, in their order: those of the ledger and the notes on style and spelling.

use std::{cmp::Reverse, ops::Range};

use crate::screens::proof::proved::Proved;
use copydesk_newsroom::{ArticleResponse, Ledger, LedgerRow, SpanKind};
use copydesk_style::StyleNote;

/// The place of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowPlace {
    /// Its index in the ledger.
    Statement(usize),
    /// Its index among the notes on style and spelling.
    Word(usize),
}

/// A row of the list.
#[derive(Debug, Clone, Copy)]
pub enum ListedRow<'p> {
    Statement(&'p LedgerRow),
    Word(&'p StyleNote),
}

impl<'p> ListedRow<'p> {
    pub(crate) fn at(place: RowPlace, ledger: &'p Ledger, words: &'p [StyleNote]) -> Option<Self> {
        match place {
            RowPlace::Statement(place) => ledger.rows.get(place).map(Self::Statement),
            RowPlace::Word(place) => words.get(place).map(Self::Word),
        }
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

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RowFilter {
    #[default]
    All,
    Findings,
    Kind(SpanKind),
    Notes,
}

impl RowFilter {
    /// The next filter that matches any row; after the last, all rows.
    pub fn next(self, ledger: &Ledger, words: &[StyleNote]) -> Self {
        let kinds = SpanKind::ALL.into_iter().map(Self::Kind);
        let choices = std::iter::once(Self::Findings).chain(kinds).chain([Self::Notes]);
        let mut behind: Box<dyn Iterator<Item = Self>> = match self {
            Self::All => Box::new(choices),
            other => Box::new(choices.skip_while(move |choice| *choice != other).skip(1)),
        };
        behind.find(|choice| listed(ledger, words).any(|(_, row)| choice.has(row))).unwrap_or_default()
    }

    fn has(self, row: ListedRow<'_>) -> bool {
        match (self, row) {
            (Self::All, _) | (Self::Notes, ListedRow::Word(_)) => true,
            (Self::Findings, _) => row.is_finding(),
            (Self::Kind(kind), ListedRow::Statement(row)) => row.kind == kind,
            (Self::Kind(_), ListedRow::Word(_)) | (Self::Notes, ListedRow::Statement(_)) => false,
        }
    }

    /// Its name on the screen; empty for all rows.
    pub fn words(self) -> &'static str {
        match self {
            Self::All => "",
            Self::Findings => "findings",
            Self::Kind(SpanKind::Quotation) => "quotations",
            Self::Kind(SpanKind::Number) => "numbers",
            Self::Kind(SpanKind::Date) => "dates",
            Self::Kind(SpanKind::Name) => "names",
            Self::Kind(SpanKind::Certainty) => "certainty",
            Self::Kind(SpanKind::Support) => "support",
            Self::Notes => "style and spelling",
        }
    }
}

/// All rows with their places: those of the ledger, then the notes on style and spelling.
pub(crate) fn listed<'p>(
    ledger: &'p Ledger,
    words: &'p [StyleNote],
) -> impl Iterator<Item = (RowPlace, ListedRow<'p>)> {
    let statements =
        ledger.rows.iter().enumerate().map(|(at, row)| (RowPlace::Statement(at), ListedRow::Statement(row)));
    statements.chain(words.iter().enumerate().map(|(at, note)| (RowPlace::Word(at), ListedRow::Word(note))))
}

/// The places of the rows to show: findings first, the worst before the others, then style and spelling, then the rest. Equal ones are in the
/// order of the draft.
pub(crate) fn places(
    proved: &Proved,
    words: &[StyleNote],
    article: &ArticleResponse,
    shown: RowFilter,
) -> Vec<RowPlace> {
    let fields = article.fields().map(|(name, _)| name);
    let mut rows: Vec<_> = listed(&proved.ledger, words).filter(|(_, row)| shown.has(*row)).collect();
    rows.sort_by_key(|(place, row)| {
        let (field, bytes) = row.span();
        let group = match row {
            ListedRow::Word(_) => 1,
            ListedRow::Statement(row) if row.is_finding() => 0,
            ListedRow::Statement(_) => 2,
        };
        let points = match place {
            RowPlace::Statement(place) => proved.worth(*place).points,
            RowPlace::Word(_) => 0,
        };
        (group, Reverse(points), fields.iter().position(|name| *name == field), bytes.start)
    });
    rows.into_iter().map(|(place, _)| place).collect()
}
