//! The claims of a draft on the screen: how far their check is, which one is selected, and that one laid out for reading.

use std::sync::Arc;

use crate::newsroom::{Claim, ClaimRules, Claims, Journal, Outcome, Step};
use crate::tui::{
    screens::claims::told,
    widgets::page::{Finder, Page},
};

/// Columns from which witnesses that contradict each other stand side by side.
const SIDE_BY_SIDE_FROM: u16 = 90;

/// How far the check of a draft's claims is.
#[derive(Debug, Clone, PartialEq)]
pub enum Check {
    /// There is no draft yet.
    NoDraft,
    /// This run does not check claims.
    Off,
    /// It comes before the gate.
    NotYet,
    /// The gate was left, or the run has ended, without it.
    Never,
    /// It could not be done, and why.
    Failed(String),
    /// The claims, and how they were checked.
    Done(Claims, ClaimRules),
}

impl Check {
    fn of(journal: &Journal, round: u32) -> Self {
        let Some(rules) = journal.opening.claims else { return Self::Off };
        if journal.draft(round).is_none() {
            return Self::NoDraft;
        }
        match journal.outcome(Step::Claims { round }) {
            Some(Outcome::Claims(claims)) => Self::Done(claims.clone(), rules),
            Some(Outcome::Failure(failure)) => Self::Failed(failure.message.clone()),
            _ if journal.gate(round).is_some() || journal.publication().is_some() => Self::Never,
            _ => Self::NotYet,
        }
    }
}

/// Where the keys go.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Stage {
    /// Into the list.
    #[default]
    List,
    /// Into the text of the selected claim.
    Text,
}

/// What a search has found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Searched {
    /// How often the words stand in the text of the claim that is selected now.
    pub hits: usize,
    /// In the texts of how many claims they stand.
    pub claims: usize,
}

/// The claims of a draft.
#[derive(Debug, Clone)]
pub struct ClaimsPage {
    /// The round of the draft; 0 before the first.
    pub round: u32,
    /// How far their check is.
    pub check: Check,
    /// The selected claim, as a place among all.
    pub selected: usize,
    /// The first one in sight.
    pub top: usize,
    /// Where the keys go.
    pub stage: Stage,
    /// The selected claim laid out.
    pub page: Page,
    /// How wide it is laid out, where witnesses stand side by side.
    columns: Option<u16>,
    /// What is searched for.
    query: Option<String>,
}

impl ClaimsPage {
    /// The claims of the draft of `round`, the first one selected.
    #[must_use]
    pub fn new(journal: &Journal, round: u32) -> Self {
        let mut claims = Self {
            round,
            check: Check::of(journal, round),
            selected: 0,
            top: 0,
            stage: Stage::List,
            page: Page::new(Arc::from("")),
            columns: None,
            query: None,
        };
        claims.open();
        claims
    }

    /// Takes in what the journal has by now. Where that is the same, its reader stays.
    pub fn read(&mut self, journal: &Journal) {
        // Whoever opened it before the first draft waits for that one.
        if self.round == 0 {
            self.round = journal.latest_draft();
        }
        let check = Check::of(journal, self.round);
        if check != self.check {
            self.check = check;
            self.selected = 0;
            self.open();
        }
    }

    /// The claims, in the order of the draft.
    #[must_use]
    pub fn claims(&self) -> &[Claim] {
        match &self.check {
            Check::Done(claims, _) => &claims.claims,
            _ => &[],
        }
    }

    /// The selected claim.
    #[must_use]
    pub fn claim(&self) -> Option<&Claim> {
        self.claims().get(self.selected)
    }

    /// The text of the selected claim, without columns; empty where there is no claim.
    #[must_use]
    pub fn text(&self) -> Arc<str> {
        Arc::from(self.text_of(self.selected))
    }

    fn text_of(&self, place: usize) -> String {
        self.told(place, None).map(|sheet| sheet.into_parts().0).unwrap_or_default()
    }

    fn told(&self, place: usize, columns: Option<u16>) -> Option<crate::tui::widgets::sheet::Sheet> {
        match &self.check {
            Check::Done(claims, rules) => claims.claims.get(place).map(|claim| told::told(claim, *rules, columns)),
            _ => None,
        }
    }

    /// Selects the claim `by` places on.
    pub fn select(&mut self, by: isize) {
        let before = self.selected;
        self.selected = before.saturating_add_signed(by).min(self.claims().len().saturating_sub(1));
        if self.selected != before {
            self.open();
        }
    }

    /// Between the list and the text; without a claim there is none.
    pub fn turn(&mut self) {
        self.stage = match self.stage {
            Stage::List if !self.claims().is_empty() => Stage::Text,
            Stage::List | Stage::Text => Stage::List,
        };
    }

    /// Lays the selected claim out for a pane of that width. While a text is searched all of it stands one below the other: words
    /// that a column breaks would not be found.
    pub fn lay(&mut self, width: u16) {
        let columns = Some(width).filter(|width| *width >= SIDE_BY_SIDE_FROM && self.query.is_none());
        if columns != self.columns {
            self.columns = columns;
            self.replace();
        }
    }

    /// The selected claim from its beginning.
    fn open(&mut self) {
        self.query = None;
        self.replace();
        self.page.home();
    }

    /// The selected claim in a pane of the size that it was drawn in last.
    fn replace(&mut self) {
        let (text, marks) = self.told(self.selected, self.columns).unwrap_or_default().into_parts();
        self.page.replace_text(text.into());
        self.page.mark(marks);
    }

    /// Whether a search stands in the text.
    #[must_use]
    pub fn is_searching(&self) -> bool {
        self.query.is_some()
    }

    /// Selects the next claim whose text holds the words, the selected one first; asked again for the same, those behind it. None
    /// where no claim does.
    pub fn search(&mut self, query: &str) -> Option<Searched> {
        let finder = Finder::new(query);
        let holds = |place: &usize| !finder.find(&self.text_of(*place)).is_empty();
        let holding: Vec<usize> = (0..self.claims().len()).filter(holds).collect();
        let again = self.query.as_deref() == Some(query);
        let from = if again { self.selected + 1 } else { self.selected };
        let which = holding.iter().position(|place| *place >= from).unwrap_or(0);
        self.selected = *holding.get(which)?;
        self.columns = None;
        self.open();
        self.query = Some(query.to_owned());
        self.stage = Stage::Text;
        Some(Searched { hits: self.page.search(query), claims: holding.len() })
    }

    /// Ends the search; the place stays.
    pub fn end_search(&mut self) {
        self.query = None;
        self.page.end_search();
    }
}

#[cfg(test)]
mod tests;
