//! The answer that a model is writing right now.
//!
//! An answer arrives in raw pieces, and an escape sequence may begin in one piece and end in the next. So the raw text is kept. The text on
//! the screen is read from all of it, cleaned, at most once a frame and only if something arrived. The complete answer is read strictly,
//! elsewhere.

use std::borrow::Cow;

use serde_json::Value;

use copydesk_core::editorial::bullets;
use copydesk_newsroom::{ArticleReviewRaw, Step, Writing};
use copydesk_text::sanitise;

/// Most bytes of an arriving answer that are shown.
const LONGEST: usize = 1 << 20;

/// The kind of answer that a step expects. It decides how an incomplete answer is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Awaited {
    Article,
    /// A review's bullets.
    Review,
    /// The mappings of concerns.
    Mappings,
    Verdict,
    Text,
}

impl Awaited {
    /// The kind of text that the model writes at a step.
    pub(crate) fn of(step: Step) -> Self {
        match step {
            Step::Draft | Step::Write(Writing::Again) | Step::Revise { .. } => Self::Article,
            Step::Review { .. } | Step::ReviewSection { .. } => Self::Review,
            Step::Map { .. } => Self::Mappings,
            Step::Judge { .. } => Self::Verdict,
            _ => Self::Text,
        }
    }
}

/// The part of an answer that has arrived, cleaned. Fields that have not arrived are empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PartialText {
    /// The model's reasoning before its answer; empty if nothing has arrived.
    Thinking(String),
    Article {
        headline: String,
        alternative: String,
        description: String,
        /// Its body, in Markdown.
        body: String,
    },
    /// A review: each bullet without its marker.
    Review(Vec<String>),
    /// Mappings: one row a concern.
    Mappings(Vec<Mapped>),
    Verdict {
        /// `KEEP`, `REWRITE` or `REMOVE`, once it is whole.
        status: String,
        rationale: String,
        /// The required change.
        fix: String,
        /// The evidence that was found.
        evidence: String,
    },
    /// Text that does not, or not yet, have the expected form.
    Text(String),
}

/// A row of a mapping.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mapped {
    pub concern: i64,
    /// The specialist's name, perhaps incomplete.
    pub agent: String,
    pub kind: String,
    pub reason: String,
}

/// An answer that is arriving.
#[derive(Debug, Clone)]
pub struct Streaming {
    awaited: Awaited,
    /// As it arrived: it is not cleaned, so it is not put on the screen.
    raw: String,
    cut: bool,
    /// The text on the screen; none if more has arrived since it was read.
    shown: Option<PartialText>,
}

impl Streaming {
    /// An answer before its first piece.
    #[must_use]
    pub fn new(awaited: Awaited) -> Self {
        Self { awaited, raw: String::new(), cut: false, shown: None }
    }

    /// Takes the next piece. Everything beyond a megabyte is dropped.
    pub fn push(&mut self, piece: &str) {
        let mut end = piece.len().min(LONGEST.saturating_sub(self.raw.len()));
        while !piece.is_char_boundary(end) {
            end -= 1;
        }
        // After a cut, a later piece would stand in the wrong place.
        if end > 0 && !self.cut {
            self.raw.push_str(piece.get(..end).unwrap_or_default());
            self.shown = None;
        }
        self.cut |= end < piece.len();
    }

    /// Returns the text on the screen. Reads the raw text again only if more has arrived.
    pub fn shown(&mut self) -> &PartialText {
        let (awaited, raw) = (self.awaited, &self.raw);
        self.shown.get_or_insert_with(|| read(awaited, raw))
    }
}

fn read(awaited: Awaited, raw: &str) -> PartialText {
    let text = sanitise::clean(raw);
    let answer = match behind_thoughts(&text) {
        Ok(answer) => answer,
        Err(thoughts) => return PartialText::Thinking(thoughts.trim().to_owned()),
    };
    if answer.is_empty() {
        return PartialText::Thinking(String::new());
    }
    let known = match awaited {
        Awaited::Review => review(answer),
        Awaited::Text => None,
        Awaited::Article | Awaited::Mappings | Awaited::Verdict => object(answer).and_then(|value| match awaited {
            Awaited::Article => article(&value),
            Awaited::Mappings => mappings(&value),
            _ => verdict(&value),
        }),
    };
    known.unwrap_or_else(|| PartialText::Text(answer.to_owned()))
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

fn article(value: &Value) -> Option<PartialText> {
    has_any(value, &["headline", "alternativeHeadline", "description", "articleBody"]).then(|| PartialText::Article {
        headline: text_of(value, "headline"),
        alternative: text_of(value, "alternativeHeadline"),
        description: text_of(value, "description"),
        body: text_of(value, "articleBody"),
    })
}

fn verdict(value: &Value) -> Option<PartialText> {
    let status = text_of(value, "status");
    has_any(value, &["concern_id", "misleading", "status", "rationale"]).then(|| PartialText::Verdict {
        // "RE" is two verdicts.
        status: if matches!(status.as_str(), "KEEP" | "REWRITE" | "REMOVE") { status } else { String::new() },
        rationale: text_of(value, "rationale"),
        fix: text_of(value, "suggested_fix"),
        evidence: text_of(value, "evidence"),
    })
}

fn mappings(value: &Value) -> Option<PartialText> {
    let rows = match value {
        Value::Array(rows) => rows,
        Value::Object(fields) if fields.is_empty() => return Some(PartialText::Mappings(Vec::new())),
        _ => value.get("mappings")?.as_array()?,
    };
    let row = |row: &Value| {
        Some(Mapped {
            concern: row.get("concern_id")?.as_i64()?,
            agent: text_of(row, "selected_agent"),
            kind: text_of(row, "concern_type"),
            reason: text_of(row, "reason"),
        })
    };
    Some(PartialText::Mappings(rows.iter().filter_map(row).collect()))
}

/// The bullets so far; none before the first.
fn review(answer: &str) -> Option<PartialText> {
    let inside =
        answer.strip_prefix("```").and_then(|block| block.split_once('\n')).map_or(answer, |(_, inside)| inside);
    let lines: Vec<&str> = inside.lines().filter(|line| !line.starts_with("```")).collect();
    let read = bullets::parse(&ArticleReviewRaw { markdown_bullets: lines.join("\n") }).ok()?;
    let bullets: Vec<String> = read.concerns.into_iter().map(|concern| concern.review_note).collect();
    (!bullets.is_empty()).then_some(PartialText::Review(bullets))
}

#[cfg(test)]
mod tests;
