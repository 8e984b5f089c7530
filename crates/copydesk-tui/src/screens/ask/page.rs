//! The page on which one asks a story's sources: the question, the answer, and its keys.

use std::sync::Arc;

use crossterm::event::KeyEvent;
use ratatui::prelude::{Buffer, Line, Rect, Style};

use crate::app::{Action, Effect, KeyContext, Model, News, Overlay, Reaction, Request, Scene, Ways, listed};
use crate::screens::ask::AskPage;
use crate::screens::ask::model::{AnswerRow, AnswerState};
use crate::screens::story::Tab;
use crate::widgets::field::type_into;
use crate::widgets::{Column, ListAndText, ListStage, Theme, draw, words};
use copydesk_proof::AskedQuestion;
use copydesk_text::{in_marks, sanitise};

/// Longest pasted question in characters.
const LONGEST: usize = 2_000;

impl Overlay for AskPage {
    fn keys(&self) -> (KeyContext, &'static [Action]) {
        let hints: &[Action] = if self.rows().is_empty() {
            listed![Confirm Help Cancel]
        } else {
            listed![Confirm MoveDown NextPane Help Cancel]
        };
        (KeyContext::Input, hints)
    }

    fn titles(&self) -> Vec<(Action, String)> {
        let shows = !self.is_new() && self.passage().is_some();
        let confirm = if shows { "Show the passage" } else { "Ask" };
        let cancel = if matches!(self.state, AnswerState::Asked(_)) { "Stop" } else { "Close" };
        vec![(Action::Confirm, confirm.into()), (Action::Cancel, cancel.into())]
    }

    fn act(&mut self, action: Action, _: &Scene<'_>) -> Reaction {
        match action {
            Action::Confirm | Action::Save if self.is_new() => return Reaction::Then(ask),
            Action::Confirm | Action::Save if self.passage().is_some() => return Reaction::Then(open_selected),
            Action::Confirm | Action::Save => {}
            Action::Cancel if self.stop() => return Reaction::Done(vec![Effect::Ask(Request::StopAsking)]),
            Action::Cancel if self.list.stage == ListStage::Text => self.list.stage = ListStage::List,
            Action::Cancel => return Reaction::Then(leave),
            Action::UndoTyping => self.question.clear(),
            _ => return Reaction::Ignored,
        }
        Reaction::CHANGED
    }

    fn list(&mut self) -> Option<(&mut ListAndText, usize)> {
        let count = self.rows().len();
        Some((&mut self.list, count))
    }

    fn lay_selected(&mut self) -> Reaction {
        self.lay();
        Reaction::CHANGED
    }

    fn type_key(&mut self, event: KeyEvent) -> Reaction {
        type_into(&mut self.question, event);
        Reaction::CHANGED
    }

    fn paste(&mut self, text: &str) -> Reaction {
        // The field has one line: questions on lines of their own stay apart.
        let mut typed = String::new();
        if text.trim().contains('\n') {
            for asked in AskedQuestion::all(text) {
                typed.push_str(if typed.is_empty() || typed.ends_with('?') { " " } else { "; " });
                typed.push_str(&asked.text);
            }
        }
        let typed = if typed.is_empty() { text } else { typed.trim_start() };
        self.question.push_str(&sanitise::excerpt(typed, LONGEST));
        Reaction::CHANGED
    }

    fn hear(&mut self, news: &News, _: &Scene<'_>) -> Reaction {
        if let News::SourcesAnswered { ticket, answer } = news {
            self.take(*ticket, answer.clone().map(|answer| *answer));
        }
        Reaction::Ignored
    }

    fn view(&mut self, scene: &Scene<'_>, _: &Ways, area: Rect, buf: &mut Buffer) {
        let theme = &scene.theme;
        let inner = draw::cover(buf, area, Action::AskSources.title(), theme);
        let (row, rest) = draw::top(inner, 1);
        draw::typed(buf, row, &self.question, theme);
        let rest = draw::below(rest, 1);
        let said = said(&self.state);
        let page = &*self;
        let rows: Vec<[(String, Style); 2]> = page.rows().into_iter().map(|row| cells(page, row, theme)).collect();
        if rows.is_empty() {
            draw::said(buf, rest, &said, theme);
            return;
        }
        let (at_note, rest) = draw::top(rest, u16::from(!said.is_empty()));
        draw::put(buf, at_note, Line::styled(words::fit(&said, usize::from(at_note.width)), theme.warn));
        let columns = [Column::text("Passage", 7, 12, 0), Column::text("From the sources alone", 20, 300, 0)];
        let title = format!("Row {} of {}", self.list.selected + 1, rows.len());
        self.list.view(&title, rows.len(), &columns, |place, _| rows.get(place).cloned(), (area, rest), buf, theme);
    }
}

/// Opens the page, with the last answer about the open story.
pub(crate) fn show(model: &mut Model) {
    let Some(story) = model.story.as_deref_mut() else { return };
    let page = story.asked.take().map_or_else(|| AskPage::new(Arc::clone(&story.journal)), |page| *page);
    model.lay_over(page);
}

fn ask(model: &mut Model) {
    let ticket = model.ticket();
    let Some(journal) = model.story.as_deref().map(|story| Arc::clone(&story.journal)) else { return };
    let Some(page) = model.on_top_mut::<AskPage>() else { return };
    let question = page.ask(ticket, Arc::clone(&journal));
    model.ask(Request::AskSources { ticket, journal, question });
}

/// Shows the selected passage in its source.
fn open_selected(model: &mut Model) {
    let Some(passage) = model.on_top::<AskPage>().and_then(AskPage::passage).cloned() else { return };
    let Some(story) = model.story.as_deref_mut() else { return };
    if !story.show_passage(&passage) {
        model.warn("the passage is no longer in this story's sources");
        return;
    }
    leave(model);
    crate::screens::story::update::show(model, Tab::Concerns);
}

/// Closes the page and keeps it for the next time.
fn leave(model: &mut Model) {
    let page = model.on_top::<AskPage>().cloned();
    if let (Some(page), Some(story)) = (page, model.story.as_deref_mut()) {
        story.asked = Some(Box::new(page));
    }
    model.overlays.pop();
}

/// The sentence on the state of the question; empty if there is an answer.
fn said(state: &AnswerState) -> String {
    match state {
        AnswerState::NotYet => {
            "Type a question and press Enter. The answer comes from this story's sources alone.".to_owned()
        }
        AnswerState::Asked(_) => "Reading the sources… Esc stops.".to_owned(),
        AnswerState::Stopped => "Stopped. Enter asks again.".to_owned(),
        AnswerState::Failed(trouble) => {
            let why = sanitise::one_line(&trouble.to_string());
            format!("Not answered: {}. Enter asks again.", why.trim_end_matches('.'))
        }
        AnswerState::Answered(answer) => sanitise::one_line(&answer.note().unwrap_or_default()),
    }
}

fn cells(page: &AskPage, row: AnswerRow<'_>, theme: &Theme) -> [(String, Style); 2] {
    match row {
        AnswerRow::Sentence(sentence) => {
            let numbers: Vec<String> = sentence.passages.iter().map(|at| (at + 1).to_string()).collect();
            let (mark, style) = if sentence.doubts.is_empty() { ("", theme.text) } else { ("! ", theme.warn) };
            let text = format!("{mark}{}", sanitise::excerpt(&sentence.text, 300));
            [(numbers.join(", "), theme.dim), (text, style)]
        }
        AnswerRow::Passage(number, passage) => {
            let text = format!("{}: {}", page.place(number), in_marks(&sanitise::excerpt(&passage.text, 300)));
            [(format!("[{number}]"), theme.dim), (text, theme.dim)]
        }
    }
}
