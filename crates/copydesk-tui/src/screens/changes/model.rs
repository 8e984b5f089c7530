//! Two drafts, or the articles of two runs, compared: the changes, the reader's place, and the lines as last laid out.

use std::sync::Arc;

use crate::screens::changes::{Comparisons, DraftPair};
use crate::widgets::diff::page::DiffPage;
use crate::widgets::diff::state::DiffSearch;
use crate::widgets::{DiffState, Jumps, Layout, ScrolledText, Theme};
use copydesk_core::editorial::changes::{Comparison, accepted};
use copydesk_core::ports::RunKey;
use copydesk_newsroom::Journal;
use copydesk_text::diff::DiffPiece;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Jump {
    Next,
    Previous,
    /// To the next change that nobody asked for.
    Unasked,
}

#[derive(Debug, Clone)]
pub struct Compared {
    /// Which drafts, how, and where the reader is.
    pub state: DiffState,
    pub comparison: Arc<Comparison>,
    /// The lines, as last laid out.
    pub page: Option<DiffPage>,
    /// Rows that the pane showed last.
    pub height: usize,
}

impl Compared {
    pub fn new((from, to): DraftPair, comparison: Arc<Comparison>, layout: Layout) -> Self {
        let state = DiffState { layout, ..DiffState::new(from, to) };
        Self { state, comparison, page: None, height: 1 }
    }

    pub fn pair(&self) -> DraftPair {
        (self.state.from, self.state.to)
    }

    /// Lays the lines out again if the pane or the view has changed.
    pub fn lay(&mut self, width: u16, height: usize, theme: &Theme) -> &DiffPage {
        let stale = !self.page.as_ref().is_some_and(|page| page.fits(&self.state, width, theme));
        let resized = self.height != height;
        self.height = height;
        let page = if stale { None } else { self.page.take() };
        let page = page.unwrap_or_else(|| DiffPage::new(&self.comparison, &self.state, width, theme));
        if stale || resized {
            match self.state.search {
                Some(_) => self.state.show_hit(&page.jumps, height),
                None => self.state.show_selected(&page.jumps, height),
            }
        }
        self.page.insert(page)
    }

    fn jumps(&self) -> Jumps {
        self.page.as_ref().map(|page| page.jumps.clone()).unwrap_or_default()
    }

    /// Goes to the change at that place.
    pub fn show(&mut self, change: usize) {
        if self.state.selected != change {
            let jumps = self.jumps();
            self.state.selected = change;
            self.state.show_selected(&jumps, self.height);
        }
    }

    /// Goes to another change; false if there is none.
    pub fn jump(&mut self, jump: Jump) -> bool {
        let jumps = self.jumps();
        match jump {
            Jump::Unasked => return self.state.next_unasked(&self.comparison, &jumps, self.height),
            Jump::Next => self.state.step(1, &jumps, self.height),
            Jump::Previous => self.state.step(-1, &jumps, self.height),
        }
        !jumps.first_lines.is_empty()
    }

    /// Whether the pane is too narrow for two drafts side by side.
    pub fn is_narrow(&self) -> bool {
        self.page.as_ref().is_some_and(DiffPage::is_narrow)
    }
}

impl ScrolledText for Compared {
    fn scroll_by(&mut self, lines: isize) {
        let jumps = self.jumps();
        self.state.scroll_by(lines, &jumps, self.height);
    }

    fn page_rows(&self) -> isize {
        isize::try_from(self.height.saturating_sub(1).max(1)).unwrap_or(1)
    }

    /// Searches both drafts, also their unchanged text.
    fn search(&mut self, query: &str) -> usize {
        self.state.search = Some(DiffSearch { query: query.to_owned(), at: 0 });
        let Some(page) = self.page.as_ref().map(|page| page.again(&self.comparison, &self.state)) else { return 0 };
        let hits = page.jumps.hits.len();
        if hits == 0 {
            self.state.search = None;
            return 0;
        }
        self.state.show_hit(&page.jumps, self.height);
        self.page = Some(page);
        hits
    }

    fn end_search(&mut self) {
        self.state.search = None;
    }

    fn go_to_hit(&mut self, next: bool) {
        let jumps = self.jumps();
        self.state.go_to_hit(next, &jumps, self.height);
    }

    fn hit(&self) -> Option<(usize, usize)> {
        let search = self.state.search.as_ref()?;
        Some((search.at + 1, self.page.as_ref()?.jumps.hits.len()))
    }

    /// The removed and added text of the selected change.
    fn selected(&self) -> Arc<str> {
        let change = self.comparison.changes.get(self.state.selected);
        let pieces = change.map(|change| change.pieces.as_slice()).unwrap_or_default();
        let said: Vec<String> = pieces
            .iter()
            .filter_map(|piece| match piece {
                DiffPiece::Removed(text) => Some(format!("- {}", text.trim())),
                DiffPiece::Added(text) => Some(format!("+ {}", text.trim())),
                DiffPiece::Same(_) => None,
            })
            .collect();
        Arc::from(said.join("\n"))
    }
}

/// The comparison that is shown, the one that is wanted, and those that are known.
#[derive(Debug, Clone, Default)]
pub struct ChangesPage {
    pub compared: Option<Compared>,
    pub wanted: Option<DraftPair>,
    pub known: Comparisons,
}

impl ChangesPage {
    /// Shows the wanted drafts once they are compared. Until then the earlier ones stay.
    pub fn lay(&mut self, journal: &Journal) {
        let is_shown = |pair: &DraftPair| self.compared.as_ref().is_some_and(|shown| shown.pair() == *pair);
        let Some(pair) = self.wanted.filter(|pair| !is_shown(pair)) else { return };
        let layout = self.compared.as_ref().map(|compared| compared.state.layout).unwrap_or_default();
        if let Some(comparison) = self.known.of(pair) {
            self.compared = Some(Compared::new(pair, Arc::clone(comparison), layout));
        } else if self.known.has(pair) {
            self.compared = None;
        }
        self.read_accepted(journal);
    }

    /// Reads again which of the shown changes an editor accepted.
    pub fn read_accepted(&mut self, journal: &Journal) {
        if let Some(compared) = &mut self.compared {
            compared.state.accepted = accepted(journal, compared.pair(), &compared.comparison);
        }
    }

    /// There is a newer draft than `before`, the latest until now. If the latest two were shown, or were to be, the page forgets them, so
    /// that it shows the new one. A reader of earlier drafts stays there.
    pub fn forget_latest(&mut self, before: u32) {
        let shown = self.compared.as_ref().map(Compared::pair);
        if self.wanted.or(shown).is_some_and(|(_, to)| to >= before) {
            (self.compared, self.wanted) = (None, None);
        }
    }
}

/// The two articles, once they are compared.
#[derive(Debug, Clone, Default)]
pub struct TwoRuns {
    /// The run beside the open one that was asked for last.
    pub wanted: Option<RunKey>,
    /// None if one of the two has no draft.
    pub shown: Option<(RunKey, Option<Compared>)>,
}

impl TwoRuns {
    /// Takes the comparison in, if it is still wanted.
    pub fn set(&mut self, other: RunKey, comparison: Option<Arc<Comparison>>) {
        if self.wanted == Some(other) {
            self.shown = Some((other, comparison.map(|found| Compared::new((0, 1), found, Layout::SideBySide))));
        }
    }

    /// What can be scrolled.
    pub fn text(&mut self) -> Option<&mut dyn ScrolledText> {
        Some(self.shown.as_mut()?.1.as_mut()?)
    }
}
