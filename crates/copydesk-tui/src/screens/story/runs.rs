//! The runs of a story side by side, the current one marked.

use jiff::Timestamp;
use ratatui::prelude::{Buffer, Line, Rect, Span, Style};

use crate::screens::desk::{DeskRow, StoryHolder, detail};
use crate::screens::story::StoryView;
use crate::widgets::diff::pane;
use crate::widgets::{Column, SIDE_BY_SIDE_FROM, Theme, draw, words};
use copydesk_config::Price;
use copydesk_core::{editorial::event_words::event_and_details, ports::RunKey};
use copydesk_newsroom::{Event, EventRecord, ListedRun};

/// Rows from which the articles of two runs stand below the table.
const BESIDE_FROM: u16 = 14;

/// Draws the table. Below it stand the articles of two runs side by side, or the only run in full. Returns the area of the rows.
pub fn runs(
    story: &mut StoryView,
    prices: &[Price],
    now: Timestamp,
    area: Rect,
    buf: &mut Buffer,
    theme: &Theme,
) -> Rect {
    let count = u16::try_from(story.runs.rows.as_ref().map_or(0, Vec::len)).unwrap_or(u16::MAX);
    let (list, rest) = if count > 1 && area.height >= BESIDE_FROM {
        // The rows that the list needs; the articles have the rest.
        draw::top(area, count.saturating_add(3).min(area.height / 3))
    } else {
        draw::bottom(area, (area.height / 2).clamp(4, 8))
    };
    let inner = draw::pane(buf, list, "Runs of this story", theme, true);
    let columns = [
        Column::text("", 9, 9, 0),
        Column::text("Run", 16, 26, 0),
        Column::text("State", 15, 15, 0),
        Column::text("Rounds", 6, 6, 3),
        Column::number("Open", 4, 1),
        Column::number("Tokens", 6, 2),
        Column::number("Age", 6, 4),
        Column::text("Opened", 17, 17, 5),
    ];
    let cells = |(key, run): &(RunKey, ListedRun)| {
        let (state, style) = state(*key, run, theme);
        vec![
            (if run.current { "● current".to_owned() } else { String::new() }, theme.accent),
            (run.run.clone(), theme.text),
            (state, style),
            (detail::rounds(run.rounds, run.max_rounds), theme.text),
            (run.open_concerns.to_string(), theme.text),
            (words::tokens(run.prompt_tokens.saturating_add(run.completion_tokens)), theme.dim),
            (words::age(&run.updated_at, now), theme.dim),
            (words::day_and_time(&run.opened_at), theme.dim),
        ]
    };
    let Some(rows_area) = story.runs.draw((list, inner), &columns, buf, theme, cells) else {
        draw::put(buf, draw::indented(inner, 2), Line::styled("Reading the runs…", theme.dim));
        draw::pane(buf, rest, "", theme, false);
        return Rect::ZERO;
    };
    if area.height >= BESIDE_FROM && two_runs(story, rest, buf, theme) {
        return rows_area;
    }
    let Some((key, run)) = story.runs.row() else {
        draw::pane(buf, rest, "", theme, false);
        return rows_area;
    };
    let open = if *key == story.key { " (open now)" } else { "" };
    let inner = draw::margins(draw::pane(buf, rest, &format!("Run {}{open}", run.run), theme, false));
    let (said, style) = state(*key, run, theme);
    let over = if *key == story.key { took_over(story) } else { None };
    let (row, rest) = draw::top(inner, u16::from(over.is_some()));
    if let Some(over) = over {
        draw::put(buf, row, words::fit(&over, usize::from(row.width)));
    }
    draw::lines(buf, rest, detail::run_lines(run, Span::styled(said, style), prices, now, rest, theme));
    rows_area
}

fn state(key: RunKey, run: &ListedRun, theme: &Theme) -> (String, Style) {
    let state = DeskRow::new(key, run.clone(), StoryHolder::Nobody).standing();
    let (mark, said) = state.words();
    (format!("{mark} {said}"), detail::standing_style(state, theme))
}

/// Which run this one was forked from, by the audit log.
fn took_over(story: &StoryView) -> Option<String> {
    let forked = |record: &&EventRecord| matches!(record.event, Event::RunForked { .. });
    let (what, detail) = event_and_details(&story.log.rows.as_ref()?.iter().find(forked)?.event);
    Some(format!("{what} {detail}"))
}

/// The name of a run in a column: when it was opened, and how it stands.
fn name(story: &StoryView, key: RunKey, open: &str) -> String {
    let runs = story.runs.rows.as_deref().unwrap_or_default();
    runs.iter().find(|(known, _)| *known == key).map_or_else(String::new, |(_, run)| {
        let rounds = words::count(run.rounds, "round");
        words::dotted([&*format!("{open}run of {}", words::day_and_time(&run.opened_at)), rounds.as_str()])
    })
}

/// Draws the two articles. False if there is only one run.
fn two_runs(story: &mut StoryView, area: Rect, buf: &mut Buffer, theme: &Theme) -> bool {
    let Some(other) = story.other_run() else { return false };
    let (left, right) = (name(story, story.key, "open "), name(story, other, ""));
    let inner = draw::pane(buf, area, "The open run and the other one", theme, false);
    match &mut story.two_runs.shown {
        Some((key, Some(compared))) if *key == other => {
            compared.lay(inner.width, pane::text_height(inner), theme);
            let Some(page) = &compared.page else { return true };
            let narrow = inner.width < SIDE_BY_SIDE_FROM;
            let names = if narrow { (format!("- {left}   + {right}"), String::new()) } else { (left, right) };
            pane::view_named(page, &compared.state, (&names.0, &names.1), inner, buf, theme);
            let place = draw::position(compared.state.scroll, pane::text_height(inner), page.jumps.lines);
            draw::on_frame(buf, area, true, 0, &place, theme);
            let same = compared.comparison.changes.is_empty();
            let count = words::count(compared.comparison.changes.len(), "difference");
            let said = if same { "No differences".to_owned() } else { count };
            draw::on_frame_left(buf, area, &said, theme.dim);
        }
        Some((key, None)) if *key == other => {
            draw::said(buf, draw::margins(inner), "One of the two runs has no draft.", theme);
        }
        _ => {
            draw::said(buf, draw::margins(inner), "Comparing the runs…", theme);
        }
    }
    true
}
