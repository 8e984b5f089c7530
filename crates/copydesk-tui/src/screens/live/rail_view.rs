//! The rail: each step of the run with its mark, its result, and how long it has been running.

use jiff::Timestamp;
use ratatui::prelude::{Buffer, Line, Rect, Span, Style};

use crate::screens::live::{RailRow, RailState};
use crate::screens::story::StoryView;
use crate::widgets::said::agent_words;
use crate::widgets::{Theme, draw, words};
use copydesk_text::sanitise;

/// Draws the rail with its end in sight, or `rows_below` rows above it.
pub fn rail(story: &mut StoryView, now: Timestamp, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let inner = draw::pane(buf, area, "Steps", theme, false);
    let lines: Vec<Line<'_>> =
        story.live.rail.iter().flat_map(|row| row_lines(row, now, usize::from(inner.width), theme)).collect();
    let (all, shown) = (lines.len(), usize::from(inner.height));
    story.live.rows_below = story.live.rows_below.min(all.saturating_sub(shown));
    let first = all.saturating_sub(shown).saturating_sub(story.live.rows_below);
    draw::on_frame(buf, area, true, 0, &draw::position(first, shown, all), theme);
    draw::lines(buf, inner, lines.into_iter().skip(first));
}

/// Draws the steps since the latest round began in one row.
pub fn row(story: &StoryView, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let rail = &story.live.rail;
    let round = rail.iter().rposition(|row| row.heading && row.step.is_none()).unwrap_or(0);
    let mut spans = vec![Span::styled("Steps", theme.heading)];
    for row in rail.iter().skip(round) {
        spans.push(Span::styled(format!("  {} ", row.state.mark()), style(row.state, theme)));
        spans.push(Span::raw(row.label.trim().to_owned()));
    }
    draw::put(buf, area, Line::from(spans));
}

fn row_lines(row: &RailRow, now: Timestamp, width: usize, theme: &Theme) -> Vec<Line<'static>> {
    let style = style(row.state, theme);
    // A running specialist is named by its agent.
    let label =
        row.label.strip_prefix("  ").map_or_else(|| row.label.clone(), |agent| format!("  {}", agent_words(agent)));
    let label_style = if row.heading { theme.heading } else { theme.text };
    let mark = if row.heading && row.state == RailState::Running { "▾" } else { row.state.mark() };
    let mut time = match (&row.since, row.state) {
        (Some(since), _) => words::since(since, now).map_or_else(String::new, words::elapsed),
        (None, RailState::Running) if !row.heading => "at work".to_owned(),
        _ => String::new(),
    };
    let detail = sanitise::one_line(&row.detail);
    let room = width.saturating_sub(2);
    let label_width = words::width(&label);
    // The result stands at the right end of the line if it fits; trouble and running calls have lines of their own.
    let mut below = Vec::new();
    match row.state {
        // The whole message stands beside the rail.
        RailState::Failed => below = words::wrap_to(&detail, room.saturating_sub(2), 4),
        RailState::Running if row.since.is_some() => {
            below = words::wrap_to(&detail, room.saturating_sub(2), 2);
            if row.tokens > 0 {
                below.insert(0, words::tokens_of(row.tokens));
            }
        }
        _ if label_width + words::width(&detail) < room => time = words::dotted([time.as_str(), &detail]),
        _ => below = words::wrap_to(&detail, room.saturating_sub(2), 2),
    }
    let time = words::fit(&time, room.saturating_sub(label_width + 1));
    let gap = room.saturating_sub(label_width + words::width(&time));
    let mut lines = vec![Line::from(vec![
        Span::styled(format!("{mark} "), style),
        Span::styled(words::fit(&label, room), label_style),
        Span::raw(" ".repeat(gap)),
        Span::styled(time, if row.state == RailState::Done { theme.dim } else { style }),
    ])];
    let quiet = if row.state == RailState::Done { theme.dim } else { style };
    lines.extend(below.into_iter().map(|text| Line::styled(format!("    {text}"), quiet)));
    lines
}

fn style(state: RailState, theme: &Theme) -> Style {
    match state {
        RailState::Done => theme.good,
        RailState::Running => theme.running,
        RailState::Ready => theme.dim,
        RailState::Waits => theme.warn,
        RailState::Failed => theme.bad,
    }
}
