//! A text that is put together piece by piece, with its marks.

use std::sync::Arc;

use crate::widgets::{Mark, Page, TextRole};

/// A text with its marks.
#[derive(Debug, Default)]
pub(crate) struct Sheet {
    text: String,
    marks: Vec<Mark>,
}

impl Sheet {
    /// How long it is, in bytes.
    pub(crate) fn len(&self) -> usize {
        self.text.len()
    }

    /// A piece of a line; plain text needs no mark.
    pub(crate) fn add(&mut self, text: &str, role: TextRole) {
        let start = self.text.len();
        self.text.push_str(text);
        if role != TextRole::Text && !text.is_empty() {
            self.marks.push(Mark::new(start..self.text.len(), role));
        }
    }

    /// A piece with marks of its own, whose bytes count from its beginning.
    pub(crate) fn add_marked(&mut self, text: &str, marks: Vec<Mark>) {
        let start = self.text.len();
        self.text.push_str(text);
        let moved = |mark: Mark| Mark::new(start + mark.range.start..start + mark.range.end, mark.role);
        self.marks.extend(marks.into_iter().map(moved));
    }

    /// The rest of a line.
    pub(crate) fn line(&mut self, text: &str, role: TextRole) {
        self.add(text, role);
        self.text.push('\n');
    }

    /// An empty line and a heading.
    pub(crate) fn section(&mut self, name: &str) {
        self.text.push('\n');
        self.line(name, TextRole::Dim);
    }

    /// A paragraph; nothing if there is no text yet.
    pub(crate) fn paragraph(&mut self, text: &str, role: TextRole) {
        if !text.is_empty() {
            self.add(text, role);
            self.text.push_str("\n\n");
        }
    }

    /// `name: text` in a line; nothing if there is no text yet.
    pub(crate) fn named(&mut self, name: &str, text: &str) {
        if !text.is_empty() {
            self.add(&format!("{name}: "), TextRole::Dim);
            self.line(text, TextRole::Text);
        }
    }

    pub(crate) fn into_parts(self) -> (String, Vec<Mark>) {
        (self.text, self.marks)
    }

    pub(crate) fn into_page(self) -> Page {
        let mut page = Page::new(Arc::from(self.text));
        page.mark(self.marks);
        page
    }
}
