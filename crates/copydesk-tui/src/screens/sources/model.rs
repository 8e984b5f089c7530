//! The state of the page of sources: a row for each source and each errand, and the text of the selected one.

use crate::screens::sources::told;
use crate::widgets::ListAndText;
use copydesk_core::editorial::research_report::{ErrandReport, ListedSource, ResearchReport};
use copydesk_newsroom::Journal;

#[derive(Debug, Clone, PartialEq)]
pub enum SourceRow {
    Source(Box<ListedSource>),
    /// An errand of the Reporter.
    Errand(Box<ErrandReport>),
}

impl SourceRow {
    /// Whether both are the same source or errand, at two moments.
    fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Source(one), Self::Source(other)) => (&one.id, &one.name) == (&other.id, &other.name),
            (Self::Errand(one), Self::Errand(other)) => one.errand == other.errand,
            _ => false,
        }
    }
}

#[derive(Debug, Clone, Default)]
pub struct SourcesPage {
    pub list: ListAndText,
    pub(super) rows: Vec<SourceRow>,
}

impl SourcesPage {
    /// Reads the journal again. The selected row stays selected, and its reader's place too.
    pub fn read(&mut self, journal: &Journal) {
        let ResearchReport { errands, sources, .. } = ResearchReport::of(journal);
        let sources = sources.into_iter().map(|source| SourceRow::Source(Box::new(source)));
        let errands = errands.into_iter().map(|errand| SourceRow::Errand(Box::new(errand)));
        let rows: Vec<SourceRow> = sources.chain(errands).collect();
        let same = self.row().and_then(|before| rows.iter().position(|row| row.is(before)));
        self.list.selected = same.unwrap_or(0);
        self.rows = rows;
        self.lay(journal);
    }

    pub fn row(&self) -> Option<&SourceRow> {
        self.rows.get(self.list.selected)
    }

    /// The selected source; none if an errand is selected.
    pub fn source(&self) -> Option<&ListedSource> {
        match self.row()? {
            SourceRow::Source(source) => Some(source),
            SourceRow::Errand(_) => None,
        }
    }

    pub fn select(&mut self, by: isize, journal: &Journal) {
        if self.list.select(by, self.rows.len()) {
            self.lay(journal);
            self.list.page.home();
        }
    }

    pub fn turn(&mut self) {
        self.list.turn(self.rows.len());
    }

    pub fn sideways(&mut self, by: isize) {
        self.list.sideways(by, self.rows.len());
    }

    fn lay(&mut self, journal: &Journal) {
        let sheet = match self.row() {
            Some(SourceRow::Source(source)) => {
                told::source(source, source.text(journal), journal.recording(&source.name))
            }
            Some(SourceRow::Errand(errand)) => told::errand(errand),
            None => return,
        };
        self.list.set_text(sheet);
    }
}
