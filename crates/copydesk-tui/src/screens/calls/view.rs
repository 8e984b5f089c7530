//! Every call of the run, with its prompt and its answer.

use ratatui::prelude::{Buffer, Constraint, Layout, Line, Rect, Style};

use crate::screens::story::StoryView;
use crate::widgets::said::agent_words;
use crate::widgets::{Column, Theme, draw, words};
use copydesk_core::ports::{CallRow, CallState};

/// Columns from which list and text stand side by side.
const BESIDE_FROM: u16 = 100;

/// Draws the calls. Returns the area of the list's rows.
pub fn view(story: &mut StoryView, area: Rect, buf: &mut Buffer, theme: &Theme) -> Rect {
    if story.calls.list.rows.as_ref().is_some_and(Vec::is_empty) {
        let inside = draw::margins(draw::pane(buf, area, "Calls", theme, true));
        let rest = draw::lines(buf, inside, [Line::styled("No model was called.", theme.heading), Line::default()]);
        draw::said(buf, rest, "Rules on this machine did the work. No text was sent to any server.", theme);
        return Rect::ZERO;
    }
    if area.width >= BESIDE_FROM {
        let [left, right] = Layout::horizontal([Constraint::Length(60), Constraint::Fill(1)]).areas(area);
        text(story, right, buf, theme);
        return list(story, left, buf, theme);
    }
    if story.calls.in_text {
        text(story, area, buf, theme);
        return Rect::ZERO;
    }
    list(story, area, buf, theme)
}

fn list(story: &mut StoryView, area: Rect, buf: &mut Buffer, theme: &Theme) -> Rect {
    let Some(calls) = &story.calls.list.rows else {
        let inside = draw::margins(draw::pane(buf, area, "Calls", theme, !story.calls.in_text));
        draw::said(buf, inside, "Reading the calls…", theme);
        return Rect::ZERO;
    };
    let inside = draw::pane(buf, area, &words::count(calls.len(), "call"), theme, !story.calls.in_text);
    let columns = [
        Column::text("", 1, 1, 0),
        Column::text("Step", 24, 26, 0),
        Column::text("Agent", 12, 16, 1),
        Column::number("Tokens", 6, 0),
        Column::text("Result", 9, 9, 2),
        Column::text("Model", 14, 40, 3),
    ];
    let area = (area, inside);
    story.calls.list.draw(area, &columns, buf, theme, |call| cells(call, theme)).unwrap_or_default()
}

/// `Round 1, concern 2, try 2`.
fn step(call: &CallRow) -> String {
    let again = if call.attempt > 1 { format!(", try {}", call.attempt) } else { String::new() };
    call.step.in_words() + &again
}

fn cells(call: &CallRow, theme: &Theme) -> Vec<(String, Style)> {
    let (mark, said, style) = match call.state {
        CallState::Answered => ("✓", "answered", theme.good),
        CallState::Rejected => ("✗", "rejected", theme.bad),
        CallState::Asked => ("▸", "running", theme.running),
    };
    let tokens = match call.usage.tokens() {
        0 => "-".to_owned(),
        tokens => words::tokens(tokens),
    };
    vec![
        (mark.to_owned(), style),
        (step(call), theme.text),
        (agent_words(&call.agent), theme.dim),
        (tokens, theme.dim),
        (said.to_owned(), style),
        (call.model.clone(), theme.dim),
    ]
}

/// The tokens, times and cost of a call, as far as known:
/// `2,310 tokens sent (1,024 cached), 412 received · waited 0.2 s · took 3.4 s · EUR 0.0123`.
fn numbers(call: &CallRow) -> String {
    let said = |number: Option<u64>, say: &dyn Fn(u64) -> String| number.map_or_else(String::new, say);
    let (usage, times) = (&call.usage, &call.numbers.times);
    let cached = said(usage.cached_tokens, &|cached| format!(" ({} cached)", words::tokens(cached)));
    let received = said(usage.completion_tokens, &|received| format!(", {} received", words::tokens(received)));
    let tokens = said(usage.prompt_tokens, &|sent| format!("{} sent{cached}{received}", words::tokens_of(sent)));
    let waited = said(times.waited_ms, &|waited| format!("waited {}", words::duration(waited)));
    let worked = said(times.worked_ms, &|worked| format!("took {}", words::duration(worked)));
    let cost = call.numbers.cost.as_ref();
    let cost = cost.map_or_else(String::new, |cost| format!("{} {:.4}", cost.currency, cost.amount));
    words::dotted([&*tokens, &waited, &worked, &cost])
}

fn text(story: &mut StoryView, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let title = match story.calls.list.row() {
        Some(call) => format!("{} · {} at {}", step(call), call.model, call.host),
        None => "Prompt and answer".to_owned(),
    };
    let inside = draw::margins(draw::pane(buf, area, &title, theme, story.calls.in_text));
    if story.calls.page.text().is_empty() {
        let said = if story.calls.in_text {
            "Reading the call…"
        } else {
            "Open a call to read the exact prompt and the raw answer."
        };
        draw::said(buf, inside, said, theme);
        return;
    }
    let numbers = story.calls.list.row().map(numbers).filter(|numbers| !numbers.is_empty());
    let inside = match numbers {
        Some(numbers) => draw::below(draw::said(buf, inside, &numbers, theme), 1),
        None => inside,
    };
    story.calls.page.view(inside, buf, theme);
    let how = if story.calls.raw { "raw" } else { "formatted" };
    let place = draw::place_in(&story.calls.page);
    draw::on_frame(buf, area, true, 0, &words::dotted([how, &place]), theme);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::demo_pages;
    use copydesk_core::ports::{CallNumbers, Times};
    use copydesk_newsroom::{Cost, Usage};

    #[test]
    fn what_a_call_took_is_told_as_far_as_it_is_known() {
        let Some(StoryView { calls, .. }) = demo_pages::calls(false, false).story.map(|story| *story) else { panic!() };
        let mut call = calls.list.rows.unwrap().remove(1);
        assert_eq!(numbers(&call), "2,310 tokens sent (1,155 cached), 412 received · waited 0.2 s · took 8.3 s");
        call.usage.cached_tokens = None;
        call.numbers = CallNumbers {
            times: Times { waited_ms: None, worked_ms: Some(125_000) },
            cost: Some(Cost { amount: 0.01234, currency: "EUR".into() }),
        };
        assert_eq!(numbers(&call), "2,310 tokens sent, 412 received · took 2 min 05 s · EUR 0.0123");
        (call.usage, call.numbers) = (Usage::default(), CallNumbers::default());
        assert_eq!(numbers(&call), "");
    }
}
