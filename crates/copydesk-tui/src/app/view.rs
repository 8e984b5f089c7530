//! Draws the model as a frame, without I/O or clock. It writes back only scroll positions, to keep the selection in sight, and
//! the area of the list, for the mouse.

use ratatui::prelude::{Buffer, Line, Position, Rect};

use crate::app::frame::{footer, header};
use crate::app::{KeyContext, Model, Screen, Ways};
use crate::screens::forms::Form;
use crate::screens::{desk, gate, story};
use crate::widgets::{draw, words};

/// The smallest window that the desk can be used in.
const LEAST: (u16, u16) = (60, 15);

/// Draws everything.
pub fn view(model: &mut Model, ways: &Ways, area: Rect, buf: &mut Buffer) {
    let area = area.intersection(buf.area);
    model.drawn.caret = None;
    if area.width < LEAST.0 || area.height < LEAST.1 {
        too_small(model, area, buf);
        return;
    }
    let (row, rest) = draw::top(area, 1);
    header::header(model, row, buf);
    let hints = footer::lines(&ways.hints, rest, &model.theme);
    let (above, foot) = draw::at_foot(buf, rest, hints);
    model.drawn.spots = footer::spots(&ways.hints, rest, foot);
    let (rest, _) = draw::at_foot(buf, above, footer::notice(model, above.width));
    let (rest, _) = draw::at_foot(buf, rest, footer::work(model, rest.width));
    let writing = model.forms().next().is_some();
    // A form in a low window needs the rows more.
    let asks = if writing && area.height < 20 { Vec::new() } else { gate::view::lines(model, rest) };
    let (body, _) = draw::at_foot(buf, rest, asks);
    model.drawn.list = Rect::ZERO;
    match model.screen {
        // It covers the page.
        _ if model.forms().any(Form::keeps) => {}
        Screen::Desk => desk::view::desk(model, &ways.begin, body, buf),
        Screen::Story => story::view::story(model, body, buf),
    }
    let theme = model.theme;
    if !model.overlays.is_empty() {
        buf.set_style(body, theme.dim);
    }
    model.draw_pages(ways, body, buf);
    model.drawn.caret = caret(model, buf);
}

/// The cell into which the next character goes: the cursor of a form, or the mark behind what is typed into a line.
fn caret(model: &Model, buf: &Buffer) -> Option<Position> {
    if let Some(form) = model.on_top::<Form>() {
        return form.caret;
    }
    let takes_text = match model.overlays.last() {
        Some(page) => matches!(page.context(), KeyContext::Input | KeyContext::Query),
        None => model.screen == Screen::Desk && model.desk.filtering,
    };
    let is_mark = |at: &Position| {
        buf.cell(*at).is_some_and(|cell| cell.symbol() == "▏" && cell.fg == model.theme.accent.fg.unwrap_or_default())
    };
    buf.area.positions().filter(|_| takes_text).find(is_mark)
}

/// How much room is needed. Which server sees the text is said here too.
fn too_small(model: &Model, area: Rect, buf: &mut Buffer) {
    let said = format!(
        "Copydesk needs {} columns and {} rows; this window has {} x {}. Make it larger, or `copydesk run --auto` works \
         without a screen.",
        LEAST.0, LEAST.1, area.width, area.height
    );
    let (server, style) = header::server(model, usize::from(area.width));
    let (middle, last) = draw::bottom(area, u16::from(area.height > 2));
    draw::put(buf, last, Line::styled(server, style));
    let room = usize::from(middle.width.min(48));
    let lines = words::wrap_to(&said, room, usize::from(middle.height));
    let height = u16::try_from(lines.len()).unwrap_or(u16::MAX);
    let page = draw::middle(middle, middle.width.min(48), height);
    draw::lines(buf, page, lines.into_iter().map(Line::raw));
}
