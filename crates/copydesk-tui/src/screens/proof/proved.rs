//! A proof with everything the Proof page needs, made on a worker thread; and its rows in their order, with the notes on style and spelling.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

use copydesk_core::editorial::{
    check_worth::{self, Worth},
    citations,
};
use copydesk_newsroom::{ArticleResponse, Journal, Ledger, LedgerRow, Source, SourceSpan, Standing};
use copydesk_proof as proof;
use copydesk_style::StyleNote;
use copydesk_text::diff::{self, DiffPiece};
use copydesk_text::sentences::sentences;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Proved {
    pub ledger: Ledger,
    pub findings: usize,
    /// How many statements a rule could judge, and how many there are.
    pub coverage: (usize, usize),
    /// Indexes of the findings in the ledger, in order.
    numbers: Vec<usize>,
    /// For altered quotations: the draft's words against the source's. By index in the ledger.
    differences: HashMap<usize, Vec<Vec<DiffPiece>>>,
    /// The source that holds each row's passage.
    places: Vec<Option<usize>>,
    /// How far each finding's sentence would mislead if it were wrong, by index in the ledger.
    worths: Vec<Worth>,
}

/// Why a draft has no proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoProof {
    #[error("there is no such draft")]
    NoDraft,
    #[error("The proof of this draft failed; please report this. You can review and sign without this page.")]
    Failed,
}

impl Proved {
    /// The proof of the draft of a round.
    ///
    /// # Errors
    /// If there is no such draft.
    pub fn of(journal: &Journal, round: u32) -> Result<Self, NoProof> {
        let ledger = proof::ledger_of(journal, round, citations::pages).ok_or(NoProof::NoDraft)?.into_owned();
        let draft = journal.draft(round).ok_or(NoProof::NoDraft)?;
        Ok(Self::new(ledger, &draft.article, &journal.sources()))
    }

    pub fn new(ledger: Ledger, article: &ArticleResponse, sources: &[Source]) -> Self {
        let numbers: Vec<usize> =
            ledger.rows.iter().enumerate().filter(|(_, row)| row.is_finding()).map(|(place, _)| place).collect();
        let altered = ledger.rows.iter().enumerate().filter(|(_, row)| row.standing == Standing::Altered);
        let differences = altered
            .filter_map(|(place, row)| {
                let passage = row.passage.as_ref()?;
                Some((place, diff::changed_paragraphs(words(&row.text), words(&passage.text))))
            })
            .collect();
        let places = ledger.rows.iter().map(|row| source_of(row.passage.as_ref()?, sources)).collect();
        let worths = worths(&ledger, article);
        Self { findings: numbers.len(), coverage: ledger.coverage(), ledger, numbers, differences, places, worths }
    }

    /// How far a finding's sentence would mislead if it were wrong; nothing for other rows.
    pub fn worth(&self, place: usize) -> Worth {
        self.worths.get(place).copied().unwrap_or_default()
    }

    pub fn number(&self, place: usize) -> Option<usize> {
        self.numbers.binary_search(&place).ok().map(|found| found + 1)
    }

    pub fn difference(&self, place: usize) -> &[Vec<DiffPiece>] {
        self.differences.get(&place).map(Vec::as_slice).unwrap_or_default()
    }

    pub fn source(&self, place: usize) -> Option<usize> {
        self.places.get(place).copied().flatten()
    }

    /// The passage's bytes in that source.
    pub fn passage(&self, place: usize) -> Option<Range<usize>> {
        self.source(place)?;
        self.ledger.rows.get(place)?.passage.as_ref().map(|passage| passage.start..passage.end)
    }
}

fn worths(ledger: &Ledger, article: &ArticleResponse) -> Vec<Worth> {
    let fields = article.fields().map(|(name, text)| (name, text, sentences(text)));
    let worth = |row: &LedgerRow| {
        let (_, text, sentences) = fields.iter().find(|(name, ..)| row.is_finding() && *name == row.field)?;
        let sentence = sentences.iter().find(|sentence| sentence.end > row.start)?;
        text.get(sentence.clone()).map(check_worth::worth)
    };
    ledger.rows.iter().map(|row| worth(row).unwrap_or_default()).collect()
}

/// A quotation without the final point or comma that belongs to the sentence around it.
fn words(text: &str) -> &str {
    text.trim_end_matches([',', '.'])
}

/// The source that holds the passage. Names alone are not enough: two sources can share one.
fn source_of(passage: &SourceSpan, sources: &[Source]) -> Option<usize> {
    sources.iter().position(|source| {
        source.name == passage.source && source.text.get(passage.start..passage.end) == Some(&passage.text)
    })
}

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
