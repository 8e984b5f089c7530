//! A list with a selected row.

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
    #[must_use]
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
}
