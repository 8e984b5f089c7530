//! The margin beside a draft while it is typed. It has the draft's length, the open concerns, what the proof and house
//! style find in it, and the passage of the sources for the words at the cursor.

use std::ops::Range;

use ratatui::prelude::{Line, Modifier, Span, Style};

use crate::widgets::{ProseMark, Theme, words};
use copydesk_core::editorial::changes::Change;
use copydesk_newsroom::Choice;
use copydesk_text::{in_marks, sanitise};

/// Most characters of the draft in a note.
const LONGEST_EXCERPT: usize = 70;
/// Rows from which a passage below a draft has four of them.
const ROOMY: usize = 5;
/// Most rows of a passage.
const PASSAGE_ROWS: usize = 6;

/// Who makes a note.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoteOrigin {
    /// A concern of the round, with its verdict.
    Concern,
    /// The proof of the text as it is typed.
    Proof,
    /// A note of the Publisher.
    Publisher,
    /// House style and spelling.
    Style,
    /// A change from the draft before that is not accepted yet.
    Change,
    /// A note of an editor to themselves. Its words are the note, none of the draft.
    Own,
}

/// A change from an earlier draft to the one that waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotedChange {
    /// The round of the earlier draft.
    pub from: u32,
    pub change: Change,
    /// The decision that it may stand.
    pub accepting: Choice,
}

/// A passage of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarginPassage {
    pub source: String,
    pub text: String,
}

/// A note on some words of a draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarginNote {
    pub origin: NoteOrigin,
    /// The concern of the round that it is, or that says the same.
    pub concern: Option<u32>,
    /// The finding of the round's proof that says the same, by its number.
    pub finding: Option<u32>,
    /// The field of the article, by its place in it, and its bytes when the text was proved.
    pub place: Option<(usize, Range<usize>)>,
    /// The words of the draft.
    pub about: String,
    pub said: String,
    /// The words to put in their place; empty to leave them out.
    pub fix: Option<String>,
    pub passage: Option<MarginPassage>,
    /// Whether the words do not stand in the text any more.
    pub is_gone: bool,
    /// The change that it is about, if it is about one.
    pub change: Option<Box<NotedChange>>,
}

/// The best passage for a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarginSentence {
    pub field: usize,
    pub range: Range<usize>,
    pub passage: MarginPassage,
}

/// The margin of a draft, as it was proved last.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Margin {
    pub notes: Vec<MarginNote>,
    pub sentences: Vec<MarginSentence>,
    /// The length asked for, in words, such as `900-1200`.
    pub target: String,
    /// Whether sentences are still being checked.
    pub is_checking: bool,
}

/// Where the cursor of a draft is.
#[derive(Debug, Clone, Copy)]
pub struct Cursor<'t> {
    /// The article's field, by its place in it.
    pub field: usize,
    pub text: &'t str,
    pub byte: usize,
    /// The note that was chosen, by its place in the list; none if it is the one nearest to the cursor.
    pub note: Option<usize>,
}

impl Cursor<'_> {
    /// The bytes of the paragraph.
    fn paragraph(&self) -> Range<usize> {
        let (before, after) = (self.text.get(..self.byte), self.text.get(self.byte..));
        let start = before.unwrap_or_default().rfind('\n').map_or(0, |at| at + 1);
        let end = after.unwrap_or_default().find('\n').map_or(self.text.len(), |at| self.byte + at);
        start..end
    }
}

impl MarginNote {
    pub fn new(
        origin: NoteOrigin,
        place: Option<(usize, Range<usize>)>,
        about: impl Into<String>,
        said: impl Into<String>,
    ) -> Self {
        let (concern, finding, fix, passage, change) = (None, None, None, None, None);
        let (about, said) = (about.into(), said.into());
        Self { origin, concern, finding, place, about, said, fix, passage, is_gone: false, change }
    }

    /// Where the words stand in `text`, the field as it is now: at their place, else the nearest that reads the same.
    pub fn stands(&self, field: usize, text: &str) -> Option<Range<usize>> {
        let (own, range) = self.place.as_ref()?;
        let about = self.about.trim();
        if *own != field || about.is_empty() {
            return None;
        }
        if text.get(range.clone()).is_some_and(|words| words.trim() == about) {
            return Some(range.clone());
        }
        nearest(text, about, range.start).map(|at| at..at + about.len())
    }

    /// Whether it is about a change that only took words out.
    fn is_removal(&self) -> bool {
        let added = |noted: &NotedChange| matches!(&noted.accepting, Choice::AcceptChange { added, .. } if added.trim().is_empty());
        self.change.as_deref().is_some_and(added)
    }

    fn style(&self, theme: &Theme) -> Style {
        match self.origin {
            _ if self.is_gone => theme.good,
            NoteOrigin::Concern => theme.warn,
            NoteOrigin::Proof => theme.bad,
            NoteOrigin::Style | NoteOrigin::Publisher => theme.dim,
            NoteOrigin::Change | NoteOrigin::Own => theme.accent,
        }
    }

    fn lines(&self, room: usize, is_whole: bool, theme: &Theme) -> Vec<Line<'static>> {
        let about = words::excerpt(&self.about, LONGEST_EXCERPT);
        let style = self.style(theme);
        let mark = match self.origin {
            _ if self.is_gone => "✓",
            NoteOrigin::Concern => "!",
            NoteOrigin::Proof => "✗",
            NoteOrigin::Style => "~",
            NoteOrigin::Publisher => "»",
            NoteOrigin::Change => "±",
            NoteOrigin::Own => "·",
        };
        let about = match (about.is_empty(), self.is_gone) {
            (true, _) => String::new(),
            // The place of words that went is in the sentence.
            _ if self.is_removal() => String::new(),
            (false, true) => format!("{} is changed", in_marks(&about)),
            (false, false) => in_marks(&about),
        };
        let inner = room.saturating_sub(2);
        let mut texts = if about.is_empty() { Vec::new() } else { words::wrap(&about, inner) };
        let quoted = texts.len();
        if !self.is_gone {
            texts.extend(words::wrap_to(&sanitise::one_line(&self.said), inner, if is_whole { 8 } else { 2 }));
        }
        let line = |(row, text): (usize, String)| {
            let before = if row == 0 { format!("{mark} ") } else { "  ".to_owned() };
            let own = if row < quoted { style } else { theme.text };
            Line::from(vec![Span::styled(before, style), Span::styled(text, own)])
        };
        texts.into_iter().enumerate().map(line).collect()
    }
}

/// Where `words` stand in `text` nearest to a place. It looks further each time: words that moved at all moved by a letter or two.
fn nearest(text: &str, words: &str, place: usize) -> Option<usize> {
    let mut reach = 64;
    loop {
        let from = text.floor_char_boundary(place.saturating_sub(reach));
        let until = text.ceil_char_boundary((place + reach + words.len()).min(text.len()));
        let near = text.get(from..until).unwrap_or_default();
        let found = near.match_indices(words).map(|(at, _)| from + at).min_by_key(|at| at.abs_diff(place));
        let is_all = near.len() == text.len();
        if is_all || found.is_some_and(|at| at.abs_diff(place) <= reach) {
            return found;
        }
        reach *= 8;
    }
}

impl Margin {
    /// `219 words of 900-1200 · 2 notes`.
    pub fn length(&self, count: usize) -> String {
        let target = self.target.trim();
        let of = if target.is_empty() { String::new() } else { format!(" of {}", sanitise::excerpt(target, 20)) };
        let open = self.notes.iter().filter(|note| !note.is_gone).count();
        let notes = match open {
            0 if self.is_checking => "no notes yet".to_owned(),
            0 => "no notes".to_owned(),
            open => words::count(open, "note"),
        };
        format!("{}{of} · {notes}", words::count(count, "word"))
    }

    /// The note at the cursor: the chosen one, else that on the words there, else the first in the paragraph. Its place in the list.
    pub fn here(&self, cursor: Cursor<'_>) -> Option<usize> {
        if cursor.note.is_some() {
            return cursor.note;
        }
        let paragraph = cursor.paragraph();
        let near = |note: &MarginNote| {
            let range = note.stands(cursor.field, cursor.text).filter(|_| !note.is_gone)?;
            let inside = range.start <= cursor.byte && cursor.byte <= range.end;
            let touches = range.start < paragraph.end && paragraph.start < range.end;
            (inside || touches).then_some((!inside, range.len() * usize::from(inside), range.start))
        };
        let found = self.notes.iter().enumerate().filter_map(|(at, note)| Some((near(note)?, at)));
        found.min().map(|(_, at)| at)
    }

    /// The notes on words that still stand in the text, in its order: field, byte and place in the list. `text` is that of a field as
    /// it is now.
    pub fn in_order<'t>(&self, text: impl Fn(usize) -> Option<&'t str>) -> Vec<(usize, usize, usize)> {
        let stands = |(at, note): (usize, &MarginNote)| {
            let field = note.place.as_ref().filter(|_| !note.is_gone)?.0;
            Some((field, note.stands(field, text(field)?)?.start, at))
        };
        let mut places: Vec<_> = self.notes.iter().enumerate().filter_map(stands).collect();
        places.sort_unstable();
        places
    }

    /// The field and the byte of the next note, or of the one before, around the end. `text` is as above.
    pub fn next<'t>(
        &self,
        text: impl Fn(usize) -> Option<&'t str>,
        from: Option<(usize, usize)>,
        on: bool,
    ) -> Option<(usize, usize)> {
        let places: Vec<_> = self.in_order(text).into_iter().map(|(field, byte, _)| (field, byte)).collect();
        if on {
            places.iter().find(|place| Some(**place) > from).or(places.first()).copied()
        } else {
            places.iter().rev().find(|place| from.is_some_and(|from| **place < from)).or(places.last()).copied()
        }
    }

    /// The passage for the words at the cursor: of the note there, else of the sentence.
    pub fn passage(&self, cursor: Cursor<'_>) -> Option<&MarginPassage> {
        let of_note = self.here(cursor).and_then(|at| self.notes.get(at)?.passage.as_ref());
        of_note.or_else(|| {
            let inside = |sentence: &&MarginSentence| {
                sentence.field == cursor.field
                    && sentence.range.start <= cursor.byte
                    && cursor.byte <= sentence.range.end
                    && sentence.range.end <= cursor.text.len()
            };
            self.sentences.iter().rfind(inside).map(|sentence| &sentence.passage)
        })
    }

    /// The words of a field that are underlined.
    pub fn marks(&self, field: usize, text: &str, theme: &Theme) -> Vec<ProseMark> {
        let open = self.notes.iter().filter(|note| !note.is_gone);
        // Errors come last, so that their marks lie over those of mere style.
        let by_weight = |origin: NoteOrigin| open.clone().filter(move |note| note.origin == origin);
        let ordered =
            [NoteOrigin::Style, NoteOrigin::Publisher, NoteOrigin::Change, NoteOrigin::Concern, NoteOrigin::Proof]
                .into_iter()
                .flat_map(by_weight);
        let mark = |note: &MarginNote| {
            let style = note.style(theme).remove_modifier(Modifier::DIM).add_modifier(Modifier::UNDERLINED);
            Some(ProseMark { range: note.stands(field, text)?, style })
        };
        ordered.filter_map(mark).collect()
    }

    /// The margin in about so many rows: the note at the cursor with its passage, then the others of the paragraph, then the rest. And how
    /// many notes have no room.
    pub fn lines(&self, cursor: Cursor<'_>, room: usize, rows: usize, theme: &Theme) -> (Vec<Line<'static>>, usize) {
        let here = self.here(cursor);
        let mut lines = Vec::new();
        if let Some(note) = here.and_then(|at| self.notes.get(at)) {
            lines.push(Line::styled("Here", theme.heading));
            lines.extend(note.lines(room, true, theme));
        }
        if let Some(passage) = self.passage(cursor) {
            lines.extend(passage.lines(room, PASSAGE_ROWS, theme));
        }
        let others = self.notes.iter().enumerate().filter(|(at, _)| Some(*at) != here).map(|(_, note)| note);
        let paragraph = cursor.paragraph();
        let (near, elsewhere): (Vec<&MarginNote>, Vec<&MarginNote>) = others.partition(|note| {
            let range = note.stands(cursor.field, cursor.text).filter(|_| !note.is_gone);
            range.is_some_and(|range| range.start < paragraph.end && paragraph.start < range.end)
        });
        let mut hidden = usize::from(lines.len() > rows);
        for (title, notes) in [("In this paragraph", near), ("Elsewhere", elsewhere)] {
            if !notes.is_empty() {
                if !lines.is_empty() {
                    lines.push(Line::default());
                }
                lines.push(Line::styled(title, theme.heading));
            }
            for note in notes {
                if lines.len() < rows {
                    lines.extend(note.lines(room, false, theme));
                    hidden += usize::from(lines.len() > rows);
                } else {
                    hidden += 1;
                }
            }
        }
        (lines, hidden)
    }

    /// In about so many rows: the note at the cursor, and its passage, which has two at least, and four if there is room.
    pub fn brief(&self, cursor: Cursor<'_>, room: usize, rows: usize, theme: &Theme) -> Vec<Line<'static>> {
        let mut lines = Vec::new();
        if let Some(note) = self.here(cursor).and_then(|at| self.notes.get(at)) {
            lines.extend(note.lines(room, false, theme).into_iter().take(3));
        }
        let rows = rows.saturating_sub(lines.len()).max(if rows < ROOMY { 2 } else { 4 });
        lines.extend(self.passage(cursor).into_iter().flat_map(|passage| passage.lines(room, rows, theme)));
        lines
    }
}

impl MarginPassage {
    fn lines(&self, room: usize, rows: usize, theme: &Theme) -> Vec<Line<'static>> {
        let inner = room.saturating_sub(2);
        let text = format!("{}: {}", sanitise::one_line(&self.source), sanitise::one_line(&self.text));
        let rows = words::wrap_to(&text, inner, rows);
        rows.into_iter()
            .map(|row| Line::from(vec![Span::styled("│ ", theme.dim), Span::styled(row, theme.quote)]))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::widgets::theme::ThemeName;

    fn note(origin: NoteOrigin, start: usize, about: &str, is_gone: bool) -> MarginNote {
        MarginNote {
            origin,
            concern: None,
            finding: None,
            place: Some((3, start..start + about.len())),
            about: about.into(),
            said: "not in the source".into(),
            fix: None,
            passage: None,
            is_gone,
            change: None,
        }
    }

    const TEXT: &str = "It costs $131,500.\n\nThe vote was five to two.";

    fn margin() -> Margin {
        let passage = MarginPassage { source: "minutes".into(), text: "The grant is $137,500.".into() };
        Margin {
            notes: vec![
                note(NoteOrigin::Concern, 0, "in April", true),
                note(NoteOrigin::Concern, 33, "five to two", false),
                MarginNote { passage: Some(passage), ..note(NoteOrigin::Proof, 9, "$131,500", false) },
            ],
            sentences: vec![],
            target: "250-400".into(),
            is_checking: false,
        }
    }

    #[test]
    fn the_note_at_the_cursor_comes_first_with_its_passage_and_what_was_changed_is_ticked() {
        let margin = margin();
        let theme = Theme::named(ThemeName::Dark);
        let said = |lines: Vec<Line<'_>>| lines.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(margin.length(219), "219 words of 250-400 · 2 notes");
        let cursor = |byte| Cursor { field: 3, text: TEXT, byte, note: None };
        assert_eq!(
            said(margin.lines(cursor(4), 40, 20, &theme).0),
            [
                "Here",
                "✗ “$131,500”",
                "  not in the source",
                "│ minutes: The grant is $137,500.",
                "",
                "Elsewhere",
                "✓ “in April” is changed",
                "! “five to two”",
                "  not in the source"
            ]
        );
        let (lines, hidden) = margin.lines(cursor(4), 40, 6, &theme);
        assert_eq!((lines.len(), hidden), (6, 2), "no more is made than is seen");
        assert_eq!(said(margin.brief(cursor(30), 60, 5, &theme)), ["! “five to two”", "  not in the source"]);
        // The rows that the note leaves are the passage's.
        let long = "The grant is $137,500. The state pays it in two parts, the second one in the spring. ".repeat(3);
        let passage = MarginPassage { source: "minutes".into(), text: long };
        let sentence = MarginSentence { field: 3, range: 20..TEXT.len(), passage };
        let margin = Margin { notes: Vec::new(), sentences: vec![sentence], ..margin };
        let rows = |rows| margin.brief(cursor(30), 60, rows, &theme).len();
        assert_eq!((rows(1), rows(4)), (2, 4));
        assert_eq!(margin.here(Cursor { field: 0, text: "Swings", byte: 0, note: None }), None);
    }

    #[test]
    fn words_that_moved_are_marked_where_they_stand_now() {
        let theme = Theme::named(ThemeName::Dark);
        let typed = format!("Note. {TEXT}");
        let ranges: Vec<_> = margin().marks(3, &typed, &theme).into_iter().map(|mark| mark.range).collect();
        assert_eq!(ranges, [39..50, 15..23]);
        assert_eq!(margin().marks(3, "Nothing stands.", &theme), []);
        // Of words that stand there twice, the nearer place is theirs, however far both are.
        let (near, far) = (format!("é{}no{}", ".".repeat(3_000), "é".repeat(900)), ".".repeat(9_000));
        let twice = format!("no{far}{near}{far}no");
        assert_eq!(nearest(&twice, "no", 0), Some(0));
        assert_eq!(nearest(&twice, "no", 9_100), Some(12_004));
        assert_eq!(nearest(&twice, "no", twice.len() + 5), Some(twice.len() - 2));
        assert_eq!((nearest(&twice, "yes", 4), nearest("", "no", 9)), (None, None));
    }
}
