//! A source, or an errand, as a text to read.

use crate::widgets::{Sheet, TextRole, unsure};
use copydesk_core::editorial::research::place;
use copydesk_core::editorial::research_report::{
    CallEnd, CallReport, ErrandReport, ListedSource, QuestionReport, SourceOrigin, UseKind,
};
use copydesk_newsroom::RecordedSource;
use copydesk_text::{in_marks, sanitise};

/// How it stands, how far it can be trusted and why, the places that use it, and its text with the words of the
/// findings marked.
pub(super) fn source(source: &ListedSource, text: &str, recorded: Option<&RecordedSource>) -> Sheet {
    let mut sheet = Sheet::default();
    sheet.line(&sanitise::one_line(&source.title), TextRole::Heading);
    if source.name != source.title {
        sheet.line(&sanitise::one_line(&source.name), TextRole::Name);
    }
    sheet.line(&format!("{}; {}", brought(source.origin), sanitise::one_line(&source.standing())), TextRole::Text);
    for remark in &source.remarks {
        sheet.named("The page", &sanitise::one_line(remark));
    }
    if let Some(day) = &source.published {
        sheet.named("Published", &sanitise::one_line(day));
    }
    if let Some(credibility) = &source.credibility {
        sheet.section(&format!("Credibility {:.2}", credibility.score));
        for reason in &credibility.reasons {
            sheet.add("· ", TextRole::Dim);
            sheet.line(&sanitise::one_line(reason), TextRole::Text);
        }
    }
    if !source.hidden.is_empty() {
        sheet.section(&format!(
            "Hidden text in {}: readers do not see it, and Copydesk does not use it",
            sanitise::one_line(&source.name)
        ));
        for text in &source.hidden {
            let (how, words) = (sanitise::one_line(&text.how), in_marks(&sanitise::one_line(&text.text)));
            sheet.line(&format!("{how}: {words}"), TextRole::Removed);
        }
    }
    if let Some(view) = &source.view {
        sheet.named("The Reporter's view", &view.in_words());
    }
    if !source.uses.is_empty() {
        sheet.section(&format!("Used: {}", source.rests()));
    }
    for used in &source.uses {
        sheet.add(&format!("{}: ", used.place), TextRole::Dim);
        sheet.line(&in_marks(&used.text), TextRole::Quote);
    }
    unsure::section(&mut sheet, &unsure::advice(recorded, 0, text));
    sheet.section("Text");
    let mut quoted: Vec<_> = source
        .uses
        .iter()
        .filter(|used| used.kind == UseKind::Finding)
        .filter_map(|used| place(text, &used.text))
        .collect();
    quoted.sort_by_key(|range| range.start);
    let mut at = 0;
    for range in quoted {
        // Two findings may quote the same words.
        if range.start >= at {
            sheet.add(text.get(at..range.start).unwrap_or_default(), TextRole::Text);
            sheet.add(text.get(range.clone()).unwrap_or_default(), TextRole::Passage);
            at = range.end;
        }
    }
    sheet.line(text.get(at..).unwrap_or_default(), TextRole::Text);
    sheet
}

/// Who brought it.
fn brought(origin: SourceOrigin) -> &'static str {
    match origin {
        SourceOrigin::Own => "The story's own text",
        SourceOrigin::Given => "Given with the story",
        SourceOrigin::Found => "Found by the Reporter",
        SourceOrigin::Added => "Added at a gate",
    }
}

/// Describes an errand: its questions, searches and pages, the kept sources, and why the rest was not kept.
pub(super) fn errand(errand: &ErrandReport) -> Sheet {
    let mut sheet = Sheet::default();
    sheet.line(&errand.name, TextRole::Heading);
    sheet.line(state(errand), TextRole::Dim);
    sheet.section("Questions");
    for (number, asked) in (1..).zip(&errand.questions) {
        let QuestionReport { question, answered, why } = asked;
        sheet.line(&format!("{number}. {}", sanitise::one_line(question)), TextRole::Strong);
        if let (Some(answered), Some(why)) = (answered, why) {
            let word = if *answered { "answered" } else { "open" };
            sheet.line(&format!("   {word}: {}", sanitise::one_line(why)), TextRole::Text);
        }
    }
    if !errand.calls.is_empty() {
        sheet.section("Searched and opened");
    }
    for CallReport { tool, asked, state, result, .. } in &errand.calls {
        sheet.add(tool, TextRole::Name);
        sheet.line(&format!(" “{asked}”"), TextRole::Text);
        let (word, role) = match state {
            CallEnd::Running => ("", TextRole::Emphasis),
            CallEnd::Found => ("found ", TextRole::Text),
            CallEnd::Answered => ("answer: ", TextRole::Text),
            CallEnd::Failed => ("failed: ", TextRole::Emphasis),
        };
        sheet.line(&format!("   {word}{result}"), role);
    }
    if errand.done && !errand.serves {
        sheet.section("Kept");
    }
    if errand.found_nothing() {
        sheet.line("Nothing.", TextRole::Dim);
    }
    for finding in &errand.findings {
        sheet.line(&in_marks(&sanitise::one_line(&finding.quotation)), TextRole::Quote);
        let from = sanitise::one_line(&finding.source);
        sheet.line(&format!("   {from}, for question {}", finding.question), TextRole::Dim);
    }
    if !errand.left_out.is_empty() {
        sheet.section("Left out");
    }
    for left in &errand.left_out {
        sheet.line(&in_marks(&sanitise::one_line(&left.finding.quotation)), TextRole::Removed);
        sheet.line(&format!("   {}", sanitise::one_line(&left.why)), TextRole::Text);
    }
    sheet
}

/// Where the Reporter is with it.
pub(super) fn state(errand: &ErrandReport) -> &'static str {
    match (errand.done, errand.calls.is_empty()) {
        (true, _) => "Done",
        (false, true) => "Not begun",
        (false, false) => "At work",
    }
}
