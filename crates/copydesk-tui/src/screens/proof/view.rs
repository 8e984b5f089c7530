//! Draws the Proof page: the list of statements, the details of the selected one, the draft with its words marked, and the source with the
//! passage marked.

use ratatui::prelude::{Buffer, Line, Rect, Span, Style};

use crate::screens::article;
use crate::screens::proof::ListedRow;
use crate::screens::story::{FourPanes, Pane, StoryView, beside};
use crate::widgets::{Theme, draw, words};
use copydesk_newsroom::{Standing, Status, field_in_words};
use copydesk_text::{in_marks, sanitise};

const STANDING: usize = 13;

const KIND: usize = 9;

/// Draws the page. Returns the area of the list's rows, for the mouse.
pub fn view(story: &mut StoryView, area: Rect, buf: &mut Buffer, theme: &Theme) -> Rect {
    let panes = FourPanes {
        focus: story.proof.pane,
        entries: story.proof.count(),
        verdict_name: "Detail",
        about: about(story),
        list,
        draft,
        verdict: draw_explanation,
        source,
        below_draft: None,
    };
    beside::view(&panes, story, area, buf, theme)
}

/// The selected row in words, the longest form first.
fn about(story: &StoryView) -> Vec<String> {
    let Some(row) = story.proof.listed() else { return Vec::new() };
    // Decisions name a finding by its number; the rows have an order of their own.
    let row_of = format!("row {} of {}", story.proof.selected + 1, story.proof.count());
    let which = match story.proof.finding() {
        Some(number) => format!("{row_of}, finding {number}"),
        None => row_of.clone(),
    };
    let standing = row.standing();
    let text = in_marks(&sanitise::one_line(row.text()));
    vec![
        words::dotted([which.as_str(), standing, &text]),
        words::dotted([which.as_str(), standing]),
        words::dotted([row_of.as_str(), standing]),
    ]
}

fn list(story: &mut StoryView, area: Rect, buf: &mut Buffer, theme: &Theme) -> Rect {
    let title = match story.round {
        0 => "Proof".to_owned(),
        round => format!("Proof of draft {round}"),
    };
    let inside = draw::pane(buf, area, &title, theme, story.proof.pane == Pane::List);
    let Some((findings, (checked, all))) = story.proof.proved().map(|proved| (proved.findings, proved.coverage)) else {
        let said = match story.proof.trouble() {
            _ if story.round == 0 => "There is no draft yet.".to_owned(),
            Some(why) => why.to_string(),
            None => "Checking the draft against its sources…".to_owned(),
        };
        draw::said(buf, draw::margins(inside), &said, theme);
        return Rect::ZERO;
    };
    draw::on_frame(buf, area, false, words::width(&title) + 4, "worst findings first", theme);
    let proof = &mut story.proof;
    let rows = usize::from(inside.height);
    proof.top = draw::in_sight(proof.top, proof.selected, rows, proof.count());
    let place = draw::position(proof.top, rows, proof.count());
    let found = words::count(findings, "finding");
    let spelling = match proof.words().len() {
        0 => String::new(),
        notes => format!("{notes} on style and spelling"),
    };
    let grade = proof.readability().map(|readability| format!("grade {:.0}", readability.flesch_kincaid_grade));
    let grade = grade.unwrap_or_default();
    let brief = format!("checked {checked} of {}", words::count(all, "statement"));
    let long = match all - checked {
        0 => format!("checked all {}", words::count(all, "statement")),
        left => format!("{brief}; read the other {left} yourself"),
    };
    let said = [
        words::dotted([&*place, &found, &spelling, &grade, &long]),
        words::dotted([&*found, &spelling, &grade, &long]),
        words::dotted([&*found, &spelling, &long]),
        words::dotted([&*found, &spelling, &brief]),
        brief,
    ];
    if let Some(said) = said.iter().find(|said| words::width(said) + 8 <= usize::from(area.width)) {
        draw::on_frame(buf, area, true, 0, said, theme);
    }
    if proof.count() == 0 {
        let said = "Nothing to check: this draft has no quotation, figure, name or statement from a source.";
        draw::said(buf, draw::margins(inside), said, theme);
        return Rect::ZERO;
    }
    let room = usize::from(inside.width);
    for ((place, row), area) in proof.rows().enumerate().skip(proof.top).zip(inside.rows()) {
        let selected = place == proof.selected;
        let by = proof.accepted(&story.journal, place).map(|decided| decided.decision.by.as_str());
        draw::put(buf, area, line(row, by, room, theme, selected));
        if selected {
            buf.set_style(area.intersection(buf.area), theme.row());
        }
    }
    inside
}

/// `›! ALTERED       quotation “In eleven years I have only once…”`
fn line<'a>(row: ListedRow<'_>, accepted_by: Option<&str>, room: usize, theme: &Theme, selected: bool) -> Line<'a> {
    let (mark, style) = if accepted_by.is_some() { ("✓", theme.good) } else { mark_and_style(row, theme) };
    let cursor = if selected { "›" } else { " " };
    let standing = words::padded(row.standing(), STANDING, false);
    let kind = words::padded(row.kind(), KIND, false);
    let text = in_marks(&sanitise::one_line(row.text()));
    let accepted = accepted_by.map(|by| format!("accepted by {} ", sanitise::one_line(by))).unwrap_or_default();
    let left = room.saturating_sub(STANDING + KIND + 5 + words::width(&accepted));
    Line::from(vec![
        Span::styled(cursor, theme.dim),
        Span::styled(format!("{mark} {standing} "), style),
        Span::styled(format!("{kind} "), theme.dim),
        Span::styled(accepted, theme.good),
        Span::styled(words::fit(&text, left), theme.text),
    ])
}

/// The mark shows the severity without colour.
fn mark_and_style(row: ListedRow<'_>, theme: &Theme) -> (&'static str, Style) {
    let ListedRow::Statement(row) = row else { return ("!", theme.warn) };
    match row.standing {
        _ if row.is_finding() && row.blocks => ("✗", theme.bad),
        _ if row.is_finding() => ("!", theme.warn),
        Standing::StandsThere => ("~", theme.dim),
        Standing::Unchecked => ("?", theme.dim),
        _ => ("·", theme.good),
    }
}

fn draft(story: &mut StoryView, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let at = story.proof.listed().map(|row| format!("in the {}", field_in_words(row.span().0))).unwrap_or_default();
    let focus = story.proof.pane == Pane::Draft;
    article::view::draft(&mut story.proof.draft, (story.round, &at), focus, area, buf, theme);
}

fn draw_explanation(story: &mut StoryView, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let title = match story.proof.finding() {
        Some(number) => {
            let reason = story.proof.reason().map(|reason| format!(" · {reason} in this sentence"));
            format!("Finding {number}{}", reason.unwrap_or_default())
        }
        None => "Detail".to_owned(),
    };
    let focus = story.proof.pane == Pane::Verdict;
    let inside = draw::margins(draw::pane(buf, area, &title, theme, focus));
    let page = if focus { &story.proof.told } else { &story.proof.brief };
    page.view(inside, buf, theme);
    let next = match story.proof.next {
        None | Some(Status::Keep) => "",
        Some(Status::Rewrite) => "the writer changes it",
        Some(Status::Remove) => "the writer deletes it",
    };
    let place = draw::place_in(page);
    let said = [words::dotted([next, &place]), place];
    if let Some(said) = said.iter().find(|said| words::width(said) + 8 <= usize::from(area.width)) {
        draw::on_frame(buf, area, true, 0, said, theme);
    }
}

fn source(story: &mut StoryView, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let which = match story.sources.len() {
        0 | 1 => "Source".to_owned(),
        all => format!("Source {} of {all}", story.proof.source + 1),
    };
    let name = story.sources.get(story.proof.source).map(|source| sanitise::one_line(&source.name)).unwrap_or_default();
    let title = format!("{which}: {name}");
    let said = match story.proof.listed() {
        None => "",
        Some(_) if story.proof.has_passage() => "compared with this passage",
        Some(_) => "no matching passage",
    };
    draw::page(&story.proof.source_page, &title, said, story.proof.pane == Pane::Source, area, buf, theme);
}
