//! A long text on the screen: wrapped to a width, scrolled, searched, shown at a given place.
//!
//! A page of a megabyte must cost no more than one of a kilobyte. So lines are found once a text (`stretches`), and only
//! those that are shown are wrapped (`rows`). The place is a byte of the text, no
//! line's number, so that it stays the same at every width. Plain data and drawing; no clock, no keys.

use std::{cell::Cell, ops::Range, sync::Arc};

use ratatui::prelude::{Buffer, Rect};
use regex::{Regex, RegexBuilder};
use unicode_segmentation::UnicodeSegmentation;

use crate::widgets::{Mark, PageRow, PageRows, TextRole, Theme, ring, wrap};

/// Longest query in characters; a pasted megabyte is no query.
const LONGEST_QUERY: usize = 500;

/// Furthest that one step scrolls, in rows. Home and end go further at no cost.
const FURTHEST: usize = 2_000;

/// A text on the screen that is scrolled and searched, of any kind.
pub trait ScrolledText {
    /// Scrolls by rows: down if positive, up if negative.
    fn scroll_by(&mut self, rows: isize);

    /// Rows of a page, less one that stays for the eye.
    fn page_rows(&self) -> isize;

    fn page_by(&mut self, pages: isize) {
        self.scroll_by(self.page_rows().saturating_mul(pages.signum()));
    }

    fn go_to_end(&mut self, last: bool) {
        self.scroll_by(if last { 1 << 40 } else { -(1 << 40) });
    }

    /// Searches for words, case aside, and goes to a hit. Returns the number of hits; a blank query finds nothing.
    fn search(&mut self, query: &str) -> usize;

    /// Ends the search; the place stays.
    fn end_search(&mut self);

    /// Goes to the next hit or the one before, around the end.
    fn go_to_hit(&mut self, next: bool);

    /// The number of the current hit, from 1, and the number of hits.
    fn hit(&self) -> Option<(usize, usize)>;

    /// The text to copy.
    fn selected(&self) -> Arc<str>;
}

/// A long text and the position of the view.
#[derive(Debug, Clone)]
pub struct Page {
    rows: PageRows,
    height: Cell<u16>,
    /// In order of their first byte.
    marks: Vec<Mark>,
    /// Length of the longest mark, which bounds where one that touches a place can begin.
    longest_mark: usize,
    hits: Vec<Range<usize>>,
    current: Option<usize>,
    place: Place,
}

/// The position of the view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// The row of this byte is the first one.
    Top(usize),
    /// The row of this byte stands a third down the page.
    Around(usize),
    /// The last row is the last one; stays so when text is added.
    End,
}

impl Default for Page {
    fn default() -> Self {
        Self::new(Arc::from(""))
    }
}

impl Page {
    /// `text`, looked at from its beginning. Expects text that is cleaned (`text::sanitise`).
    pub fn new(text: Arc<str>) -> Self {
        Self {
            rows: PageRows::new(text, 80),
            height: Cell::new(24),
            marks: Vec::new(),
            longest_mark: 0,
            hits: Vec::new(),
            current: None,
            place: Place::Top(0),
        }
    }

    /// The text.
    pub fn text(&self) -> &Arc<str> {
        self.rows.text()
    }

    /// Replaces the text, for example by a longer version of it. The position stays; marks and search go.
    pub fn replace_text(&mut self, text: Arc<str>) {
        self.rows = PageRows::new(text, self.rows.width());
        self.marks.clear();
        self.hits.clear();
        self.current = None;
    }

    /// Marks these stretches, in place of those marked before.
    pub fn mark(&mut self, mut marks: Vec<Mark>) {
        marks.retain(|mark| mark.range.start < mark.range.end);
        marks.sort_by_key(|mark| (mark.range.start, mark.range.end, mark.role));
        self.longest_mark = marks.iter().map(|mark| mark.range.len()).max().unwrap_or(0);
        self.marks = marks;
    }

    /// Brings the beginning of `range` a third down the page.
    pub fn show(&mut self, range: &Range<usize>) {
        self.place = Place::Around(range.start.min(self.text().len()));
    }

    /// Takes the size of the pane. Drawing does it, too; the place in the text stays.
    pub fn resize(&self, width: u16, height: u16) {
        self.rows.set_width(width.max(1));
        self.height.set(height);
    }

    /// Goes to the beginning.
    pub fn home(&mut self) {
        self.place = Place::Top(0);
    }

    /// Goes to the end, and stays there when text is added.
    pub fn end(&mut self) {
        self.place = Place::End;
    }

    /// Whether the last row is shown.
    pub fn at_end(&self) -> bool {
        let height = usize::from(self.height.get());
        self.rows.down(self.top(), height).1 < height
    }

    /// The position in percent: 0 at the start, 100 when the last row is in sight.
    pub fn position(&self) -> u8 {
        if self.at_end() {
            return 100;
        }
        let top = self.rows.first_byte(self.top());
        u8::try_from(top.saturating_mul(100) / self.text().len().max(1)).unwrap_or(100).min(99)
    }

    /// The bytes that are shown.
    pub fn shown(&self) -> Range<usize> {
        let height = usize::from(self.height.get());
        let top = self.top();
        let (last, _) = self.rows.down(top, height.saturating_sub(1));
        self.rows.first_byte(top)..self.rows.bytes(last).end
    }

    fn go_to(&mut self, hit: usize) {
        self.current = (hit < self.hits.len()).then_some(hit);
        let Some(hit) = self.hits.get(hit).cloned() else { return };
        let shown = self.shown();
        if hit.start < shown.start || hit.end > shown.end {
            self.show(&hit);
        }
    }

    /// Draws the page into `area`.
    pub fn view(&self, area: Rect, buf: &mut Buffer, theme: &Theme) {
        let area = area.intersection(buf.area);
        self.resize(area.width, area.height);
        if area.is_empty() {
            return;
        }
        let mut row = self.top();
        for y in area.top()..area.bottom() {
            self.draw(row, Rect { y, height: 1, ..area }, buf, theme);
            match self.rows.down(row, 1) {
                (next, 1) => row = next,
                _ => break,
            }
        }
    }

    fn draw(&self, row: PageRow, line: Rect, buf: &mut Buffer, theme: &Theme) {
        let bytes = self.rows.bytes(row);
        let text = self.text().get(bytes.clone()).unwrap_or_default();
        let marks = self.marks_in(&bytes);
        let (mut x, mut column, mut run, mut role) = (line.x, 0u16, String::new(), TextRole::Text);
        for (at, grapheme) in text.grapheme_indices(true) {
            let (start, end) = (bytes.start + at, bytes.start + at + grapheme.len());
            let own = marks.iter().filter(|mark| mark.touches(start, end)).map(|mark| mark.role).max();
            let own = own.unwrap_or(TextRole::Text);
            if own != role {
                let room = usize::from(line.right().saturating_sub(x));
                (x, _) = buf.set_stringn(x, line.y, &run, room, role.style(theme));
                run.clear();
                role = own;
            }
            column = column.saturating_add(wrap::draw(grapheme, column, line.width, &mut run));
        }
        let room = usize::from(line.right().saturating_sub(x));
        buf.set_stringn(x, line.y, &run, room, role.style(theme));
    }

    /// The marks and hits that touch `bytes`.
    fn marks_in(&self, bytes: &Range<usize>) -> Vec<Mark> {
        let first = bytes.start.saturating_sub(self.longest_mark);
        let from = self.marks.partition_point(|mark| mark.range.start < first);
        let to = self.marks.partition_point(|mark| mark.range.start < bytes.end);
        let near = self.marks.get(from..to).unwrap_or_default();
        let mut marks: Vec<Mark> = near.iter().filter(|mark| mark.touches(bytes.start, bytes.end)).cloned().collect();
        // Hits never overlap, so both their ends are in order.
        let from = self.hits.partition_point(|hit| hit.end <= bytes.start);
        let near = self.hits.iter().enumerate().skip(from).take_while(|(_, hit)| hit.start < bytes.end);
        marks.extend(near.map(|(index, hit)| {
            let role = if self.current == Some(index) { TextRole::CurrentHit } else { TextRole::Hit };
            Mark::new(hit.clone(), role)
        }));
        marks
    }

    /// The first row that is shown.
    fn top(&self) -> PageRow {
        let height = usize::from(self.height.get().max(1));
        let wanted = match self.place {
            Place::Top(byte) => self.rows.row_of(byte),
            Place::Around(byte) => self.rows.up(self.rows.row_of(byte), height / 3).0,
            Place::End => self.rows.row_of(self.text().len()),
        };
        let (_, below) = self.rows.down(wanted, height - 1);
        self.rows.up(wanted, height - 1 - below).0
    }
}

impl ScrolledText for Page {
    fn scroll_by(&mut self, rows: isize) {
        let count = rows.unsigned_abs().min(FURTHEST);
        let top = self.top();
        let to = if rows < 0 { self.rows.up(top, count).0 } else { self.rows.down(top, count).0 };
        self.place = Place::Top(self.rows.first_byte(to));
        // Not past the last page, or the way back up would begin with steps that show nothing.
        self.place = Place::Top(self.rows.first_byte(self.top()));
    }

    fn page_rows(&self) -> isize {
        isize::try_from(self.height.get().saturating_sub(1).max(1)).unwrap_or(1)
    }

    fn go_to_end(&mut self, last: bool) {
        if last { self.end() } else { self.home() }
    }

    /// All hits are marked; the first one at or behind the top of the page is gone to.
    fn search(&mut self, query: &str) -> usize {
        self.hits = find(self.text(), query);
        let top = self.rows.first_byte(self.top());
        let next = self.hits.partition_point(|hit| hit.start < top);
        self.go_to(if next < self.hits.len() { next } else { 0 });
        self.hits.len()
    }

    fn end_search(&mut self) {
        self.hits.clear();
        self.current = None;
    }

    fn go_to_hit(&mut self, next: bool) {
        self.go_to(match self.current {
            None if next => 0,
            current => ring::step(current.unwrap_or(0), if next { 1 } else { -1 }, self.hits.len()),
        });
    }

    fn hit(&self) -> Option<(usize, usize)> {
        self.current.map(|current| (current + 1, self.hits.len()))
    }

    /// The current hit, else the first paragraph in sight.
    fn selected(&self) -> Arc<str> {
        let hit = self.current.and_then(|current| self.hits.get(current));
        if let Some(found) = hit.and_then(|hit| self.text().get(hit.clone())) {
            return found.into();
        }
        let shown = self.shown();
        let rest = self.text().get(shown.start..).unwrap_or_default();
        let from = shown.start + (rest.len() - rest.trim_start().len());
        let before = self.text().get(..from).unwrap_or_default();
        let start = before.rfind('\n').map_or(0, |feed| feed + 1);
        let line = self.text().get(start..).unwrap_or_default();
        line.split('\n').next().unwrap_or_default().into()
    }
}

/// The places of `query` in `text`, in order and without overlaps. Case does not count, and all white space is equal.
pub(crate) fn find(text: &str, query: &str) -> Vec<Range<usize>> {
    Finder::new(query).find(text)
}

/// Words that are looked for in one text after another.
pub struct Finder(Option<Regex>);

impl Finder {
    /// Looks for `query`.
    pub fn new(query: &str) -> Self {
        let query: String = query.chars().take(LONGEST_QUERY).collect();
        let words: Vec<String> = query.split_whitespace().map(regex::escape).collect();
        // A query that no pattern can be made of stands nowhere; an escaped one of this length always can.
        let pattern = || RegexBuilder::new(&words.join(r"\s+")).case_insensitive(true).build().ok();
        Self((!words.is_empty()).then(pattern).flatten())
    }

    /// As [`find`].
    pub(crate) fn find(&self, text: &str) -> Vec<Range<usize>> {
        self.0.iter().flat_map(|pattern| pattern.find_iter(text)).map(|hit| hit.range()).collect()
    }
}

#[cfg(test)]
mod tests;
