//! The runs of a story side by side, the current one marked.

use jiff::Timestamp;
use ratatui::{buffer::Buffer, layout::Rect, style::Style, text::Line, text::Span};

use crate::config::Price;
use crate::newsroom::{Event, ListedRun};
use crate::ports::RunKey;
use crate::tui::{
    screens::{
        desk::{
            detail,
            model::{DeskRow, Hands},
            standing,
        },
        story::model::StoryView,
    },
    widgets::{columns::Column, draw, said::step_words, theme::Theme, words},
};

/// Draws the table, and the selected run in full below it. Returns the area of the rows.
pub fn runs(
    story: &mut StoryView,
    prices: &[Price],
    now: Timestamp,
    area: Rect,
    buf: &mut Buffer,
    theme: &Theme,
) -> Rect {
    let (list, rest) = draw::bottom(area, (area.height / 2).clamp(4, 8));
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
            (standing::rounds(run.rounds, run.max_rounds), theme.text),
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
    let Some((key, run)) = story.runs.row() else {
        draw::pane(buf, rest, "", theme, false);
        return rows_area;
    };
    let open = if *key == story.key { " (open now)" } else { "" };
    let inner = draw::pane(buf, rest, &format!("Run {}{open}", run.run), theme, false);
    let inner = draw::margins(inner);
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
    let state = DeskRow::new(key, run.clone(), Hands::Nobody).standing();
    let (mark, said) = state.words();
    (format!("{mark} {said}"), standing::standing_style(state, theme))
}

/// Which run this one was forked from, by the audit log.
fn took_over(story: &StoryView) -> Option<String> {
    story.log.rows.as_ref()?.iter().find_map(|record| match &record.event {
        Event::RunForked { from, at } => Some(match at {
            Some(step) => {
                format!("Forked from {from}. Repeats {} and all that follows.", step_words(*step))
            }
            None => format!("Forked from {from}. Repeats everything."),
        }),
        _ => None,
    })
}
