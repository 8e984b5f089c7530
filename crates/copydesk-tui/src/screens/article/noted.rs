//! The notes on the draft that waits, on its page: open concerns, findings of the proof, changes, house style. They are those that stand
//! beside the draft while it is typed.

use crate::screens::forms::{Cursor, Margin, MarginNote, NoteOrigin};
use crate::widgets::{FieldMark, TextRole, ring};
use copydesk_newsroom::ArticleResponse;

#[derive(Debug, Clone, Default)]
pub struct Noted {
    /// The round whose draft waits, and the notes on it.
    margin: Option<(u32, Box<Margin>)>,
    /// Where the reader is among the notes.
    at: Option<Selected>,
    /// How many journal entries there were when the notes were asked for.
    asked: usize,
}

/// The selected note: its words, if it has some in the text, and its place in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Selected {
    /// Field and byte.
    words: Option<(usize, usize)>,
    /// None once another list has come that does not have it.
    note: Option<usize>,
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

    /// Sets the notes on the draft of a round. The selected one stays selected if it is still among them.
    pub fn set(&mut self, round: u32, margin: Box<Margin>) {
        if let Some((before, old)) = self.margin.replace((round, margin))
            && let Some(at) = self.at
        {
            let again = at.note.and_then(|note| old.notes.get(note)).and_then(|selected| {
                let same = |note: &MarginNote| {
                    (note.origin, &note.place, &note.about, &note.said)
                        == (selected.origin, &selected.place, &selected.about, &selected.said)
                };
                self.margin.as_ref()?.1.notes.iter().position(same)
            });
            self.at = (before == round).then_some(Selected { note: again, ..at });
        }
    }

    /// The notes on the draft of a round, once they are known.
    pub fn margin(&self, round: u32) -> Option<&Margin> {
        self.margin.as_ref().filter(|(of, _)| *of == round).map(|(_, margin)| &**margin)
    }

    /// Where the words of the selected note are: field and byte.
    pub fn at(&self) -> Option<(usize, usize)> {
        self.at?.words
    }

    /// Selects the next note, or the one before: in the order of the text, then those without words in it. Returns whether there is one.
    pub fn go(&mut self, round: u32, article: &ArticleResponse, on: bool) -> bool {
        let Some(margin) = self.margin(round) else { return false };
        let fields = article.fields();
        let placed = margin.in_order(|field| fields.get(field).map(|(_, text)| *text));
        let is_placed = |at: usize| placed.iter().any(|(_, _, note)| *note == at);
        let loose = margin.notes.iter().enumerate().filter(|(at, note)| !note.is_gone && !is_placed(*at));
        let loose = loose.map(|(at, _)| Selected { words: None, note: Some(at) });
        let in_text =
            |(field, byte, note): &(usize, usize, usize)| Selected { words: Some((*field, *byte)), note: Some(*note) };
        let all: Vec<Selected> = placed.iter().map(in_text).chain(loose).collect();
        let Some(last) = all.len().checked_sub(1) else { return false };
        let here = self.at.and_then(|at| all.iter().position(|other| at.note.is_some() && other.note == at.note));
        // A note that is settled leaves the list: one goes on behind its words.
        let from = self.at.map(|at| at.words);
        let behind = || all.iter().position(|other| from.is_some_and(|from| from.is_some() && other.words > from));
        let next = match here {
            Some(here) => ring::step(here, if on { 1 } else { -1 }, all.len()),
            None if on => behind().unwrap_or(0),
            None => behind().and_then(|behind| behind.checked_sub(1)).unwrap_or(last),
        };
        self.at = all.get(next).copied();
        true
    }

    /// The place of the selected note in the article. The text is empty if the note is about no words of it.
    pub fn cursor<'a>(&self, article: &'a ArticleResponse) -> Option<Cursor<'a>> {
        let Selected { words, note } = self.at?;
        let Some((field, byte)) = words else { return Some(Cursor { field: 0, text: "", byte: 0, note }) };
        let text = article.fields().get(field)?.1;
        Some(Cursor { field, text, byte: byte.min(text.len()), note })
    }

    /// The selected note.
    pub fn note(&self, round: u32, article: &ArticleResponse) -> Option<&MarginNote> {
        let margin = self.margin(round)?;
        margin.notes.get(margin.here(self.cursor(article)?)?)
    }

    /// The marks of the notes in the article; the selected one's is an excerpt.
    pub fn marks(&self, round: u32, article: &ArticleResponse) -> Vec<FieldMark> {
        let Some(margin) = self.margin(round) else { return Vec::new() };
        let selected = self.cursor(article).and_then(|cursor| margin.here(cursor));
        let mut marks = Vec::new();
        for (at, note) in margin.notes.iter().enumerate() {
            let is_selected = selected == Some(at);
            if note.is_gone || note.origin == NoteOrigin::Style && !is_selected {
                continue;
            }
            let Some((place, _)) = note.place.as_ref() else { continue };
            let fields = article.fields();
            let Some((field, text)) = fields.get(*place) else { continue };
            let Some(range) = note.stands(*place, text) else { continue };
            let role = match note.origin {
                _ if is_selected => TextRole::Excerpt,
                NoteOrigin::Change => TextRole::Added,
                _ => TextRole::Concern,
            };
            marks.push(FieldMark { field, range, role });
        }
        marks
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use copydesk_core::editorial::testing::article;

    fn note(about: &str, start: usize, said: &str) -> MarginNote {
        MarginNote {
            origin: NoteOrigin::Proof,
            concern: None,
            finding: None,
            place: (!about.is_empty()).then(|| (3, start..start + about.len())),
            about: about.into(),
            said: said.into(),
            fix: None,
            passage: None,
            is_gone: false,
            change: None,
        }
    }

    #[expect(clippy::unnecessary_box_returns, reason = "it arrives in a box")]
    fn margin(notes: Vec<MarginNote>) -> Box<Margin> {
        Box::new(Margin { notes, ..Margin::default() })
    }

    #[test]
    fn each_note_is_gone_to_also_two_on_one_word_and_one_on_none() {
        let article = article("Seven of nine voted.");
        let mut noted = Noted::default();
        assert!(!noted.go(1, &article, true), "no notes yet");
        let three = || vec![note("", 0, "no description"), note("Seven", 0, "five"), note("Seven", 0, "a numeral")];
        noted.set(1, margin(three()));
        let mut said = |on| {
            assert!(noted.go(1, &article, on));
            noted.note(1, &article).map(|note| note.said.clone()).unwrap()
        };
        assert_eq!([(); 4].map(|()| said(true)), ["five", "a numeral", "no description", "five"]);
        assert_eq!([(); 3].map(|()| said(false)), ["no description", "a numeral", "five"]);
        // The first is settled, and a list without it comes: one goes on behind it, and what was selected stays selected.
        noted.set(1, margin(vec![note("voted", 14, "cast"), note("Seven", 0, "five")]));
        assert_eq!(noted.note(1, &article).unwrap().said, "five");
        noted.set(1, margin(vec![note("nine", 9, "ten"), note("voted", 14, "cast")]));
        noted.go(1, &article, true);
        assert_eq!(noted.note(1, &article).unwrap().said, "ten");
        noted.set(2, margin(three()));
        assert_eq!(noted.note(2, &article), None, "another draft begins anew");
    }
}
