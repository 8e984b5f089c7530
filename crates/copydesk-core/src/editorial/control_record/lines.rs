//! The control record as lines, a section at a time, for a screen.

use super::model::{ControlRecord, RecordedSignature};
use crate::editorial::changes::in_words;
use copydesk_newsroom::{field_in_words, local_minute};
use copydesk_text::sanitise;

/// Most characters of a quotation in a line.
const LONGEST: usize = 300;

/// A section of the record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordSection {
    pub name: &'static str,
    /// A warning in a few words, if the section asks for attention.
    pub warning: Option<&'static str>,
    /// An entry each; cleaned.
    pub lines: Vec<String>,
}

/// The sections, in the order of the page.
#[must_use]
pub fn sections(record: &ControlRecord) -> Vec<RecordSection> {
    let stands = record.signatures.iter().any(|signature| signature.stands);
    let void = (!record.signatures.is_empty() && !stands).then_some("VOID");
    let flawed = (!record.log.flaws.is_empty()).then_some("CHANGED");
    let section = |name, warning, lines| RecordSection { name, warning, lines };
    vec![
        section("Signatures", void, record.signatures.iter().map(signature).collect()),
        section("Examined", None, examined(record)),
        section("Not examined", None, record.not_examined.iter().map(|row| line(&row.what)).collect()),
        section("Overruled", None, overruled(record)),
        section("Edits", None, edits(record)),
        section("Decisions", None, decisions(record)),
        section("Left the house", None, deliveries(record)),
        section("Audit log", flawed, log(record)),
    ]
}

fn line(text: &str) -> String {
    sanitise::excerpt(text, LONGEST)
}

fn signature(signature: &RecordedSignature) -> String {
    let state = if signature.stands {
        "it stands".to_owned()
    } else {
        format!("VOID. {}", line(&signature.void_because.join(" ")))
    };
    format!(
        "{}, {}: draft {} of run {}, version {}: {state}",
        line(&signature.by),
        local_minute(&signature.at),
        signature.round,
        signature.run,
        signature.version.chars().take(12).collect::<String>(),
    )
}

fn examined(record: &ControlRecord) -> Vec<String> {
    let one = |row: &super::model::ExaminedRow| {
        let excerpt = row.excerpt.as_deref().map_or_else(String::new, |excerpt| format!(": “{}”", line(excerpt)));
        let signed = match row.is_signed_version {
            Some(true) => " (the signed version)",
            Some(false) => " (not the signed version)",
            None => "",
        };
        format!("{}, {}: {}{signed}{excerpt}", local_minute(&row.at), line(&row.by), line(&row.what))
    };
    record.examined.iter().map(one).collect()
}

fn overruled(record: &ControlRecord) -> Vec<String> {
    let verdicts = record.overruled.iter().map(|row| {
        format!(
            "Round {}, concern {}, “{}”: {} instead of {}. {}, {}: {}",
            row.round,
            row.concern,
            line(&row.excerpt),
            row.now.name(),
            row.verdict.name(),
            line(&row.by),
            local_minute(&row.at),
            line(&row.reason)
        )
    });
    let findings = record.accepted.iter().map(|row| {
        format!(
            "Round {}, finding {}, “{}”: let stand. {}, {}: {}",
            row.round,
            row.finding,
            line(&row.text),
            line(&row.by),
            local_minute(&row.at),
            line(&row.reason)
        )
    });
    verdicts.chain(findings).collect()
}

fn edits(record: &ControlRecord) -> Vec<String> {
    let one = |edit: &super::model::EditRow| {
        let what = edit.concern.map_or_else(|| "by hand".to_owned(), |concern| format!("fix for concern {concern}"));
        let undone = if edit.undone { " (undone later)" } else { "" };
        let words = edit.changes.iter().map(|words| {
            format!("{}: {}", line(field_in_words(&words.field)), line(&in_words(&words.removed, &words.added)))
        });
        let words: Vec<String> = words.collect();
        format!(
            "Round {}, {what}{undone}, {}, {}. {}",
            edit.round,
            line(&edit.by),
            local_minute(&edit.at),
            words.join("; ")
        )
    };
    record.edits.iter().map(one).collect()
}

fn decisions(record: &ControlRecord) -> Vec<String> {
    let one = |row: &super::model::DecisionRow| {
        let round = if row.round == 0 { "research".to_owned() } else { format!("round {}", row.round) };
        let undone = if row.undone { " (undone later)" } else { "" };
        format!("{}, {round}, {}: {}{undone}", local_minute(&row.at), line(&row.by), line(&row.what))
    };
    record.decisions.iter().map(one).collect()
}

fn deliveries(record: &ControlRecord) -> Vec<String> {
    let one = |row: &super::model::DeliveryRow| {
        format!("{}, {}: {} ({})", local_minute(&row.at), line(&row.by), line(&row.target), line(&row.place))
    };
    record.deliveries.iter().map(one).collect()
}

fn log(record: &ControlRecord) -> Vec<String> {
    let mut lines: Vec<String> = record.log.flaws.iter().map(|flaw| line(flaw)).collect();
    if lines.is_empty() {
        lines.push("The desk's whole record was checked for this page and is as it was written.".to_owned());
    }
    lines.push(format!("{} events; the last link is {}.", record.log.events, record.log.head));
    lines
}
