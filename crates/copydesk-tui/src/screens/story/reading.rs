//! The text with the focus, of any kind.

use std::sync::Arc;

use crate::{
    screens::{article::model::Printed, changes::model::Compared},
    widgets::page::Page,
};

pub enum FocusedText<'m> {
    Page(&'m mut Page),
    Printed(&'m mut Printed),
    Compared(&'m mut Compared),
}

impl FocusedText<'_> {
    /// Scrolls down by so many lines, or up if the number is negative.
    pub fn scroll_by(&mut self, lines: isize) {
        match self {
            Self::Page(page) => {
                page.scroll_by(i32::try_from(lines).unwrap_or(if lines < 0 { i32::MIN } else { i32::MAX }));
            }
            Self::Printed(printed) => printed.scroll_by(lines),
            Self::Compared(compared) => compared.scroll_by(lines),
        }
    }

    pub fn page_by(&mut self, by: isize) {
        match self {
            Self::Page(page) if by < 0 => page.page_up(),
            Self::Page(page) => page.page_down(),
            Self::Printed(printed) => printed.scroll_by(printed.page().saturating_mul(by.signum())),
            Self::Compared(compared) => compared.scroll_by(compared.page_height().saturating_mul(by.signum())),
        }
    }

    pub fn go_to_end(&mut self, last: bool) {
        match self {
            Self::Page(page) if last => page.end(),
            Self::Page(page) => page.home(),
            Self::Printed(printed) => printed.scroll_by(if last { 1 << 40 } else { -(1 << 40) }),
            Self::Compared(compared) => compared.scroll_by(if last { 1 << 40 } else { -(1 << 40) }),
        }
    }

    /// Searches for words; returns the number of hits.
    pub fn search(&mut self, query: &str) -> usize {
        match self {
            Self::Page(page) => page.search(query),
            Self::Printed(printed) => printed.search(query),
            Self::Compared(compared) => compared.search(query),
        }
    }

    pub fn end_search(&mut self) {
        match self {
            Self::Page(page) => page.end_search(),
            Self::Printed(printed) => printed.end_search(),
            Self::Compared(compared) => compared.end_search(),
        }
    }

    pub fn go_to_hit(&mut self, next: bool) {
        match self {
            Self::Page(page) if next => page.next_hit(),
            Self::Page(page) => page.previous_hit(),
            Self::Printed(printed) => printed.go_to_hit(next),
            Self::Compared(compared) => compared.go_to_hit(next),
        }
    }

    /// The number of the current hit, from 1, and of all hits.
    pub fn hit(&self) -> Option<(usize, usize)> {
        match self {
            Self::Page(page) => page.hit(),
            Self::Printed(printed) => printed.hit(),
            Self::Compared(compared) => compared.hit(),
        }
    }

    /// The text that a copy takes.
    pub fn selected(&self) -> Arc<str> {
        match self {
            Self::Page(page) => Arc::from(page.selected()),
            Self::Printed(printed) => Arc::from(printed.article().map_or("", |article| article.articleBody.as_str())),
            Self::Compared(compared) => compared.selected_text(),
        }
    }
}
