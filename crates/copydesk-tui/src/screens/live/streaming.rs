//! The answer that a model is writing right now.
//!
//! An answer arrives in raw pieces, and an escape sequence may begin in one piece and end in the next. So the raw text is kept. The text on
//! the screen is read from all of it, cleaned, at most once a frame and only if something arrived. The complete answer is read strictly,
//! elsewhere.

use std::borrow::Cow;

use serde_json::Value;

use crate::widgets::said::agent_words;
use crate::widgets::{Mark, Sheet, TextRole};
use copydesk_core::editorial::bullets;
use copydesk_newsroom::{ArticleReviewRaw, ConcernType, Step, Writing};
use copydesk_text::sanitise;

/// Most bytes of an arriving answer that are shown.
const LONGEST: usize = 1 << 20;

/// An answer that is arriving.
#[derive(Debug, Clone)]
pub struct Streaming {
    /// It decides how an incomplete answer is read.
    step: Step,
    /// As it arrived: it is not cleaned, so it is not put on the screen.
    raw: String,
    cut: bool,
    /// The text on the screen with its marks; none if more has arrived since it was read.
    shown: Option<(String, Vec<Mark>)>,
}

impl Streaming {
    /// An answer before its first piece.
    pub fn new(step: Step) -> Self {
        Self { step, raw: String::new(), cut: false, shown: None }
    }

    /// Takes the next piece. Everything beyond a megabyte is dropped.
    pub fn push(&mut self, piece: &str) {
        let end = piece.floor_char_boundary(LONGEST.saturating_sub(self.raw.len()));
        // After a cut, a later piece would stand in the wrong place.
        if end > 0 && !self.cut {
            self.raw.push_str(piece.get(..end).unwrap_or_default());
            self.shown = None;
        }
        self.cut |= end < piece.len();
    }

    /// Returns the text on the screen with its marks. Reads the raw text again only if more has arrived.
    pub fn shown(&mut self) -> &(String, Vec<Mark>) {
        let (step, raw) = (self.step, &self.raw);
        self.shown.get_or_insert_with(|| read(step, raw).into_parts())
    }
}

/// The part of an answer that has arrived, cleaned. Text without the expected form is shown as it is.
fn read(step: Step, raw: &str) -> Sheet {
    let text = sanitise::clean(raw);
    let mut plain = Sheet::default();
    let answer = match behind_thoughts(&text) {
        Ok(answer) => answer,
        Err(thoughts) => {
            plain.add(thoughts.trim(), TextRole::Dim);
            return plain;
        }
    };
    let known = match step {
        Step::Draft | Step::Write(Writing::Again) | Step::Revise { .. } => {
            object(answer).and_then(|value| article(&value))
        }
        Step::Review { .. } | Step::ReviewSection { .. } => review(answer),
        Step::Map { .. } => object(answer).and_then(|value| mappings(&value)),
        Step::Judge { .. } => object(answer).and_then(|value| verdict(&value)),
        _ => None,
    };
    known.unwrap_or_else(|| {
        plain.add(answer, TextRole::Text);
        plain
    })
}

/// The answer after a block of reasoning; the reasoning itself while it is not over.
fn behind_thoughts(text: &str) -> Result<&str, &str> {
    let text = text.trim_start();
    match text.strip_prefix("<think>") {
        None => Ok(text),
        Some(rest) => match rest.split_once("</think>") {
            Some((_, answer)) => Ok(answer.trim_start()),
            None => Err(rest),
        },
    }
}

/// The arriving JSON, from the first bracket that could open it.
fn object(answer: &str) -> Option<Value> {
    let fence = answer.find("```json").map_or(0, |fence| fence + "```json".len());
    let rest = answer.get(fence..)?;
    let opens = |at: &usize| {
        let inside = rest.get(at + 1..).unwrap_or_default().trim_start();
        inside.is_empty() || inside.starts_with(['"', '{', '}', ']'])
    };
    // A few brackets may stand in the words before an answer, not many.
    let starts = rest.match_indices(['{', '[']).map(|(at, _)| at).filter(opens).take(4);
    starts.filter_map(|at| rest.get(at..)).find_map(|json| {
        // Text may follow the answer.
        match serde_json::Deserializer::from_str(json).into_iter::<Value>().next()? {
            Ok(whole) => Some(whole),
            // Open brackets are closed.
            Err(error) if error.is_eof() => {
                serde_json::from_str(&jsonrepair_rs::jsonrepair(&with_closed_text(json)).ok()?).ok()
            }
            Err(_) => None,
        }
    })
}

/// The arriving JSON with its last text closed, without half of an escape, and without a key that has no value yet.
fn with_closed_text(json: &str) -> Cow<'_, str> {
    let (mut begun, mut escape) = (None, None);
    for (at, byte) in json.bytes().enumerate() {
        match (byte, escape) {
            (_, Some(from)) if at == from + 1 && byte != b'u' => escape = None,
            (_, Some(from)) if at < from + 5 => {}
            (b'\\', _) if begun.is_some() => escape = Some(at),
            (b'"', _) => (begun, escape) = (begun.is_none().then_some(at), None),
            _ => escape = None,
        }
    }
    let Some(begun) = begun else { return Cow::Borrowed(json) };
    if json.get(..begun).is_some_and(|before| before.trim_end().ends_with(['{', ','])) {
        return Cow::Borrowed(json.get(..begun).unwrap_or_default());
    }
    let whole = |at: &usize| json.len() >= at + 6;
    let mut text = json.get(..escape.filter(|at| !whole(at)).unwrap_or(json.len())).unwrap_or_default();
    // The first half of a character that takes two escapes.
    let last = text.len().checked_sub(6).and_then(|at| text.split_at_checked(at));
    if let Some((before, half)) = last.filter(|(_, half)| half.to_ascii_lowercase().starts_with("\\ud")) {
        text = if half.get(3..4).is_some_and(|digit| "89abAB".contains(digit)) { before } else { text };
    }
    Cow::Owned(format!("{text}\""))
}

/// A field's text, cleaned once more: JSON's own escapes may hide a terminal's.
fn text_of(value: &Value, name: &str) -> String {
    value.get(name).and_then(Value::as_str).map_or_else(String::new, |text| sanitise::clean(text).into_owned())
}

fn has_any(value: &Value, names: &[&str]) -> bool {
    let known =
        |fields: &serde_json::Map<_, _>| fields.is_empty() || names.iter().any(|name| fields.contains_key(*name));
    value.as_object().is_some_and(known)
}

fn article(value: &Value) -> Option<Sheet> {
    let mut sheet = Sheet::default();
    sheet.paragraph(&text_of(value, "headline"), TextRole::Heading);
    sheet.paragraph(&text_of(value, "alternativeHeadline"), TextRole::Emphasis);
    sheet.paragraph(&text_of(value, "description"), TextRole::Quote);
    sheet.add(&text_of(value, "articleBody"), TextRole::Text);
    has_any(value, &["headline", "alternativeHeadline", "description", "articleBody"]).then_some(sheet)
}

fn verdict(value: &Value) -> Option<Sheet> {
    let mut sheet = Sheet::default();
    let status = text_of(value, "status");
    // "RE" is two verdicts.
    if matches!(status.as_str(), "KEEP" | "REWRITE" | "REMOVE") {
        sheet.paragraph(&status, TextRole::Heading);
    }
    sheet.named("Rationale", &text_of(value, "rationale"));
    sheet.named("To do", &text_of(value, "suggested_fix"));
    sheet.named("Evidence", &text_of(value, "evidence"));
    has_any(value, &["concern_id", "misleading", "status", "rationale"]).then_some(sheet)
}

/// A row for each concern.
fn mappings(value: &Value) -> Option<Sheet> {
    let mut sheet = Sheet::default();
    let rows = match value {
        Value::Array(rows) => rows,
        Value::Object(fields) if fields.is_empty() => return Some(sheet),
        _ => value.get("mappings")?.as_array()?,
    };
    for row in rows {
        let Some(concern) = row.get("concern_id").and_then(Value::as_i64) else { continue };
        sheet.add(&format!("concern {concern}"), TextRole::Strong);
        sheet.add(&format!(" → {}", agent_words(&text_of(row, "selected_agent"))), TextRole::Name);
        // The kind has words once its name is whole.
        let kind = text_of(row, "concern_type");
        let kind = ConcernType::ALL.into_iter().find(|known| known.name() == kind).map_or("", ConcernType::words);
        sheet.add(&format!("  {kind}  {}\n", text_of(row, "reason")), TextRole::Dim);
    }
    Some(sheet)
}

/// The bullets so far, without their markers; none before the first.
fn review(answer: &str) -> Option<Sheet> {
    let inside =
        answer.strip_prefix("```").and_then(|block| block.split_once('\n')).map_or(answer, |(_, inside)| inside);
    let lines: Vec<&str> = inside.lines().filter(|line| !line.starts_with("```")).collect();
    let read = bullets::parse(&ArticleReviewRaw { markdown_bullets: lines.join("\n") }).ok()?;
    let mut sheet = Sheet::default();
    for concern in &read.concerns {
        sheet.add("• ", TextRole::Dim);
        sheet.paragraph(&ConcernType::in_words(&concern.review_note), TextRole::Text);
    }
    (!read.concerns.is_empty()).then_some(sheet)
}

#[cfg(test)]
mod tests;
