//! Draws the memory: the list that typing filters, and one record.

use ratatui::{
    buffer::Buffer,
    layout::Rect,
    style::Style,
    text::{Line, Span},
};

use crate::{
    app::actions::Action,
    screens::memory::model::{MemoryList, RecordPage},
    widgets::{
        columns::{Column, Table},
        draw,
        theme::Theme,
        words,
    },
};
use copydesk_core::ports::Remembered;
use copydesk_newsroom::Status;
use copydesk_text::sanitise;

pub fn list(list: &mut MemoryList, area: Rect, buf: &mut Buffer, theme: &Theme) {
    draw::clear(buf, area);
    let inner = draw::margins(draw::pane(buf, area, Action::ShowMemory.title(), theme, true));
    let (row, rest) = draw::top(inner, 1);
    let typed = words::fit_end(&list.query, usize::from(row.width).saturating_sub(3));
    let line = vec![Span::styled("> ", theme.accent), Span::raw(typed), Span::styled("▏", theme.accent)];
    draw::put(buf, row, Line::from(line));
    let (shown, all) = list.count();
    if shown == 0 {
        let said = match (list.is_read(), all) {
            (false, _) => "Loading the memory…",
            (true, 0) => "The memory is empty. Fact checks and evidence searches fill it.",
            (true, _) => "No record matches what you typed.",
        };
        draw::said(buf, draw::below(rest, 1), said, theme);
        return;
    }
    let (head, rows) = draw::top(rest, 1);
    let room = usize::from(rows.height);
    list.top = draw::in_sight(list.top, list.selected, room, shown);
    let count =
        if shown == all { words::count(all, "record") } else { format!("{shown} of {}", words::count(all, "record")) };
    let place = draw::position(list.top, room, shown);
    draw::on_frame(buf, area, true, 0, &words::dotted([place.as_str(), &count, &unreadable(list)]), theme);
    let columns = [
        Column::text("Status", 9, 9, 0),
        Column::text("Verdict", 7, 7, 0),
        Column::text("Question", 20, 90, 0),
        Column::text("Story", 16, 36, 1),
        Column::text("Checked", 17, 17, 2),
        Column::text("Model", 10, 30, 3),
        Column::text("Agent", 16, 16, 4),
    ];
    let table = Table::new(&columns, rows.width);
    table.head(buf, head, theme);
    let since = list.since.as_deref();
    for ((place, kept), row) in list.shown().enumerate().skip(list.top).zip(rows.rows()) {
        table.row(buf, row, &cells(kept, since, theme), place == list.selected, theme);
    }
}

fn unreadable(list: &MemoryList) -> String {
    match list.unreadable {
        0 => String::new(),
        number => format!("{number} cannot be read"),
    }
}

fn cells(kept: &Remembered, since: Option<&str>, theme: &Theme) -> [(String, Style); 7] {
    let record = &kept.record;
    let state = kept.state(since);
    let style = if state == "offered" { theme.text } else { theme.dim };
    let status = record.verdict().status;
    let verdict = match status {
        Status::Keep => theme.good,
        Status::Rewrite | Status::Remove => theme.bad,
    };
    [
        (state.to_owned(), style),
        (status.name().to_owned(), verdict),
        (sanitise::excerpt(record.query(), 200), style),
        (sanitise::excerpt(record.article_id(), 60), theme.dim),
        (words::day_and_time(record.timestamp()), theme.dim),
        (sanitise::excerpt(record.model_name(), 60), theme.dim),
        (words::plain(record.specialist().name()), theme.dim),
    ]
}

pub fn record(record: &mut RecordPage, area: Rect, buf: &mut Buffer, theme: &Theme) {
    draw::clear(buf, area);
    let title = match &record.reused {
        Some(reused) => format!("Earlier check for concern {}", reused.concern),
        None => "Earlier check".to_owned(),
    };
    let inner = draw::margins(draw::pane(buf, area, &title, theme, true));
    record.page.view(inner, buf, theme);
    draw::on_frame(buf, area, true, 0, &draw::place_in(&record.page), theme);
}
