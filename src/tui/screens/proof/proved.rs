//! A draft held against its sources, with what only another thread has the time to work out.

use std::{collections::HashMap, ops::Range, sync::Arc};

use crate::newsroom::{ArticleResponse, Journal, Ledger, Source, SourceSpan, Standing};
use crate::proof;
use crate::text::diff::{self, DiffPiece};

/// A ledger, and what is shown beside its rows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Proved {
    /// The rows.
    pub ledger: Arc<Ledger>,
    /// How many of them were found fault with.
    pub findings: usize,
    /// How many spans a rule has judged, and how many there are.
    pub coverage: (usize, usize),
    /// The places of the findings in the ledger, in order.
    numbers: Vec<usize>,
    /// What the draft says and what the source, word by word, for altered quotations; by place in the ledger.
    differences: HashMap<usize, Vec<Vec<DiffPiece>>>,
    /// The source in which each row's passage stands.
    places: Vec<Option<usize>>,
}

impl Proved {
    /// The draft of a round, held against the run's sources; none where there is no such draft.
    #[must_use]
    pub fn of(journal: &Journal, round: u32) -> Option<Self> {
        let draft = journal.draft(round)?;
        Some(Self::new(&draft.article, &journal.opening.sources()))
    }

    /// An article, held against sources.
    #[must_use]
    pub fn new(article: &ArticleResponse, sources: &[Source]) -> Self {
        let ledger = proof::recent(article, sources);
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
        Self { findings: numbers.len(), coverage: ledger.coverage(), ledger, numbers, differences, places }
    }

    /// A row's number among the findings, from 1.
    #[must_use]
    pub fn number(&self, place: usize) -> Option<usize> {
        self.numbers.binary_search(&place).ok().map(|found| found + 1)
    }

    /// What an altered quotation says and what its source, word by word.
    #[must_use]
    pub fn difference(&self, place: usize) -> &[Vec<DiffPiece>] {
        self.differences.get(&place).map(Vec::as_slice).unwrap_or_default()
    }

    /// The source in which a row's passage stands.
    #[must_use]
    pub fn source(&self, place: usize) -> Option<usize> {
        self.places.get(place).copied().flatten()
    }

    /// The bytes of that source that decide.
    #[must_use]
    pub fn passage(&self, place: usize) -> Option<Range<usize>> {
        self.source(place)?;
        self.ledger.rows.get(place)?.passage.as_ref().map(|passage| passage.start..passage.end)
    }
}

/// A quotation without the point or comma that its place in the sentence gives it.
fn words(text: &str) -> &str {
    text.trim_end_matches([',', '.'])
}

/// The source that has the passage: two may have one name.
fn source_of(passage: &SourceSpan, sources: &[Source]) -> Option<usize> {
    sources.iter().position(|source| {
        source.name == passage.source && source.text.get(passage.start..passage.end) == Some(&passage.text)
    })
}
