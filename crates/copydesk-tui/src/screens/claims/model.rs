//! The claims of a draft: the state of their check, the selected claim, and its text.

use crate::screens::claims::told::{self, ClaimTexts};
use crate::widgets::{Finder, ListAndText, ListStage, ScrolledText as _, Sheet};
use copydesk_core::editorial::check_worth;
use copydesk_newsroom::{Claim, ClaimRules, Claims, Journal, Outcome, RecordedSource, Source, Step};

/// The state of the check.
#[derive(Debug, Clone, PartialEq)]
pub enum Check {
    NoDraft,
    /// The run does not check claims.
    Off,
    NotYet,
    /// The run moved on, or ended, without it.
    Never,
    Failed(String),
    Done(Claims, ClaimRules),
}

impl Check {
    fn of(journal: &Journal, round: u32) -> Self {
        let Some(rules) = journal.opening.settings.claims else { return Self::Off };
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

pub struct ClaimsPage {
    /// The round of the draft; 0 before the first.
    pub round: u32,
    pub check: Check,
    /// For each row of the list, the worst first: the claim's place in the draft, from 0, and why it is worth a look, in a word.
    pub ranks: Vec<(usize, Option<&'static str>)>,
    pub list: ListAndText,
    query: Option<String>,
    sources: Vec<Source>,
    recorded: Vec<RecordedSource>,
}

impl ClaimsPage {
    pub fn new(journal: &Journal, round: u32) -> Self {
        let mut claims = Self {
            round,
            check: Check::of(journal, round),
            ranks: Vec::new(),
            list: ListAndText::default(),
            query: None,
            sources: journal.sources(),
            recorded: journal.recordings().cloned().collect(),
        };
        claims.rank();
        claims.open();
        claims
    }

    /// Reads the journal again. If nothing changed, the reader's place stays.
    pub fn read(&mut self, journal: &Journal) {
        // A page opened before the first draft waits for that draft.
        if self.round == 0 {
            self.round = journal.latest_draft();
        }
        let check = Check::of(journal, self.round);
        if check != self.check {
            self.check = check;
            self.rank();
            self.list.selected = 0;
            self.open();
        }
    }

    fn rank(&mut self) {
        let ranked = check_worth::ranked(self.claims());
        self.ranks = ranked.into_iter().map(|ranked| (ranked.place, ranked.worth.reason)).collect();
    }

    /// In the order of the draft.
    pub fn claims(&self) -> &[Claim] {
        match &self.check {
            Check::Done(claims, _) => &claims.claims,
            _ => &[],
        }
    }

    pub fn claim(&self) -> Option<&Claim> {
        self.claims().get(self.place()?)
    }

    /// The selected claim's place in the draft, from 0.
    pub fn place(&self) -> Option<usize> {
        self.ranks.get(self.list.selected).map(|(place, _)| *place)
    }

    fn sheet_of(&self, row: usize) -> Option<Sheet> {
        let Check::Done(claims, rules) = &self.check else { return None };
        let claim = claims.claims.get(self.ranks.get(row)?.0)?;
        let witnesses = ClaimTexts { sources: &self.sources, recorded: &self.recorded };
        Some(told::laid_out(claim, *rules, witnesses))
    }

    #[cfg(test)]
    pub fn select(&mut self, by: isize) {
        if self.list.select(by, self.claims().len()) {
            self.open();
        }
    }

    pub fn open(&mut self) {
        self.query = None;
        let sheet = self.sheet_of(self.list.selected).unwrap_or_default();
        self.list.set_text(sheet);
        self.list.page.home();
    }

    pub fn is_searching(&self) -> bool {
        self.query.is_some()
    }

    /// Selects the next claim that contains the words, starting with the selected one; a repeated search starts after it. Returns the hits in
    /// its text, and how many claims have hits; none if no claim matches.
    pub fn search(&mut self, query: &str) -> Option<(usize, usize)> {
        let finder = Finder::new(query);
        let text = |row| self.sheet_of(row).map(|sheet| sheet.into_parts().0).unwrap_or_default();
        let holds = |row: &usize| !finder.find(&text(*row)).is_empty();
        let holding: Vec<usize> = (0..self.claims().len()).filter(holds).collect();
        let again = self.query.as_deref() == Some(query);
        let from = if again { self.list.selected + 1 } else { self.list.selected };
        let which = holding.iter().position(|place| *place >= from).unwrap_or(0);
        self.list.selected = *holding.get(which)?;
        self.open();
        self.query = Some(query.to_owned());
        self.list.stage = ListStage::Text;
        Some((self.list.page.search(query), holding.len()))
    }

    pub fn end_search(&mut self) {
        self.query = None;
        self.list.page.end_search();
    }
}

#[cfg(test)]
mod tests;
