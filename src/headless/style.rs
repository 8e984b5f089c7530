//! House style's notes and an article's readability: as lines for a person, as values for a JSON object.

use serde_json::{Value, json};

use super::{LineNumbers, Paint};
use crate::{
    editorial::{decisions, drafts},
    newsroom::Journal,
    style::{self, MEASURED_AS, NoteLevel, Readability, StyleNote, StyleReview},
    text::{count, in_marks, sanitise},
};

/// Most characters of a statement or passage in a line.
const LONGEST: usize = 160;

pub(super) fn short(text: &str) -> String {
    sanitise::excerpt(&sanitise::one_line(text), LONGEST)
}

/// The notes as a list of objects.
pub(super) fn notes(review: &StyleReview) -> Value {
    review
        .notes
        .iter()
        .map(|StyleNote { rule, level, message, field, start, end, text, replacement }| {
            json!({
                "rule": rule,
                "level": level,
                "message": message,
                "field": field,
                "span": [start, end],
                "text": text,
                "replacement": replacement,
            })
        })
        .collect()
}

/// House style as lines, below a heading: a note a line, then how hard the article is to read.
pub(super) fn style_lines(review: &StyleReview, places: &LineNumbers<'_>, paint: Paint) -> Vec<String> {
    let mut lines = vec![paint.heading("House style")];
    lines.extend(review.notes.iter().map(|note| line(note, places, paint)));
    lines.push(count(review.notes.len(), "note"));
    lines.extend(review.readability.as_ref().map(readability));
    lines
}

/// The notes of house style on the draft that waits for its editor; none if there are no notes. Their places are those of `copydesk show
/// STORY --draft`. The notes decide nothing.
pub fn style_at_gate(journal: &Journal, review: &StyleReview) -> Option<String> {
    let article = &journal.draft(decisions::waits(journal)?.round())?.article;
    let draft = drafts::to_markdown(article);
    let places = LineNumbers::new(&draft, article, &[]);
    let note = |note: &StyleNote| {
        let to_do = if style::asks(journal, note) { ": a to-do if the draft goes back" } else { "" };
        format!("  {}{to_do}", said(note, &places))
    };
    let mut lines: Vec<String> = review.notes.iter().map(note).collect();
    lines.extend(review.readability.as_ref().map(readability));
    let heading = "House style: notes, which change neither the rating nor what passes";
    (!lines.is_empty()).then(|| format!("{heading}\n{}", lines.join("\n")))
}

fn readability(readability: &Readability) -> String {
    format!(
        "Readability: Flesch Reading Ease {:.1}, Flesch–Kincaid grade {:.1} ({}, {}; counted as {MEASURED_AS} counts)",
        readability.flesch_reading_ease,
        readability.flesch_kincaid_grade,
        count(readability.words, "word"),
        count(readability.sentences, "sentence"),
    )
}

fn line(note: &StyleNote, places: &LineNumbers<'_>, paint: Paint) -> String {
    let level = match note.level {
        NoteLevel::Error => paint.bad(note.level.name()),
        NoteLevel::Warning | NoteLevel::Suggestion => note.level.name().to_owned(),
    };
    format!("  {level} {}: {}", sanitise::one_line(&note.rule), said(note, places))
}

/// A note as a line: what it says, about which words, and where.
fn said(note: &StyleNote, places: &LineNumbers<'_>) -> String {
    let instead = match note.replacement.as_deref() {
        None => String::new(),
        Some("") => " → (leave out)".to_owned(),
        Some(instead) => format!(" → {}", in_marks(&short(instead))),
    };
    let message = sanitise::one_line(&note.message);
    let place = places.in_draft(note.field, note.start);
    format!("{message} {}{instead} ({place})", in_marks(&short(&note.text)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        editorial::testing::{at_gate, decide},
        newsroom::{Choice, PinnedRule},
    };

    #[test]
    fn a_note_is_a_line_and_an_object() {
        let note = |level, text: &str, replacement: Option<&str>| StyleNote {
            rule: "House.Rule".into(),
            level,
            message: "Not\u{7} so.".into(),
            field: "articleBody",
            start: 3,
            end: 3 + text.len(),
            text: text.into(),
            replacement: replacement.map(str::to_owned),
        };
        let text = "# Head\n\nIt is very utilize.";
        let article = drafts::own(text).unwrap();
        let places = LineNumbers::new(text, &article, &[]);
        let readability = Readability {
            flesch_reading_ease: 61.25,
            flesch_kincaid_grade: 8.04,
            words: 120,
            sentences: 1,
            measured_as: MEASURED_AS,
        };
        let review = StyleReview {
            notes: vec![note(NoteLevel::Error, "very", Some("")), note(NoteLevel::Suggestion, "utilize", Some("use"))],
            readability: Some(readability),
        };
        assert_eq!(
            style_lines(&review, &places, Paint::Plain).join("\n"),
            "House style\n  error House.Rule: Not so. “very” → (leave out) (body, line 3)\n  suggestion House.Rule: Not so. \
             “utilize” → “use” (body, line 3)\n2 notes\nReadability: Flesch Reading Ease 61.2, Flesch–Kincaid grade 8.0 (120 \
             words, 1 sentence; counted as textstat 0.7.13 counts)"
        );
        assert_eq!(
            notes(&review)[0],
            json!({"rule": "House.Rule", "level": "error", "message": "Not\u{7} so.", "field": "articleBody", "span": [3, 7],
                   "text": "very", "replacement": ""})
        );
        assert_eq!(style_lines(&StyleReview::default(), &places, Paint::Plain), ["House style", "0 notes"]);
    }

    #[test]
    fn at_a_gate_notes_have_no_rule_name_and_tell_what_becomes_a_to_do() {
        let mut journal = at_gate();
        let note = |rule: &str, text: &str| StyleNote {
            rule: rule.into(),
            level: NoteLevel::Error,
            message: "Not so.".into(),
            field: "articleBody",
            start: 6,
            end: 6 + text.len(),
            text: text.into(),
            replacement: None,
        };
        let notes = vec![note("House.Rule", "1"), note("Other.Rule", "1 with")];
        let review = StyleReview { notes, readability: None };
        journal.opening.settings.style_rules = vec![PinnedRule { name: "House/Rule.yml".into(), text: String::new() }];
        assert_eq!(
            style_at_gate(&journal, &review).unwrap(),
            "House style: notes, which change neither the rating nor what passes\n  Not so. “1” (body, line 7): a to-do if the \
             draft goes back\n  Not so. “1 with” (body, line 7)"
        );
        assert_eq!(style_at_gate(&journal, &StyleReview::default()), None);
        decide(&mut journal, 1, Choice::Spike { reason: "No.".into() });
        assert_eq!(style_at_gate(&journal, &review), None, "nobody is asked any more");
    }
}
