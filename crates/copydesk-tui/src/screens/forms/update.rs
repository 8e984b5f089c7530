//! Typing, pasting, sending, leaving a form.

use crossterm::event::KeyEvent;
use ratatui::prelude::{Buffer, Rect};

use crate::app::{
    Action, KeyContext, Model, Overlay, Question, Reaction, Request, Scene, Ticket, Trouble, Ways, listed,
};
use crate::screens::forms::answer::answer;
use crate::screens::forms::top::form;
use crate::screens::forms::{DecisionPoint, Form, FormAnswer, FormStage, Purpose, view};
use crate::screens::gate::edits;
use crate::screens::record::StoryRecordPage;
use crate::screens::{gate, settings};
use crate::widgets::Input;
use copydesk_newsroom::Choice;

/// The word of a decision that is made once its file is read.
const ADDS: &str = "add_source";

/// Most bytes of a draft that is typed: so much that each key still gets its frame at once.
const LONGEST_DRAFT: usize = 1_000_000;

/// Larger texts are for files.
const MOST_BYTES: usize = 8 << 20;

impl Overlay for Form {
    fn keys(&self) -> (KeyContext, &'static [Action]) {
        let context = match self.fields.get(self.focus).map(|field| &field.input) {
            Some(Input::Text(_)) => KeyContext::Editor,
            Some(Input::Line(_)) => KeyContext::Input,
            Some(Input::Choice(_)) => KeyContext::Choice,
            None => KeyContext::Dialog,
        };
        let hints: &[Action] = match context {
            KeyContext::Choice => listed![Save NextPane Close],
            _ if self.keeps() => listed![
                Save NextNote AcceptNote RejectNote CommentHere FindReplace UndoTyping RedoTyping NextPane EditOutside
                ForgetEdit Help Cancel
            ],
            KeyContext::Input if self.fields.len() == 1 => listed![Confirm Cancel],
            KeyContext::Input => listed![Save NextPane Cancel],
            _ => listed![Save NextPane UndoTyping Help EditOutside ForgetEdit Cancel],
        };
        (context, hints)
    }

    fn titles(&self) -> Vec<(Action, String)> {
        vec![
            (Action::NextPane, "Next field".into()),
            (Action::Save, self.does.into()),
            (Action::Confirm, self.does.into()),
        ]
    }

    fn act(&mut self, action: Action, _: &Scene<'_>) -> Reaction {
        match action {
            Action::Confirm | Action::Save => {
                self.by_enter = action == Action::Confirm;
                Reaction::Then(send)
            }
            Action::Close | Action::Cancel => Reaction::Then(cancel),
            Action::MoveLeft | Action::MoveRight => {
                self.choose(if action == Action::MoveLeft { -1 } else { 1 });
                Reaction::Then(settings::update::preview)
            }
            Action::NextPane | Action::PreviousPane => {
                self.move_focus(if action == Action::NextPane { 1 } else { -1 });
                Reaction::CHANGED
            }
            Action::UndoTyping
            | Action::RedoTyping
            | Action::SelectAll
            | Action::CutSelection
            | Action::CopySelection
            | Action::Paste => {
                if self.stage != FormStage::Open {
                    return Reaction::CHANGED;
                }
                self.edit(action);
                Reaction::Then(typed)
            }
            _ => Reaction::Ignored,
        }
    }

    fn move_by(&mut self, by: isize, _: &Scene<'_>) -> Reaction {
        self.move_in_field(by);
        Reaction::Then(settings::update::preview)
    }

    fn type_key(&mut self, event: KeyEvent) -> Reaction {
        if !self.take_key(event) {
            return Reaction::CHANGED;
        }
        self.problem = None;
        Reaction::Then(typed)
    }

    fn paste(&mut self, text: &str) -> Reaction {
        if self.keeps() && self.bytes().saturating_add(text.len()) > LONGEST_DRAFT {
            let tenths = text.len() / 100_000;
            self.problem = Some(format!(
                "this text of {}.{} MB is too long: a draft holds 1 MB. Nothing was pasted; add it as a source of the story",
                tenths / 10,
                tenths % 10
            ));
            return Reaction::CHANGED;
        }
        if self.bytes().saturating_add(text.len()) > MOST_BYTES {
            self.problem = Some("the text is larger than 8 MB; save it as a file and open the story from there".into());
            return Reaction::CHANGED;
        }
        if !self.take_text(text) {
            return Reaction::CHANGED;
        }
        self.problem = None;
        Reaction::Then(typed)
    }

    fn view(&mut self, scene: &Scene<'_>, _: &Ways, area: Rect, buf: &mut Buffer) {
        view::form(self, area, buf, &scene.theme);
    }
}

/// Esc: asks first if the form has a long text that is not saved.
fn cancel(model: &mut Model) {
    // A sent form closes without a question: the footer says whether it was accepted.
    if form(model).is_some_and(|form| form.is_touched() && form.is_long() && !form.keeps() && !form.is_sent()) {
        let text = "The text that you typed here is not saved.";
        return model.lay_over(Question::new("Discard it?", text, "discard it", leave));
    }
    leave(model);
}

/// Sends the answer. The form stays open until it is saved, so that it can show a problem.
pub(crate) fn send(model: &mut Model) {
    let Some(form) = form(model) else { return };
    match form.stage {
        FormStage::Open => {}
        FormStage::Reading { ticket, outside, .. } => {
            form.stage = FormStage::Reading { ticket, outside, saves: true };
            return;
        }
        FormStage::Sent(_) | FormStage::Outside => return,
    }
    // Saved in the moment in which others changed the same words: that is seen first.
    if let Some(clash) = form.clash.take() {
        form.problem = Some(clash);
        return;
    }
    match answer(form) {
        Ok(FormAnswer::Ask(request)) => {
            let request = match *request {
                Request::Decide { at, choice } => {
                    if gate::notes::ask_to_keep(model, &at, &choice).is_none() {
                        send_choice(model, at, choice);
                    }
                    return;
                }
                other => other,
            };
            let ticket = model.ticket();
            match &request {
                Request::AddSource { at, .. } => {
                    if let Err(problem) = gate::update::mark(model, ticket, at, ADDS) {
                        return wrong(model, problem.to_string());
                    }
                }
                // The new story or run opens, unless the person goes elsewhere first.
                Request::Begin(_) => model.next.ticket = Some(ticket),
                Request::Correct { .. } => {
                    model.next.ticket = Some(ticket);
                    // The run that opens has a record of its own.
                    model.overlays.retain(|overlay| overlay.page::<StoryRecordPage>().is_none());
                }
                _ => {}
            }
            sent(model, ticket);
            model.ask_for(ticket, request);
        }
        Ok(FormAnswer::Stay(then)) => then(model),
        Ok(FormAnswer::Close(then)) => {
            model.overlays.pop();
            then(model);
        }
        Err(problem) => wrong(model, problem.to_string()),
    }
}

/// Sends the decision of the form on top.
pub(crate) fn send_choice(model: &mut Model, at: DecisionPoint, choice: Choice) {
    let ticket = model.ticket();
    if let Err(problem) = gate::update::mark(model, ticket, &at, choice.name()) {
        return wrong(model, problem.to_string());
    }
    sent(model, ticket);
    model.ask_for(ticket, Request::Decide { at, choice });
}

fn sent(model: &mut Model, ticket: Ticket) {
    if let Some(form) = form(model) {
        form.stage = FormStage::Sent(ticket);
        form.problem = None;
    }
}

fn wrong(model: &mut Model, problem: impl Into<String>) {
    if let Some(form) = form(model) {
        form.problem = Some(problem.into());
    }
}

/// A request has ended: the form that waits for it closes, opens, or shows the problem. None if no form waits for it.
pub(crate) fn answered(model: &mut Model, ticket: Ticket, result: &Result<(), Trouble>) -> Option<()> {
    let awaits = |form: &Form| form.awaits(ticket);
    let place = model.overlays.iter().position(|overlay| overlay.page().is_some_and(awaits))?;
    let is_on_top = place + 1 == model.overlays.len();
    let form: &mut Form = model.overlays.get_mut(place)?.page_mut()?;
    match (form.stage, result) {
        (FormStage::Reading { outside, saves, .. }, Ok(())) => {
            let run = form.edits().map(|(at, _)| at.run);
            // An unfinished edit, or a form under another page, is seen before it is saved.
            let is_seen = form.kept_at.is_none() && is_on_top;
            let effects = edits::opened(form, outside);
            if saves && !is_seen {
                form.problem = Some("your edit is loaded now: read it, and save again".into());
            }
            model.effects.extend(effects);
            // Takes in the decisions that were made while the text was being read.
            if let Some(run) = run {
                edits::changed_elsewhere(model, run);
            }
            edits::prove(model);
            if saves && is_seen {
                send(model);
            }
        }
        // A text that cannot be read cannot be edited.
        (FormStage::Reading { .. }, Err(problem)) => {
            model.overlays.remove(place);
            model.warn(format!("your earlier edit cannot be read now; try again: {problem}"));
        }
        (_, Ok(())) => {
            let is_edit = form.keeps();
            model.overlays.remove(place);
            if is_edit {
                edits::read_on(model);
            }
        }
        (_, Err(problem)) => {
            form.problem = Some(problem.to_string());
            form.stage = FormStage::Open;
            // Shows the decision that came first.
            gate::update::look_again(model);
        }
    }
    Some(())
}

fn leave(model: &mut Model) {
    match form(model) {
        Some(form) if form.keeps() => edits::leave(model),
        Some(form) if matches!(form.purpose, Purpose::Settings(_)) => settings::update::leave(model),
        _ => drop(model.overlays.pop()),
    }
}

/// Keeps and proves what was typed in a hand edit.
fn typed(model: &mut Model) {
    if let Some(form) = form(model) {
        gate::notes::replace_once_filled(form);
    }
    let kept = form(model).and_then(|form| edits::keep(form));
    edits::keep_and_prove(model, kept);
}
