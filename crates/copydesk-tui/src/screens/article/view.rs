//! The article as it would be printed, and beside it the notes for whoever signs it. In a narrow window the notes stand below the
//! article.

use ratatui::prelude::{Buffer, Constraint, Layout, Rect};

use crate::screens::article::page::decided_at;
use crate::screens::article::{Printed, signing};
use crate::screens::forms::Cursor;
use crate::screens::story::StoryView;
use crate::widgets::{Theme, draw, words};
use copydesk_core::editorial::{decisions, extract};
use copydesk_newsroom::Wait;
use copydesk_text::sanitise;

/// Columns from which the notes stand beside the article.
const BESIDE_FROM: u16 = 100;

/// Widest column of text that is easy to read.
const WIDEST: u16 = 76;

pub fn view(story: &mut StoryView, area: Rect, buf: &mut Buffer, theme: &Theme) {
    story.lay_signing();
    let name = match (story.journal.publication(), decisions::signed_in_words(&story.journal)) {
        (None, _) if story.article.signing.round == story.round || story.round == 0 => "Before you sign".to_owned(),
        (None, _) => format!("Before you sign draft {}", story.article.signing.round),
        (Some(_), Some(signed)) => words::sentence(sanitise::one_line(&signed)),
        (Some(_), None) => "For the record".to_owned(),
    };
    let mut text = area;
    let mut all_beside = false;
    let wait = decided_at(&story.journal, story.round);
    let is_noted = wait.is_some() && story.article.noted.margin(story.round).is_some();
    if area.width >= BESIDE_FROM {
        let wanted = area.width.saturating_sub(WIDEST + 4).clamp(40, 64);
        let [left, aside] = Layout::horizontal([Constraint::Fill(1), Constraint::Length(wanted)]).areas(area);
        text = left;
        let (at_signing, at_notes) = match wait {
            Some(Wait::Gate { .. }) if is_noted => (Rect::ZERO, aside),
            Some(_) if is_noted => {
                let lines = signing::lines(&story.article.signing.notes, draw::margins(aside).width, theme).len();
                let rows = u16::try_from(lines).unwrap_or(u16::MAX).saturating_add(2);
                draw::top(aside, rows.min(aside.height / 2))
            }
            _ => (aside, Rect::ZERO),
        };
        notes(story, at_notes, buf, theme);
        all_beside = !at_signing.is_empty() && beside(story, &name, at_signing, buf, theme);
    }
    let title = match story.journal.publication() {
        None if wait.is_some() && decisions::edit(&story.journal, story.round).is_some() => {
            format!("Article, draft {} with your changes", story.round)
        }
        _ if extract::is_untouched(&story.journal, story.round) => format!("Fact sheet, draft {}", story.round),
        Some(_) => "Article".to_owned(),
        None if story.round == 0 => "Article".to_owned(),
        None => format!("Article, draft {}", story.round),
    };
    let inside = draw::margins(draw::pane(buf, text, &title, theme, true));
    if story.article.printed.article().is_none() {
        draw::said(buf, inside, "There is no draft yet.", theme);
        return;
    }
    let inside = if is_noted && area.width < BESIDE_FROM { below(story, inside, buf, theme) } else { inside };
    let column = draw::middle(inside, WIDEST, inside.height);
    printed(&mut story.article.printed, !all_beside, column, buf, theme);
    let place = draw::place_of(&story.article.printed);
    draw::on_frame(buf, text, true, 0, &place, theme);
    if area.width < BESIDE_FROM {
        let room = usize::from(text.width).saturating_sub(words::width(&place) + 8);
        let (brief, weight) = signing::brief(&story.article.signing.notes);
        let said = words::fit(&format!("{name} ↓ {brief}"), room);
        draw::on_frame_left(buf, text, &said, weight.style(theme));
    }
}

/// Draws an article from the reader's place, with or without the notes below it.
pub(crate) fn printed(article: &mut Printed, with_notes: bool, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let (lines, top) = article.lay(area.width, area.height, with_notes, theme);
    draw::lines(buf, area, lines.iter().skip(top).take(usize::from(area.height)).cloned());
}

/// Draws the draft of a round in a pane. The frame shows `said` beside the reader's place.
pub(crate) fn draft(
    article: &mut Printed,
    (round, said): (u32, &str),
    focus: bool,
    area: Rect,
    buf: &mut Buffer,
    theme: &Theme,
) {
    let inside = draw::margins(draw::pane(buf, area, &format!("Draft {round}"), theme, focus));
    if article.article().is_none() {
        draw::said(buf, inside, "There is no draft yet.", theme);
        return;
    }
    printed(article, false, inside, buf, theme);
    draw::on_frame(buf, area, true, 0, &words::dotted([said, &draw::place_of(article)]), theme);
}

/// Height from which the notes below a draft have more than two rows.
const HIGH: u16 = 14;

/// Draws the notes on the draft beside it: the selected one whole, with its passage, then the others.
fn notes(story: &StoryView, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let noted = &story.article.noted;
    let (Some(margin), Some(article)) = (noted.margin(story.round), story.article.printed.article()) else { return };
    if area.is_empty() {
        return;
    }
    let inside = draw::margins(draw::pane(buf, area, &margin.length(article.words()), theme, false));
    let cursor = noted.cursor(article).unwrap_or(Cursor { field: 0, text: "", byte: 0, note: None });
    let (lines, hidden) = margin.lines(cursor, usize::from(inside.width), usize::from(inside.height), theme);
    draw::lines(buf, inside, lines);
    if hidden > 0 {
        draw::on_frame(buf, area, true, 0, &format!("{} more", words::count(hidden, "note")), theme);
    }
}

/// Draws the selected note below the draft, in few rows. Returns what is left for the draft.
fn below(story: &StoryView, area: Rect, buf: &mut Buffer, theme: &Theme) -> Rect {
    let noted = &story.article.noted;
    let (Some(margin), Some(article)) = (noted.margin(story.round), story.article.printed.article()) else {
        return area;
    };
    let room = usize::from(area.width);
    let most = if area.height < HIGH { 2 } else { 6 };
    let mut lines = noted.cursor(article).map(|cursor| margin.brief(cursor, room, most, theme)).unwrap_or_default();
    lines.truncate(most);
    let rows = u16::try_from(lines.len()).unwrap_or(0).saturating_add(1);
    let (text, foot) = draw::bottom(area, rows);
    let (rule, foot) = draw::top(foot, 1);
    draw::rule(buf, rule, &margin.length(article.words()), theme, false);
    draw::lines(buf, foot, lines);
    text
}

/// Draws the notes in a pane of their own. Returns whether there was room for all.
fn beside(story: &StoryView, name: &str, area: Rect, buf: &mut Buffer, theme: &Theme) -> bool {
    let inside = draw::margins(draw::pane(buf, area, name, theme, false));
    let mut lines = signing::lines(&story.article.signing.notes, inside.width, theme);
    let rows = usize::from(inside.height);
    let all = lines.len() <= rows;
    if !all {
        lines.truncate(rows);
        draw::on_frame(buf, area, true, 0, "more below the article", theme);
    }
    draw::lines(buf, inside, lines);
    all
}
