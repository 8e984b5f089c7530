//! The proof sheet: every span of a draft that a program can hold against its sources, and for the selected one its words in the
//! draft, the place in the source that decides, and why the rule looks for it. Plain data; the proof itself is made elsewhere.

use std::{collections::HashMap, ops::Range, sync::Arc};

use crate::tui::screens::proof::proved::Proved;
use crate::tui::screens::proof::rows::{Order, Shown};

use crate::editorial::{decisions, vouching};
use crate::newsroom::{ArticleResponse, Decided, GateOutcome, Journal, LedgerRow, Source, Status, Verdict, Wait};
use crate::tui::{
    screens::{
        article::model::Printed,
        proof::{rows, told},
        story::tabs::Pane,
    },
    widgets::{
        mark::{Mark, Role},
        markdown::FieldMark,
        page::Page,
    },
};

/// Most findings that are all marked in the draft; of more, only the selected row's words are.
const MOST_MARKS: usize = 300;

/// What came of the proof of a draft, as far as it was made.
#[derive(Debug, Clone)]
enum Proof {
    /// It is being made.
    Asked,
    /// It is there, or why not.
    Made(Result<Arc<Proved>, String>),
}

/// The proofs of a story's drafts, and the one that is shown.
#[derive(Debug, Clone)]
pub struct ProofSheet {
    /// Each draft's, by its round: a draft that is there never changes, nor do a run's sources.
    proofs: HashMap<u32, Proof>,
    /// The round that is shown.
    round: u32,
    /// In which order the rows stand.
    pub order: Order,
    /// Which rows are shown.
    pub filter: Shown,
    /// The rows that are shown, as places in the ledger.
    rows: Vec<usize>,
    /// The numbers of the rows that are findings of the round's review, by their places in the ledger.
    numbers: HashMap<usize, u32>,
    /// The finding of the review that is selected as soon as its row is there.
    wanted: Option<u32>,
    /// The selected one, as a place in `rows`.
    pub selected: usize,
    /// First row of the list on the screen.
    pub top: usize,
    /// The pane with the focus.
    pub pane: Pane,
    /// The pane that was left for the passage.
    left: Option<Pane>,
    /// The draft, with the words of the findings marked.
    pub draft: Printed,
    /// What is to be said of the selected row.
    pub told: Page,
    /// What the writer makes of the selected row's words where the editor goes on as things stand.
    pub next: Option<Status>,
    /// The source that is shown.
    pub source: usize,
    /// The sources that were shown, laid out.
    pages: HashMap<usize, Page>,
}

impl Default for ProofSheet {
    fn default() -> Self {
        Self {
            proofs: HashMap::new(),
            round: 0,
            order: Order::default(),
            filter: Shown::default(),
            rows: Vec::new(),
            numbers: HashMap::new(),
            wanted: None,
            selected: 0,
            top: 0,
            pane: Pane::default(),
            left: None,
            draft: Printed::default(),
            told: empty(),
            next: None,
            source: 0,
            pages: HashMap::new(),
        }
    }
}

fn empty() -> Page {
    Page::new(Arc::from(""))
}

impl ProofSheet {
    /// Notes that the proof of a draft is asked for; false where it was before.
    pub fn ask(&mut self, round: u32) -> bool {
        let new = !self.proofs.contains_key(&round);
        if new {
            self.proofs.insert(round, Proof::Asked);
        }
        new
    }

    /// Takes in what came of it.
    pub fn add(&mut self, round: u32, proof: Result<Arc<Proved>, String>) {
        self.proofs.insert(round, Proof::Made(proof));
    }

    /// The proof of the draft that is shown; none while it is being made, or where it could not be.
    #[must_use]
    pub fn proved(&self) -> Option<&Arc<Proved>> {
        match self.proofs.get(&self.round)? {
            Proof::Made(proof) => proof.as_ref().ok(),
            Proof::Asked => None,
        }
    }

    /// Why there is no proof of the draft that is shown.
    #[must_use]
    pub fn trouble(&self) -> Option<&str> {
        match self.proofs.get(&self.round)? {
            Proof::Made(Err(trouble)) => Some(trouble),
            Proof::Made(Ok(_)) | Proof::Asked => None,
        }
    }

    /// The rows that are shown, from the first.
    pub fn rows(&self) -> impl Iterator<Item = &LedgerRow> {
        let ledger = self.proved().map(|proved| &proved.ledger);
        self.rows.iter().filter_map(move |place| ledger?.rows.get(*place))
    }

    /// How many rows are shown.
    #[must_use]
    pub fn count(&self) -> usize {
        self.rows.len()
    }

    /// The selected row's place in the ledger.
    fn place(&self) -> Option<usize> {
        self.rows.get(self.selected).copied()
    }

    /// The selected row.
    #[must_use]
    pub fn row(&self) -> Option<&LedgerRow> {
        self.proved()?.ledger.rows.get(self.place()?)
    }

    /// The selected row's number among the findings, from 1; none where nothing was found fault with.
    #[must_use]
    pub fn finding(&self) -> Option<usize> {
        self.proved()?.number(self.place()?)
    }

    /// The selected row's number among the findings of the round's review, by which it is decided about.
    #[must_use]
    pub fn number(&self) -> Option<u32> {
        self.numbers.get(&self.place()?).copied()
    }

    /// The decision by which somebody lets a row stand that is shown, by its place among those.
    #[must_use]
    pub fn accepted<'j>(&self, journal: &'j Journal, shown: usize) -> Option<Decided<'j>> {
        let number = self.numbers.get(self.rows.get(shown)?)?;
        vouching::accepted(journal, self.round, *number)
    }

    /// The verdict on the selected row that has the writer do something where the editor goes on as things stand; none where nothing of
    /// it is open, or the draft does not go back.
    fn to_do(&self, journal: &Journal) -> Option<Verdict> {
        let round = self.round;
        let sent_back = decisions::waits(journal) == Some(Wait::Gate { round })
            && decisions::outcome(journal, round) == GateOutcome::Revise;
        let concern = vouching::concern_of(journal, round, self.number()?).filter(|_| sent_back)?;
        let verdicts = decisions::effective_verdicts(journal, round);
        let open = |its: &Verdict| its.status != Status::Keep && its.suggested_fix.is_some();
        verdicts.into_iter().find(|its| its.concern_id == concern && open(its))
    }

    /// Has a finding of the review selected as soon as its row is there.
    pub fn want(&mut self, number: u32) {
        self.wanted = Some(number);
    }

    /// Whether a source decides the selected row.
    #[must_use]
    pub fn has_passage(&self) -> bool {
        self.place().zip(self.proved()).is_some_and(|(place, proved)| proved.passage(place).is_some())
    }

    /// The source that is shown, laid out.
    #[must_use]
    pub fn source_page(&mut self) -> Option<&mut Page> {
        self.pages.get_mut(&self.source)
    }

    /// Likewise, to be looked at.
    #[must_use]
    pub fn page(&self) -> Option<&Page> {
        self.pages.get(&self.source)
    }

    /// Shows the draft of `round`; its rows from the first where another was shown before.
    pub fn show(&mut self, round: u32, journal: &Journal, sources: &[Source]) {
        if self.round != round {
            (self.round, self.selected, self.top, self.left) = (round, 0, 0, None);
            self.rows.clear();
        }
        self.numbers = self.proved().map(|proved| numbers(proved, journal, round)).unwrap_or_default();
        self.arrange(journal, sources);
    }

    /// Puts the rows in order; the selected one stays selected as long as it is shown.
    pub fn arrange(&mut self, journal: &Journal, sources: &[Source]) {
        let by_number = |number: u32| self.numbers.iter().find(|(_, its)| **its == number).map(|(place, _)| *place);
        let wanted = self.wanted.and_then(by_number);
        if wanted.is_some() {
            (self.wanted, self.filter) = (None, Shown::All);
        }
        let before = wanted.or(self.place());
        self.rows =
            self.proved().map(|proved| rows::places(&proved.ledger, self.order, self.filter)).unwrap_or_default();
        let kept = before.and_then(|before| self.rows.iter().position(|place| *place == before));
        self.selected = kept.unwrap_or(0);
        self.lay(journal, sources);
    }

    /// Selects the row `by` places on, stopping at both ends.
    pub fn select(&mut self, by: isize, journal: &Journal, sources: &[Source]) {
        self.selected = self.selected.saturating_add_signed(by).min(self.rows.len().saturating_sub(1));
        self.lay(journal, sources);
    }

    /// How far it is to the next finding that is shown, or the one before, around the end; none where there is none.
    #[must_use]
    pub fn to_finding(&self, next: bool) -> Option<isize> {
        let found: Vec<usize> =
            self.rows().enumerate().filter(|(_, row)| row.is_finding()).map(|(place, _)| place).collect();
        let to = if next {
            found.iter().find(|place| **place > self.selected).or(found.first())
        } else {
            found.iter().rev().find(|place| **place < self.selected).or(found.last())
        };
        let to = isize::try_from(*to?).ok()?;
        Some(to - isize::try_from(self.selected).ok()?)
    }

    /// Into the passage that decides the selected row.
    pub fn to_passage(&mut self) {
        if self.pane != Pane::Source {
            self.left = Some(self.pane);
        }
        self.pane = Pane::Source;
        let passage = self.place().zip(self.proved()).and_then(|(place, proved)| proved.passage(place));
        if let (Some(range), Some(page)) = (passage, self.source_page()) {
            page.show(&range);
        }
    }

    /// Back to where the keys were before. False where they are in the list.
    pub fn back(&mut self) -> bool {
        let before = self.pane;
        self.pane = if before == Pane::Source { self.left.take().unwrap_or_default() } else { Pane::List };
        before != Pane::List
    }

    /// Makes the texts beside the list anew.
    fn lay(&mut self, journal: &Journal, sources: &[Source]) {
        let Some(article) = journal.draft(self.round).map(|draft| &draft.article) else { return self.draft.clear() };
        let Some(proved) = self.proved().cloned() else {
            self.draft.set(article, Vec::new(), None);
            (self.told, self.next) = (empty(), None);
            self.lay_source(None, sources);
            return;
        };
        let (marks, shown) = marks(&proved, self.place(), article);
        self.draft.set(article, marks, shown);
        let to_do = self.to_do(journal);
        self.next = to_do.as_ref().map(|verdict| verdict.status);
        let to_do = to_do.as_ref().and_then(|verdict| verdict.suggested_fix.as_deref());
        let told = told::page(&proved, self.place(), article, self.accepted(journal, self.selected), to_do);
        // What says the same stays where its reader is.
        if told.text() != self.told.text() {
            self.told = told;
        }
        let place = self.place();
        let decides = place.and_then(|place| Some((proved.source(place)?, proved.passage(place)?)));
        self.lay_source(decides, sources);
    }

    /// Shows the source that decides the selected row, at the passage; where none does, the one that is shown stays.
    fn lay_source(&mut self, decides: Option<(usize, Range<usize>)>, sources: &[Source]) {
        if let Some((source, _)) = &decides {
            self.source = *source;
        }
        let Some(source) = sources.get(self.source) else { return };
        let page = self.pages.entry(self.source).or_insert_with(|| Page::new(Arc::from(source.text.as_str())));
        match decides {
            Some((_, range)) => {
                page.mark(vec![Mark::new(range.clone(), Role::Passage)]);
                page.show(&range);
            }
            None => page.mark(Vec::new()),
        }
    }
}

/// The rows of a ledger that are findings of the round's review, with their numbers there. The review's findings were made by the same
/// rules, or by those of an older version of the program: only what is the same is taken for it.
fn numbers(proved: &Proved, journal: &Journal, round: u32) -> HashMap<usize, u32> {
    let known: HashMap<(&str, &str, usize, usize), u32> = vouching::findings(journal, round)
        .map(|(number, finding)| ((&*finding.rule, &*finding.field, finding.start, finding.end), number))
        .collect();
    let rows = proved.ledger.rows.iter().enumerate().filter(|(_, row)| row.is_finding());
    rows.filter_map(|(place, row)| Some((place, *known.get(&(&*row.rule, &*row.field, row.start, row.end))?))).collect()
}

/// The marks of the findings in the draft and of the selected row, and which of them is that one.
fn marks(proved: &Proved, selected: Option<usize>, article: &ArticleResponse) -> (Vec<FieldMark>, Option<usize>) {
    let names = article.fields().map(|(name, _)| name);
    let all = proved.findings <= MOST_MARKS;
    let mut marks = Vec::new();
    let mut shown = None;
    for (place, row) in proved.ledger.rows.iter().enumerate() {
        let chosen = selected == Some(place);
        let Some(field) = names.into_iter().find(|name| *name == row.field) else { continue };
        if chosen {
            shown = Some(marks.len());
        } else if !(all && row.is_finding()) {
            continue;
        }
        let role = if chosen { Role::Excerpt } else { Role::Concern };
        marks.push(FieldMark { field, range: row.start..row.end, role });
    }
    (marks, shown)
}

#[cfg(test)]
mod tests;
