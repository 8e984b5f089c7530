//! Draws the file browser: what is typed, the entries that match, what is marked.

use ratatui::{
    buffer::Buffer,
    layout::Rect,
    text::{Line, Span},
};

use crate::{
    app::actions::Action,
    screens::files::model::FileBrowser,
    widgets::{
        columns::{Column, Table},
        draw,
        theme::Theme,
        words,
    },
};
use copydesk_text::sanitise;

/// Rows below which the explanation gives way to the list.
const EXPLAINED_FROM: u16 = 12;

/// Returns the area of the entries.
pub fn files(files: &mut FileBrowser, area: Rect, buf: &mut Buffer, theme: &Theme) -> Rect {
    draw::clear(buf, area);
    let inner = draw::margins(draw::pane(buf, area, Action::NewFromFile.title(), theme, true));
    let room = usize::from(inner.width);
    let mut rest = inner;
    if area.height >= EXPLAINED_FROM {
        let about = "Type a path or choose: a topic (.json), a folder of topics, or a document. Tab marks several documents as \
                     sources of one story. ~ is your home folder.";
        rest = draw::lines(buf, rest, words::wrap(about, room).into_iter().map(Line::raw));
    }
    let (row, rest) = draw::top(rest, 1);
    let typed = words::fit_end(&sanitise::one_line(&files.typed), room.saturating_sub(3));
    draw::put(
        buf,
        row,
        Line::from(vec![Span::styled("> ", theme.accent), Span::raw(typed), Span::styled("▏", theme.accent)]),
    );
    let mut foot: Vec<Line<'_>> = Vec::new();
    if !files.marked.is_empty() {
        let marked = format!("Marked: {}", files.marked.join(", "));
        foot.extend(
            words::wrap_to(&sanitise::one_line(&marked), room, 2)
                .into_iter()
                .map(|line| Line::styled(line, theme.accent)),
        );
    }
    if let Some(problem) = &files.problem {
        let said = words::sentence(problem.clone());
        foot.extend(words::wrap_to(&said, room, 4).into_iter().map(|line| Line::styled(line, theme.bad)));
    }
    if files.sent.is_some() {
        foot.push(Line::styled("Reading…", theme.running));
    }
    let (rows, at_foot) = draw::bottom(rest, u16::try_from(foot.len()).unwrap_or(u16::MAX));
    draw::lines(buf, at_foot, foot);
    let shown: Vec<(String, String, bool)> = files
        .shown()
        .into_iter()
        .map(|entry| {
            let slash = if entry.is_folder { "/" } else { "" };
            let name = format!("{}{slash}", sanitise::one_line(&entry.name));
            (name, entry.what.clone(), files.marked.contains(&files.path(entry)))
        })
        .collect();
    if shown.is_empty() {
        let listing = files.listing.as_ref().filter(|listing| listing.folder == files.folder());
        let said = match listing {
            None => "Reading the folder…".to_owned(),
            Some(listing) => listing.trouble.clone().unwrap_or_else(|| {
                if listing.entries.is_empty() {
                    "Nothing here that Copydesk can read.".to_owned()
                } else {
                    "Nothing here has that name.".to_owned()
                }
            }),
        };
        draw::said(buf, rows, &said, theme);
        return Rect::ZERO;
    }
    let height = usize::from(rows.height);
    files.top = draw::in_sight(files.top, files.selected, height, shown.len());
    draw::on_frame(buf, area, true, 0, &draw::position(files.top, height, shown.len()), theme);
    let columns = [Column::text("", 1, 1, 0), Column::text("Name", 24, 100, 0), Column::text("Kind", 12, 26, 1)];
    let table = Table::new(&columns, rows.width);
    for ((place, (name, what, marked)), row) in shown.iter().enumerate().skip(files.top).zip(rows.rows()) {
        let mark = if *marked { "●" } else { "" };
        let cells = [(mark.to_owned(), theme.accent), (name.clone(), theme.text), (what.clone(), theme.dim)];
        table.row(buf, row, &cells, place == files.selected, theme);
    }
    rows
}
