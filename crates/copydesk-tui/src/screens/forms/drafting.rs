//! The form of a hand edit: its history, where its cursor is, and how that moves.

use std::ops::Range;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::screens::forms::{Cursor, DraftState, Form, Purpose, TextChange, TypedHistory};
use crate::widgets::field::jump;
use crate::widgets::{Field, RowMove};
use copydesk_newsroom::{ArticleResponse, Choice};

impl Form {
    /// The text is a decision now. A change from here on is another one.
    pub fn is_decided(&mut self, decided: &ArticleResponse) {
        if let Purpose::Decide(_, Choice::Edit { article: before }) = &mut self.purpose {
            decided.clone_into(before);
        }
        self.touched = false;
    }

    /// Notes that the text has changed, if it has.
    pub(super) fn changed(&mut self, changed: bool) -> bool {
        if changed && let Some(draft) = &mut self.draft {
            draft.enter(&self.fields);
        }
        self.touched |= changed;
        changed
    }

    /// Begins the history of the draft. Text that is typed from now on can be undone, and so can the changes in `history`.
    pub fn begin_draft(&mut self, history: TypedHistory) {
        self.draft = Some(Box::new(DraftState::of(&self.fields, history)));
    }

    /// Of a hand edit: the texts of its fields.
    pub fn texts(&self) -> Option<&[String]> {
        self.draft.as_ref().map(|draft| draft.texts())
    }

    /// Of a hand edit: where the cursor is.
    pub fn cursor(&self) -> Option<Cursor<'_>> {
        self.draft.as_ref()?.cursor(&self.fields, self.focus)
    }

    /// Of a hand edit: the selected words, else the sentence at the cursor.
    pub fn span(&self) -> Option<String> {
        self.draft.as_ref()?.span(&self.fields, self.focus)
    }

    /// Puts a text into a field, with the cursor at a byte of it.
    pub fn rewrite(&mut self, field: usize, text: &str, cursor: usize) {
        if let Some(own) = self.fields.get_mut(field) {
            own.rewrite(text, cursor);
            self.focus = field;
            self.changed(true);
        }
    }

    /// Puts a text into a field in which others have changed words. The cursor stays at its words.
    pub fn rewrite_around(&mut self, field: usize, old: &str, new: &str) {
        let (focus, cursor) = (self.focus, self.cursor().map_or(0, |cursor| cursor.byte));
        let Some(change) = TextChange::between(field, old, new) else { return };
        let behind = cursor >= change.at + change.removed.len();
        let kept = if behind { (cursor + change.inserted.len()).saturating_sub(change.removed.len()) } else { cursor };
        let byte = if focus == field { new.floor_char_boundary(kept) } else { 0 };
        self.rewrite(field, new, byte);
        self.focus = focus;
    }

    /// Moves the cursor to a byte of a field.
    pub fn go_to(&mut self, field: usize, byte: usize) {
        if let Some(own) = self.fields.get_mut(field) {
            own.go_to(byte);
            self.focus = field;
        }
        if let Some(area) = self.focused().and_then(Field::area) {
            area.cancel_selection();
        }
    }

    /// Selects some words of a field, with the cursor before them.
    pub fn select(&mut self, field: usize, words: Range<usize>) {
        self.go_to(field, words.end);
        if let Some(area) = self.focused().and_then(Field::area) {
            area.start_selection();
        }
        if let Some(own) = self.fields.get_mut(field) {
            own.go_to(words.start);
        }
    }

    /// Moves the cursor of a draft by the rows that are seen.
    pub(super) fn move_by_rows(&mut self, by: RowMove, selects: bool) {
        let (Some(draft), focus) = (&self.draft, self.focus) else { return };
        let Some(view) = draft.views.get(focus).cloned() else { return };
        let Some(area) = self.focused().and_then(Field::area) else { return };
        if !selects {
            area.cancel_selection();
        } else if !area.is_selecting() {
            area.start_selection();
        }
        let place = view.moved(area, by);
        jump(area, place);
    }

    /// Moves the cursor if a key moves it by rows. Returns whether it does.
    pub(super) fn moves_by_rows(&mut self, event: KeyEvent) -> bool {
        let Some(by) = row_move(event).filter(|_| self.draft.is_some()) else { return false };
        self.move_by_rows(by, event.modifiers.contains(KeyModifiers::SHIFT));
        true
    }
}

/// The move by rows that a key is.
fn row_move(event: KeyEvent) -> Option<RowMove> {
    let plain = (event.modifiers - KeyModifiers::SHIFT).is_empty();
    let by = match event.code {
        KeyCode::Up => RowMove::By(-1),
        KeyCode::Down => RowMove::By(1),
        KeyCode::PageUp => RowMove::Page(-1),
        KeyCode::PageDown => RowMove::Page(1),
        KeyCode::Home => RowMove::Start,
        KeyCode::End => RowMove::End,
        _ => return None,
    };
    plain.then_some(by)
}
