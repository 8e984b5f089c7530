//! Tables: which columns fit, and their widths. Ratatui's `Layout` cannot leave out the least important columns.

use ratatui::prelude::{Buffer, Line, Rect, Span, Style};

use crate::widgets::{Theme, draw, words};

/// Between two columns.
const GAP: u16 = 2;

/// A column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// The heading.
    pub head: &'static str,
    /// The least that it can be read in.
    pub least: u16,
    /// The most that it can use.
    pub most: u16,
    /// 0 stays always; of the others the highest goes first.
    pub rank: u8,
    /// Whether it is set to the right, as numbers are.
    pub right: bool,
    /// Whether its end is shown if it is cut, as of a path.
    pub shows_end: bool,
}

impl Column {
    /// A column of text.
    pub fn text(head: &'static str, least: u16, most: u16, rank: u8) -> Self {
        Self { head, least, most: most.max(least), rank, right: false, shows_end: false }
    }

    /// A column of paths or addresses.
    pub fn path(head: &'static str, least: u16, most: u16, rank: u8) -> Self {
        Self { shows_end: true, ..Self::text(head, least, most, rank) }
    }

    /// A column of numbers.
    pub fn number(head: &'static str, width: u16, rank: u8) -> Self {
        Self { head, least: width, most: width, rank, right: true, shows_end: false }
    }
}

/// The width of each column; `None` if it is left out.
fn widths(columns: &[Column], room: u16) -> Vec<Option<u16>> {
    let needed = |widths: &[Option<u16>]| -> u16 {
        widths.iter().flatten().map(|width| width + GAP).fold(0, u16::saturating_add).saturating_sub(GAP)
    };
    let mut order: Vec<(usize, u8)> = columns.iter().map(|column| column.rank).enumerate().collect();
    order.sort_by_key(|(_, rank)| *rank);
    let mut widths: Vec<Option<u16>> = columns.iter().map(|column| Some(column.least)).collect();
    for (place, rank) in order.iter().rev() {
        if *rank == 0 || needed(&widths) <= room {
            break;
        }
        if let Some(width) = widths.get_mut(*place) {
            *width = None;
        }
    }
    let mut spare = room.saturating_sub(needed(&widths));
    for (place, _) in order {
        if let (Some(Some(width)), Some(column)) = (widths.get_mut(place), columns.get(place)) {
            let more = spare.min(column.most.saturating_sub(column.least));
            *width += more;
            spare -= more;
        }
    }
    widths
}

/// The mark of the selected row stands left of the first column.
const MARK: u16 = 2;

/// A table whose columns are laid out for a width.
pub struct Table<'c> {
    columns: &'c [Column],
    widths: Vec<Option<u16>>,
}

impl<'c> Table<'c> {
    /// The columns in rows of `width`: a column stays free at the right.
    pub fn new(columns: &'c [Column], width: u16) -> Self {
        Self { columns, widths: widths(columns, width.saturating_sub(MARK + 1)) }
    }

    /// The width of a column; `None` if it is left out.
    pub fn width(&self, column: usize) -> Option<u16> {
        self.widths.get(column).copied().flatten()
    }

    /// The line above the rows.
    pub fn head(&self, buf: &mut Buffer, row: Rect, theme: &Theme) {
        let cells: Vec<(String, Style)> =
            self.columns.iter().map(|column| (column.head.to_owned(), theme.dim)).collect();
        self.cells(buf, draw::indented(row, MARK), &cells);
    }

    /// One row: a text and its style for each column, those that are left out too.
    pub fn row(&self, buf: &mut Buffer, row: Rect, cells: &[(String, Style)], selected: bool, theme: &Theme) {
        self.cells(buf, draw::indented(row, MARK), cells);
        if selected {
            draw::put(buf, row, "›");
            buf.set_style(row.intersection(buf.area), theme.row());
        }
    }

    fn cells(&self, buf: &mut Buffer, row: Rect, cells: &[(String, Style)]) {
        let mut left = row;
        for ((column, width), (text, style)) in self.columns.iter().zip(&self.widths).zip(cells) {
            let Some(width) = width else { continue };
            let room = usize::from((*width).min(left.width));
            let text = if column.shows_end { words::fit_end(text, room) } else { text.clone() };
            draw::put(buf, left, Line::from(Span::styled(words::padded(&text, room, column.right), *style)));
            left = draw::indented(left, width.saturating_add(GAP));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_go_by_rank_and_grow_by_rank() {
        let columns = [
            Column::text("State", 10, 10, 0),
            Column::text("Story", 10, 30, 0),
            Column::number("Tokens", 6, 2),
            Column::text("Title", 10, 20, 1),
        ];
        assert_eq!(widths(&columns, 100), [Some(10), Some(30), Some(6), Some(20)]);
        assert_eq!(widths(&columns, 50), [Some(10), Some(18), Some(6), Some(10)]);
        assert_eq!(widths(&columns, 34), [Some(10), Some(10), None, Some(10)]);
        assert_eq!(widths(&columns, 33), [Some(10), Some(21), None, None]);
        assert_eq!(widths(&columns, 3), [Some(10), Some(10), None, None], "what stays is cut, not dropped");
    }
}
