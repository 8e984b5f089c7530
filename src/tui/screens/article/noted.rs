//! The notes on the draft that waits, on its page: open concerns, findings of the proof, changes, house style. They are those that stand
//! beside the draft while it is typed.

use crate::newsroom::ArticleResponse;
use crate::tui::{
    screens::forms::margin::{Cursor, Margin, MarginNote, NoteOrigin},
    widgets::{mark::TextRole, markdown::FieldMark},
};

#[derive(Debug, Clone, Default)]
pub struct Noted {
    /// The round whose draft waits, and the notes on it.
    margin: Option<(u32, Box<Margin>)>,
    /// The field and the byte of the selected note.
    at: Option<(usize, usize)>,
    /// How many journal entries there were when the notes were asked for.
    asked: usize,
}

impl Noted {
    /// Notes that the notes are asked for. False if they were, and nothing has happened since.
    pub fn ask(&mut self, entries: usize) -> bool {
        std::mem::replace(&mut self.asked, entries) != entries
    }

    /// The notes are asked for again the next time.
    pub fn forget(&mut self) {
        self.asked = 0;
    }

    pub fn set(&mut self, round: u32, margin: Box<Margin>) {
        if self.margin.as_ref().is_some_and(|(before, _)| *before != round) {
            self.at = None;
        }
        self.margin = Some((round, margin));
    }

    /// The notes on the draft of a round, once they are known.
    #[must_use]
    pub fn margin(&self, round: u32) -> Option<&Margin> {
        self.margin.as_ref().filter(|(of, _)| *of == round).map(|(_, margin)| &**margin)
    }

    /// Where the selected note is.
    #[must_use]
    pub fn at(&self) -> Option<(usize, usize)> {
        self.at
    }

    /// Selects the next note, or the one before.
    pub fn go(&mut self, round: u32, article: &ArticleResponse, on: bool) {
        let text = |field: usize| article.fields().get(field).map(|(_, text)| *text);
        let next = self.margin(round).and_then(|margin| margin.next(text, self.at, on));
        self.at = next.or(self.at);
    }

    /// The place of the selected note in the article.
    #[must_use]
    pub fn cursor<'a>(&self, article: &'a ArticleResponse) -> Option<Cursor<'a>> {
        let (field, byte) = self.at?;
        let text = article.fields().get(field)?.1;
        Some(Cursor { field, text, byte: byte.min(text.len()) })
    }

    /// The selected note.
    #[must_use]
    pub fn note(&self, round: u32, article: &ArticleResponse) -> Option<&MarginNote> {
        let margin = self.margin(round)?;
        margin.notes.get(margin.here(self.cursor(article)?)?)
    }

    /// The marks of the notes in the article, and the index of the selected one.
    #[must_use]
    pub fn marks(&self, round: u32, article: &ArticleResponse) -> (Vec<FieldMark>, Option<usize>) {
        let Some(margin) = self.margin(round) else { return (Vec::new(), None) };
        let selected = self.cursor(article).and_then(|cursor| margin.here(cursor));
        let (mut marks, mut shown) = (Vec::new(), None);
        for (at, note) in margin.notes.iter().enumerate() {
            let is_selected = selected == Some(at);
            if note.is_gone || note.origin == NoteOrigin::Style && !is_selected {
                continue;
            }
            let Some((place, _)) = note.place.as_ref() else { continue };
            let fields = article.fields();
            let Some((field, text)) = fields.get(*place) else { continue };
            let Some(range) = note.stands(*place, text) else { continue };
            if is_selected {
                shown = Some(marks.len());
            }
            let role = match note.origin {
                _ if is_selected => TextRole::Excerpt,
                NoteOrigin::Change => TextRole::Added,
                _ => TextRole::Concern,
            };
            marks.push(FieldMark { field, range, role });
        }
        (marks, shown)
    }
}
