//! The dead letters: the list of them, and what was tried for the selected one.

use jiff::Timestamp;
use ratatui::{buffer::Buffer, layout::Rect, style::Style};

use crate::desk::DeadLetter;
use crate::text::sanitise;
use crate::tui::{
    app::actions::Action,
    screens::dead_letters::model::{DeadPage, Stage},
    widgets::{
        columns::{Column, Table},
        draw,
        said::{capital, step_words},
        theme::Theme,
        words,
    },
};

/// Rows from which the list stays above a letter that is read.
const WITH_LIST_FROM: u16 = 24;

/// Draws the letters over the whole page.
pub fn dead(page: &mut DeadPage, now: Timestamp, area: Rect, buf: &mut Buffer, theme: &Theme) {
    draw::clear(buf, area);
    let inner = draw::margins(draw::pane(buf, area, Action::ShowDead.title(), theme, true));
    let all = page.letters().len();
    if all == 0 {
        draw::said(buf, inner, "There are no dead letters any more: each was tried again or dropped.", theme);
        return;
    }
    let reads = page.stage == Stage::Text;
    // Who reads a letter in a low window needs the list no more.
    let rows = match u16::try_from(all.saturating_add(1)) {
        _ if reads && inner.height < WITH_LIST_FROM => 0,
        wanted => wanted.unwrap_or(u16::MAX).min((inner.height * 2 / 5).max(3)),
    };
    let (at_list, below) = draw::top(inner, rows);
    let position = list(page, now, at_list, buf, theme);
    let at_text = draw::rule(buf, below, &format!("Letter {} of {all}", page.selected + 1), theme, reads);
    page.page.view(at_text, buf, theme);
    draw::on_frame(buf, area, true, 0, &words::dotted([&*position, &draw::place_in(&page.page)]), theme);
}

/// Draws the list. Returns which of it is in sight, where that is some of it.
fn list(page: &mut DeadPage, now: Timestamp, area: Rect, buf: &mut Buffer, theme: &Theme) -> String {
    let (head, rows) = draw::top(area, 1);
    let (room, all) = (usize::from(rows.height), page.letters().len());
    page.top = draw::in_sight(page.top, page.selected, room, all);
    let columns = [
        Column::text("Story", 18, 36, 0),
        Column::text("Step", 20, 36, 0),
        Column::number("Age", 6, 0),
        Column::number("Put back", 8, 1),
        Column::text("Why", 13, 200, 2),
    ];
    let table = Table::new(&columns, area.width);
    table.head(buf, head, theme);
    let name = table.width(0).map_or(0, usize::from);
    for ((place, letter), row) in page.letters().iter().enumerate().skip(page.top).zip(rows.rows()) {
        table.row(buf, row, &cells(letter, name, now, theme), place == page.selected, theme);
    }
    if room == 0 { String::new() } else { draw::position(page.top, room, all) }
}

fn cells(letter: &DeadLetter, name: usize, now: Timestamp, theme: &Theme) -> [(String, Style); 5] {
    [
        (words::fit_name(&letter.story.to_string(), name), theme.text),
        (capital(&step_words(letter.step)), theme.text),
        (words::age(&letter.since, now), theme.dim),
        (letter.redeliveries.to_string(), theme.dim),
        (sanitise::excerpt(&letter.error, 300), theme.bad),
    ]
}
