//! Draws the sources of a story and the errands of its research, and below them the selected one.

use ratatui::prelude::{Buffer, Rect, Style};

use crate::screens::sources::{SourceRow, SourcesPage, told};
use crate::screens::story::Tab;
use crate::widgets::{Column, Table, Theme, draw};
use copydesk_core::editorial::research_report::{ErrandReport, ListedSource, UseKind};
use copydesk_text::{count, sanitise};

/// Draws the page. Returns the area of the list's rows.
pub fn view(page: &mut SourcesPage, area: Rect, buf: &mut Buffer, theme: &Theme) -> Rect {
    let inside = draw::margins(draw::pane(buf, area, Tab::Sources.name(), theme, true));
    let columns = [
        Column::text("From", 8, 8, 0),
        Column::text("Source", 20, 200, 0),
        Column::text("Date", 10, 10, 1),
        Column::number("Trust", 5, 0),
        Column::text("Standing", 10, 10, 0),
        Column::number("Findings", 8, 2),
        Column::number("Passages", 8, 2),
    ];
    let SourcesPage { list, rows } = page;
    let cells = |place: usize, _: &Table<'_>| rows.get(place).map(|row| cells(row, theme));
    let title = match rows.get(list.selected) {
        Some(SourceRow::Source(source)) => format!("Source: {}", sanitise::excerpt(&source.title, 60)),
        Some(SourceRow::Errand(errand)) => errand.name.clone(),
        None => "Source".to_owned(),
    };
    list.view(&title, rows.len(), &columns, cells, (area, inside), buf, theme)
}

fn cells(row: &SourceRow, theme: &Theme) -> [(String, Style); 7] {
    match row {
        SourceRow::Source(source) => of_source(source, theme),
        SourceRow::Errand(errand) => of_errand(errand, theme),
    }
}

fn of_source(source: &ListedSource, theme: &Theme) -> [(String, Style); 7] {
    let (standing, style) = match (&source.removed, &source.distrusted, source.kept) {
        (Some(_), ..) => ("✗ removed", theme.bad),
        (None, Some(_), _) => ("distrusted", theme.bad),
        (None, None, true) => ("✓ kept", theme.good),
        (None, None, false) if source.undecided => ("read", theme.running),
        (None, None, false) => ("not kept", theme.dim),
    };
    let id = source.id.as_ref().map_or_else(String::new, |id| format!("{id} "));
    let mark = if source.hidden.is_empty() { "" } else { "hidden text: " };
    let trust = source.credibility.as_ref().map_or_else(|| "-".to_owned(), |of| format!("{:.2}", of.score));
    let number = |number: usize| (number.to_string(), if number == 0 { theme.dim } else { theme.text });
    [
        (source.origin.name().to_owned(), theme.dim),
        (format!("{id}{mark}{}", sanitise::excerpt(&source.title, 200)), theme.text),
        (source.published.as_ref().map_or_else(|| "-".to_owned(), |day| sanitise::excerpt(day, 10)), theme.dim),
        (trust, theme.text),
        (standing.to_owned(), style),
        number(source.count(UseKind::Finding)),
        number(source.count(UseKind::Passage)),
    ]
}

fn of_errand(errand: &ErrandReport, theme: &Theme) -> [(String, Style); 7] {
    let (questions, calls) = (count(errand.questions.len(), "question"), count(errand.calls.len(), "call"));
    let said = format!("{}: {questions}, {calls}", errand.name);
    let style = if errand.done { theme.good } else { theme.running };
    [
        ("research".to_owned(), theme.dim),
        (said, theme.text),
        (String::new(), theme.dim),
        (String::new(), theme.dim),
        (told::state(errand).to_lowercase(), style),
        (errand.findings.len().to_string(), theme.text),
        (String::new(), theme.dim),
    ]
}
