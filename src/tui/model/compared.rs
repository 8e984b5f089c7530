//! Two drafts compared: what changed, where the reader is, and the lines as they were last laid out.

use std::sync::Arc;

use super::diff::{DiffState, Jumps, Layout};
use crate::{
    editorial::changes::{self, Comparison},
    newsroom::Journal,
    tui::{
        theme::Theme,
        view::diff::{self, DiffPage},
    },
};

/// Two drafts compared.
#[derive(Debug, Clone)]
pub struct Compared {
    /// Which drafts, how, and where the reader is.
    pub state: DiffState,
    /// What changed.
    pub comparison: Arc<Comparison>,
    /// The lines, as last laid out.
    pub page: Option<DiffPage>,
    /// Rows that the pane showed last.
    pub height: usize,
}

impl Compared {
    /// The drafts of two rounds; none where one of them is not there.
    #[must_use]
    pub fn new(journal: &Journal, from: u32, to: u32, layout: Layout) -> Option<Self> {
        let comparison = changes::between(journal, from, to)?;
        let state = DiffState { layout, ..DiffState::new(from, to) };
        Some(Self { state, comparison: Arc::new(comparison), page: None, height: 1 })
    }

    /// Lays the lines out for a pane, where they do not fit it yet.
    pub fn lay(&mut self, width: u16, height: usize, theme: &Theme) -> &DiffPage {
        let stale = !self.page.as_ref().is_some_and(|page| page.fits(&self.state, width, theme));
        let resized = self.height != height;
        self.height = height;
        let page = if stale { None } else { self.page.take() };
        let page = page.unwrap_or_else(|| DiffPage::new(&self.comparison, &self.state, width, theme));
        if stale || resized {
            self.state.show_selected(&page.jumps, height);
        }
        self.page.insert(page)
    }

    fn jumps(&self) -> Jumps {
        self.page.as_ref().map(|page| page.jumps.clone()).unwrap_or_default()
    }

    /// The next change; false at the last one.
    pub fn next_change(&mut self) -> bool {
        let jumps = self.jumps();
        self.state.next_change(&jumps, self.height) || !jumps.first_lines.is_empty()
    }

    /// The change before.
    pub fn previous_change(&mut self) -> bool {
        let jumps = self.jumps();
        self.state.previous_change(&jumps, self.height) || !jumps.first_lines.is_empty()
    }

    /// The next change that nobody asked for; false where there is none.
    pub fn next_unasked(&mut self) -> bool {
        let jumps = self.jumps();
        self.state.next_unasked(&self.comparison, &jumps, self.height)
    }

    /// Scrolls by lines.
    pub fn scroll_by(&mut self, lines: isize) {
        let jumps = self.jumps();
        self.state.scroll_by(lines, &jumps, self.height);
    }

    /// Side by side, inline, inline with everything that is unchanged.
    pub fn toggle_layout(&mut self) {
        self.state.layout = match self.state.layout {
            Layout::SideBySide => Layout::Inline,
            Layout::Inline => Layout::SideBySide,
        };
    }

    /// Height of the pane's text in an area.
    #[must_use]
    pub fn text_height(area: ratatui::layout::Rect) -> usize {
        diff::text_height(area)
    }
}
