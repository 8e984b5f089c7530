//! Every call of the run with its prompt and answer; and what changed between two drafts.

use ratatui::{
    buffer::Buffer,
    layout::{Constraint, Layout, Rect},
    text::{Line, Span},
};

use super::{diff, draw, words};
use crate::{
    ports::{CallRow, CallState},
    tui::{model::story::StoryView, theme::Theme},
};

/// Columns from which list and text stand side by side.
const BESIDE_FROM: u16 = 90;

/// Draws the calls. Returns where the rows of the list are.
pub fn view(story: &mut StoryView, area: Rect, buf: &mut Buffer, theme: &Theme) -> Rect {
    if area.width >= BESIDE_FROM {
        let [left, right] = Layout::horizontal([Constraint::Length(44), Constraint::Fill(1)]).areas(area);
        text(story, right, buf, theme);
        return list(story, left, buf, theme);
    }
    if story.in_call {
        text(story, area, buf, theme);
        return Rect::ZERO;
    }
    list(story, area, buf, theme)
}

fn list(story: &mut StoryView, area: Rect, buf: &mut Buffer, theme: &Theme) -> Rect {
    let inside = draw::pane(buf, area, "Calls", theme, !story.in_call);
    let Some(calls) = &story.calls.rows else {
        draw::put(buf, inside, Line::styled("reading…", theme.dim));
        return Rect::ZERO;
    };
    if calls.is_empty() {
        let said = "No model was asked: the offline rules did this work.";
        draw::lines(
            buf,
            inside,
            words::wrap(said, usize::from(inside.width)).into_iter().map(|line| Line::styled(line, theme.dim)),
        );
        return Rect::ZERO;
    }
    let rows = usize::from(inside.height);
    story.calls.top = draw::in_sight(story.calls.top, story.calls.selected, rows, calls.len());
    draw::on_frame(buf, area, true, 0, &draw::position(story.calls.top, rows, calls.len()), theme);
    for ((place, call), y) in calls.iter().enumerate().skip(story.calls.top).take(rows).zip(inside.y..) {
        let row = Rect { y, height: 1, ..inside };
        draw::put(buf, row, line(call, usize::from(inside.width), theme));
        if place == story.calls.selected {
            buf.set_style(row, theme.selected);
        }
    }
    inside
}

fn line(call: &CallRow, room: usize, theme: &Theme) -> Line<'static> {
    let (mark, style) = match call.state {
        CallState::Answered => ("✓", theme.good),
        CallState::Rejected => ("✗", theme.bad),
        CallState::Asked => ("▸", theme.running),
    };
    let tokens = call.prompt_tokens.unwrap_or(0).saturating_add(call.completion_tokens.unwrap_or(0));
    let again = if call.attempt > 1 { format!(" #{}", call.attempt) } else { String::new() };
    let step = format!("{}{again}", call.step);
    let said = words::dotted([call.agent.as_str(), &call.model]);
    let tokens = words::tokens(tokens);
    let left = room.saturating_sub(words::width(&step).max(14) + words::width(&tokens) + 5);
    Line::from(vec![
        Span::styled(format!("{mark} "), style),
        Span::styled(words::padded(&step, words::width(&step).max(14), false), theme.text),
        Span::raw(" "),
        Span::styled(words::padded(&said, left, false), theme.dim),
        Span::styled(format!(" {tokens}"), theme.dim),
    ])
}

fn text(story: &mut StoryView, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let title = match story.calls.row() {
        Some(call) => format!("{} · {} at {}", call.step, call.model, call.host),
        None => "Prompt and answer".to_owned(),
    };
    let inside = draw::pane(buf, area, &title, theme, story.in_call);
    story.call_page.view(inside, buf, theme);
    let how = if story.raw { "as sent and received" } else { "laid out to be read" };
    draw::on_frame(buf, area, true, 0, &format!("{how} · {} %", story.call_page.position()), theme);
}

/// Draws what changed between two drafts.
pub fn changes(story: &mut StoryView, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let Some(compared) = &mut story.compared else {
        let inside = draw::pane(buf, area, "Changes", theme, true);
        let said = "There is only one draft so far: nothing to compare.";
        draw::lines(
            buf,
            inside,
            words::wrap(said, usize::from(inside.width)).into_iter().map(|line| Line::styled(line, theme.dim)),
        );
        return;
    };
    let title = format!("Draft {} → draft {}", compared.state.from, compared.state.to);
    let inside = draw::pane(buf, area, &title, theme, true);
    let height = diff::text_height(inside);
    compared.lay(inside.width, height, theme);
    if let Some(page) = &compared.page {
        diff::view(page, &compared.state, &compared.comparison, inside, buf, theme);
    }
}
