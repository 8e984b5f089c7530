//! Forms: what is typed, the state, and the last problem.

use std::path::PathBuf;

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::prelude::Position;
use tui_textarea::{CursorMove, TextArea};

use crate::app::{Action, AfterAnswer, Request, Ticket, Trouble};
use crate::screens::forms::{DecisionPoint, DraftState, FieldName, Margin};
use crate::screens::settings::Asked;
use crate::widgets::field::{change, jump};
use crate::widgets::{Field, Input, Options, RowMove, ring};

use copydesk_newsroom::{ArticleResponse, Choice};
use copydesk_text::sanitise;

/// Input that arrives before the form's text does.
enum Early {
    Key(KeyEvent),
    Focus(isize),
    Paste(String),
}

/// What a form is for.
pub enum Purpose {
    /// A choice of the editor. Its reason, text or status is still to be read from the fields.
    Decide(DecisionPoint, Choice),
    /// The settings, or the first ones.
    Settings(Box<Asked>),
    /// Anything else: the page that asks reads the answer.
    Ask(ReadAnswer),
}

/// Reads the answer from the fields. The error names the missing or invalid input.
type ReadAnswer = Box<dyn Fn(&Form) -> Result<FormAnswer, Trouble>>;

/// What follows from an answer.
pub enum FormAnswer {
    /// The form stays open until this is done.
    Ask(Box<Request>),
    /// The form closes first.
    Close(AfterAnswer),
    /// The form stays open.
    Stay(AfterAnswer),
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum FormStage {
    #[default]
    Open,
    /// The unfinished edit is being read; input waits for it.
    Reading {
        ticket: Ticket,
        /// Whether an external editor opens then.
        outside: bool,
        /// Whether it was saved meanwhile: then it is sent once the text is there.
        saves: bool,
    },
    /// An external editor has the focused field.
    Outside,
    /// The answer is on its way. Nothing is called done before it is in the database.
    Sent(Ticket),
}

pub struct Form {
    pub purpose: Purpose,
    pub title: String,
    pub explanation: String,
    pub fields: Vec<Field>,
    pub focus: usize,
    pub problem: Option<String>,
    pub stage: FormStage,
    /// Where the cursor of a hand edit is once its text is there: a field and a byte of it.
    pub begins_at: Option<(usize, usize)>,
    early: Vec<Early>,
    pub(super) touched: bool,
    /// What its answer does, in a word or two, for the footer.
    pub does: &'static str,
    /// Whether it was sent with Enter, and not with the key that saves.
    pub by_enter: bool,
    /// When a hand edit was last saved while typing: ISO 8601, UTC.
    pub kept_at: Option<String>,
    /// The further state of a hand edit: its history and the visible part of each field.
    pub draft: Option<Box<DraftState>>,
    /// The text of a hand edit that was sent to the record with a fix, while typing goes on.
    pub sent_fix: Option<ArticleResponse>,
    /// A message that another program changed the same words, until the person who saves the text has seen it.
    pub clash: Option<String>,
    /// The margin beside a hand edit; none before it is proved.
    pub margin: Option<Box<Margin>>,
    /// The cell of the cursor in the last frame; none in a list.
    pub caret: Option<Position>,
}

impl Form {
    pub fn new(purpose: Purpose, title: impl Into<String>, explanation: impl Into<String>, fields: Vec<Field>) -> Self {
        let does = match &purpose {
            Purpose::Decide(_, Choice::Override { .. }) => "Overrule",
            Purpose::Decide(_, Choice::Stet { .. }) => "Let it stand",
            Purpose::Decide(_, Choice::Spike { .. }) => "Spike",
            Purpose::Decide(_, Choice::SendBack { .. }) => "Send back",
            Purpose::Decide(_, Choice::Research { .. }) => "Send the Reporter",
            _ => Action::Save.title(),
        };
        Self {
            purpose,
            does,
            title: title.into(),
            explanation: explanation.into(),
            fields,
            focus: 0,
            problem: None,
            stage: FormStage::Open,
            begins_at: None,
            early: Vec::new(),
            touched: false,
            by_enter: false,
            kept_at: None,
            draft: None,
            sent_fix: None,
            clash: None,
            margin: None,
            caret: None,
        }
    }

    /// A form that asks for what a request needs.
    pub fn asking(
        title: impl Into<String>,
        explanation: impl Into<String>,
        fields: Vec<Field>,
        request: impl Fn(&Self) -> Result<Request, Trouble> + 'static,
    ) -> Self {
        Self::read_by(title, explanation, fields, move |form| Ok(FormAnswer::Ask(Box::new(request(form)?))))
    }

    /// A form whose answer is read by `read`.
    pub fn read_by(
        title: impl Into<String>,
        explanation: impl Into<String>,
        fields: Vec<Field>,
        read: impl Fn(&Self) -> Result<FormAnswer, Trouble> + 'static,
    ) -> Self {
        Self::new(Purpose::Ask(Box::new(read)), title, explanation, fields)
    }

    /// The footer names its answer so.
    #[must_use]
    pub fn doing(self, does: &'static str) -> Self {
        Self { does, ..self }
    }

    /// A field's text in one line.
    pub fn line(&self, name: FieldName) -> String {
        sanitise::one_line(&self.value(name))
    }

    /// A field's text, cleaned and trimmed.
    pub fn text(&self, name: FieldName) -> String {
        sanitise::clean(&self.value(name)).trim().to_owned()
    }

    /// A field's text; if it is blank, the error says what is missing.
    pub fn filled(&self, name: FieldName, missing: &str) -> Result<String, Trouble> {
        let typed = self.text(name);
        if sanitise::is_blank(&typed) { Err(Trouble::new(missing)) } else { Ok(typed) }
    }

    /// The path in the field for a file.
    pub fn file(&self) -> Result<PathBuf, Trouble> {
        let path = self.line(FieldName::File);
        if path.is_empty() { Err(Trouble::new("enter a file name")) } else { Ok(expanded(&path)) }
    }

    /// The text of a field; empty if the form does not have it.
    pub fn value(&self, name: FieldName) -> String {
        self.place(name).and_then(|place| self.fields.get(place)).map(Field::value).unwrap_or_default()
    }

    fn place(&self, name: FieldName) -> Option<usize> {
        self.fields.iter().position(|field| field.label == <&str>::from(name))
    }

    pub fn focus_on(&mut self, name: FieldName) {
        self.focus = self.place(name).unwrap_or(self.focus);
    }

    /// To another field, wrapping around.
    pub fn move_focus(&mut self, by: isize) {
        if matches!(self.stage, FormStage::Reading { .. }) {
            return self.early.push(Early::Focus(by));
        }
        self.focus = ring::step(self.focus, by, self.fields.len());
        // What is typed replaces an old value, as on other forms. The words of a draft stay.
        let is_draft = self.keeps();
        if let Some(Field { input: Input::Line(area), .. }) = self.fields.get_mut(self.focus).filter(|_| !is_draft) {
            area.select_all();
        }
    }

    pub fn is_touched(&self) -> bool {
        self.touched
    }

    /// Whether it is saved while typing.
    pub fn keeps(&self) -> bool {
        self.edits().is_some()
    }

    /// For a hand edit: where it is made, and the draft before it.
    pub fn edits(&self) -> Option<(&DecisionPoint, &ArticleResponse)> {
        match &self.purpose {
            Purpose::Decide(at, Choice::Edit { article: before }) => Some((at, before)),
            _ => None,
        }
    }

    pub fn is_sent(&self) -> bool {
        matches!(self.stage, FormStage::Sent(_))
    }

    pub fn awaits(&self, ticket: Ticket) -> bool {
        matches!(self.stage, FormStage::Sent(of) | FormStage::Reading { ticket: of, .. } if of == ticket)
    }

    /// Whether input waits for the text.
    pub fn holds_back(&self) -> bool {
        !self.early.is_empty()
    }

    /// The text is there, or cannot be had: applies the input that waited. Returns whether it changed the text.
    pub fn opened(&mut self) -> bool {
        self.stage = FormStage::Open;
        if let Some((field, byte)) = self.begins_at.take() {
            self.go_to(field, byte);
        }
        let early = std::mem::take(&mut self.early);
        let mut changed = false;
        for early in early {
            changed |= match early {
                Early::Key(event) => self.take_key(event),
                Early::Focus(by) => {
                    self.move_focus(by);
                    false
                }
                Early::Paste(text) => self.take_text(&text),
            };
        }
        changed
    }

    /// Whether it has long fields, which are worth a question before they are thrown away.
    pub fn is_long(&self) -> bool {
        self.fields.iter().any(|field| matches!(field.input, Input::Text(_)))
    }

    /// Bytes of all fields and of the input that waits.
    pub fn bytes(&self) -> usize {
        let area = |area: &TextArea<'_>| area.lines().iter().map(|line| line.len() + 1).sum::<usize>();
        let early = self.early.iter().map(|early| match early {
            Early::Paste(text) => text.len(),
            Early::Key(_) | Early::Focus(_) => 1,
        });
        let fields = self.fields.iter().map(|field| match &field.input {
            Input::Line(text) | Input::Text(text) => area(text),
            Input::Choice(_) => 0,
        });
        fields.chain(early).sum()
    }

    pub(super) fn focused(&mut self) -> Option<&mut Field> {
        self.fields.get_mut(self.focus)
    }

    /// Whether input is taken now. If the text is still being read, the input waits for it.
    fn takes(&mut self, input: impl FnOnce() -> Early) -> bool {
        if matches!(self.stage, FormStage::Reading { .. }) {
            self.early.push(input());
        }
        self.stage == FormStage::Open
    }

    /// Types into the focused field. Returns whether the text has changed.
    pub fn take_key(&mut self, event: KeyEvent) -> bool {
        if !self.takes(|| Early::Key(event)) {
            return false;
        }
        self.leave_list(event);
        let one_line = matches!(self.focused().map(|field| &field.input), Some(Input::Line(_)));
        if one_line && event.code == KeyCode::Enter {
            return false;
        }
        if !one_line && self.moves_by_rows(event) {
            return false;
        }
        let changed = self.focused().and_then(Field::area).is_some_and(|area| change(area, |area| area.input(event)));
        self.changed(changed)
    }

    /// A letter that is typed at a list of a decision goes to the next field of text, such as its reason. Elsewhere the form says what to press.
    fn leave_list(&mut self, event: KeyEvent) {
        let is_list = |field: &Field| matches!(field.input, Input::Choice(_));
        if !self.fields.get(self.focus).is_some_and(is_list) || !matches!(event.code, KeyCode::Char(_)) {
            return;
        }
        let next = (self.focus..self.fields.len()).find(|at| self.fields.get(*at).is_some_and(|field| !is_list(field)));
        match next.filter(|_| matches!(self.purpose, Purpose::Decide(..))) {
            Some(next) => self.focus = next,
            None => self.problem = Some("this is a list: the arrow keys choose, tab goes to the next field".into()),
        }
    }

    /// Pastes at the cursor, without line breaks in a field of one line. Returns whether the text has changed.
    pub fn take_text(&mut self, text: &str) -> bool {
        if !self.takes(|| Early::Paste(text.to_owned())) {
            return false;
        }
        let Some(field) = self.focused() else { return false };
        let one_line = matches!(field.input, Input::Line(_));
        let Some(area) = field.area() else { return false };
        let text = if one_line { sanitise::one_line(text) } else { sanitise::clean(text).into_owned() };
        let changed = change(area, |area| area.insert_str(text));
        self.changed(changed)
    }

    /// Undo, redo, cut and the like in the focused field.
    pub fn edit(&mut self, action: Action) {
        if let (Some(draft), Action::UndoTyping | Action::RedoTyping) = (&mut self.draft, action) {
            if let Some(at) = draft.step(&mut self.fields, action == Action::UndoTyping) {
                self.focus = at;
                self.touched = true;
            }
            return;
        }
        let Some(area) = self.focused().and_then(Field::area) else { return };
        let changed = match action {
            Action::UndoTyping => area.undo(),
            Action::RedoTyping => area.redo(),
            Action::CutSelection => change(area, TextArea::cut),
            Action::Paste => change(area, TextArea::paste),
            Action::SelectAll => return area.select_all(),
            Action::CopySelection => return area.copy(),
            _ => return,
        };
        self.changed(changed);
    }

    /// None if the focused field is a choice.
    pub fn focused_text(&self) -> Option<String> {
        self.fields
            .get(self.focus)
            .filter(|field| matches!(field.input, Input::Line(_) | Input::Text(_)))
            .map(Field::value)
    }

    /// Replaces the text of the focused field; undo brings it back.
    pub fn replace(&mut self, text: &str) {
        self.set(self.focus, text);
        self.changed(true);
    }

    /// The list of a field, to read or to change it.
    pub fn options(&mut self, name: FieldName) -> Option<&mut Options> {
        let place = self.place(name)?;
        match &mut self.fields.get_mut(place)?.input {
            Input::Choice(options) => Some(options),
            _ => None,
        }
    }

    pub fn has(&self, name: FieldName) -> bool {
        self.place(name).is_some()
    }

    /// Which entry of a list is chosen; the first if the form does not have the list.
    pub fn chosen(&self, name: FieldName) -> usize {
        match self.place(name).and_then(|place| self.fields.get(place)).map(|field| &field.input) {
            Some(Input::Choice(options)) => options.chosen,
            _ => 0,
        }
    }

    /// Replaces the hint of a field.
    pub fn set_hint(&mut self, name: FieldName, hint: &'static str) {
        if let Some(field) = self.place(name).and_then(|place| self.fields.get_mut(place)) {
            field.hint = hint;
        }
    }

    pub fn replace_field(&mut self, name: FieldName, text: &str) {
        if let Some(place) = self.place(name) {
            self.set(place, text);
        }
    }

    fn set(&mut self, place: usize, text: &str) {
        let Some(field) = self.fields.get_mut(place) else { return };
        let one_line = matches!(field.input, Input::Line(_));
        if let Some(area) = field.area() {
            area.select_all();
            if one_line {
                area.insert_str(sanitise::one_line(text));
            } else {
                area.insert_str(text);
                // Long texts open at their beginning.
                jump(area, (0, 0));
            }
        }
    }

    /// Moves the cursor of a long field by lines; elsewhere to another field or choice.
    pub fn move_in_field(&mut self, by: isize) {
        let place = self.focus;
        match self.fields.get_mut(place).map(|field| &mut field.input) {
            Some(Input::Text(_)) if self.draft.is_some() => self.move_by_rows(RowMove::By(by), false),
            Some(Input::Text(area)) => {
                let step = if by < 0 { CursorMove::Up } else { CursorMove::Down };
                for _ in 0..by.unsigned_abs().min(10_000) {
                    area.move_cursor(step);
                }
            }
            Some(Input::Line(_)) => self.move_focus(by.signum()),
            Some(Input::Choice(_)) => self.choose(by.signum()),
            None => {}
        }
    }

    pub fn choose(&mut self, by: isize) {
        if self.stage == FormStage::Open
            && let Some(Field { input: Input::Choice(options), .. }) = self.fields.get_mut(self.focus)
        {
            options.turn(by);
            self.touched = true;
        }
    }
}

/// Expands `~`.
pub(crate) fn expanded(path: &str) -> PathBuf {
    let rest = path.strip_prefix("~/");
    match (rest, directories::UserDirs::new()) {
        (Some(rest), Some(folders)) => folders.home_dir().join(rest),
        _ => PathBuf::from(path),
    }
}
