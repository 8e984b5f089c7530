//! The changes that were typed into a hand edit, one by one, so that they can be undone and done again. That works
//! without end while the program runs, and over a restart as far as it fits.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use copydesk_proof::ChangedStretch;

/// Most bytes of typed text in a stored history.
const MOST_BYTES: usize = 256 << 10;

/// Some text of one field that another text replaced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextChange {
    /// The field's index in the form.
    pub field: usize,
    /// The first byte that changed.
    pub at: usize,
    pub removed: String,
    pub inserted: String,
}

/// The changes, and how many of them stand.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TypedHistory {
    changes: Vec<TextChange>,
    standing: usize,
}

impl TextChange {
    /// The one stretch in which the texts of a field differ.
    pub fn between(field: usize, old: &str, new: &str) -> Option<Self> {
        let ChangedStretch { old: gone, new: come } = ChangedStretch::between(old, new)?;
        let cut = |text: &str, range: Range<usize>| text.get(range).unwrap_or_default().to_owned();
        Some(Self { field, at: come.start, removed: cut(old, gone), inserted: cut(new, come) })
    }

    fn bytes(&self) -> usize {
        self.removed.len() + self.inserted.len()
    }

    /// The text with `come` in place of `gone` at its place; none if that does not stand there.
    fn put(&self, text: &str, gone: &str, come: &str) -> Option<(String, usize)> {
        let (head, rest) = (text.get(..self.at)?, text.get(self.at..)?);
        let tail = rest.strip_prefix(gone)?;
        Some((format!("{head}{come}{tail}"), self.at + come.len()))
    }

    /// Whether `next` continues the typing, or the deleting, of one word.
    fn goes_on(&self, next: &Self) -> bool {
        if self.field != next.field {
            return false;
        }
        let typed = self.removed.is_empty() && next.removed.is_empty() && next.inserted.chars().count() == 1;
        let begins_word =
            self.inserted.ends_with(char::is_whitespace) && !next.inserted.starts_with(char::is_whitespace);
        let deleted = self.inserted.is_empty() && next.inserted.is_empty() && next.removed.chars().count() == 1;
        typed && next.at == self.at + self.inserted.len() && !begins_word
            || deleted && next.at + next.removed.len() == self.at && !next.removed.ends_with(char::is_whitespace)
    }
}

impl TypedHistory {
    /// Enters a change. Changes that were undone before it cannot be redone.
    pub fn enter(&mut self, change: TextChange) {
        self.changes.truncate(self.standing);
        match self.changes.last_mut().filter(|last| last.goes_on(&change)) {
            Some(last) if change.removed.is_empty() => last.inserted.push_str(&change.inserted),
            Some(last) => {
                last.removed.insert_str(0, &change.removed);
                last.at = change.at;
            }
            None => self.changes.push(change),
        }
        self.standing = self.changes.len();
    }

    /// Takes the last change back: its field, that field's text, and where the cursor goes. `text_of` gives the text of a field.
    pub fn undo(&mut self, text_of: impl Fn(usize) -> String) -> Option<(usize, String, usize)> {
        let change = self.changes.get(self.standing.checked_sub(1)?)?;
        let (text, end) = change.put(&text_of(change.field), &change.inserted, &change.removed)?;
        // Words that were replaced are seen from their beginning: behind them, a long text would jump to its end.
        let cursor = if change.inserted.is_empty() { end } else { change.at };
        self.standing -= 1;
        Some((change.field, text, cursor))
    }

    /// Makes the change again that was taken back last.
    pub fn redo(&mut self, text_of: impl Fn(usize) -> String) -> Option<(usize, String, usize)> {
        let change = self.changes.get(self.standing)?;
        let (text, cursor) = change.put(&text_of(change.field), &change.removed, &change.inserted)?;
        self.standing += 1;
        Some((change.field, text, cursor))
    }

    /// The history as far as it is stored: the latest changes, of a bounded number of bytes.
    pub fn stored(&self) -> Self {
        let mut left = MOST_BYTES;
        let mut fits = |change: &&TextChange| {
            let kept = change.bytes() <= left;
            left = left.saturating_sub(change.bytes().max(1));
            kept
        };
        let changes = self.changes.get(..self.standing).unwrap_or_default();
        let mut kept: Vec<TextChange> = changes.iter().rev().take_while(&mut fits).cloned().collect();
        kept.reverse();
        let standing = kept.len();
        kept.extend(self.changes.get(self.standing..).unwrap_or_default().iter().take_while(&mut fits).cloned());
        Self { changes: kept, standing }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(history: &mut TypedHistory, text: &mut String, new: &str) {
        history.enter(TextChange::between(0, text, new).unwrap());
        new.clone_into(text);
    }

    fn back(history: &mut TypedHistory, text: &mut String) -> bool {
        let undone = history.undo(|_| text.clone());
        undone.map(|(_, new, _)| *text = new).is_some()
    }

    #[test]
    fn words_are_undone_one_by_one_and_done_again() {
        let (mut history, mut text) = (TypedHistory::default(), "Park".to_owned());
        for new in
            ["The Park", "The Parks", "The Parks ", "The Parks a", "The Parks ar", "The Parks are", "The Parks ar"]
        {
            typed(&mut history, &mut text, new);
        }
        let mut seen = vec![];
        while back(&mut history, &mut text) {
            seen.push(text.clone());
        }
        assert_eq!(seen, ["The Parks are", "The Parks ", "The Park", "Park"]);
        // A restart keeps both ways.
        let stored = serde_json::to_string(&history.stored()).unwrap();
        let mut history: TypedHistory = serde_json::from_str(&stored).unwrap();
        while let Some((_, new, cursor)) = history.redo(|_| text.clone()) {
            assert!(cursor <= new.len());
            text = new;
        }
        assert_eq!(text, "The Parks ar");
        back(&mut history, &mut text);
        typed(&mut history, &mut text, "The Parks are.");
        assert_eq!(history.redo(|_| text.clone()), None, "what was undone before a change is gone");
    }

    #[test]
    fn the_cursor_goes_to_what_is_undone_never_to_the_end_of_the_text() {
        let undone = |old: &str, new: &str| {
            let mut history = TypedHistory::default();
            history.enter(TextChange::between(0, old, new).unwrap());
            history.undo(|_| new.to_owned()).map(|(_, text, cursor)| (text, cursor))
        };
        let text = "The park closes. Nobody objected.";
        for (new, cursor) in [
            ("The old park closes. Nobody objected.", 4),
            ("The park. Nobody objected.", 15),
            ("The mill burned.", 4),
            ("A wholly new text?", 0),
        ] {
            assert_eq!(undone(text, new), Some((text.to_owned(), cursor)), "{new}");
        }
    }

    #[test]
    fn a_stored_history_is_bounded_and_one_that_does_not_fit_the_text_changes_nothing() {
        let (mut history, mut text) = (TypedHistory::default(), String::new());
        for number in 0..5 {
            let new = format!("{text}{}", number.to_string().repeat(100 << 10));
            typed(&mut history, &mut text, &new);
        }
        assert_eq!(history.stored().changes.len(), 2);
        assert_eq!(history.undo(|_| "another text".to_owned()), None);
    }
}
