//! Which rows of a ledger are shown, and in which order.

use crate::newsroom::{Ledger, LedgerRow, SpanKind};

/// In which order the rows stand.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Order {
    /// What was found fault with first; otherwise as they stand in the draft.
    #[default]
    FindingsFirst,
    /// As they stand in the draft.
    Draft,
}

impl Order {
    /// The other one.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::FindingsFirst => Self::Draft,
            Self::Draft => Self::FindingsFirst,
        }
    }

    /// What it is called on the screen.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::FindingsFirst => "findings first",
            Self::Draft => "as in the draft",
        }
    }
}

/// Which rows are shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Shown {
    /// All.
    #[default]
    All,
    /// What was found fault with.
    Findings,
    /// Those of one kind.
    Kind(SpanKind),
}

impl Shown {
    /// The next choice that has rows; all of them after the last kind.
    #[must_use]
    pub fn next(self, ledger: &Ledger) -> Self {
        let kinds = || SpanKind::ALL.into_iter().map(Self::Kind);
        let choices = || std::iter::once(Self::Findings).chain(kinds());
        let mut behind: Box<dyn Iterator<Item = Self>> = match self {
            Self::All => Box::new(choices()),
            other => Box::new(choices().skip_while(move |choice| *choice != other).skip(1)),
        };
        behind.find(|choice| ledger.rows.iter().any(|row| choice.has(row))).unwrap_or_default()
    }

    fn has(self, row: &LedgerRow) -> bool {
        match self {
            Self::All => true,
            Self::Findings => row.is_finding(),
            Self::Kind(kind) => row.kind == kind,
        }
    }

    /// What it is called on the screen; nothing where all are shown.
    #[must_use]
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
        }
    }
}

/// The rows that are shown, in order, as places in the ledger.
pub(crate) fn places(ledger: &Ledger, order: Order, shown: Shown) -> Vec<usize> {
    let mut rows: Vec<(usize, &LedgerRow)> = ledger.rows.iter().enumerate().filter(|(_, row)| shown.has(row)).collect();
    if order == Order::FindingsFirst {
        rows.sort_by_key(|(_, row)| !row.is_finding());
    }
    rows.into_iter().map(|(place, _)| place).collect()
}
