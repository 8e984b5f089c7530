//! A comparison laid out for a width: made once, drawn often.

use ratatui::prelude::Style;

use crate::widgets::diff::wrap::wrap;
use crate::widgets::{DiffState, Finder, Fragment, Jumps, Layout, SIDE_BY_SIDE_FROM, Theme, ThemeName};
use copydesk_core::editorial::changes::{ComparedParagraph, Comparison, Segment};
use copydesk_text::{alignment::RowKind, diff::DiffPiece, in_marks, sanitise};

/// A laid-out comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiffPage {
    /// Where the changes are.
    pub jumps: Jumps,
    pub(crate) lines: Vec<PageLine>,
    pub(crate) layout: Layout,
    width: u16,
    query: Option<String>,
    theme: ThemeName,
}

/// One line: of the one column, or of the two.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct PageLine {
    pub left: Vec<Fragment>,
    pub right: Vec<Fragment>,
    /// The changes that begin here.
    pub begins: Vec<usize>,
}

/// Columns for the marks beside the text.
pub(crate) fn gutter(width: u16) -> u16 {
    if width < 40 { 4 } else { 7 }
}

/// Columns between two drafts, the rule among them.
pub(crate) const BETWEEN: u16 = 3;

/// Columns of each text.
pub(crate) fn text_width(layout: Layout, width: u16) -> u16 {
    let room = width.saturating_sub(gutter(width));
    match layout {
        Layout::Inline => room,
        Layout::SideBySide => room.saturating_sub(BETWEEN) / 2,
    }
}

impl DiffPage {
    /// Lays a comparison out in `width` columns, as `state` asks for it.
    pub fn new(comparison: &Comparison, state: &DiffState, width: u16, theme: &Theme) -> Self {
        let layout = state.layout_at(width);
        let columns = text_width(layout, width);
        let query = state.search.as_ref().map(|search| search.query.clone());
        let unfolded = query.is_some();
        let mut setter = Setter {
            layout,
            columns,
            theme,
            finder: Finder::new(query.as_deref().unwrap_or_default()),
            lines: Vec::new(),
            first_lines: vec![None; comparison.changes.len()],
            hits: Vec::new(),
        };
        let mut rest = comparison.paragraphs.as_slice();
        let mut unchanged = Vec::new();
        while let Some(first) = rest.first() {
            let length = rest.iter().take_while(|paragraph| paragraph.field == first.field).count();
            let field = rest.get(..length).unwrap_or_default();
            rest = rest.get(length..).unwrap_or_default();
            if unfolded || field.iter().any(|paragraph| paragraph.kind != RowKind::Same) {
                setter.unchanged(&mut unchanged);
                setter.field(field, comparison, unfolded);
            } else {
                unchanged.push(name(first.field));
            }
        }
        setter.unchanged(&mut unchanged);
        let Setter { mut lines, first_lines, hits, .. } = setter;
        while lines.last().is_some_and(|line| line.left.is_empty() && line.right.is_empty()) {
            lines.pop();
        }
        let first_lines = first_lines.into_iter().map(Option::unwrap_or_default).collect();
        let hits = hits.into_iter().map(Option::unwrap_or_default).collect();
        let jumps = Jumps { first_lines, hits, lines: lines.len() };
        Self { jumps, lines, layout, width, query, theme: theme.name }
    }

    /// Whether there was no room for two drafts beside each other.
    pub fn is_narrow(&self) -> bool {
        self.width < SIDE_BY_SIDE_FROM
    }

    /// Laid out as this one, for another `state`.
    pub fn again(&self, comparison: &Comparison, state: &DiffState) -> Self {
        Self::new(comparison, state, self.width, &Theme::named(self.theme))
    }

    /// Whether the page is still what `state` asks for in a pane of that width.
    pub fn fits(&self, state: &DiffState, width: u16, theme: &Theme) -> bool {
        let query = state.search.as_ref().map(|search| &search.query);
        (self.layout, self.width, self.query.as_ref(), self.theme) == (state.layout_at(width), width, query, theme.name)
    }
}

/// Most characters that remind of a paragraph that was moved away.
const LONGEST_REMINDER: usize = 40;

/// A page being made.
struct Setter<'t> {
    layout: Layout,
    columns: u16,
    theme: &'t Theme,
    finder: Finder,
    lines: Vec<PageLine>,
    first_lines: Vec<Option<usize>>,
    /// The line of each hit, as far as it is laid out.
    hits: Vec<Option<usize>>,
}

/// A field's name as a newsroom says it.
fn name(field: &str) -> &'static str {
    match field {
        "headline" => "Headline",
        "alternativeHeadline" => "Alternative headline",
        "description" => "Description",
        _ => "Text",
    }
}

/// Words that are of no change.
fn plain(text: &str, style: Style) -> Fragment {
    Fragment { text: text.to_owned(), style, change: None, hit: None }
}

/// Which draft's words a column shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Column {
    Old,
    New,
    Both,
}

impl Setter<'_> {
    /// Names fields in which nothing changed, all in one line.
    fn unchanged(&mut self, fields: &mut Vec<&'static str>) {
        if fields.is_empty() {
            return;
        }
        let mut fragments = Vec::new();
        for field in fields.drain(..) {
            if !fragments.is_empty() {
                fragments.push(plain(", ", self.theme.dim));
            }
            fragments.push(plain(field, self.theme.heading));
        }
        fragments.push(plain(" · unchanged", self.theme.dim));
        self.push(&fragments, &[]);
        self.blank();
    }

    fn field(&mut self, paragraphs: &[ComparedParagraph], comparison: &Comparison, unfolded: bool) {
        let Some(first) = paragraphs.first() else { return };
        self.push(&[plain(name(first.field), self.theme.heading)], &[]);
        let mut at = 0;
        for fold in folds(paragraphs, unfolded) {
            for paragraph in paragraphs.get(at..fold.start).unwrap_or_default() {
                self.paragraph(paragraph, comparison);
            }
            if !fold.is_empty() {
                self.push(&[plain(&format!("… {} paragraphs unchanged …", fold.len()), self.theme.dim)], &[]);
                self.blank();
            }
            at = fold.end;
        }
    }

    fn paragraph(&mut self, paragraph: &ComparedParagraph, comparison: &Comparison) {
        if let Some(change) = paragraph.moved {
            let note = if paragraph.kind == RowKind::MovedAway {
                let words =
                    comparison.changes.get(change).and_then(|change| change.pieces.first()).map(DiffPiece::text);
                format!(
                    "¶ moved away from here: {}",
                    in_marks(&sanitise::excerpt(words.unwrap_or_default(), LONGEST_REMINDER))
                )
            } else {
                "¶ moved here:".to_owned()
            };
            self.push(&[Fragment { text: note, style: self.theme.accent, change: Some(change), hit: None }], &[]);
        }
        let column = |column| -> Vec<Fragment> {
            let mut found: Vec<Fragment> = Vec::new();
            for segment in &paragraph.segments {
                let next = fragments(segment, column, self.theme);
                // Without marks, what went and what came must not grow together to one word.
                if self.theme.name != ThemeName::Monochrome
                    && found.last().is_some_and(|last| last.change.is_some())
                    && next.first().is_some_and(|first| first.change.is_some())
                {
                    found.push(plain(" ", self.theme.text));
                }
                found.extend(next);
            }
            found
        };
        let (mut left, mut right) = match self.layout {
            Layout::Inline => (column(Column::Both), Vec::new()),
            Layout::SideBySide => (column(Column::Old), column(Column::New)),
        };
        // Words that both drafts have are one hit, not two.
        if right.is_empty() || paragraph.kind != RowKind::Same {
            left = self.found_in(left);
        }
        right = self.found_in(right);
        self.push(&left, &right);
        self.blank();
    }

    /// The fragments with the words marked that are looked for.
    fn found_in(&mut self, fragments: Vec<Fragment>) -> Vec<Fragment> {
        let text: String = fragments.iter().map(|fragment| fragment.text.as_str()).collect();
        let ranges = self.finder.find(&text);
        if ranges.is_empty() {
            return fragments;
        }
        let first = self.hits.len();
        self.hits.resize(first + ranges.len(), None);
        let mut found = Vec::new();
        let mut start = 0;
        for fragment in fragments {
            let end = start + fragment.text.len();
            let mut at = start;
            for (range, hit) in ranges.iter().zip(first..).filter(|(range, _)| range.start < end && range.end > start) {
                let (from, to) = (range.start.max(start), range.end.min(end));
                found.extend(fragment.part(at - start..from - start));
                let hit = |part| Fragment { hit: Some(hit), ..part };
                found.extend(fragment.part(from - start..to - start).map(hit));
                at = to;
            }
            found.extend(fragment.part(at - start..end - start));
            start = end;
        }
        found
    }

    /// Adds text as lines, and notes which changes and hits begin on them.
    fn push(&mut self, left: &[Fragment], right: &[Fragment]) {
        let (mut left, mut right) = (wrap(left, self.columns).into_iter(), wrap(right, self.columns).into_iter());
        loop {
            let line = match (left.next(), right.next()) {
                (None, None) => return,
                (left, right) => (left.unwrap_or_default(), right.unwrap_or_default()),
            };
            let mut begins = Vec::new();
            for change in line.0.iter().chain(&line.1).filter_map(|fragment| fragment.change) {
                if let Some(slot @ None) = self.first_lines.get_mut(change) {
                    *slot = Some(self.lines.len());
                    begins.push(change);
                }
            }
            for hit in line.0.iter().chain(&line.1).filter_map(|fragment| fragment.hit) {
                if let Some(slot @ None) = self.hits.get_mut(hit) {
                    *slot = Some(self.lines.len());
                }
            }
            self.lines.push(PageLine { left: line.0, right: line.1, begins });
        }
    }

    fn blank(&mut self) {
        self.lines.push(PageLine::default());
    }
}

/// The stretches of unchanged paragraphs that are not shown, and an empty one at the end. A paragraph beside a changed one stays.
fn folds(paragraphs: &[ComparedParagraph], unfolded: bool) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let same = |index: usize| paragraphs.get(index).is_some_and(|paragraph| paragraph.kind == RowKind::Same);
    while start < paragraphs.len() && !unfolded {
        let length = (start..paragraphs.len()).take_while(|index| same(*index)).count();
        let end = start + length;
        let hidden = start + usize::from(start > 0)..end - usize::from(end < paragraphs.len() && length > 0);
        if hidden.len() >= FEWEST_FOLDED {
            found.push(hidden);
        }
        start = end + 1;
    }
    found.push(paragraphs.len()..paragraphs.len());
    found
}

/// Fewest paragraphs that are worth a fold.
const FEWEST_FOLDED: usize = 2;

/// A segment as a column shows it. The space around changed words is neither struck through nor underlined.
fn fragments(segment: &Segment, column: Column, theme: &Theme) -> Vec<Fragment> {
    let (style, marks) = match (&segment.piece, column) {
        (DiffPiece::Added(_), Column::Old) | (DiffPiece::Removed(_), Column::New) => return Vec::new(),
        (DiffPiece::Same(_), _) => (theme.text, ("", "")),
        (DiffPiece::Removed(_), _) => (theme.removed, ("[-", "-]")),
        (DiffPiece::Added(_), _) => (theme.added, ("{+", "+}")),
    };
    let text = sanitise::clean(segment.piece.text());
    let inner = text.trim();
    let change = if matches!(segment.piece, DiffPiece::Same(_)) { None } else { segment.change };
    if change.is_none() || inner.is_empty() {
        return vec![Fragment { text: text.into_owned(), style, change, hit: None }];
    }
    let (open, close) = if theme.name == ThemeName::Monochrome { marks } else { ("", "") };
    let (before, after) = (text.len() - text.trim_start().len(), text.trim_end().len());
    let mut found = vec![
        plain(text.get(..before).unwrap_or_default(), theme.text),
        Fragment { text: format!("{open}{inner}{close}"), style, change, hit: None },
        plain(text.get(after..).unwrap_or_default(), theme.text),
    ];
    found.retain(|fragment| !fragment.text.is_empty());
    found
}
