//! A question that is answered with a key.

use ratatui::{
    buffer::Buffer,
    layout::Rect,
    text::{Line, Span},
};

use crate::{
    app::{
        action::KeyContext,
        actions::Action,
        effects::Effect,
        messages::Request,
        model::{ConfirmedAction, Model, Overlay, Question, Reaction, Scene},
        ways::Ways,
    },
    screens::{
        forms,
        gate::{self, edits},
        proof, publish, settings,
    },
    widgets::{draw, theme::Theme, words},
};

impl Overlay for Question {
    fn context(&self) -> KeyContext {
        KeyContext::Dialog
    }

    fn hints(&self) -> &'static [Action] {
        &[Action::Confirm, Action::Close]
    }

    fn title(&self, action: Action) -> Option<String> {
        match action {
            Action::Confirm => Some(words::sentence(self.yes.clone())),
            Action::Close => Some("No".into()),
            _ => None,
        }
    }

    fn act(&mut self, action: Action, _: &Scene<'_>) -> Reaction {
        if matches!(action, Action::Confirm | Action::Save) { Reaction::Then(follow) } else { Reaction::Ignored }
    }

    fn view(&mut self, scene: &Scene<'_>, _: &Ways, area: Rect, buf: &mut Buffer) {
        question(self, area, buf, &scene.theme);
    }
}

/// Does what was asked about, after a yes.
fn follow(model: &mut Model) -> Vec<Effect> {
    let Some(then) = model.on_top::<Question>().map(|question| question.then.clone()) else { return Vec::new() };
    model.overlays.pop();
    match then {
        ConfirmedAction::Quit => {
            model.leaving = true;
            Vec::new()
        }
        ConfirmedAction::Decide(at, choice) => gate::update::decide_at(model, at, *choice),
        ConfirmedAction::Send(at, choice) => forms::update::send_choice(model, at, *choice),
        ConfirmedAction::LeaveForm => forms::update::leave(model),
        ConfirmedAction::Continue(at) => gate::update::continue_at(model, at),
        ConfirmedAction::SaveSettings => forms::update::send(model),
        ConfirmedAction::SendOut => {
            settings::update::agree(model);
            forms::update::send(model)
        }
        ConfirmedAction::ForgetEdit => edits::forget(model),
        ConfirmedAction::SaveEdit(path, text) => edits::write(model, path, text),
        ConfirmedAction::Ask(request) => vec![Effect::Ask(*request)],
        ConfirmedAction::Open(request) => model.ask_to_open(*request),
        ConfirmedAction::Publish(run, story, targets) => {
            publish::send(model, run, Request::Publish { run, story, targets })
        }
        ConfirmedAction::AddWord(word) => proof::update::add(model, word),
    }
}

/// Draws the question in the middle.
fn question(question: &Question, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let width = area.width.saturating_sub(4).min(64);
    let room = usize::from(width.saturating_sub(4));
    let rows = usize::from(area.height.saturating_sub(4));
    let text = words::wrap_to(&question.text, room, rows);
    let height = u16::try_from(text.len()).unwrap_or(u16::MAX).saturating_add(4);
    let place = draw::middle(area, width, height);
    draw::clear(buf, place);
    let inner = draw::pane(buf, place, &question.title, theme, true);
    let inner = draw::indented(Rect { width: inner.width.saturating_sub(1), ..inner }, 1);
    let rest = draw::lines(buf, inner, text.into_iter().map(Line::raw));
    let (_, answers) = draw::bottom(rest, 1);
    let yes = words::fit(&question.yes, room.saturating_sub(18));
    let answers_line = vec![
        Span::styled("enter", theme.accent),
        Span::raw(format!(": {yes}   ")),
        Span::styled("esc", theme.accent),
        Span::raw(": no"),
    ];
    draw::put(buf, answers, Line::from(answers_line));
}
