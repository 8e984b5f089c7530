//! Concerns, draft, verdict and source: side by side if there is room, else one at a time under tabs. In a large window the changes from one
//! draft to the next stand below the draft, or what is being written.

use std::sync::Arc;

use ratatui::prelude::{Buffer, Line, Rect, Span, Style};

use crate::screens::changes::Compared;
use crate::screens::concerns::ConcernRow;
use crate::screens::live::{RailRow, RailState};
use crate::screens::story::{FourPanes, Pane, StoryView, beside};
use crate::screens::{article, gate};
use crate::widgets::diff::pane;
use crate::widgets::{Layout, Theme, draw, words};
use copydesk_core::editorial::{changes::accepted, silence};
use copydesk_newsroom::Status;
use copydesk_proof::Ground;
use copydesk_text::sanitise;

/// Draws the page. Returns the area of the list's rows.
pub fn view(story: &mut StoryView, area: Rect, buf: &mut Buffer, theme: &Theme) -> Rect {
    let panes = FourPanes {
        focus: story.concerns.pane,
        entries: story.concerns.rows.len(),
        verdict_name: Pane::Verdict.name(),
        about: about(story),
        list,
        draft,
        verdict,
        source,
        below_draft: below_draft(story),
    };
    beside::view(&panes, story, area, buf, theme)
}

/// Which concern the panes are about, the longer form first.
fn about(story: &StoryView) -> Vec<String> {
    let Some(concern) = story.selected_concern() else { return Vec::new() };
    let which = format!("concern {} of {}", concern.id, story.concerns.rows.len());
    let status = concern.status().map_or("", Status::name);
    vec![words::dotted([which.as_str(), status, &concern.about()]), words::dotted([which.as_str(), status])]
}

fn list(story: &mut StoryView, area: Rect, buf: &mut Buffer, theme: &Theme) -> Rect {
    let title = match story.round {
        0 => "Concerns".to_owned(),
        round => format!("Concerns of round {round}"),
    };
    let inside = draw::pane(buf, area, &title, theme, story.concerns.pane == Pane::List);
    if story.concerns.rows.is_empty() {
        let said = match (story.round, story.journal.concerns(story.round)) {
            (0, _) => "There is no draft yet.".to_owned(),
            (round, Some(_)) => {
                let unread =
                    gate::view::claims_to_read(story, round).map(|unread| format!(" {}.", words::capital(&unread)));
                format!("{}{}", silence::no_concerns(&story.journal), unread.unwrap_or_default())
            }
            (_, None) => "This round is not reviewed yet.".to_owned(),
        };
        draw::said(buf, draw::margins(inside), &said, theme);
        return Rect::ZERO;
    }
    let rows = usize::from(inside.height);
    story.concerns.top = draw::in_sight(story.concerns.top, story.concerns.selected, rows, story.concerns.rows.len());
    let count = format!("{} open of {}", story.concerns.open(), story.concerns.rows.len());
    let place = draw::position(story.concerns.top, rows, story.concerns.rows.len());
    draw::on_frame(buf, area, true, 0, &words::dotted([place.as_str(), &count]), theme);
    let room = usize::from(inside.width);
    let shown = story.concerns.rows.iter().enumerate().skip(story.concerns.top);
    for ((place, row), area) in shown.zip(inside.rows()) {
        let selected = place == story.concerns.selected;
        draw::put(buf, area, line(row, room, theme, selected));
        if selected {
            buf.set_style(area.intersection(buf.area), theme.row());
        }
    }
    inside
}

/// `›  3 KEEP    was REWRITE “one month”`: the status that counts, then the overruled one, struck through.
fn line<'a>(row: &ConcernRow, room: usize, theme: &Theme, selected: bool) -> Line<'a> {
    let mark = if selected { "›" } else { " " };
    let (said, style) = match row.status() {
        Some(status) => (status.name(), status_style(status, theme)),
        None if row.specialist.is_some() => ("judging", theme.running),
        None => ("new", theme.dim),
    };
    let mut spans =
        vec![Span::styled(format!("{mark}{:>3} ", row.id), theme.dim), Span::styled(format!("{said:<7} "), style)];
    if let (Some(verdict), Some(_)) = (&row.verdict, &row.overruled) {
        spans.push(Span::styled("was ", theme.dim));
        spans.push(Span::styled(verdict.status.name(), theme.struck));
        spans.push(Span::raw(" "));
    }
    if row.applied && row.status() != Some(Status::Keep) {
        spans.push(Span::styled("✓ fixed ", theme.good));
    }
    if row.decided_otherwise().is_some() {
        spans.push(Span::styled("again ", theme.heading));
    }
    let used: usize = spans.iter().map(|span| words::width(&span.content)).sum();
    spans.push(Span::styled(words::fit(&row.about(), room.saturating_sub(used)), theme.text));
    Line::from(spans)
}

fn status_style(status: Status, theme: &Theme) -> Style {
    match status {
        Status::Keep => theme.good,
        Status::Rewrite => theme.warn,
        Status::Remove => theme.bad,
    }
}

fn draft(story: &mut StoryView, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let lost = story.selected_concern().is_some() && story.concerns.has_no_excerpt();
    let found = if lost { "these words are not in this draft" } else { "" };
    let focus = story.concerns.pane == Pane::Draft;
    article::view::draft(&mut story.concerns.draft, (story.round, found), focus, area, buf, theme);
}

type DrawPane = fn(&mut StoryView, Rect, &mut Buffer, &Theme);

/// What happens to the draft: the text that a model writes now, else its changes.
fn below_draft(story: &StoryView) -> Option<DrawPane> {
    let writes = |row: &RailRow| row.state == RailState::Running && row.since.is_some() && row.tokens > 0;
    if story.live.rail.iter().any(writes) {
        return Some(written);
    }
    story.compared_drafts().map(|_| changes as DrawPane)
}

fn written(story: &mut StoryView, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let inside = draw::margins(draw::pane(buf, area, "Being written", theme, false));
    story.live.text.view(inside, buf, theme);
}

/// The changes with that of the selected concern in sight.
fn changes(story: &mut StoryView, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let Some(pair) = story.compared_drafts() else { return };
    let title = format!("Changes from draft {} to draft {}", pair.0, pair.1);
    let inside = draw::pane(buf, area, &title, theme, false);
    let Some(comparison) = story.changes.known.of(pair) else {
        draw::said(buf, draw::margins(inside), "Comparing the drafts…", theme);
        return;
    };
    if story.concerns.compared.as_ref().is_none_or(|compared| compared.pair() != pair) {
        let mut compared = Compared::new(pair, Arc::clone(comparison), Layout::Inline);
        compared.state.accepted = accepted(&story.journal, pair, comparison);
        story.concerns.compared = Some(compared);
    }
    let at_concern = story.concerns.change(pair.0 == story.round);
    let Some(compared) = &mut story.concerns.compared else { return };
    compared.lay(inside.width, pane::text_height(inside), theme);
    if let Some(at_concern) = at_concern {
        compared.show(at_concern);
    }
    let Some(page) = &compared.page else { return };
    pane::view(page, &compared.state, &compared.comparison, inside, buf, theme);
    let position = draw::position(compared.state.scroll, pane::text_height(inside), page.jumps.lines);
    draw::on_frame(buf, area, true, 0, &position, theme);
}

fn verdict(story: &mut StoryView, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let title = match story.selected_concern() {
        Some(concern) => format!("Verdict on concern {}", concern.id),
        None => "Verdict".to_owned(),
    };
    draw::page(&story.concerns.verdict, &title, "", story.concerns.pane == Pane::Verdict, area, buf, theme);
}

/// The source that bears on the concern, with its number.
fn source(story: &mut StoryView, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let bearing = story.concerns.bearing();
    let number = bearing.map_or(1, |bearing| bearing.source.saturating_add(1));
    let which = match story.sources.len() {
        0 | 1 => "Source".to_owned(),
        all => format!("Source {number} of {all}"),
    };
    let said = match (story.selected_concern(), bearing) {
        (None, _) => "",
        (Some(_), Some(bearing)) => ground(bearing.ground),
        (Some(_), None) if story.concerns.known_bearing().is_some() => "no matching passage",
        (Some(_), None) => "searching",
    };
    let title = format!("{which}: {}", sanitise::one_line(&story.concerns.source_name));
    draw::page(&story.concerns.source, &title, said, story.concerns.pane == Pane::Source, area, buf, theme);
}

fn ground(ground: Ground) -> &'static str {
    match ground {
        Ground::Proof => "compared with this passage",
        Ground::Quoted => "quoted in the verdict",
        Ground::Likeness => "the closest match",
    }
}
