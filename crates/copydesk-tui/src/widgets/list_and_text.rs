//! A list with a selected row; and a list with the text of its selected entry below it. The keys go to one of the two.

use ratatui::prelude::{Buffer, Rect, Style};

use crate::widgets::{Column, Page, Sheet, Table, Theme, draw, words};

/// Height from which the list stays above an open text.
const WITH_LIST_FROM: u16 = 24;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ListStage {
    #[default]
    List,
    Text,
}

#[derive(Debug, Clone, Default)]
pub struct ListAndText {
    pub selected: usize,
    pub top: usize,
    pub stage: ListStage,
    pub page: Page,
}

impl ListAndText {
    /// Moves the selection in a list of `count` entries; returns whether it moved.
    pub fn select(&mut self, by: isize, count: usize) -> bool {
        let before = self.selected;
        self.selected = before.saturating_add_signed(by).min(count.saturating_sub(1));
        self.selected != before
    }

    /// Switches between list and text; an empty list keeps the keys.
    pub fn turn(&mut self, count: usize) {
        self.stage = match self.stage {
            ListStage::List if count > 0 => ListStage::Text,
            ListStage::List | ListStage::Text => ListStage::List,
        };
    }

    /// Left to the list, right to the text.
    pub fn sideways(&mut self, by: isize, count: usize) {
        if (self.stage == ListStage::List) == (by > 0) {
            self.turn(count);
        }
    }

    /// The text, if it has the keys.
    pub fn read_page(&mut self) -> Option<&mut Page> {
        (self.stage == ListStage::Text).then_some(&mut self.page)
    }

    /// Replaces the text; the scroll position stays.
    pub(crate) fn set_text(&mut self, sheet: Sheet) {
        let (text, marks) = sheet.into_parts();
        self.page.replace_text(text.into());
        self.page.mark(marks);
    }

    /// Draws the list, and the text below it, in the inner part of an area. Returns the area of the list's rows.
    #[expect(clippy::too_many_arguments, reason = "a list, where it is drawn, and how")]
    pub fn view<const N: usize>(
        &mut self,
        title: &str,
        count: usize,
        columns: &[Column],
        cells: impl Fn(usize, &Table<'_>) -> Option<[(String, Style); N]>,
        (area, inner): (Rect, Rect),
        buf: &mut Buffer,
        theme: &Theme,
    ) -> Rect {
        // In a low window an open text needs the rows of the list.
        let rows = match u16::try_from(count.saturating_add(1)) {
            _ if count == 0 || self.stage == ListStage::Text && inner.height < WITH_LIST_FROM => 0,
            wanted => wanted.unwrap_or(u16::MAX).min((inner.height * 2 / 5).max(3)),
        };
        let (at_list, below) = draw::top(inner, rows);
        let (head, rows) = draw::top(at_list, 1);
        let room = usize::from(rows.height);
        self.top = draw::in_sight(self.top, self.selected, room, count);
        let table = Table::new(columns, at_list.width);
        table.head(buf, head, theme);
        for (place, row) in (self.top..count).zip(rows.rows()) {
            if let Some(cells) = cells(place, &table) {
                table.row(buf, row, &cells, place == self.selected, theme);
            }
        }
        let position = if room == 0 { String::new() } else { draw::position(self.top, room, count) };
        let at_text = draw::rule(buf, below, title, theme, self.stage == ListStage::Text);
        self.page.view(at_text, buf, theme);
        draw::on_frame(buf, area, true, 0, &words::dotted([&*position, &draw::place_in(&self.page)]), theme);
        let rows = draw::below(inner, 1);
        Rect { height: below.y.saturating_sub(rows.y), ..rows }
    }
}

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
