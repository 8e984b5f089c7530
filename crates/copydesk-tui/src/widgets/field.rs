//! One field of a form: a line, a text that wraps softly, or a choice.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use tui_textarea::{CursorMove, TextArea, WrapMode};

use crate::widgets::prose::place_of;
use crate::widgets::ring;
use crate::widgets::words::width;

/// Types into a line that has its cursor at the end.
pub(crate) fn type_into(line: &mut String, event: KeyEvent) {
    match event.code {
        KeyCode::Char(c) if !event.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) => line.push(c),
        KeyCode::Backspace => {
            line.pop();
        }
        _ => {}
    }
}

/// Columns for a label and its hint in a window of 60.
const ROOM: usize = 52;

pub enum Input {
    Line(TextArea<'static>),
    Text(TextArea<'static>),
    /// One of a list.
    Choice(Options),
}

/// A list with one chosen entry.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    pub texts: Vec<String>,
    pub chosen: usize,
}

impl Options {
    /// The entry before or after, wrapping around.
    pub fn turn(&mut self, by: isize) {
        self.chosen = ring::step(self.chosen, by.signum(), self.texts.len());
    }
}

pub struct Field {
    pub label: &'static str,
    /// Says what belongs there.
    pub hint: &'static str,
    pub input: Input,
}

impl Field {
    /// The editor of its text; `None` for a choice.
    pub(crate) fn area(&mut self) -> Option<&mut TextArea<'static>> {
        match &mut self.input {
            Input::Line(area) | Input::Text(area) => Some(area),
            Input::Choice(_) => None,
        }
    }

    /// Replaces the field's text and sets the cursor to a byte of it. Cut text can still be pasted.
    pub(crate) fn rewrite(&mut self, text: &str, cursor: usize) {
        let Some(own) = self.area() else { return };
        let mut new = wrapping(text.split('\n').map(str::to_owned).collect());
        new.set_yank_text(own.yank_text());
        *own = new;
        self.go_to(cursor);
    }

    /// Moves the cursor to a byte of the text.
    pub(crate) fn go_to(&mut self, byte: usize) {
        if let Some(area) = self.area() {
            let (row, column) = place_of(area.lines(), byte);
            jump(area, (row, column));
        }
    }

    /// A form in the smallest window shows its hints whole.
    fn named(label: &'static str, hint: &'static str, input: Input) -> Self {
        debug_assert!(width(label) + width(hint) <= ROOM, "the hint is cut in a small window: {label}, {hint}");
        Self { label, hint, input }
    }

    /// A field of one line.
    pub fn line(label: impl Into<&'static str>, hint: &'static str, text: &str) -> Self {
        let mut area = area(text);
        // The cursor stands at the end of the proposed text.
        area.move_cursor(CursorMove::End);
        Self::named(label.into(), hint, Input::Line(area))
    }

    /// One of a list.
    pub fn choice(label: impl Into<&'static str>, hint: &'static str, texts: Vec<String>, chosen: usize) -> Self {
        Self::named(label.into(), hint, Input::Choice(Options { texts, chosen }))
    }

    /// As [`Field::line`], with the whole proposal selected: what is typed replaces it.
    pub fn proposed(label: impl Into<&'static str>, hint: &'static str, text: &str) -> Self {
        let mut area = area(text);
        area.select_all();
        Self::named(label.into(), hint, Input::Line(area))
    }

    /// A field of many lines.
    pub fn text(label: impl Into<&'static str>, hint: &'static str, text: &str) -> Self {
        Self::named(label.into(), hint, Input::Text(area(text)))
    }

    /// As [`Field::text`], with the cursor behind the text.
    pub fn text_at_end(label: impl Into<&'static str>, hint: &'static str, text: &str) -> Self {
        let mut area = area(text);
        area.move_cursor(CursorMove::Bottom);
        area.move_cursor(CursorMove::End);
        Self::named(label.into(), hint, Input::Text(area))
    }

    /// Its text, or the chosen entry.
    pub fn value(&self) -> String {
        match &self.input {
            Input::Line(area) | Input::Text(area) => area.lines().join("\n"),
            Input::Choice(options) => options.texts.get(options.chosen).cloned().unwrap_or_default(),
        }
    }
}

/// A text editor that wraps softly; undo, without end, and paste are its own.
fn area(text: &str) -> TextArea<'static> {
    wrapping(text.lines().map(str::to_owned).collect())
}

/// Moves the cursor to a line and a character of it, as far as the editor can count.
pub(crate) fn jump(area: &mut TextArea<'_>, (row, column): (usize, usize)) {
    let number = |at: usize| u16::try_from(at).unwrap_or(u16::MAX);
    area.move_cursor(CursorMove::Jump(number(row), number(column)));
}

/// Changes a text, and returns whether it did. If selected words went, as many rows as possible are in sight at the next drawing: the editor
/// would keep its first row although fewer rows are left.
pub(crate) fn change<'t>(area: &mut TextArea<'t>, by: impl FnOnce(&mut TextArea<'t>) -> bool) -> bool {
    let selected = area.selection_range().is_some();
    let changed = by(area);
    if changed && selected {
        let cursor = area.cursor();
        area.scroll((-i16::MAX, 0));
        jump(area, (cursor.0, cursor.1));
    }
    changed
}

fn wrapping(lines: Vec<String>) -> TextArea<'static> {
    let mut area = TextArea::new(lines);
    area.set_wrap_mode(WrapMode::WordOrGlyph);
    area.set_max_histories(usize::MAX);
    area
}
