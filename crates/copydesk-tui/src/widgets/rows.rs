//! The rows of a long text at a width. Only requested rows are wrapped; they are cached until the width changes.
//!
//! The cache does not change results, so reading needs no `&mut`.

use std::{cell::RefCell, collections::HashMap, ops::Range, sync::Arc};

use crate::widgets::{stretches, wrap};

/// Most stretches whose rows are kept.
const KEPT: usize = 512;

/// A text and its rows.
#[derive(Debug, Clone)]
pub(crate) struct PageRows {
    text: Arc<str>,
    starts: Arc<[usize]>,
    kept: RefCell<WrappedRows>,
}

#[derive(Debug, Clone)]
struct WrappedRows {
    width: u16,
    rows: HashMap<usize, Arc<[usize]>>,
    /// Bytes wrapped so far.
    #[cfg(test)]
    wrapped: usize,
}

/// A row: its stretch, and which of the stretch's rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PageRow {
    stretch: usize,
    row: usize,
}

impl PageRows {
    pub fn new(text: Arc<str>, width: u16) -> Self {
        let starts = stretches::starts(&text).into();
        let kept = WrappedRows {
            width,
            rows: HashMap::new(),
            #[cfg(test)]
            wrapped: 0,
        };
        Self { text, starts, kept: RefCell::new(kept) }
    }

    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    pub fn width(&self) -> u16 {
        self.kept.borrow().width
    }

    pub fn set_width(&self, width: u16) {
        let mut kept = self.kept.borrow_mut();
        if kept.width != width {
            kept.width = width;
            kept.rows.clear();
        }
    }

    /// Bytes wrapped since the text was taken: the measure of the work.
    #[cfg(test)]
    pub fn wrapped(&self) -> usize {
        self.kept.borrow().wrapped
    }

    /// The row that holds a byte, the last one for any behind the text.
    pub fn row_of(&self, byte: usize) -> PageRow {
        let stretch = self.starts.partition_point(|start| *start <= byte).saturating_sub(1);
        let rows = self.rows(stretch);
        PageRow { stretch, row: rows.partition_point(|start| *start <= byte).saturating_sub(1) }
    }

    /// The row `count` rows below, or the last one, and how far down it is.
    pub fn down(&self, from: PageRow, count: usize) -> (PageRow, usize) {
        let (mut at, mut done) = (from, 0);
        while done < count {
            let last = self.rows(at.stretch).len().saturating_sub(1);
            let step = last.saturating_sub(at.row).min(count - done);
            at.row += step;
            done += step;
            if done == count || at.stretch + 1 >= self.starts.len() {
                break;
            }
            at = PageRow { stretch: at.stretch + 1, row: 0 };
            done += 1;
        }
        (at, done)
    }

    /// The row `count` rows above, or the first one, and how far up it is.
    pub fn up(&self, from: PageRow, count: usize) -> (PageRow, usize) {
        let (mut at, mut done) = (from, 0);
        while done < count {
            let step = at.row.min(count - done);
            at.row -= step;
            done += step;
            if done == count || at.stretch == 0 {
                break;
            }
            let stretch = at.stretch - 1;
            at = PageRow { stretch, row: self.rows(stretch).len().saturating_sub(1) };
            done += 1;
        }
        (at, done)
    }

    pub fn first_byte(&self, row: PageRow) -> usize {
        self.bytes(row).start
    }

    /// The bytes of a row.
    pub fn bytes(&self, row: PageRow) -> Range<usize> {
        let rows = self.rows(row.stretch);
        let start = rows.get(row.row).copied().unwrap_or(self.text.len());
        let end = rows.get(row.row + 1).copied().unwrap_or_else(|| self.stretch(row.stretch).end);
        start..end.max(start)
    }

    /// The bytes of a stretch, without the line feed that ends it.
    fn stretch(&self, stretch: usize) -> Range<usize> {
        let start = self.starts.get(stretch).copied().unwrap_or(self.text.len());
        let end = self.starts.get(stretch + 1).copied().unwrap_or(self.text.len());
        let text = self.text.get(start..end).unwrap_or_default();
        start..start + text.strip_suffix('\n').unwrap_or(text).len()
    }

    /// The first byte of each row of a stretch; at least one.
    fn rows(&self, stretch: usize) -> Arc<[usize]> {
        let mut kept = self.kept.borrow_mut();
        if let Some(rows) = kept.rows.get(&stretch) {
            return Arc::clone(rows);
        }
        let bytes = self.stretch(stretch);
        let text = self.text.get(bytes.clone()).unwrap_or_default();
        let rows: Arc<[usize]> = wrap::rows(text, kept.width).into_iter().map(|row| bytes.start + row.start).collect();
        #[cfg(test)]
        {
            kept.wrapped += text.len();
        }
        if kept.rows.len() >= KEPT {
            kept.rows.clear();
        }
        kept.rows.insert(stretch, Arc::clone(&rows));
        rows
    }
}
