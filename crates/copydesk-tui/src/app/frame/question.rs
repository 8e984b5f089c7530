//! A question that is answered with a key.

use std::any::Any;

use ratatui::{
    buffer::Buffer,
    layout::Rect,
    text::{Line, Span},
};

use crate::{
    app::{
        actions::Action,
        effects::Effect,
        model::{Model, Overlay, Question, Reaction, Scene},
        ways::Ways,
    },
    screens::forms,
    widgets::{draw, theme::Theme, words},
};

impl Overlay for Question {
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
    let Some(page) = model.overlays.pop() else { return Vec::new() };
    let page: Box<dyn Any> = page;
    let Ok(question) = page.downcast::<Question>() else { return Vec::new() };
    let Question { then, sends_form, .. } = *question;
    let mut effects = then(model);
    if sends_form {
        effects.extend(forms::update::send(model));
    }
    effects
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
