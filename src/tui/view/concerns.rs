//! Concerns, draft, verdict and source: side by side where there is room, else one at a time under tabs of their own.

use ratatui::{
    buffer::Buffer,
    layout::{Constraint, Layout, Rect},
    text::{Line, Span},
};

use super::{draw, words};
use crate::{
    newsroom::Status,
    tui::{
        model::{
            concerns::ConcernRow,
            story::{Pane, StoryView},
        },
        theme::Theme,
    },
};

/// Columns from which the four panes stand in one row.
const ONE_ROW_FROM: u16 = 150;

/// Columns from which they stand in two rows.
const TWO_ROWS_FROM: u16 = 100;

/// Draws the page. Returns where the rows of the list are.
pub fn view(story: &mut StoryView, area: Rect, buf: &mut Buffer, theme: &Theme) -> Rect {
    if area.width >= ONE_ROW_FROM {
        let [list, draft, verdict, source] =
            Layout::horizontal([Constraint::Length(38), Constraint::Fill(4), Constraint::Fill(3), Constraint::Fill(4)])
                .areas(area);
        return panes(story, [list, draft, verdict, source], buf, theme);
    }
    if area.width >= TWO_ROWS_FROM {
        let [left, right] = Layout::horizontal([Constraint::Percentage(42), Constraint::Percentage(58)]).areas(area);
        let [list, verdict] = Layout::vertical([Constraint::Percentage(45), Constraint::Percentage(55)]).areas(left);
        let [draft, source] = Layout::vertical([Constraint::Percentage(55), Constraint::Percentage(45)]).areas(right);
        return panes(story, [list, draft, verdict, source], buf, theme);
    }
    let (bar, body) = draw::top(area, 1);
    tabs(story.pane, bar, buf, theme);
    match story.pane {
        Pane::List => list(story, body, buf, theme),
        Pane::Draft => {
            draft(story, body, buf, theme);
            Rect::ZERO
        }
        Pane::Verdict => {
            verdict(story, body, buf, theme);
            Rect::ZERO
        }
        Pane::Source => {
            source(story, body, buf, theme);
            Rect::ZERO
        }
    }
}

fn panes(
    story: &mut StoryView,
    [at_list, at_draft, at_verdict, at_source]: [Rect; 4],
    buf: &mut Buffer,
    theme: &Theme,
) -> Rect {
    draft(story, at_draft, buf, theme);
    verdict(story, at_verdict, buf, theme);
    source(story, at_source, buf, theme);
    list(story, at_list, buf, theme)
}

/// The panes' names where only one of them is seen.
fn tabs(shown: Pane, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let mut spans = Vec::new();
    for pane in Pane::ALL {
        let (name, style) = if pane == shown {
            (format!("[{}]", pane.name()), theme.accent)
        } else {
            (format!(" {} ", pane.name()), theme.dim)
        };
        spans.push(Span::styled(name, style));
        spans.push(Span::raw(" "));
    }
    draw::put(buf, area, Line::from(spans));
}

fn list(story: &mut StoryView, area: Rect, buf: &mut Buffer, theme: &Theme) -> Rect {
    let open = story.concerns.iter().filter(|row| row.status() != Some(Status::Keep)).count();
    let title = format!("Concerns of round {}", story.round);
    let inside = draw::pane(buf, area, &title, theme, story.pane == Pane::List);
    let count = format!("{open} open of {}", story.concerns.len());
    draw::on_frame(buf, area, true, 0, &count, theme);
    if story.concerns.is_empty() {
        let said = match story.journal.concerns(story.round) {
            Some(_) => "Nothing to object.",
            None => "The review of this round has not come yet.",
        };
        draw::lines(
            buf,
            inside,
            words::wrap(said, usize::from(inside.width)).into_iter().map(|line| Line::styled(line, theme.dim)),
        );
        return Rect::ZERO;
    }
    let rows = usize::from(inside.height);
    story.concern_top = draw::in_sight(story.concern_top, story.concern, rows, story.concerns.len());
    let shown = story.concerns.iter().enumerate().skip(story.concern_top).take(rows);
    for ((place, row), y) in shown.zip(inside.y..) {
        let area = Rect { y, height: 1, ..inside };
        let selected = place == story.concern;
        draw::put(buf, area, line(row, usize::from(inside.width), theme, selected));
        if selected {
            buf.set_style(area, theme.selected);
        }
    }
    inside
}

/// `3 REWRITE→KEEP fact_check “one month”`: the verdict that was overruled stays, struck through.
fn line<'a>(row: &'a ConcernRow, room: usize, theme: &Theme, selected: bool) -> Line<'a> {
    let mark = if selected { "›" } else { " " };
    let mut spans = vec![Span::styled(format!("{mark}{:>3} ", row.id), theme.dim)];
    let status = |status: Status| match status {
        Status::Keep => theme.good,
        Status::Rewrite => theme.warn,
        Status::Remove => theme.bad,
    };
    let mut used = 5;
    let mut add = |text: String, style| {
        used += words::width(&text);
        spans.push(Span::styled(text, style));
    };
    match (&row.verdict, &row.overruled) {
        (Some(verdict), Some(overruled)) => {
            add(verdict.status.name().to_owned(), theme.struck);
            add(format!("→{} ", overruled.status.name()), status(overruled.status));
        }
        (Some(verdict), None) => add(format!("{:<7} ", verdict.status.name()), status(verdict.status)),
        (None, _) if row.specialist.is_some() => add("judging ".to_owned(), theme.running),
        (None, _) => add("new     ".to_owned(), theme.dim),
    }
    let excerpt =
        words::fit(&format!("“{}”", crate::text::sanitise::one_line(&row.excerpt)), room.saturating_sub(used));
    spans.push(Span::styled(excerpt, theme.text));
    Line::from(spans)
}

fn draft(story: &mut StoryView, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let title = format!("Draft {}", story.round);
    let inside = draw::pane(buf, area, &title, theme, story.pane == Pane::Draft);
    printed(&mut story.draft, inside, buf, theme);
    let position = format!("{} %", story.draft.position());
    draw::on_frame(buf, area, true, 0, &position, theme);
}

/// An article, from where the reader is.
pub(super) fn printed(article: &mut crate::tui::model::printed::Printed, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let (lines, top) = article.lay(area.width, area.height, theme);
    draw::lines(buf, area, lines.iter().skip(top).take(usize::from(area.height)).cloned());
}

fn verdict(story: &mut StoryView, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let title = match story.selected_concern() {
        Some(concern) => format!("Verdict on concern {}", concern.id),
        None => "Verdict".to_owned(),
    };
    let inside = draw::pane(buf, area, &title, theme, story.pane == Pane::Verdict);
    story.verdict_page.view(inside, buf, theme);
}

fn source(story: &mut StoryView, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let title = format!("Source: {}", crate::text::sanitise::excerpt(&story.source_name, 60));
    let inside = draw::pane(buf, area, &title, theme, story.pane == Pane::Source);
    story.source_page.view(inside, buf, theme);
    let known = story.selected_concern().map(|concern| story.bearings.get(&(story.round, concern.id)));
    let said = match known {
        None => String::new(),
        Some(None) => "looking for the passage".to_owned(),
        Some(Some(None)) => "no passage bears on it".to_owned(),
        Some(Some(Some(bearing))) => ground(bearing.ground).to_owned(),
    };
    draw::on_frame(buf, area, true, 0, &said, theme);
}

/// Why a passage is shown.
fn ground(ground: crate::proof::Ground) -> &'static str {
    match ground {
        crate::proof::Ground::Proof => "the passage that decides",
        crate::proof::Ground::Quoted => "quoted by the verdict",
        crate::proof::Ground::Likeness => "speaks of the same",
    }
}
