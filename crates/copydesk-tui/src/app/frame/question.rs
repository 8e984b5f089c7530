//! A question that is answered with a key.

use std::any::Any;

use ratatui::prelude::{Buffer, Line, Rect, Span};

use crate::app::{Action, KeyContext, Model, Overlay, Question, Reaction, Scene, Ways, listed};
use crate::screens::forms;
use crate::widgets::{Theme, draw, words};

impl Overlay for Question {
    fn keys(&self) -> (KeyContext, &'static [Action]) {
        (KeyContext::Dialog, listed![Confirm Close])
    }

    fn titles(&self) -> Vec<(Action, String)> {
        vec![(Action::Confirm, words::sentence(self.yes.clone())), (Action::Close, words::sentence(self.no.to_owned()))]
    }

    fn act(&mut self, action: Action, _: &Scene<'_>) -> Reaction {
        if action == Action::Confirm { Reaction::Then(follow) } else { Reaction::Ignored }
    }

    fn view(&mut self, scene: &Scene<'_>, _: &Ways, area: Rect, buf: &mut Buffer) {
        question(self, area, buf, &scene.theme);
    }
}

/// Does what was asked about, after a yes.
fn follow(model: &mut Model) {
    let Some(page) = model.overlays.pop() else { return };
    let page: Box<dyn Any> = page;
    let Ok(question) = page.downcast::<Question>() else { return };
    let Question { then, sends_form, .. } = *question;
    then(model);
    if sends_form {
        forms::update::send(model);
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
    let inner = draw::cover(buf, place, &question.title, theme);
    let rest = draw::lines(buf, inner, text.into_iter().map(Line::raw));
    let (_, answers) = draw::bottom(rest, 1);
    let taken = question.no.chars().count().saturating_add(16);
    let yes = words::fit(&question.yes, room.saturating_sub(taken));
    let answers_line = vec![
        Span::styled("enter", theme.accent),
        Span::raw(format!(": {yes}   ")),
        Span::styled("esc", theme.accent),
        Span::raw(format!(": {}", question.no)),
    ];
    draw::put(buf, answers, Line::from(answers_line));
}
