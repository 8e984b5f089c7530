//! Draws the model as a frame, without I/O or clock. It writes back only scroll positions, to keep the selection in sight, and
//! the area of the list, for the mouse.

use ratatui::{buffer::Buffer, layout::Rect, text::Line};

use crate::{
    app::{
        frame::{
            footer::{self, Hint},
            header,
            help::{self, HelpLine},
            notices,
            palette::{self, PaletteLine},
            question,
        },
        model::{Model, Overlay, Screen},
    },
    screens::{claims, day, desk, failed_steps, files, forms, gate, memory, publish, record, search, story},
    widgets::{draw, words},
};

/// The smallest window that the desk can be used in.
const LEAST: (u16, u16) = (60, 15);

/// The actions that are possible now. Views get their keys from here.
#[derive(Debug, Clone, Copy, Default)]
pub struct Ways<'a> {
    /// The most useful first. The last two (help and back) are never left out.
    pub hints: &'a [Hint],
    /// The ways to begin a story, for an empty desk: sample, file, paste, form.
    pub begin: &'a [Hint],
    /// The rows of the `?` page.
    pub help: &'a [HelpLine],
    /// The actions on the page below the help.
    pub help_here: &'a [Hint],
    /// The rows of the palette that fit its query, in order.
    pub palette: &'a [PaletteLine],
}

/// Draws everything.
pub fn view(model: &mut Model, ways: &Ways<'_>, area: Rect, buf: &mut Buffer) {
    let area = area.intersection(buf.area);
    if area.width < LEAST.0 || area.height < LEAST.1 {
        too_small(model, area, buf);
        return;
    }
    let (row, rest) = draw::top(area, 1);
    header::header(model, row, buf);
    let hints = footer::lines(ways.hints, rest, &model.theme);
    let whole = rest;
    let (rest, foot) = draw::bottom(rest, footer::height(&hints));
    model.drawn.spots = footer::spots(ways.hints, whole, foot);
    model.drawn.palette = (Rect::ZERO, 0);
    draw::lines(buf, foot, hints);
    let notice = footer::notice(model, rest.width);
    let (rest, row) = draw::bottom(rest, footer::height(&notice));
    draw::lines(buf, row, notice);
    let work = footer::work(model, rest.width);
    let (rest, row) = draw::bottom(rest, footer::height(&work));
    draw::lines(buf, row, work);
    let writing = model.overlays.iter().any(|overlay| matches!(overlay, Overlay::Form(_)));
    // A form in a low window needs the rows more.
    let asks = if writing && area.height < 20 { Vec::new() } else { gate::view::lines(model, rest) };
    let (body, row) = draw::bottom(rest, footer::height(&asks));
    draw::lines(buf, row, asks);
    model.drawn.list = Rect::ZERO;
    match model.screen {
        Screen::Desk => desk::view::desk(model, ways.begin, body, buf),
        Screen::Story => story::view::story(model, body, buf),
    }
    let theme = model.theme;
    if !model.overlays.is_empty() {
        buf.set_style(body, theme.dim);
    }
    for overlay in &mut model.overlays {
        match overlay {
            Overlay::Help { top, .. } => help::help(ways.help_here, ways.help, top, body, buf, &theme),
            Overlay::Notices { top } => notices::notices(&model.notices, top, body, buf, &theme),
            Overlay::Palette { query, selected } => {
                model.drawn.palette = palette::palette(query, *selected, ways.palette, body, buf, &theme);
            }
            Overlay::Files(browser) => model.drawn.list = files::view::files(browser, body, buf, &theme),
            Overlay::Memory(list) => memory::view::list(list, body, buf, &theme),
            Overlay::Record(record) => memory::view::record(record, body, buf, &theme),
            Overlay::Search(found) => search::view::search(found, &model.house, model.indexing, body, buf, &theme),
            Overlay::Claims(page) => claims::view::claims(page, body, buf, &theme),
            Overlay::FailedSteps(page) => failed_steps::view::page(page, model.now, body, buf, &theme),
            Overlay::Publish(page) => publish::view::page(page, body, buf, &theme),
            Overlay::Day(page) => day::view::page(page, model.now, body, buf, &theme),
            Overlay::StoryRecord(page) => record::view::page(page, body, buf, &theme),
            Overlay::Question(question) => question::question(question, body, buf, &theme),
            Overlay::Form(form) => forms::view::form(form, body, buf, &theme),
        }
    }
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
