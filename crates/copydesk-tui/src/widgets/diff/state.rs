//! The state of a comparison: its drafts, its layout and the reader's position.

use std::collections::BTreeSet;

use crate::widgets::ring;
use copydesk_core::editorial::changes::{ChangeReason, Comparison};

/// How two drafts are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Layout {
    /// The old draft on the left, the new one on the right.
    #[default]
    SideBySide,
    /// One text with deletions and insertions.
    Inline,
}

/// Narrowest pane, in columns, that has room for two drafts.
pub const SIDE_BY_SIDE_FROM: u16 = 100;

/// The comparison's pane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiffState {
    /// The round whose draft is the old one.
    pub from: u32,
    /// The round whose draft is the new one.
    pub to: u32,
    /// The layout that was asked for; a narrow pane is inline whatever is asked ([`DiffState::layout_at`]).
    pub layout: Layout,
    /// The change that is talked about: a place in `Comparison::changes`.
    pub selected: usize,
    /// The first line that is shown.
    pub scroll: usize,
    /// The changes that an editor has accepted.
    pub accepted: BTreeSet<usize>,
    /// The search. During a search, long unchanged stretches are shown too.
    pub search: Option<DiffSearch>,
}

/// A search in a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiffSearch {
    /// The words.
    pub query: String,
    /// The current hit: an index into [`Jumps::hits`].
    pub at: usize,
}

/// Where the changes are in a laid-out comparison.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Jumps {
    /// Of each change, the line on which it begins.
    pub first_lines: Vec<usize>,
    /// Of each place where the words that are looked for stand, the line on which it begins.
    pub hits: Vec<usize>,
    /// How many lines there are.
    pub lines: usize,
}

/// Lines kept above a change that is jumped to.
const CONTEXT: usize = 3;

impl DiffState {
    /// At the first change between two drafts.
    pub fn new(from: u32, to: u32) -> Self {
        Self { from, to, layout: Layout::default(), selected: 0, scroll: 0, accepted: BTreeSet::new(), search: None }
    }

    /// The layout in a pane of that width.
    pub fn layout_at(&self, width: u16) -> Layout {
        if width < SIDE_BY_SIDE_FROM { Layout::Inline } else { self.layout }
    }

    /// Another change, `by` changes on, scrolled to. `height` is the number of lines that the pane shows.
    pub fn step(&mut self, by: isize, jumps: &Jumps, height: usize) {
        self.selected = self.selected.saturating_add_signed(by);
        self.show_selected(jumps, height);
    }

    /// The next change without a request, after the last one the first again; false if there is none.
    pub fn next_unasked(&mut self, comparison: &Comparison, jumps: &Jumps, height: usize) -> bool {
        let unasked = || {
            let changes = comparison.changes.iter().enumerate();
            changes.filter(|(_, change)| change.why == ChangeReason::Nobody).map(|(index, _)| index)
        };
        let next = unasked().find(|index| *index > self.selected).or_else(|| unasked().next());
        self.selected = next.unwrap_or(self.selected);
        self.show_selected(jumps, height);
        next.is_some()
    }

    /// Scrolls so that the selected change is seen with a few lines around it; also after the width, the layout or the folding
    /// has changed.
    pub fn show_selected(&mut self, jumps: &Jumps, height: usize) {
        self.selected = self.selected.min(jumps.first_lines.len().saturating_sub(1));
        self.show_line(jumps.first_lines.get(self.selected).copied(), jumps, height);
    }

    /// To another hit of the search, around the end.
    pub fn go_to_hit(&mut self, next: bool, jumps: &Jumps, height: usize) {
        let Some(search) = &mut self.search else { return };
        search.at = ring::step(search.at, if next { 1 } else { -1 }, jumps.hits.len());
        self.show_hit(jumps, height);
    }

    /// Scrolls so that the hit at which the search stands is seen.
    pub fn show_hit(&mut self, jumps: &Jumps, height: usize) {
        let line = self.search.as_ref().and_then(|search| jumps.hits.get(search.at).copied());
        self.show_line(line, jumps, height);
    }

    fn show_line(&mut self, line: Option<usize>, jumps: &Jumps, height: usize) {
        if let Some(line) = line {
            let margin = CONTEXT.min(height.saturating_sub(1) / 2);
            if line < self.scroll.saturating_add(margin)
                || line.saturating_add(margin) >= self.scroll.saturating_add(height)
            {
                self.scroll = line.saturating_sub(margin);
            }
        }
        self.scroll_by(0, jumps, height);
    }

    /// Scrolls by lines, down where positive, never past the end.
    pub fn scroll_by(&mut self, lines: isize, jumps: &Jumps, height: usize) {
        self.scroll = self.scroll.saturating_add_signed(lines).min(jumps.lines.saturating_sub(height));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(selected: usize, scroll: usize) -> DiffState {
        DiffState { selected, scroll, ..DiffState::new(1, 2) }
    }

    #[test]
    fn jumping_goes_from_change_to_change_and_keeps_lines_around_it() {
        let jumps = Jumps { first_lines: vec![2, 4, 30, 58], hits: vec![], lines: 60 };
        let mut state = DiffState::new(1, 2);
        let mut step = |by| {
            state.step(by, &jumps, 10);
            state.clone()
        };
        assert_eq!([1; 4].map(&mut step), [at(1, 0), at(2, 27), at(3, 50), at(3, 50)]);
        assert_eq!([-1; 4].map(step), [at(2, 27), at(1, 1), at(0, 0), at(0, 0)]);
    }

    #[test]
    fn nothing_to_jump_to_and_no_room_are_no_trouble() {
        let mut state = at(7, 9);
        state.step(1, &Jumps::default(), 0);
        assert_eq!(state, at(0, 0));
        assert!(!state.next_unasked(&Comparison::default(), &Jumps { lines: 3, ..Jumps::default() }, 2));
        let jumps = Jumps { first_lines: vec![5], hits: vec![], lines: 6 };
        state.show_selected(&jumps, 1);
        assert_eq!(state, at(0, 5));
        state.scroll_by(-9, &jumps, 1);
        assert_eq!(state, at(0, 0));
    }

    #[test]
    fn a_narrow_pane_is_inline_whatever_is_asked() {
        let state = DiffState::new(1, 2);
        assert_eq!((state.layout_at(99), state.layout_at(100)), (Layout::Inline, Layout::SideBySide));
    }
}
