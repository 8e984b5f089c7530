//! The text that the keys move in, whichever kind it is.

use std::sync::Arc;

use crate::tui::{
    screens::{article::model::Printed, changes::model::Compared},
    widgets::page::Page,
};

/// A text with the focus.
pub enum FocusedText<'m> {
    /// A long text.
    Page(&'m mut Page),
    /// An article.
    Printed(&'m mut Printed),
    /// Two drafts compared.
    Compared(&'m mut Compared),
}

impl FocusedText<'_> {
    /// Goes down by so many lines, up where it is negative.
    pub fn scroll_by(&mut self, lines: isize) {
        match self {
            Self::Page(page) => {
                page.scroll_by(i32::try_from(lines).unwrap_or(if lines < 0 { i32::MIN } else { i32::MAX }));
            }
            Self::Printed(printed) => printed.scroll_by(lines),
            Self::Compared(compared) => compared.scroll_by(lines),
        }
    }

    /// A page down, or up.
    pub fn page_by(&mut self, by: isize) {
        match self {
            Self::Page(page) if by < 0 => page.page_up(),
            Self::Page(page) => page.page_down(),
            Self::Printed(printed) => printed.scroll_by(printed.page().saturating_mul(by.signum())),
            Self::Compared(compared) => compared.scroll_by(compared.page_height().saturating_mul(by.signum())),
        }
    }

    /// To the end, or the beginning.
    pub fn to_end(&mut self, last: bool) {
        match self {
            Self::Page(page) if last => page.end(),
            Self::Page(page) => page.home(),
            Self::Printed(printed) => printed.scroll_by(if last { 1 << 40 } else { -(1 << 40) }),
            Self::Compared(compared) => compared.scroll_by(if last { 1 << 40 } else { -(1 << 40) }),
        }
    }

    /// Looks for words; returns how many hits there are.
    pub fn search(&mut self, query: &str) -> usize {
        match self {
            Self::Page(page) => page.search(query),
            Self::Printed(printed) => printed.search(query),
            Self::Compared(compared) => compared.search(query),
        }
    }

    /// Ends the search.
    pub fn end_search(&mut self) {
        match self {
            Self::Page(page) => page.end_search(),
            Self::Printed(printed) => printed.end_search(),
            Self::Compared(compared) => compared.end_search(),
        }
    }

    /// To the next hit, or the one before.
    pub fn go_to_hit(&mut self, next: bool) {
        match self {
            Self::Page(page) if next => page.next_hit(),
            Self::Page(page) => page.previous_hit(),
            Self::Printed(printed) => printed.go_to_hit(next),
            Self::Compared(compared) => compared.go_to_hit(next),
        }
    }

    /// Which hit the search stands at, from 1, and how many there are.
    #[must_use]
    pub fn hit(&self) -> Option<(usize, usize)> {
        match self {
            Self::Page(page) => page.hit(),
            Self::Printed(printed) => printed.hit(),
            Self::Compared(compared) => compared.hit(),
        }
    }

    /// What a copy takes.
    #[must_use]
    pub fn selected(&self) -> Arc<str> {
        match self {
            Self::Page(page) => Arc::from(page.selected()),
            Self::Printed(printed) => Arc::from(printed.article().map_or("", |article| article.articleBody.as_str())),
            Self::Compared(compared) => compared.selected_text(),
        }
    }
}
