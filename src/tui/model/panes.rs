//! The texts beside the list of concerns: the draft with the excerpts marked, the verdict with what the editor made of it, the
//! source with the passage that bears on it. Made when the selection changes, never per frame.

use std::{ops::Range, sync::Arc};

use super::concerns::ConcernRow;
use crate::{
    editorial::excerpts,
    newsroom::{Journal, Source, Status, Verdict},
    proof::Bearing,
    tui::{
        mark::{Mark, Role},
        markdown::FieldMark,
        page::Page,
    },
};

/// A text that is put together piece by piece, with its marks.
#[derive(Default)]
struct Sheet {
    text: String,
    marks: Vec<Mark>,
}

impl Sheet {
    fn add(&mut self, text: &str, role: Role) -> Range<usize> {
        let start = self.text.len();
        self.text.push_str(text);
        let range = start..self.text.len();
        if role != Role::Text {
            self.marks.push(Mark::new(range.clone(), role));
        }
        range
    }

    fn line(&mut self, text: &str, role: Role) {
        self.add(text, role);
        self.text.push('\n');
    }

    fn into_page(self) -> Page {
        let mut page = Page::new(Arc::from(self.text));
        page.mark(self.marks);
        page
    }
}

/// Where the excerpts of the concerns stand in the draft, and the place of the selected one's mark among them.
#[must_use]
pub fn excerpts(
    journal: &Journal,
    round: u32,
    concerns: &[ConcernRow],
    selected: usize,
) -> (Vec<FieldMark>, Option<usize>) {
    let mut marks = Vec::new();
    let mut shown = None;
    for (place, concern) in concerns.iter().enumerate() {
        let Some((field, range)) = excerpts::place_of(journal, round, concern.id) else { continue };
        let role = if place == selected { Role::Excerpt } else { Role::Concern };
        if place == selected {
            shown = Some(marks.len());
        }
        marks.push(FieldMark { field, range, role });
    }
    (marks, shown)
}

/// What was said about a concern, and what the editor made of it. An overruled verdict stays, struck through.
#[must_use]
pub fn verdict(concern: Option<&ConcernRow>) -> Page {
    let mut sheet = Sheet::default();
    let Some(concern) = concern else {
        sheet.line("No concern is selected.", Role::Dim);
        return sheet.into_page();
    };
    sheet.line(&concern.note, Role::Text);
    sheet.text.push('\n');
    let who = concern.specialist.map_or("not routed yet", crate::newsroom::Specialist::name);
    let kind = concern.kind.map_or("", crate::newsroom::ConcernType::name);
    sheet.line(&[kind, who].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · "), Role::Dim);
    if let Some(overruled) = &concern.overruled {
        sheet.text.push('\n');
        sheet.add(overruled.status.name(), status_role(overruled.status));
        sheet.line(&format!("  decided by {}, {}", overruled.by, clock(&overruled.at)), Role::Text);
        sheet.line(&overruled.reason, Role::Text);
        if let Some(fix) = &overruled.fix {
            sheet.line(&format!("To do: {fix}"), Role::Strong);
        }
    }
    sheet.text.push('\n');
    match &concern.verdict {
        None => sheet.line("No verdict yet.", Role::Dim),
        Some(given) => given_verdict(&mut sheet, given, concern),
    }
    sheet.into_page()
}

fn given_verdict(sheet: &mut Sheet, given: &Verdict, concern: &ConcernRow) {
    let struck = concern.overruled.is_some();
    let text = |role: Role| if struck { Role::Removed } else { role };
    sheet.add(given.status.name(), text(status_role(given.status)));
    let mut notes = Vec::new();
    if given.misleading {
        notes.push("misleading");
    }
    if concern.remembered {
        notes.push("from an earlier check");
    }
    if struck {
        notes.push("overruled");
    }
    sheet.line(&if notes.is_empty() { String::new() } else { format!("  {}", notes.join(", ")) }, Role::Dim);
    sheet.line(&given.rationale, text(Role::Text));
    if let Some(fix) = &given.suggested_fix {
        sheet.line(&format!("To do: {fix}"), text(Role::Strong));
    }
    if let Some(evidence) = &given.evidence {
        sheet.text.push('\n');
        sheet.line("Evidence", Role::Dim);
        sheet.line(evidence, text(Role::Quote));
    }
    for citation in given.citations.iter().flatten() {
        sheet.add("· ", Role::Dim);
        sheet.line(citation, text(Role::Name));
    }
}

fn status_role(status: Status) -> Role {
    match status {
        Status::Keep => Role::Added,
        Status::Rewrite | Status::Remove => Role::Heading,
    }
}

/// `2026-10-06 12:00` of an ISO time.
fn clock(at: &str) -> String {
    at.chars().take(16).map(|c| if c == 'T' { ' ' } else { c }).collect()
}

/// The source with the passage marked; the first source where nothing bears on the concern.
#[must_use]
pub fn source(sources: &[Source], bearing: Option<&Bearing>) -> (String, Page) {
    let place = bearing.map_or(0, |bearing| bearing.source);
    let Some(source) = sources.get(place) else { return (String::new(), Page::new(Arc::from(""))) };
    let mut page = Page::new(Arc::from(source.text.as_str()));
    if let Some(bearing) = bearing {
        page.mark(vec![Mark::new(bearing.range.clone(), Role::Passage)]);
        page.show(&bearing.range);
    }
    (source.name.clone(), page)
}
