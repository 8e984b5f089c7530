//! The state of a hand edit beside its fields: the visible part of each field, the typing history, and the last search.

use crate::screens::forms::{Cursor, TextChange, TypedHistory};
use crate::widgets::prose::{at_byte, cursor_byte};
use crate::widgets::{Field, Input, ProseView};

/// Words to find in a draft, and what to put in their place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sought {
    pub words: String,
    pub instead: String,
}

/// The state of a draft that is typed.
#[derive(Debug, Clone, Default)]
pub struct DraftState {
    /// The visible part of each field.
    pub views: Vec<ProseView>,
    pub sought: Sought,
    history: TypedHistory,
    /// The texts of the fields since the last change.
    pub(super) texts: Vec<String>,
    words: usize,
}

/// Words of the last field, the article's text.
fn words(texts: &[String]) -> usize {
    texts.last().map_or(0, |text| text.split_whitespace().count())
}

impl DraftState {
    /// A draft as it stands, with what was typed into it before.
    pub fn of(fields: &[Field], history: TypedHistory) -> Self {
        let texts: Vec<String> = fields.iter().map(Field::value).collect();
        Self {
            views: vec![ProseView::default(); fields.len()],
            words: words(&texts),
            texts,
            history,
            sought: Sought::default(),
        }
    }

    pub fn history(&self) -> &TypedHistory {
        &self.history
    }

    /// The texts of the fields.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// Words of the last field, the article's text.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Enters what changed in the fields. Returns whether anything did.
    pub fn enter(&mut self, fields: &[Field]) -> bool {
        let mut changed = false;
        for (at, (own, field)) in self.texts.iter_mut().zip(fields).enumerate() {
            let now = field.value();
            if let Some(change) = TextChange::between(at, own, &now) {
                self.history.enter(change);
                *own = now;
                changed = true;
            }
        }
        if changed {
            self.words = words(&self.texts);
        }
        changed
    }

    /// Takes the last change back, or makes it again. Returns the field in which it was.
    pub fn step(&mut self, fields: &mut [Field], back: bool) -> Option<usize> {
        let texts = &self.texts;
        let text_of = |field: usize| texts.get(field).cloned().unwrap_or_default();
        let made = if back { self.history.undo(text_of) } else { self.history.redo(text_of) };
        let (at, text, cursor) = made?;
        fields.get_mut(at)?.rewrite(&text, cursor);
        if let Some(own) = self.texts.get_mut(at) {
            *own = text;
        }
        self.words = words(&self.texts);
        Some(at)
    }

    /// Where the cursor is in a field.
    pub fn cursor(&self, fields: &[Field], focus: usize) -> Option<Cursor<'_>> {
        match &fields.get(focus)?.input {
            Input::Line(area) | Input::Text(area) => {
                Some(Cursor { field: focus, text: self.texts.get(focus)?, byte: cursor_byte(area), note: None })
            }
            Input::Choice(_) => None,
        }
    }

    /// The words that are selected, else the sentence at the cursor.
    pub fn span(&self, fields: &[Field], focus: usize) -> Option<String> {
        let cursor = self.cursor(fields, focus)?;
        let (Input::Line(area) | Input::Text(area)) = &fields.get(focus)?.input else { return None };
        if let Some((from, to)) = area.selection_range() {
            return cursor.text.get(at_byte(area, from)..at_byte(area, to)).map(str::to_owned);
        }
        let all = copydesk_text::sentences::sentences(cursor.text);
        let at = all.into_iter().find(|sentence| sentence.start <= cursor.byte && cursor.byte <= sentence.end)?;
        cursor.text.get(at).map(str::to_owned)
    }

    /// The next place of the sought words behind the cursor, from the beginning again after the last: the field and its bytes.
    pub fn find(&self, focus: usize, byte: usize) -> Option<(usize, std::ops::Range<usize>)> {
        let words = self.sought.words.as_str();
        if words.is_empty() {
            return None;
        }
        let places =
            self.texts.iter().enumerate().flat_map(|(field, text)| {
                text.match_indices(words).map(move |(at, found)| (field, at..at + found.len()))
            });
        let all: Vec<_> = places.collect();
        all.iter().find(|(field, range)| (*field, range.start) > (focus, byte)).or(all.first()).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields() -> Vec<Field> {
        vec![
            Field::line("Headline", "", "Swings"),
            Field::text("Text", "", "The park closes. It costs $1.\n\nThe park."),
        ]
    }

    #[test]
    fn words_are_found_one_after_the_other_and_then_again_from_the_beginning() {
        let mut state = DraftState::of(&fields(), TypedHistory::default());
        assert_eq!(state.find(0, 0), None);
        state.sought.words = "park".into();
        assert_eq!(state.find(0, 0), Some((1, 4..8)));
        assert_eq!(state.find(1, 4), Some((1, 35..39)));
        assert_eq!(state.find(1, 35), Some((1, 4..8)));
    }

    #[test]
    fn every_field_is_undone_in_the_order_in_which_it_was_changed() {
        let mut fields = fields();
        let mut state = DraftState::of(&fields, TypedHistory::default());
        fields[0].rewrite("Rusty swings", 5);
        assert!(state.enter(&fields));
        fields[1].rewrite("", 0);
        assert!(state.enter(&fields) && !state.enter(&fields));
        assert_eq!(state.words(), 0);
        assert_eq!(state.step(&mut fields, true), Some(1));
        assert_eq!(state.step(&mut fields, true), Some(0));
        assert_eq!(state.step(&mut fields, true), None);
        assert_eq!((fields[0].value().as_str(), state.words()), ("Swings", 8));
        assert_eq!(state.step(&mut fields, false), Some(0));
        assert_eq!(fields[0].value(), "Rusty swings");
    }

    #[test]
    fn a_comment_is_on_the_sentence_at_the_cursor() {
        let mut fields = fields();
        fields[1].go_to(20);
        let state = DraftState::of(&fields, TypedHistory::default());
        assert_eq!(state.span(&fields, 1).as_deref(), Some("It costs $1."));
    }
}
