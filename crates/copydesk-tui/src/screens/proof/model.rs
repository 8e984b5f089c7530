//! The Proof page: each statement of a draft that a rule can compare with the sources, and each note on its style and spelling. For the selected one,
//! its words in the draft, its passage in the source, and the reason. Plain data; proof and notes are made elsewhere.

use std::{collections::HashMap, ops::Range, sync::Arc};

use crate::screens::article::Printed;
use crate::screens::proof::{ListedRow, NoProof, Proved, proved, told};
use crate::screens::story::Pane;
use crate::widgets::{FieldMark, Page, TextRole, unsure};

use copydesk_core::editorial::{decisions, vouching};
use copydesk_newsroom::{
    ArticleResponse, Decided, GateOutcome, Journal, LedgerRow, Opinions, RecordedSource, Source, Status, UnsureWords,
    Verdict, Wait,
};
use copydesk_style::{self as style, Readability, StyleNote, StyleReview};
use copydesk_text::time_code::turn_code;

/// With more findings than this, only the selected one is marked in the draft.
const MOST_MARKS: usize = 300;

#[derive(Debug, Clone, Default)]
pub struct ProofPage {
    /// By round; none while it is being made. A proof never changes, because drafts and sources never do.
    proofs: HashMap<u32, Option<Result<Arc<Proved>, NoProof>>>,
    /// The notes of house style and spelling on each round's draft. They change because the dictionary grows.
    style: HashMap<u32, StyleReview>,
    round: u32,
    /// The places of the rows that are shown: behind the statements of the ledger come the notes.
    rows: Vec<usize>,
    /// For rows that are findings of the round's review: their numbers there, by index in the ledger.
    numbers: HashMap<usize, u32>,
    /// The finding to select as soon as its row is there.
    wanted: Option<u32>,
    /// Index in `rows`.
    pub selected: usize,
    pub top: usize,
    pub pane: Pane,
    /// The pane to go back to from the passage.
    left: Option<Pane>,
    pub draft: Printed,
    pub told: Page,
    /// As `told`, without the rule and its figures, for the time when the keys are elsewhere.
    pub brief: Page,
    /// The writer's action on the selected row if the editor continues now.
    pub next: Option<Status>,
    pub source: usize,
    /// The text of that source, with the passage marked.
    pub source_page: Page,
}

impl ProofPage {
    /// Notes that a draft's proof is asked for; false if it was before.
    pub fn ask(&mut self, round: u32) -> bool {
        let new = !self.proofs.contains_key(&round);
        if new {
            self.proofs.insert(round, None);
        }
        new
    }

    pub fn add(&mut self, round: u32, proof: Result<Arc<Proved>, NoProof>) {
        self.proofs.insert(round, Some(proof));
    }

    /// None while it is being made, or if it failed.
    pub fn proved(&self) -> Option<&Arc<Proved>> {
        self.proofs.get(&self.round)?.as_ref()?.as_ref().ok()
    }

    /// Why there is no proof of this draft.
    pub fn trouble(&self) -> Option<NoProof> {
        self.proofs.get(&self.round)?.as_ref()?.as_ref().err().copied()
    }

    pub fn spell(&mut self, round: u32, review: StyleReview) {
        self.style.insert(round, review);
    }

    /// The notes of house style and spelling on the shown draft.
    pub fn words(&self) -> &[StyleNote] {
        self.style.get(&self.round).map(|review| review.notes.as_slice()).unwrap_or_default()
    }

    /// How hard the shown draft is to read, once that is known.
    pub fn readability(&self) -> Option<&Readability> {
        self.style.get(&self.round)?.readability.as_ref()
    }

    pub fn rows(&self) -> impl Iterator<Item = ListedRow<'_>> {
        let ledger = self.proved().map(|proved| &proved.ledger);
        self.rows.iter().filter_map(move |place| ListedRow::at(*place, ledger?, self.words()))
    }

    /// The selected row.
    pub fn listed(&self) -> Option<ListedRow<'_>> {
        ListedRow::at(*self.rows.get(self.selected)?, &self.proved()?.ledger, self.words())
    }

    /// The selected note on spelling.
    pub fn word(&self) -> Option<&StyleNote> {
        self.note().filter(|note| note.is_spelling())
    }

    /// The selected note.
    fn note(&self) -> Option<&StyleNote> {
        match self.listed()? {
            ListedRow::Word(note) => Some(note),
            ListedRow::Statement(_) => None,
        }
    }

    pub fn count(&self) -> usize {
        self.rows.len()
    }

    /// The selected statement's index in the ledger.
    fn place(&self) -> Option<usize> {
        self.statement(self.selected)
    }

    fn statement(&self, shown: usize) -> Option<usize> {
        let statements = self.proved()?.ledger.rows.len();
        self.rows.get(shown).copied().filter(|place| *place < statements)
    }

    pub fn row(&self) -> Option<&LedgerRow> {
        self.proved()?.ledger.rows.get(self.place()?)
    }

    /// The recording that the selected row rests on, and where it is said, in seconds: the first words that the recogniser was unsure of,
    /// else the beginning of the turn.
    pub fn heard<'j>(&self, journal: &'j Journal) -> Option<(&'j RecordedSource, u32)> {
        let passage = self.row()?.passage.as_ref()?;
        let recorded = journal.recording(&passage.source)?;
        if let Some((words, _)) = UnsureWords::within(&recorded.unsure, passage.start, &passage.text).next() {
            return Some((recorded, words.seconds));
        }
        let code = turn_code(journal.brought(&passage.source)?, &(passage.start..passage.end))?;
        let parts: Option<Vec<u32>> = code.split(':').map(|part| part.parse().ok()).collect();
        Some((recorded, parts?.into_iter().fold(0, |seconds, part| seconds * 60 + part)))
    }

    /// The selected row's number among the findings, from 1; none if it is not a finding.
    pub fn finding(&self) -> Option<usize> {
        self.proved()?.number(self.place()?)
    }

    /// The selected row's number among the findings of the round's review. Decisions name it by this number.
    pub fn number(&self) -> Option<u32> {
        self.numbers.get(&self.place()?).copied()
    }

    /// The decision that accepts a row; `shown` is its index among the shown rows.
    pub fn accepted<'j>(&self, journal: &'j Journal, shown: usize) -> Option<Decided<'j>> {
        let number = self.numbers.get(&self.statement(shown)?)?;
        vouching::accepted(journal, self.round, *number)
    }

    /// The open verdict on the selected row that sends work to the writer if the editor continues now; none if the draft does not go back.
    fn to_do(&self, journal: &Journal) -> Option<Verdict> {
        let round = self.round;
        let sent_back = decisions::waits(journal) == Some(Wait::Gate { round })
            && decisions::outcome(journal, round) == GateOutcome::Revise;
        let concern = vouching::concern_of(journal, round, self.number()?).filter(|_| sent_back)?;
        let verdicts = decisions::effective_verdicts(journal, round);
        let open = |its: &Verdict| its.status != Status::Keep && its.suggested_fix.is_some();
        verdicts.into_iter().find(|its| its.concern_id == concern && open(its))
    }

    /// Selects a finding of the review as soon as its row is there.
    pub fn want(&mut self, number: u32) {
        self.wanted = Some(number);
    }

    /// Why the sentence of the selected finding is worth a look, in a word.
    pub fn reason(&self) -> Option<&'static str> {
        self.proved()?.worth(self.place()?).reason
    }

    pub fn has_passage(&self) -> bool {
        self.place().zip(self.proved()).is_some_and(|(place, proved)| proved.passage(place).is_some())
    }

    /// Shows the draft of `round`, from the first row if another draft was shown.
    pub fn show(&mut self, round: u32, journal: &Journal, sources: &[Source]) {
        if self.round != round {
            (self.round, self.selected, self.top, self.left) = (round, 0, 0, None);
            self.rows.clear();
        }
        self.numbers = self.proved().map(|proved| numbers(proved, journal, round)).unwrap_or_default();
        self.arrange(journal, sources);
    }

    /// Orders the rows; the selected one stays selected while it is there.
    pub fn arrange(&mut self, journal: &Journal, sources: &[Source]) {
        let by_number = |number: u32| self.numbers.iter().find(|(_, its)| **its == number).map(|(place, _)| *place);
        let wanted = self.wanted.and_then(by_number);
        self.wanted = self.wanted.filter(|_| wanted.is_none());
        let before = wanted.or(self.rows.get(self.selected).copied());
        let article = journal.draft(self.round).map(|draft| &draft.article);
        let places = |proved: &Arc<Proved>| Some(proved::places(proved, self.words(), article?));
        self.rows = self.proved().and_then(places).unwrap_or_default();
        let kept = before.and_then(|before| self.rows.iter().position(|place| *place == before));
        self.selected = kept.unwrap_or(0);
        self.lay(journal, sources);
    }

    pub fn select(&mut self, by: isize, journal: &Journal, sources: &[Source]) {
        self.selected = self.selected.saturating_add_signed(by).min(self.rows.len().saturating_sub(1));
        self.lay(journal, sources);
    }

    /// How many rows away the next or previous finding is, wrapping around; none if there is no finding.
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

    pub fn show_passage(&mut self) {
        if self.pane != Pane::Source {
            self.left = Some(self.pane);
        }
        self.pane = Pane::Source;
        let passage = self.place().zip(self.proved()).and_then(|(place, proved)| proved.passage(place));
        if let Some(range) = passage {
            self.source_page.show(&range);
        }
    }

    /// Back to the pane before; false if the list has the focus already.
    pub fn back(&mut self) -> bool {
        let before = self.pane;
        self.pane = if before == Pane::Source { self.left.take().unwrap_or_default() } else { Pane::List };
        before != Pane::List
    }

    /// Renews the panes beside the list.
    fn lay(&mut self, journal: &Journal, sources: &[Source]) {
        let Some(article) = journal.draft(self.round).map(|draft| &draft.article) else { return self.draft.clear() };
        let Some(proved) = self.proved().cloned() else {
            self.draft.set(article, Vec::new());
            (self.told, self.brief, self.next) = (Page::default(), Page::default(), None);
            self.lay_source(None, journal, sources);
            return;
        };
        let marks = self.marks(&proved, article);
        self.draft.set(article, marks);
        let to_do = self.to_do(journal);
        self.next = to_do.as_ref().map(|verdict| verdict.status);
        let to_do = to_do.as_ref().and_then(|verdict| verdict.suggested_fix.as_deref());
        let accepted = self.accepted(journal, self.selected);
        let opinions: Vec<&Opinions> = journal.opinions(self.round).collect();
        let passage = self.row().and_then(|row| row.passage.as_ref());
        let recorded = passage.and_then(|passage| journal.recording(&passage.source));
        let page = |with_rule| {
            if let Some(note) = self.note() {
                return told::note(note, article, style::asks(journal, note));
            }
            told::page(&proved, self.place(), article, accepted, to_do, (opinions.as_slice(), recorded), with_rule)
        };
        let (told, brief) = (page(true), page(false));
        // An unchanged text keeps its scroll position.
        if told.text() != self.told.text() {
            (self.told, self.brief) = (told, brief);
        }
        let place = self.place();
        let decides = place.and_then(|place| Some((proved.source(place)?, proved.passage(place)?)));
        self.lay_source(decides, journal, sources);
    }

    /// The marks in the draft; the selected row's is an excerpt.
    fn marks(&self, proved: &Proved, article: &ArticleResponse) -> Vec<FieldMark> {
        let names = article.fields().map(|(name, _)| name);
        let all = proved.findings <= MOST_MARKS;
        let selected = self.rows.get(self.selected).copied();
        let mut marks = Vec::new();
        for (place, row) in proved::listed(&proved.ledger, self.words()) {
            let (field, range) = row.span();
            let chosen = selected == Some(place);
            let Some(field) = names.into_iter().find(|name| *name == field) else { continue };
            let role = if chosen { TextRole::Excerpt } else { TextRole::Concern };
            if chosen || all && row.is_finding() {
                marks.push(FieldMark { field, range, role });
            }
        }
        marks
    }

    /// Shows the source of the selected row, at its passage; if it has none, the source shown stays.
    fn lay_source(&mut self, decides: Option<(usize, Range<usize>)>, journal: &Journal, sources: &[Source]) {
        if let Some((source, _)) = &decides {
            self.source = *source;
        }
        let Some(source) = sources.get(self.source) else { return };
        if **self.source_page.text() != *source.text {
            self.source_page = Page::new(Arc::from(source.text.as_str()));
        }
        let passage = decides.map(|(_, range)| range);
        self.source_page.mark(unsure::marks(passage.clone(), journal.recording(&source.name)));
        if let Some(range) = passage {
            self.source_page.show(&range);
        }
    }
}

/// The rows that are findings of the round's review, with their numbers there. If the journal does not say so, the review may come from an
/// older version of the program: then only identical findings count.
fn numbers(proved: &Proved, journal: &Journal, round: u32) -> HashMap<usize, u32> {
    if let Some(rows) = vouching::rows(journal, round, &proved.ledger) {
        return rows.iter().zip(1..).filter_map(|(place, number)| Some(((*place)?, number))).collect();
    }
    let known: HashMap<(&str, &str, usize, usize), u32> = vouching::findings(journal, round)
        .map(|(number, finding)| ((&*finding.rule, &*finding.field, finding.start, finding.end), number))
        .collect();
    let rows = proved.ledger.rows.iter().enumerate().filter(|(_, row)| row.is_finding());
    rows.filter_map(|(place, row)| Some((place, *known.get(&(&*row.rule, &*row.field, row.start, row.end))?))).collect()
}

#[cfg(test)]
mod tests;
