//! The findings of a check in the forms that other programs read: SARIF, Vale's JSON, GitHub's annotations.

use std::{collections::BTreeMap, io};

use clap::ValueEnum;
use serde_json::{Value, json};

use super::LineNumbers;
use crate::{
    newsroom::{Ledger, SourceSpan},
    proof::{self, Gravity},
    style::{NoteLevel, StyleNote},
    text::{in_marks, sanitise},
};

/// The form of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CheckFormat {
    Text,
    Json,
    /// The Static Analysis Results Interchange Format, version 2.1.0 (OASIS).
    Sarif,
    /// What `vale --output=JSON` prints.
    ValeJson,
    /// The workflow commands of GitHub Actions.
    Github,
    /// A web page with the draft beside its sources.
    Html,
    /// A copy of the draft, which is a Word document, with the findings as comments.
    Docx,
}

/// The name, for other programs, of a remark on words to be listened to.
const LISTEN: &str = "recording.unsure";

/// A finding, words to be listened to, or a note of house style, at its place in the draft.
struct Remark<'r> {
    rule: &'r str,
    level: Level,
    message: String,
    words: &'r str,
    replacement: Option<&'r str>,
    /// Line and column of the first character, and of the first one behind it; all from 1, columns in characters.
    start: (usize, usize),
    end: (usize, usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    Error,
    Warning,
    Note,
}

impl Level {
    /// Its name. Each form calls a note something else.
    fn name(self, note: &'static str) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => note,
        }
    }
}

impl CheckFormat {
    /// The result for other programs. `name` is the draft's file, `text` its text as it was read, `places` are those of it and its sources.
    ///
    /// # Errors
    /// If JSON cannot be written.
    pub fn printed(
        self,
        name: &str,
        text: &str,
        places: &LineNumbers<'_>,
        ledger: &Ledger,
        style: &[StyleNote],
    ) -> io::Result<String> {
        let remarks = remarks(text, places, ledger, style);
        let shown = match self {
            Self::Github => {
                return Ok(remarks.iter().map(|remark| remark.annotation(name)).collect::<Vec<_>>().join("\n"));
            }
            Self::ValeJson => json!({ name: remarks.iter().map(Remark::alert).collect::<Vec<_>>() }),
            _ => sarif(name, &remarks),
        };
        Ok(serde_json::to_string_pretty(&shown)?)
    }
}

/// The remarks, in the order of the draft.
fn remarks<'r>(text: &str, places: &LineNumbers<'_>, ledger: &'r Ledger, style: &'r [StyleNote]) -> Vec<Remark<'r>> {
    let place = |byte: usize| {
        let before = text.get(..byte).unwrap_or_default();
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        (before.matches('\n').count() + 1, column)
    };
    // What the draft does not have word for word is told at its beginning.
    let ends = |field: &str, start, end| {
        let at = places.bytes_in_draft(field, &(start..end)).unwrap_or(0..0);
        (place(at.start), place(at.end))
    };
    let findings = ledger.rows.iter().filter(|row| row.is_finding()).map(|row| {
        let level = match proof::rule(&row.rule).map_or(Gravity::Concern, |rule| rule.gravity) {
            Gravity::Block => Level::Error,
            Gravity::Concern => Level::Warning,
            Gravity::Note => Level::Note,
        };
        let mut message = sanitise::one_line(row.note.as_deref().unwrap_or(row.standing.name()));
        if let Some(passage) = &row.passage {
            message.extend([" ".to_owned(), passage_of(passage, places)]);
        }
        let replacement = row.replacement.as_deref();
        let (start, end) = ends(&row.field, row.start, row.end);
        Remark { rule: &row.rule, level, message, words: &row.text, replacement, start, end }
    });
    let heard = ledger.rows.iter().filter_map(|row| {
        let passage = row.passage.as_ref().filter(|_| places.to_be_heard(row).is_some())?;
        let message = format!("It rests on words that the recogniser was unsure of. {}", passage_of(passage, places));
        let (start, end) = ends(&row.field, row.start, row.end);
        Some(Remark { rule: LISTEN, level: Level::Note, message, words: &row.text, replacement: None, start, end })
    });
    let style = style.iter().map(|note| {
        let level = if note.level == NoteLevel::Error { Level::Warning } else { Level::Note };
        let (message, replacement) = (sanitise::one_line(&note.message), note.replacement.as_deref());
        let (start, end) = ends(note.field, note.start, note.end);
        Remark { rule: &note.rule, level, message, words: &note.text, replacement, start, end }
    });
    let mut remarks: Vec<Remark<'_>> = findings.chain(heard).chain(style).collect();
    remarks.sort_by_key(|remark| remark.start);
    remarks
}

/// A passage at its place, and where to listen to it: `talk.vtt, 00:01:02, listen: 00:01:02 (“fairy dog”): “…”`.
fn passage_of(passage: &SourceSpan, places: &LineNumbers<'_>) -> String {
    let listen = places.listen(passage).map_or_else(String::new, |listen| format!(", {listen}"));
    format!("{}{listen}: {}", places.in_source(passage), in_marks(&sanitise::excerpt(&passage.text, 300)))
}

impl Remark<'_> {
    /// As Vale has it: the span is of one line, its end is the last character.
    fn alert(&self) -> Value {
        let last = if self.end.0 == self.start.0 { self.end.1.saturating_sub(1) } else { self.start.1 };
        let action = self.replacement.map_or_else(
            || json!({ "Name": "", "Params": null }),
            |words| match words {
                "" => json!({ "Name": "remove", "Params": null }),
                words => json!({ "Name": "replace", "Params": [words] }),
            },
        );
        json!({
            "Action": action,
            "Span": [self.start.1, last.max(self.start.1)],
            "Check": self.rule,
            "Description": "",
            "Link": "",
            "Message": self.message,
            "Severity": self.level.name("suggestion"),
            "Match": self.words,
            "Line": self.start.0,
        })
    }

    /// A workflow command: `::warning file=draft.md,line=3::message`.
    fn annotation(&self, name: &str) -> String {
        let level = self.level.name("notice");
        let data = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
        let property = |text: &str| data(text).replace(':', "%3A").replace(',', "%2C");
        let ((line, column), (end_line, end_column)) = (self.start, self.end);
        // GitHub takes columns only within one line.
        let columns = if line == end_line { format!(",col={column},endColumn={end_column}") } else { String::new() };
        format!(
            "::{level} file={},line={line},endLine={end_line}{columns},title={}::{}",
            property(name),
            property(self.rule),
            data(&self.message)
        )
    }

    fn region(&self) -> Value {
        let ((line, column), (end_line, end_column)) = (self.start, self.end);
        json!({ "startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column })
    }
}

/// A file's path as a relative reference (RFC 3986).
fn uri(path: &str) -> String {
    let byte = |byte: u8| match byte {
        b'\\' => "/".to_owned(),
        b'-' | b'.' | b'_' | b'~' | b'/' => char::from(byte).to_string(),
        _ if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    path.bytes().map(byte).collect()
}

fn sarif(name: &str, remarks: &[Remark<'_>]) -> Value {
    let file = json!({ "uri": uri(name) });
    let mut rules: BTreeMap<&str, Value> = BTreeMap::new();
    let results = remarks.iter().map(|remark| {
        let about = proof::rule(remark.rule).map_or(remark.rule, |rule| rule.why);
        rules.entry(remark.rule).or_insert_with(|| json!({ "id": remark.rule, "shortDescription": { "text": about } }));
        let place = json!({ "physicalLocation": { "artifactLocation": file, "region": remark.region() } });
        let mut result = json!({
            "ruleId": remark.rule,
            "level": remark.level.name("note"),
            "message": { "text": remark.message },
            "locations": [place],
        });
        if let (Some(words), Some(result)) = (remark.replacement, result.as_object_mut()) {
            let replacement = json!({ "deletedRegion": remark.region(), "insertedContent": { "text": words } });
            let fix = json!({ "artifactChanges": [{ "artifactLocation": file, "replacements": [replacement] }] });
            result.insert("fixes".to_owned(), json!([fix]));
        }
        result
    });
    let results: Vec<Value> = results.collect();
    let driver = json!({
        "name": env!("CARGO_PKG_NAME"),
        "semanticVersion": env!("CARGO_PKG_VERSION"),
        "rules": rules.into_values().collect::<Vec<_>>(),
    });
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{ "tool": { "driver": driver }, "columnKind": "unicodeCodePoints", "results": results }],
    })
}
