//! A list with a selected row.

use ratatui::{buffer::Buffer, layout::Rect, style::Style};

use crate::widgets::{
    columns::{Column, Table},
    draw,
    theme::Theme,
};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picked<T> {
    /// The rows; none until they are read.
    pub rows: Option<Vec<T>>,
    pub selected: usize,
    /// The first row on the screen; the view keeps the selected one in sight.
    pub top: usize,
}

impl<T> Default for Picked<T> {
    fn default() -> Self {
        Self { rows: None, selected: 0, top: 0 }
    }
}

impl<T> Picked<T> {
    pub fn row(&self) -> Option<&T> {
        self.rows.as_ref()?.get(self.selected)
    }

    /// Replaces the rows. The selection keeps its index, if the list is long enough.
    pub fn set(&mut self, rows: Vec<T>) {
        self.selected = self.selected.min(rows.len().saturating_sub(1));
        self.rows = Some(rows);
    }

    /// Moves the selection, stopping at both ends.
    pub fn select(&mut self, by: isize) {
        let last = self.rows.as_ref().map_or(0, |rows| rows.len().saturating_sub(1));
        self.selected = self.selected.saturating_add_signed(by).min(last);
    }

    /// Draws the list as a table in `inside`, and its position on `frame`. Returns the area of the rows; none until they are
    /// read.
    pub fn draw(
        &mut self,
        (frame, inside): (Rect, Rect),
        columns: &[Column],
        buf: &mut Buffer,
        theme: &Theme,
        cells: impl Fn(&T) -> Vec<(String, Style)>,
    ) -> Option<Rect> {
        let rows = self.rows.as_ref()?;
        let (head, area) = draw::top(inside, 1);
        let shown = usize::from(area.height);
        self.top = draw::in_sight(self.top, self.selected, shown, rows.len());
        draw::on_frame(buf, frame, true, 0, &draw::position(self.top, shown, rows.len()), theme);
        let table = Table::new(columns, area.width);
        table.head(buf, head, theme);
        for ((place, row), line) in rows.iter().enumerate().skip(self.top).zip(area.rows()) {
            table.row(buf, line, &cells(row), place == self.selected, theme);
        }
        Some(area)
    }
}
