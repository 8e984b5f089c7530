//! What stands beside a draft while it is typed: its length, the open concerns, and what the proof and house style find in it.

use ratatui::{
    style::Style,
    text::{Line, Span},
};

use crate::text::sanitise;
use crate::tui::widgets::{theme::Theme, words};

/// Most characters of the draft in a note.
const LONGEST_EXCERPT: usize = 70;

/// Who makes a note.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoteOrigin {
    /// A concern of the round, with its verdict.
    Concern,
    /// The proof of the text as it is typed.
    Proof,
    /// House style and spelling.
    Style,
}

/// A note on some words of a draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarginNote {
    pub origin: NoteOrigin,
    /// The words of the draft.
    pub about: String,
    pub said: String,
    /// Whether the words do not stand in the text any more.
    pub is_gone: bool,
}

/// The margin of a draft, as it was proved last.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Margin {
    pub notes: Vec<MarginNote>,
    /// Words of the body.
    pub words: usize,
    /// The length asked for, in words, such as `900-1200`.
    pub target: String,
}

impl Margin {
    /// `219 words of 900-1200 · 2 notes`.
    #[must_use]
    pub fn length(&self) -> String {
        let target = self.target.trim();
        let of = if target.is_empty() { String::new() } else { format!(" of {}", sanitise::excerpt(target, 20)) };
        let open = self.notes.iter().filter(|note| !note.is_gone).count();
        let notes = if open == 0 { "no notes".to_owned() } else { words::count(open, "note") };
        format!("{}{of} · {notes}", words::count(self.words, "word"))
    }

    /// The notes in lines: first those on the paragraph of the cursor, then the others.
    #[must_use]
    pub fn lines(&self, paragraph: &str, room: usize, theme: &Theme) -> Vec<Line<'static>> {
        let mut lines = vec![Line::styled(words::fit(&self.length(), room), theme.dim)];
        let (here, elsewhere): (Vec<&MarginNote>, Vec<&MarginNote>) =
            self.notes.iter().partition(|note| note.is_on(paragraph));
        for (title, notes) in [("In this paragraph", here), ("Elsewhere", elsewhere)] {
            if !notes.is_empty() {
                lines.extend([Line::default(), Line::styled(title, theme.heading)]);
            }
            lines.extend(notes.into_iter().flat_map(|note| note.lines(room, theme)));
        }
        lines
    }

    /// In one line each: the length, and the first note on the paragraph of the cursor.
    #[must_use]
    pub fn brief(&self, paragraph: &str, room: usize, theme: &Theme) -> Vec<Line<'static>> {
        let mut lines = vec![Line::styled(words::fit(&self.length(), room), theme.dim)];
        if let Some(note) = self.notes.iter().find(|note| note.is_on(paragraph)) {
            lines.extend(note.lines(room, theme).into_iter().take(2));
        }
        lines
    }
}

impl MarginNote {
    fn is_on(&self, paragraph: &str) -> bool {
        !self.is_gone && !self.about.trim().is_empty() && paragraph.contains(self.about.trim())
    }

    fn lines(&self, room: usize, theme: &Theme) -> Vec<Line<'static>> {
        let about = sanitise::excerpt(&sanitise::one_line(&self.about), LONGEST_EXCERPT);
        let (mark, style): (&str, Style) = match self.origin {
            _ if self.is_gone => ("✓", theme.good),
            NoteOrigin::Concern => ("!", theme.warn),
            NoteOrigin::Proof => ("✗", theme.bad),
            NoteOrigin::Style => ("~", theme.dim),
        };
        let about = match (about.is_empty(), self.is_gone) {
            (true, _) => String::new(),
            (false, true) => format!("“{about}” is changed"),
            (false, false) => format!("“{about}”"),
        };
        let inner = room.saturating_sub(2);
        let mut lines = Vec::new();
        let mut texts = if about.is_empty() { Vec::new() } else { words::wrap(&about, inner) };
        let quoted = texts.len();
        if !self.is_gone {
            texts.extend(words::wrap_to(&sanitise::one_line(&self.said), inner, 5));
        }
        for (row, text) in texts.into_iter().enumerate() {
            let before = if row == 0 { format!("{mark} ") } else { "  ".to_owned() };
            let own = if row < quoted { style } else { theme.text };
            lines.push(Line::from(vec![Span::styled(before, style), Span::styled(text, own)]));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::widgets::theme::ThemeName;

    #[test]
    fn notes_on_the_paragraph_of_the_cursor_come_first_and_what_was_changed_is_ticked() {
        let note = |origin, about: &str, is_gone| MarginNote {
            origin,
            about: about.into(),
            said: "not in the source".into(),
            is_gone,
        };
        let margin = Margin {
            notes: vec![
                note(NoteOrigin::Concern, "in April", true),
                note(NoteOrigin::Concern, "five to two", false),
                note(NoteOrigin::Proof, "131,500", false),
            ],
            words: 219,
            target: "250-400".into(),
        };
        let theme = Theme::named(ThemeName::Dark);
        let said = |lines: Vec<Line<'_>>| lines.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(
            said(margin.lines("It costs $131,500.", 40, &theme)),
            [
                "219 words of 250-400 · 2 notes",
                "",
                "In this paragraph",
                "✗ “131,500”",
                "  not in the source",
                "",
                "Elsewhere",
                "✓ “in April” is changed",
                "! “five to two”",
                "  not in the source"
            ]
        );
        assert_eq!(
            said(margin.brief("The vote was five to two.", 60, &theme)),
            ["219 words of 250-400 · 2 notes", "! “five to two”", "  not in the source"]
        );
    }
}
