//! The audit log in plain words.

use ratatui::prelude::{Buffer, Line, Rect, Span};

use crate::screens::story::StoryView;
use crate::widgets::{Column, Theme, draw, words};
use copydesk_core::editorial::event_words::event_and_details;
use copydesk_newsroom::{Event, EventRecord};

/// Draws the log, and the selected record in full below it. Returns the area of the rows.
pub fn log(story: &mut StoryView, area: Rect, buf: &mut Buffer, theme: &Theme) -> Rect {
    let (list, rest) = draw::bottom(area, if area.height >= 18 { 7 } else { 4 });
    let inner = draw::pane(buf, list, "Audit log", theme, true);
    let columns = [
        Column::text("Time", 8, 8, 0),
        Column::text("What happened", 20, 28, 0),
        Column::text("Details", 12, u16::MAX, 1),
    ];
    let cells = |record: &EventRecord| {
        let (what, detail) = event_and_details(&record.event);
        let style = if by_hand(&record.event) { theme.heading } else { theme.text };
        vec![(words::clock(&record.at), theme.dim), (what, style), (detail, theme.dim)]
    };
    let Some(rows_area) = story.log.draw((list, inner), &columns, buf, theme, cells) else {
        draw::put(buf, draw::indented(inner, 2), Line::styled("Reading the log…", theme.dim));
        draw::pane(buf, rest, "", theme, false);
        return Rect::ZERO;
    };
    let record = story.log.row();
    let title = record.map_or_else(String::new, |record| words::day_and_time(&record.at));
    let inner = draw::margins(draw::pane(buf, rest, &title, theme, false));
    if let Some(record) = record {
        let (what, detail) = event_and_details(&record.event);
        let room = usize::from(inner.width);
        let rows = usize::from(inner.height).saturating_sub(1);
        let first = Line::from(Span::styled(words::fit(&what, room), theme.heading));
        let rest = words::wrap_to(&detail, room, rows).into_iter().map(Line::raw);
        draw::lines(buf, inner, std::iter::once(first).chain(rest));
    }
    rows_area
}

/// Whether a person did it.
fn by_hand(event: &Event) -> bool {
    matches!(
        event,
        Event::Decided { .. }
            | Event::PauseSet { .. }
            | Event::DeadlineSet { .. }
            | Event::EditorAssigned { .. }
            | Event::EmbargoSet { .. }
            | Event::DeliveryMade { .. }
            | Event::Examined { .. }
            | Event::PrioritySet { .. }
            | Event::FlagsSettled { .. }
            | Event::DeadLetterDropped { .. }
            | Event::MemoryImported { .. }
            | Event::MemoryStruck { .. }
            | Event::MemoryRestored { .. }
            | Event::RetentionApplied { .. }
    )
}
