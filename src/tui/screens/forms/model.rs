//! Questions that want an answer in writing: how far they are, what is typed, what was wrong with the last answer.

use crossterm::event::{KeyCode, KeyEvent};
use tui_textarea::{CursorMove, TextArea};

use crate::tui::{
    screens::forms::purpose::{At, Decides, Purpose},
    widgets::field::{Field, Input},
};

use crate::newsroom::{ArticleResponse, Status};
use crate::text::sanitise;
use crate::tui::app::{actions::Action, ticket::Ticket};

/// What comes before the form's own text is there.
#[derive(Debug, Clone)]
enum Early {
    /// A key.
    Key(KeyEvent),
    /// To another field.
    Focus(isize),
    /// Pasted text.
    Paste(String),
}

/// How far a form is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Stage {
    /// It is being filled in.
    #[default]
    Open,
    /// What was kept of its text is being read; what is typed waits for it.
    Reading {
        /// What it was asked for with.
        ticket: Ticket,
        /// Whether the person's own editor takes over then.
        outside: bool,
    },
    /// The person's own editor has the text of the focused field.
    Outside,
    /// Its answer is on its way: nothing is said to be done before it is in the database.
    Sent(Ticket),
}

/// A form.
#[derive(Debug, Clone)]
pub struct Form {
    /// What it is for.
    pub purpose: Purpose,
    /// Its title.
    pub title: String,
    /// What it does, in a sentence or two.
    pub explanation: String,
    /// Its fields.
    pub fields: Vec<Field>,
    /// The field with the cursor.
    pub focus: usize,
    /// What was wrong with the last answer.
    pub problem: Option<String>,
    /// How far it is.
    pub stage: Stage,
    /// What was typed and pasted while its text was being read.
    early: Vec<Early>,
    /// Whether something was typed.
    touched: bool,
    /// When the text was last saved while it is typed: ISO 8601, UTC. Only hand edits are.
    pub kept_at: Option<String>,
}

impl Form {
    /// A form with the cursor in its first field.
    #[must_use]
    pub fn new(purpose: Purpose, title: impl Into<String>, explanation: impl Into<String>, fields: Vec<Field>) -> Self {
        Self {
            purpose,
            title: title.into(),
            explanation: explanation.into(),
            fields,
            focus: 0,
            problem: None,
            stage: Stage::Open,
            early: Vec::new(),
            touched: false,
            kept_at: None,
        }
    }

    /// The text of a field; empty where there is none.
    #[must_use]
    pub fn value(&self, place: usize) -> String {
        self.fields.get(place).map(Field::value).unwrap_or_default()
    }

    /// Moves the cursor to another field, around the end.
    pub fn move_focus(&mut self, by: isize) {
        if matches!(self.stage, Stage::Reading { .. }) {
            return self.early.push(Early::Focus(by));
        }
        let length = isize::try_from(self.fields.len()).unwrap_or(1).max(1);
        let next = isize::try_from(self.focus).unwrap_or(0).saturating_add(by).rem_euclid(length);
        self.focus = usize::try_from(next).unwrap_or(0);
    }

    /// Whether something was typed.
    #[must_use]
    pub fn is_touched(&self) -> bool {
        self.touched
    }

    /// Whether what is typed is kept while it is.
    #[must_use]
    pub fn keeps(&self) -> bool {
        self.edits().is_some()
    }

    /// Where a hand edit is made, and the draft as it was; none where the form is for something else.
    #[must_use]
    pub fn edits(&self) -> Option<(&At, &ArticleResponse)> {
        match &self.purpose {
            Purpose::Decide(at, Decides::Edit { before }) => Some((at, before)),
            _ => None,
        }
    }

    /// Whether its answer is on its way.
    #[must_use]
    pub fn is_sent(&self) -> bool {
        matches!(self.stage, Stage::Sent(_))
    }

    /// Whether it waits for the answer to `ticket`.
    #[must_use]
    pub fn awaits(&self, ticket: Ticket) -> bool {
        matches!(self.stage, Stage::Sent(of) | Stage::Reading { ticket: of, .. } if of == ticket)
    }

    /// Whether something was typed that waits for its text to be there.
    #[must_use]
    pub fn holds_back(&self) -> bool {
        !self.early.is_empty()
    }

    /// Its text is there, or cannot be had: what was typed meanwhile is typed now. Returns whether it has changed the text.
    pub fn opened(&mut self) -> bool {
        self.stage = Stage::Open;
        let early = std::mem::take(&mut self.early);
        let mut changed = false;
        for early in early {
            changed |= match early {
                Early::Key(event) => self.type_key(event),
                Early::Focus(by) => {
                    self.move_focus(by);
                    false
                }
                Early::Paste(text) => self.paste(&text),
            };
        }
        changed
    }

    /// Whether it asks for more than a line: what is typed there is worth a question before it is thrown away.
    #[must_use]
    pub fn is_long(&self) -> bool {
        self.fields.iter().any(|field| matches!(field.input, Input::Text(_)))
    }

    /// The status that is chosen, where the form asks for one.
    #[must_use]
    pub fn status(&self) -> Option<Status> {
        self.fields.iter().find_map(|field| match field.input {
            Input::Status(status) => Some(status),
            Input::Line(_) | Input::Text(_) => None,
        })
    }

    /// Bytes of all fields, with what waits to be typed into them.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let area = |area: &TextArea<'_>| area.lines().iter().map(|line| line.len() + 1).sum::<usize>();
        let early = self.early.iter().map(|early| match early {
            Early::Paste(text) => text.len(),
            Early::Key(_) | Early::Focus(_) => 1,
        });
        let fields = self.fields.iter().map(|field| match &field.input {
            Input::Line(text) | Input::Text(text) => area(text),
            Input::Status(_) => 0,
        });
        fields.chain(early).sum()
    }

    fn focused(&mut self) -> Option<&mut Field> {
        self.fields.get_mut(self.focus)
    }

    /// Types a key into the focused field. Returns whether the text has changed.
    pub fn type_key(&mut self, event: KeyEvent) -> bool {
        match self.stage {
            Stage::Open => {}
            Stage::Reading { .. } => {
                self.early.push(Early::Key(event));
                return false;
            }
            Stage::Sent(_) | Stage::Outside => return false,
        }
        let one_line = matches!(self.focused().map(|field| &field.input), Some(Input::Line(_)));
        if one_line && event.code == KeyCode::Enter {
            return false;
        }
        let changed = self.focused().and_then(Field::area).is_some_and(|area| area.input(event));
        self.touched |= changed;
        changed
    }

    /// Pastes a text at the cursor; into one line without its breaks. Returns whether the text has changed.
    pub fn paste(&mut self, text: &str) -> bool {
        match self.stage {
            Stage::Open => {}
            Stage::Reading { .. } => {
                self.early.push(Early::Paste(text.to_owned()));
                return false;
            }
            Stage::Sent(_) | Stage::Outside => return false,
        }
        let Some(field) = self.focused() else { return false };
        let one_line = matches!(field.input, Input::Line(_));
        let Some(area) = field.area() else { return false };
        let changed = if one_line { area.insert_str(sanitise::one_line(text)) } else { area.insert_str(text) };
        self.touched |= changed;
        changed
    }

    /// Undo, redo, cut and the like in the focused field.
    pub fn edit(&mut self, action: Action) {
        let Some(area) = self.focused().and_then(Field::area) else { return };
        let changed = match action {
            Action::UndoTyping => area.undo(),
            Action::RedoTyping => area.redo(),
            Action::CutSelection => area.cut(),
            Action::Paste => area.paste(),
            Action::SelectAll => {
                area.select_all();
                false
            }
            Action::CopySelection => {
                area.copy();
                false
            }
            _ => false,
        };
        self.touched |= changed;
    }

    /// The text of the focused field; none where it is a choice.
    #[must_use]
    pub fn focused_text(&self) -> Option<String> {
        self.fields.get(self.focus).filter(|field| !matches!(field.input, Input::Status(_))).map(Field::value)
    }

    /// Replaces the text of the focused field; it can be undone.
    pub fn replace(&mut self, text: &str) {
        self.replace_field(self.focus, text);
        self.touched = true;
    }

    /// Replaces the text of a field.
    pub fn replace_field(&mut self, place: usize, text: &str) {
        let Some(field) = self.fields.get_mut(place) else { return };
        let one_line = matches!(field.input, Input::Line(_));
        if let Some(area) = field.area() {
            area.select_all();
            if one_line {
                area.insert_str(sanitise::one_line(text));
            } else {
                area.insert_str(text);
                // It is read from its beginning, like any text that is opened.
                area.move_cursor(CursorMove::Top);
            }
        }
    }

    /// Moves the cursor of a long field by lines; between fields where it is a choice or a line.
    pub fn move_in_field(&mut self, by: isize) {
        let place = self.focus;
        match self.fields.get_mut(place).map(|field| &mut field.input) {
            Some(Input::Text(area)) => {
                let step = if by < 0 { CursorMove::Up } else { CursorMove::Down };
                for _ in 0..by.unsigned_abs().min(10_000) {
                    area.move_cursor(step);
                }
            }
            Some(Input::Line(_)) => self.move_focus(by.signum()),
            Some(Input::Status(_)) => self.choose(by.signum()),
            None => {}
        }
    }

    /// The choice `by` places on.
    pub fn choose(&mut self, by: isize) {
        const ALL: [Status; 3] = [Status::Keep, Status::Rewrite, Status::Remove];
        if let Some(Field { input: Input::Status(status), .. }) = self.fields.get_mut(self.focus) {
            let place = ALL.iter().position(|known| known == status).unwrap_or(0);
            let next = isize::try_from(place).unwrap_or(0).saturating_add(by.signum()).rem_euclid(3);
            if let Some(next) = usize::try_from(next).ok().and_then(|next| ALL.get(next)) {
                *status = *next;
                self.touched = true;
            }
        }
    }
}
