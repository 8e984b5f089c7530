//! Draws the search: query, scope, hits, and the selected passage.

use ratatui::prelude::{Buffer, Line, Rect, Span, Style};

use crate::app::model::House;
use crate::app::{Action, WorkKind};
use crate::screens::search::model::Scope;
use crate::screens::search::{SearchPage, SearchStage};
use crate::screens::story::tab_bar;
use crate::widgets::{Theme, draw, words};
use copydesk_core::ports::{Found, Hit, Stock};
use copydesk_text::sanitise;

/// From this width the passage is beside the list.
const BESIDE_FROM: u16 = 110;

/// The work on the index, and how far it is.
type Indexing = Option<(WorkKind, u64, u64)>;

pub fn search(search: &mut SearchPage, house: &House, indexing: Indexing, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let inner = draw::cover(buf, area, Action::SearchEverywhere.title(), theme);
    let (row, rest) = draw::top(inner, 1);
    let typed = words::fit_end(&search.query, usize::from(row.width).saturating_sub(3));
    let style = if search.is_kept && search.stage == SearchStage::Query { theme.selected } else { Style::new() };
    let mut line = vec![Span::styled("> ", theme.accent), Span::styled(typed, style)];
    if search.stage == SearchStage::Query {
        line.push(Span::styled("▏", theme.accent));
    }
    draw::put(buf, row, Line::from(line));
    let (row, rest) = draw::top(rest, 1);
    places(search, row, buf, theme);
    let below = indexing_words(indexing);
    draw::on_frame_left(buf, area, &below, theme.dim);
    if let Some(said) = said(search, house, indexing) {
        draw::said(buf, draw::below(rest, 1), &said, theme);
        return;
    }
    let Some(Ok(found)) = &search.found else { return };
    let count = words::count(found.hits.len(), "passage");
    let going = if search.asked.is_some() { "searching…" } else { "" };
    let (at_notice, rest) = draw::top(rest, u16::from(found.words_only.is_some()));
    if let Some(why) = &found.words_only {
        let why = words::fit(&sanitise::one_line(why), usize::from(at_notice.width));
        draw::put(buf, at_notice, Line::styled(why, theme.warn));
    }
    let (at_list, at_passage, beside) = parts(rest, search.stage);
    let position = list(search, at_list, buf, theme);
    draw::on_frame(
        buf,
        area,
        true,
        words::width(&below),
        &words::dotted([position.as_deref().unwrap_or(&count), going]),
        theme,
    );
    passage(search, at_passage, beside, buf, theme);
}

fn places(search: &SearchPage, row: Rect, buf: &mut Buffer, theme: &Theme) {
    let trust = if search.all { "all texts" } else { "trusted texts only" };
    let bar: Vec<Span<'_>> =
        search.scopes().map(|scope| tab_bar::tab(scope.into(), scope == search.scope, theme)).collect();
    let bar = Line::from(bar);
    let trust_width = words::width(trust);
    // If not all scopes fit, only the chosen one is shown.
    let room = usize::from(row.width);
    let bar = if bar.width() + trust_width + 2 <= room {
        bar
    } else {
        Line::from(tab_bar::tab(&format!("In: {}", <&str>::from(search.scope)), true, theme))
    };
    let left = room.saturating_sub(bar.width() + 2);
    draw::put(buf, row, bar);
    draw::put_right(buf, row, Span::styled(words::fit(trust, left), theme.dim));
}

/// The text shown when there are no hits to show.
fn said(search: &SearchPage, house: &House, indexing: Indexing) -> Option<String> {
    let searches = search.asked.is_some();
    let nothing_yet = search.is_blank() || (!searches && search.found.is_some() && search.hits().is_empty());
    if matches!(indexing, Some((WorkKind::Files, ..))) && nothing_yet {
        return Some("Reading the knowledge base. You can already search what has been read.".into());
    }
    if search.is_blank() {
        return Some(what_there_is(search.stock.as_ref(), house));
    }
    match &search.found {
        Some(Err(error)) => {
            Some(format!("The search failed: {}. Press Enter to try again.", sanitise::one_line(&error.to_string())))
        }
        Some(Ok(found)) if !found.hits.is_empty() => None,
        Some(Ok(found)) if !searches => Some(nothing(search, found, house)),
        Some(Ok(_)) | None => Some("Searching…".to_owned()),
    }
}

fn put_files(house: &House) -> String {
    let folder = sanitise::one_line(&house.knowledge_folder);
    format!("Put files into {folder}. They are indexed when this page opens.")
}

fn what_there_is(stock: Option<&Stock>, house: &House) -> String {
    match stock {
        None => "Loading the index…".to_owned(),
        Some(stock) if stock.passages + stock.story_passages == 0 => {
            format!("Nothing is indexed yet. {}", put_files(house))
        }
        Some(stock) => format!(
            "Type a name, a question or a claim. The knowledge base, {}, has {} in {}; the stories have {} in {}.",
            sanitise::one_line(&house.knowledge_folder),
            words::count(stock.passages, "passage"),
            words::count(stock.files, "file"),
            words::count(stock.story_passages, "passage"),
            words::count(stock.story_texts, "text"),
        ),
    }
}

/// Why nothing was found, and what to try.
fn nothing(search: &SearchPage, found: &Found, house: &House) -> String {
    let stock = search.stock.clone().unwrap_or_default();
    if found.words == 0 {
        return "What you typed has no word to search for.".to_owned();
    }
    match search.scope {
        _ if stock.passages + stock.story_passages == 0 => return what_there_is(Some(&stock), house),
        Scope::Knowledge if stock.passages == 0 => return format!("The knowledge base is empty. {}", put_files(house)),
        Scope::Stories if stock.story_passages == 0 => return "No story has text yet.".to_owned(),
        Scope::Everywhere | Scope::Sources | Scope::Knowledge | Scope::Stories => {}
    }
    let elsewhere = if search.scope == Scope::Everywhere { "" } else { ", search elsewhere" };
    let all = if search.all { "" } else { ", or search all texts, not only trusted ones" };
    format!("Nothing found. Try other words{elsewhere}{all}.")
}

fn indexing_words(indexing: Indexing) -> String {
    match indexing {
        None => String::new(),
        Some((WorkKind::Files, done, all)) => format!("reading files: {done} of {all}"),
        Some((_, done, all)) => format!("preparing the search by meaning: {done} of {all}"),
    }
}

/// Where the list and the passage stand, and whether they stand side by side.
fn parts(area: Rect, stage: SearchStage) -> (Rect, Rect, bool) {
    if area.width >= BESIDE_FROM {
        let left = area.width * 2 / 5;
        let list = Rect { width: left.saturating_sub(1), ..area };
        return (list, draw::indented(area, left), true);
    }
    // An open passage needs the rows of the list.
    let rows = if stage == SearchStage::Passage { 0 } else { (area.height * 2 / 5).max(3).min(area.height) };
    let (list, passage) = draw::top(area, rows);
    (list, passage, false)
}

/// Draws the hits. Returns which part is in view, if not all of them.
fn list(search: &mut SearchPage, area: Rect, buf: &mut Buffer, theme: &Theme) -> Option<String> {
    let lines = match area.height {
        0..=5 => 1,
        6..=17 => 2,
        _ => 3,
    };
    let room = usize::from(area.height / lines);
    let all = search.hits().len();
    search.top = draw::in_sight(search.top, search.selected, room, all);
    let mut left = area;
    for (place, hit) in search.hits().iter().enumerate().skip(search.top).take(room) {
        let (row, rest) = draw::top(left, lines);
        entry(hit, place, place == search.selected, row, buf, theme);
        left = rest;
    }
    Some(draw::position(search.top, room, all)).filter(|said| room > 0 && !said.is_empty())
}

fn entry(hit: &Hit, place: usize, selected: bool, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let number = format!("{:>2} ", place + 1);
    let width = usize::from(area.width);
    let title = words::fit(&sanitise::one_line(&hit.title), width.saturating_sub(words::width(&number) + 1));
    let mark = if selected { "›" } else { " " };
    let head = Line::from(vec![Span::styled(format!("{mark}{number}"), theme.dim), Span::styled(title, theme.heading)]);
    draw::put(buf, area, head);
    let more = draw::indented(draw::below(area, 1), 4);
    let room = usize::from(more.width);
    let whose = Line::styled(words::fit(&sanitise::one_line(&whose(hit)), room), theme.dim);
    let why = Line::styled(words::fit(&sanitise::one_line(&hit.why()), room), theme.text);
    draw::lines(buf, more, [whose, why]);
    if selected {
        let row = Rect { height: area.height.min(1), ..area };
        buf.set_style(row.intersection(buf.area), theme.row());
    }
}

/// `knowledge base · parks/ordinance.md · 2026-01-02 · credibility 0.9 · Parks > Work`, without what the title says.
fn whose(hit: &Hit) -> String {
    let passage = &hit.passage;
    let story = hit.story.as_ref().map(ToString::to_string).unwrap_or_default();
    let file = if passage.file == hit.title { "" } else { passage.file.as_str() };
    let trust = passage.credibility.map(|credibility| format!("credibility {credibility}")).unwrap_or_default();
    let day = passage.published.as_deref().unwrap_or_default();
    words::dotted([passage.tier.words(), &story, file, day, &trust, &passage.heading])
}

/// The selected passage. The scores are shown while it has the focus.
fn passage(search: &SearchPage, area: Rect, beside: bool, buf: &mut Buffer, theme: &Theme) {
    let Some(hit) = search.hit() else { return };
    let title = sanitise::one_line(&hit.title);
    let focus = search.stage == SearchStage::Passage;
    let inside = if beside {
        draw::margins(draw::pane(buf, area, &title, theme, focus))
    } else {
        draw::rule(buf, area, &title, theme, focus)
    };
    // In a low window the text needs the rows.
    let most = if inside.height >= 10 { 3 } else { 1 };
    let wrapped = |text: &str, style: Style| -> Vec<Line<'static>> {
        let lines = words::wrap_to(&sanitise::one_line(text), usize::from(inside.width), most);
        lines.into_iter().map(|text| Line::styled(text, style)).collect()
    };
    let mut head = wrapped(&whose(hit), theme.dim);
    if inside.height >= 6 {
        head.extend(wrapped(&if focus { hit.why_with_scores() } else { hit.why() }, theme.text));
    }
    let rest = draw::lines(buf, inside, head);
    let rest = draw::below(rest, u16::from(rest.height > 8));
    search.page.view(rest, buf, theme);
    if beside {
        draw::on_frame(buf, area, true, 0, &draw::place_in(&search.page), theme);
    }
}
