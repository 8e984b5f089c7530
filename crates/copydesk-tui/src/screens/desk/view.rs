//! The desk: all stories in a table. Only the rows that can be seen are made.

use crate::app::{Hint, Model};
use crate::screens::desk::detail::{rounds, standing_style};
use crate::screens::desk::{DeskRow, StoryState, detail};
use crate::widgets::{Column, Table, draw, words};
use ratatui::prelude::{Buffer, Line, Rect, Span, Style};

use copydesk_newsroom::{ListedRun, Priority, due_in_words};
use copydesk_text::sanitise;

/// Draws the desk. `begin` are the ways to begin a story, for a desk without any.
pub fn desk(model: &mut Model, begin: &[Hint], area: Rect, buf: &mut Buffer) {
    if model.desk.all().is_empty() {
        nothing(model, begin, area, buf);
        return;
    }
    // The details stand below the list in a high window, beside it in a wide one, else in two lines.
    let (list, rest, framed) = if area.height >= 17 {
        let (list, rest) = draw::bottom(area, if area.height >= 28 { 8 } else { 7 });
        (list, rest, true)
    } else if area.width >= 100 {
        let width = area.width / 3;
        let list = Rect { width: area.width - width, ..area };
        (list, draw::indented(area, list.width), true)
    } else {
        let (list, rest) = draw::bottom(area, 2);
        (list, rest, false)
    };
    stories(model, list, buf);
    detail::detail(model, rest, framed, buf);
}

fn nothing(model: &Model, begin: &[Hint], area: Rect, buf: &mut Buffer) {
    let theme = &model.theme;
    let inner = draw::pane(buf, area, "Stories", theme, true);
    if !model.desk.loaded {
        draw::put(buf, draw::middle(inner, 17, 1), Line::styled("Reading the desk…", theme.dim));
        return;
    }
    let width = inner.width.saturating_sub(2).min(66);
    let room = usize::from(width);
    let about = "Copydesk drafts a story from your source and checks every sentence against it. It asks you before it rewrites \
                 anything, and no story is finished until you sign it off.";
    let mut lines = vec![Line::styled("Your desk is empty.", theme.heading), Line::default()];
    let about = words::wrap(about, room);
    // The ways to begin matter more than the explanation.
    if about.len() + begin.len() + 4 <= usize::from(inner.height) {
        lines.extend(about.into_iter().map(Line::raw));
    } else {
        let brief = "Copydesk drafts a story from your source.";
        lines.push(Line::raw(words::fit(brief, room)));
    }
    if !begin.is_empty() {
        lines.extend([Line::default(), Line::styled("Ways to begin:", theme.heading)]);
        let keys = begin.iter().map(|hint| words::width(&hint.keys)).max().unwrap_or(0);
        lines.extend(begin.iter().map(|hint| {
            let title = words::fit(&hint.title, room.saturating_sub(keys + 4));
            Line::from(vec![
                Span::styled(format!("  {}", words::padded(&hint.keys, keys, false)), theme.accent),
                Span::raw(format!("  {title}")),
            ])
        }));
    }
    let height = u16::try_from(lines.len()).unwrap_or(u16::MAX);
    draw::lines(buf, draw::middle(inner, width, height), lines);
}

fn stories(model: &mut Model, area: Rect, buf: &mut Buffer) {
    let theme = model.theme;
    let order = words::width(model.desk.order.words()) + 8;
    let title = title(model, usize::from(area.width).saturating_sub(order));
    let inner = draw::pane(buf, area, &title, &theme, true);
    draw::on_frame(buf, area, false, words::width(&title) + 2, model.desk.order.words(), &theme);
    let filters = model.desk.filtering || !model.desk.filter.is_empty();
    let (row, rest) = draw::top(inner, u16::from(filters));
    if filters {
        filter(model, draw::indented(row, 2), buf);
    }
    let (row, rest) = draw::top(rest, 1);
    let shown = usize::from(rest.height);
    let all = model.desk.count();
    model.desk.top = draw::in_sight(model.desk.top, model.desk.selected, shown, all);
    let (first, selected) = (model.desk.top, model.desk.selected);
    draw::on_frame(buf, area, true, 0, &draw::position(first, shown, all), &theme);
    model.drawn.list = rest;
    if all == 0 {
        let said = match (&model.desk.only_for, model.desk.filter.is_empty()) {
            (Some(_), true) => "No story waits for you.",
            _ => "No story matches the filter.",
        };
        draw::put(buf, draw::indented(rest, 2), Line::styled(said, theme.dim));
        return;
    }
    let room = rest.width.saturating_sub(3);
    let (columns, fill): (Vec<Column>, Vec<Cell>) = columns_for(model, room).unzip();
    let table = Table::new(&columns, rest.width);
    table.head(buf, row, &theme);
    let name = columns.iter().position(|column| column.head == "Story").and_then(|place| table.width(place));
    let name = name.map_or(0, usize::from);
    for ((place, story), row) in model.desk.shown().enumerate().skip(first).zip(rest.rows()) {
        let of = Shown { model, run: &story.run, story, room, name };
        let cells: Vec<(String, Style)> = fill.iter().map(|cell| cell(&of)).collect();
        table.row(buf, row, &cells, place == selected, &theme);
    }
}

fn title(model: &Model, room: usize) -> String {
    let desk = &model.desk;
    let stories = desk.all().len();
    let stories = format!("{stories} {}", if stories == 1 { "story" } else { "stories" });
    let mine = desk.all().iter().filter(|row| row.run.waits_for(&model.house.editor)).count();
    let waiting = match mine {
        0 => String::new(),
        1 => "1 needs you".to_owned(),
        number => format!("{number} need you"),
    };
    let told = |number: usize, how: &str| if number > 0 { format!("{number} {how}") } else { String::new() };
    let late = told(desk.all().iter().filter(|row| row.is_late(model.now)).count(), "late");
    let (at_work, queued) = desk.under_way();
    let (at_work, queued) = (told(at_work, "at work"), told(queued, "in the queue"));
    let of = |state: StoryState| desk.all().iter().filter(|row| row.standing() == state).count();
    let ended: Vec<String> = [
        StoryState::Failed,
        StoryState::Spiked,
        StoryState::Stopped,
        StoryState::Paused,
        StoryState::Passed,
        StoryState::Extracted,
        StoryState::Signed,
        StoryState::SignedAsNotes,
        StoryState::Withdrawn,
    ]
    .into_iter()
    .map(|state| told(of(state), state.words().1))
    .collect();
    let dead = match model.failed_steps.len() {
        0 => String::new(),
        number => words::count(number, "failed step"),
    };
    let down = match model.servers_down.as_slice() {
        [] => String::new(),
        [one] if one.since.is_some() => format!("{} is down", sanitise::one_line(&one.server)),
        [one] => format!("{} asked us to wait", sanitise::one_line(&one.server)),
        several => format!("{} servers are unavailable", several.len()),
    };
    let only = if desk.only_for.is_some() { "only what waits for you" } else { "" };
    let mut said = words::dotted([only, stories.as_str(), &waiting, &late, &down, &dead, &at_work, &queued]);
    // Ended stories are counted if there is room for it: the rows show them.
    for part in ended.iter().filter(|part| !part.is_empty()) {
        if words::width(&said) + 3 + words::width(part) > room {
            break;
        }
        said = words::dotted([said.as_str(), part]);
    }
    said
}

fn filter(model: &Model, row: Rect, buf: &mut Buffer) {
    let desk = &model.desk;
    let theme = &model.theme;
    let found = format!("{} of {}", desk.count(), desk.all().len());
    let room = usize::from(row.width).saturating_sub(words::width(&found) + 14);
    let mut spans = vec![Span::styled("filter: ", theme.accent), Span::raw(words::fit_end(&desk.filter, room))];
    if desk.filtering {
        spans.push(Span::styled("▏", theme.accent));
    }
    spans.push(Span::styled(format!("  {found}"), theme.dim));
    draw::put(buf, row, Line::from(spans));
}

/// Columns from which the priority has a word beside its mark.
const PRIORITY_WORDS: u16 = 126;
/// Columns from which every state is written in full.
const STATE_WORDS: u16 = 94;

/// Columns from which the name is shown beside the title. Below them the name of the selected story stands under the list.
const NAMES: u16 = STATE_WORDS;
/// Columns from which most names have room for their channel.
const CHANNELS: u16 = 140;

/// What the cells of a row show.
struct Shown<'s> {
    model: &'s Model,
    story: &'s DeskRow,
    run: &'s ListedRun,
    /// Columns of the table, and those of a story's name.
    room: u16,
    name: usize,
}

/// How a story fills a column.
type Cell = fn(&Shown<'_>) -> (String, Style);

/// The columns that there is a use for, and room in the table.
fn columns_for(model: &Model, room: u16) -> impl Iterator<Item = (Column, Cell)> {
    let (state, priority) = (if room < STATE_WORDS { 15 } else { 19 }, if room < PRIORITY_WORDS { 1 } else { 6 });
    let has = |what: fn(&DeskRow) -> bool| model.desk.all().iter().any(what);
    let has_due = has(|row| row.run.due.is_some() && !row.standing().is_settled());
    let has_editor = has(|row| row.run.assigned.is_some());
    let story = Column::text("Story", 20, if room < CHANNELS { 24 } else { 36 }, 1);
    let cost = Column { right: true, ..Column::text("Cost about", 10, 14, 8) };
    let columns: [(bool, Column, Cell); 13] = [
        (true, Column::text("State", state, state, 0), |of| of.state()),
        (true, Column::text("", priority, priority, 3), |of| of.priority()),
        (true, Column::text("Title", 24, 60, 0), |of| of.title()),
        (room >= NAMES, story, |of| (words::fit_name(&of.run.story, of.name), of.model.theme.dim)),
        (has_due, Column::text("Due", 8, 9, 2), |of| of.due()),
        (has_editor, Column::text("Editor", 8, 14, 6), |of| of.editor()),
        (true, Column::text("Desk", 6, 14, 9), |of| (of.run.desk.clone().unwrap_or_default(), of.model.theme.dim)),
        (true, Column::text("Round", 5, 5, 4), |of| (rounds(of.run.rounds, of.run.max_rounds), of.model.theme.text)),
        (true, Column::number("Open", 4, 0), |of| of.open()),
        (true, Column::number("Age", 6, 0), |of| (words::age(&of.run.updated_at, of.model.now), of.model.theme.dim)),
        (true, Column::number("Tokens", 6, 5), |of| (words::tokens(of.story.tokens()), of.model.theme.dim)),
        (!model.house.prices.is_empty(), cost, |of| of.cost()),
        (true, Column::text("Why flagged", 16, 40, 7), |of| (of.run.reasons().join(", "), of.model.theme.warn)),
    ];
    columns.into_iter().filter_map(|(is_shown, column, cell)| is_shown.then_some((column, cell)))
}

/// Most characters of a title that a row looks at.
const LONGEST_TITLE: usize = 120;

impl Shown<'_> {
    fn state(&self) -> (String, Style) {
        let standing = self.story.standing();
        let (mark, mut said) = standing.words();
        if standing == StoryState::Elsewhere && self.room < STATE_WORDS {
            said = "elsewhere";
        }
        (format!("{mark} {said}"), standing_style(standing, &self.model.theme))
    }

    fn priority(&self) -> (String, Style) {
        let said = match (self.run.priority, self.room >= PRIORITY_WORDS) {
            (Priority::High, true) => "↑ high",
            (Priority::High, false) => "↑",
            (Priority::Low, true) => "↓ low",
            (Priority::Low, false) => "↓",
            (Priority::Normal, _) => "",
        };
        (said.to_owned(), self.model.theme.warn)
    }

    fn title(&self) -> (String, Style) {
        let title = if sanitise::is_blank(&self.run.title) { &self.run.story } else { &self.run.title };
        // The table cuts it; a title of any length is not laid out whole for that.
        (sanitise::excerpt(title, LONGEST_TITLE), self.model.theme.text)
    }

    fn due(&self) -> (String, Style) {
        let due = self.run.due.as_ref().filter(|_| !self.story.standing().is_settled());
        let (said, late) = due.map_or_else(Default::default, |due| due_in_words(due, self.model.now));
        (said, if late { self.model.theme.bad } else { self.model.theme.text })
    }

    fn editor(&self) -> (String, Style) {
        (sanitise::one_line(self.run.assigned.as_deref().unwrap_or_default()), self.model.theme.dim)
    }

    fn open(&self) -> (String, Style) {
        let open = if self.run.rounds == 0 { "-".to_owned() } else { self.run.open_concerns.to_string() };
        (open, self.model.theme.text)
    }

    fn cost(&self) -> (String, Style) {
        let cost = words::cost(self.run.prompt_tokens, self.run.completion_tokens, &self.model.house.prices);
        (cost.unwrap_or_default(), self.model.theme.dim)
    }
}
