//! Draws a form: its fields, the cursor, the problem, what is saved.

use ratatui::prelude::{Buffer, Constraint, Layout, Line, Modifier, Position, Rect, Span, Style, Widget as _};

use crate::screens::forms::{DraftState, Form, FormStage, Margin, Purpose};
use crate::screens::settings::Measuring;
use crate::widgets::{Field, Input, Options, ProseMark, ProseView, Theme, draw, words};
use copydesk_text::sanitise;

/// Columns from which the notes on a hand edit stand beside it, and their width.
const BESIDE_FROM: u16 = 100;
const ASIDE: u16 = 44;
/// Height of a text field if there is room.
const TEXT: u16 = 5;
/// Height of a text field without the focus if there is little room.
const BRIEF: u16 = 3;
/// Height below which a draft is edited alone.
const DRAFT: u16 = 8;
/// Most entries of a list that are shown at once.
const LISTED: usize = 6;
/// Height of the focused field: its label and three lines.
const USABLE: u16 = 4;

/// Sets only the style of the text editors; their text and cursor stay.
pub fn form(form: &mut Form, area: Rect, buf: &mut Buffer, theme: &Theme) {
    form.caret = None;
    let whole = form.keeps();
    let is_beside = area.width >= BESIDE_FROM;
    let area = if whole { beside(form, area, buf, theme) } else { area };
    let width = if whole { area.width } else { area.width.min(80) };
    let room = usize::from(width).saturating_sub(4);
    let mut about: Vec<Line<'_>> = words::wrap(&form.explanation, room).into_iter().map(Line::raw).collect();
    about.push(Line::default());
    let mut foot = foot(form, room, theme);
    if let (Some(margin), Some(cursor)) = (form.margin.as_deref(), form.cursor()) {
        if !is_beside {
            let rows = usize::from(area.height / 3).saturating_sub(1);
            foot.splice(0..0, margin.brief(cursor, room, rows, theme));
        }
        let count = form.draft.as_ref().map_or(0, |draft| draft.words());
        foot.insert(0, Line::styled(words::fit(&margin.length(count), room), theme.dim));
    }
    let rows = |lines: usize| u16::try_from(lines).unwrap_or(u16::MAX);
    let around = rows(about.len() + foot.len());
    let sizes = if whole { DRAFT..=DRAFT } else { BRIEF..=TEXT };
    let laid_out = |text: u16| -> (Vec<u16>, u16) {
        let last = form.fields.len().saturating_sub(1);
        // The room is for the text of the draft.
        let own = |at: usize| if whole && at < last { BRIEF } else { text };
        let fields: Vec<u16> =
            form.fields.iter().enumerate().map(|(at, field)| natural(field, room, own(at))).collect();
        let wanted = fields.iter().copied().fold(around, u16::saturating_add);
        (fields, wanted)
    };
    let fitting = sizes.rev().map(laid_out).find(|(_, wanted)| *wanted <= area.height.saturating_sub(2));
    let is_crowded = fitting.is_none();
    let (fields, wanted) = fitting.unwrap_or_else(|| laid_out(BRIEF));
    let height = if whole { area.height } else { wanted.saturating_add(2).min(area.height) };
    // Covers the whole area rather than leave a strip of the page below.
    let height = if height.saturating_add(3) > area.height { area.height } else { height };
    let place = draw::middle(area, width, height);
    let inner = draw::cover(buf, place, &form.title, theme);
    let (inner, row) = draw::bottom(inner, rows(foot.len()));
    draw::lines(buf, row, foot);
    if is_crowded {
        crowded(form, inner, buf, theme);
        return;
    }
    let mut left = draw::lines(buf, inner, about);
    let spare = inner.height.saturating_add(row.height).saturating_sub(wanted);
    let longest = form.fields.iter().rposition(|field| matches!(field.input, Input::Text(_)));
    let focus = form.focus;
    for (place, (field, rows)) in form.fields.iter_mut().zip(fields).enumerate() {
        let rows = if longest == Some(place) { rows.saturating_add(spare) } else { rows };
        let (row, rest) = draw::top(left, rows);
        let (row, _) = draw::bottom(row, 1);
        let prose = prose(form.draft.as_deref_mut(), form.margin.as_deref(), place, theme);
        let caret = one(field, place == focus, row, buf, theme, prose);
        form.caret = caret.or(form.caret);
        left = rest;
    }
}

/// The visible part of a draft's field, and the marks below its words.
fn prose<'d>(
    draft: Option<&'d mut DraftState>,
    margin: Option<&Margin>,
    field: usize,
    theme: &Theme,
) -> Option<(&'d mut ProseView, Vec<ProseMark>)> {
    let DraftState { views, texts, .. } = draft?;
    let marks = margin.zip(texts.get(field)).map(|(margin, text)| margin.marks(field, text, theme));
    Some((views.get_mut(field)?, marks.unwrap_or_default()))
}

/// Draws the margin of a hand edit beside it, if there is room. Returns what is left.
fn beside(form: &Form, area: Rect, buf: &mut Buffer, theme: &Theme) -> Rect {
    let Some(margin) = form.margin.as_deref().filter(|_| area.width >= BESIDE_FROM) else { return area };
    let [left, aside] = Layout::horizontal([Constraint::Fill(1), Constraint::Length(ASIDE)]).areas(area);
    draw::clear(buf, aside);
    let inside = draw::margins(draw::pane(buf, aside, "Notes on your text", theme, false));
    let Some(cursor) = form.cursor() else { return left };
    let (lines, hidden) = margin.lines(cursor, usize::from(inside.width), usize::from(inside.height), theme);
    draw::lines(buf, inside, lines);
    if hidden > 0 {
        draw::on_frame(buf, aside, true, 0, &format!("{} more", words::count(hidden, "note")), theme);
    }
    left
}

/// With little room: the focused field stays usable, and the others take a line each; if not all have one, those nearest to the focus. The
/// explanation gets the rest, cut if need be: it may be the verdict that is overruled.
fn crowded(form: &mut Form, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let (focus, all) = (form.focus, form.fields.len());
    let usable = if form.keeps() { DRAFT } else { USABLE };
    let free = area.height.saturating_sub(usable);
    let others = u16::try_from(all.saturating_sub(1)).unwrap_or(u16::MAX);
    // A draft stands alone rather than beside some of its other fields.
    let others = if form.keeps() && free < others { 0 } else { others.min(free) };
    let beside = usize::from(others);
    let first = focus.saturating_sub(beside / 2).min(all.saturating_sub(beside + 1));
    let rows = usize::from(free - others);
    let about = words::wrap(&form.explanation, usize::from(area.width));
    let about = match rows.checked_sub(about.len()) {
        Some(_) => about,
        None if form.keeps() => Vec::new(),
        None => words::wrap_to(&form.explanation, usize::from(area.width), rows),
    };
    let is_set_off = !about.is_empty() && about.len() < rows;
    let left = draw::lines(buf, area, about.into_iter().map(Line::raw));
    let mut left = draw::below(left, u16::from(is_set_off));
    let own = left.height.saturating_sub(others);
    for (place, field) in form.fields.iter_mut().enumerate().skip(first).take(beside + 1) {
        if place == focus {
            let most = match field.input {
                Input::Text(_) => own,
                Input::Line(_) => own.min(3),
                Input::Choice(_) => own.min(natural(field, usize::from(left.width), BRIEF) - 1),
            };
            let (row, rest) = draw::top(left, most);
            let prose = prose(form.draft.as_deref_mut(), form.margin.as_deref(), place, theme);
            form.caret = one(field, true, row, buf, theme, prose);
            left = rest;
        } else {
            let (row, rest) = draw::top(left, 1);
            let room = usize::from(row.width).saturating_sub(2);
            let label = format!("{}: ", field.label);
            let value = sanitise::one_line(&field.value());
            let value = words::fit(&value, room.saturating_sub(words::width(&label)));
            draw::put(buf, draw::indented(row, 2), vec![Span::styled(label, theme.dim), Span::raw(value)]);
            left = rest;
        }
    }
}

/// Height that a field wants: label, input, an empty line.
fn natural(field: &Field, room: usize, text: u16) -> u16 {
    match &field.input {
        Input::Line(area) => {
            let used = area.lines().iter().map(|line| words::width(line)).sum::<usize>() + 1;
            let rows = used.div_ceil(room.saturating_sub(2).max(1)).clamp(1, 3);
            u16::try_from(rows).unwrap_or(1).saturating_add(2)
        }
        Input::Text(_) => text + 2,
        Input::Choice(options) if in_one_line(options, room.saturating_sub(2)) => 3,
        Input::Choice(options) => u16::try_from(options.texts.len().min(LISTED)).unwrap_or(u16::MAX).saturating_add(2),
    }
}

/// A field: label and hint, then the input with a bar on its left. Returns the cell of its cursor, if it has the focus.
fn one(
    field: &mut Field,
    focus: bool,
    area: Rect,
    buf: &mut Buffer,
    theme: &Theme,
    prose: Option<(&mut ProseView, Vec<ProseMark>)>,
) -> Option<Position> {
    let (row, rest) = draw::top(area, 1);
    let room = usize::from(row.width);
    let label = format!("{} {}", if focus { "›" } else { " " }, field.label);
    let hint = words::fit(field.hint, room.saturating_sub(words::width(&label) + 2));
    let style = if focus { theme.accent } else { theme.heading };
    let head = vec![Span::styled(words::fit(&label, room), style), Span::raw("  "), Span::styled(hint, theme.dim)];
    draw::put(buf, row, head);
    let (bar, style) = if focus { ("▌", theme.accent) } else { ("│", theme.dim) };
    for row in rest.rows() {
        draw::put(buf, row, Span::styled(bar, style));
    }
    let rest = draw::indented(rest, 2).intersection(buf.area);
    match (&mut field.input, prose) {
        (Input::Line(text) | Input::Text(text), Some((view, marks))) => {
            view.draw(text, &marks, focus, rest, buf, theme);
        }
        (Input::Line(text) | Input::Text(text), None) => {
            let cursor = if focus { Style::new().add_modifier(Modifier::REVERSED) } else { Style::new() };
            text.set_cursor_style(cursor);
            text.set_cursor_line_style(Style::new());
            text.set_style(theme.text);
            if !rest.is_empty() {
                text.render(rest, buf);
            }
        }
        (Input::Choice(options), _) => {
            choice(options, focus, rest, buf, theme);
            return None;
        }
    }
    let is_cursor = |at: &Position| buf.cell(*at).is_some_and(|cell| cell.modifier.contains(Modifier::REVERSED));
    rest.positions().filter(|_| focus).find(is_cursor)
}

fn in_one_line(options: &Options, room: usize) -> bool {
    options.texts.iter().map(|text| words::width(text) + 7).sum::<usize>() <= room
}

/// The entries beside one another where they fit, else below one another, as many as there is room for.
fn choice(options: &Options, focus: bool, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let entry = |place: usize, text: &str, room: usize| {
        let chosen = place == options.chosen;
        let style = match (chosen, focus) {
            (true, true) => theme.accent.patch(theme.selected),
            (true, false) => theme.accent,
            (false, _) => theme.dim,
        };
        let mark = if chosen { "(•)" } else { "( )" };
        Span::styled(words::fit(&format!("{mark} {}", sanitise::one_line(text)), room), style)
    };
    let room = usize::from(area.width);
    if in_one_line(options, room) {
        let entries = options.texts.iter().enumerate();
        let spans = entries.flat_map(|(place, text)| [entry(place, text, room), Span::raw("   ")]);
        return draw::put(buf, area, spans.collect::<Vec<_>>());
    }
    let rows = usize::from(area.height);
    let top = draw::in_sight(0, options.chosen, rows, options.texts.len());
    for ((place, text), row) in options.texts.iter().enumerate().skip(top).zip(area.rows()) {
        draw::put(buf, row, entry(place, text, room));
    }
}

fn foot(form: &Form, room: usize, theme: &Theme) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    if let Some(problem) = &form.problem {
        let said = sanitise::one_line(problem);
        // The form is about the story that is open: its name is left out.
        let is_story = |name: &str| name.contains('/') && !name.contains([' ', '.']);
        let why = said.split_once(": ").filter(|(story, _)| is_story(story)).map_or(&*said, |(_, why)| why);
        let text = format!("✗ {why}");
        lines.extend(words::wrap_to(&text, room, 3).into_iter().map(|text| Line::styled(text, theme.bad)));
    }
    if form.is_sent() {
        lines.push(Line::styled(words::fit("saving…", room), theme.running));
    } else if let Purpose::Settings(asked) = &form.purpose
        && let Measuring::UnderWay(at, what) = &asked.measuring
    {
        let said = format!("{}: {}… esc stops", sanitise::one_line(&at.model), sanitise::one_line(what));
        lines.extend(words::wrap_to(&said, room, 2).into_iter().map(|text| Line::styled(text, theme.running)));
    } else if matches!(form.stage, FormStage::Reading { .. }) {
        lines.push(Line::styled(words::fit("loading your earlier edit…", room), theme.running));
    } else if let Some(at) = &form.kept_at {
        let text = format!("✓ saved at {}, not in the story yet", words::clock(at));
        lines.push(Line::styled(words::fit(&text, room), theme.good));
    }
    lines
}
