//! Which rows of a ledger are shown, and in which order.

use crate::newsroom::{Ledger, LedgerRow, SpanKind};

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RowOrder {
    /// Findings first, each group in the order of the draft.
    #[default]
    FindingsFirst,
    Draft,
}

impl RowOrder {
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::FindingsFirst => Self::Draft,
            Self::Draft => Self::FindingsFirst,
        }
    }

    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::FindingsFirst => "findings first",
            Self::Draft => "as in the draft",
        }
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RowFilter {
    #[default]
    All,
    Findings,
    Kind(SpanKind),
}

impl RowFilter {
    /// The next filter that matches any row; after the last kind, all rows.
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

    /// Its name on the screen; empty for all rows.
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

/// Indexes into the ledger of the rows to show, in order.
pub(crate) fn places(ledger: &Ledger, order: RowOrder, shown: RowFilter) -> Vec<usize> {
    let mut rows: Vec<(usize, &LedgerRow)> = ledger.rows.iter().enumerate().filter(|(_, row)| shown.has(row)).collect();
    if order == RowOrder::FindingsFirst {
        rows.sort_by_key(|(_, row)| !row.is_finding());
    }
    rows.into_iter().map(|(place, _)| place).collect()
}
