//! The sections of the record, entry by entry. The page and the screen show the same ones.

use super::model::{ControlRecord, DeliveryRow, RecordedSignature};
use crate::editorial::{
    changes::in_words,
    page_frame::{code, escaped, line, lines, name, quote, section, table, time},
};
use copydesk_newsroom::{field_in_words, local_minute};
use copydesk_text::{count, in_marks, sanitise};

/// Most characters of a quotation in a line of the screen.
const LONGEST: usize = 300;

/// A section of the record, as a screen shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordSection {
    pub name: &'static str,
    /// A warning in a few words, if the section asks for attention.
    pub warning: Option<&'static str>,
    /// An entry each; cleaned.
    pub lines: Vec<String>,
    /// Sentences about them, which are no entries.
    pub remarks: Vec<String>,
    /// How much it holds, in words, if that is not the number of its entries.
    pub holds: Option<String>,
}

/// The sections, in the order of the page.
pub fn sections(record: &ControlRecord) -> Vec<RecordSection> {
    all(record).into_iter().map(Entries::for_screen).collect()
}

/// A part of a cell, with what it is: this decides how each place cleans and shows it.
enum Part {
    Words(&'static str),
    Text(String),
    Name(String),
    Quote(String),
    /// A digest.
    Code(String),
    /// ISO 8601, UTC.
    Time(String),
    /// May have several lines.
    Lines(String),
}
use Part::{Code, Lines, Name, Quote, Text, Time, Words};

impl Part {
    fn html(&self) -> String {
        match self {
            Words(text) => escaped(text),
            Text(text) => line(text),
            Name(text) => name(text),
            Quote(text) => quote(text),
            Code(text) => code(text),
            Time(at) => time(at),
            Lines(text) => format!("<bdi>{}</bdi>", lines(text)),
        }
    }

    fn words(&self) -> String {
        match self {
            Words(text) => (*text).to_owned(),
            Quote(text) => in_marks(&sanitise::excerpt(text, LONGEST)),
            Code(text) => text.chars().take(12).collect(),
            Time(at) => local_minute(at),
            Text(text) | Name(text) | Lines(text) => sanitise::excerpt(text, LONGEST),
        }
    }
}

/// A section with its entries, a row each.
#[derive(Default)]
pub(super) struct Entries {
    id: &'static str,
    name: &'static str,
    heading: &'static str,
    warning: Option<&'static str>,
    /// A sentence above them, for the page.
    before: &'static str,
    /// A sentence in their place if there are none, for the page.
    none: &'static str,
    headings: &'static [&'static str],
    rows: Vec<Vec<Vec<Part>>>,
    /// Sentences below them.
    after: Vec<String>,
    holds: Option<String>,
}

impl Entries {
    fn new(id: &'static str, name: &'static str, headings: &'static [&'static str], rows: Vec<Vec<Vec<Part>>>) -> Self {
        Self { id, name, heading: name, none: "None.", headings, rows, ..Self::default() }
    }

    pub(super) fn to_html(&self) -> String {
        let said = |text: &str| if text.is_empty() { String::new() } else { format!("<p>{}</p>\n", line(text)) };
        let cell = |parts: &Vec<Part>| parts.iter().map(Part::html).collect::<String>();
        let rows = self.rows.iter().map(|row| row.iter().map(cell).collect::<Vec<_>>());
        let entries = if self.rows.is_empty() { said(self.none) } else { table(self.headings, rows) };
        let after: String = self.after.iter().map(|text| said(text)).collect();
        section(self.id, self.heading, &format!("{}{entries}{after}", said(self.before)))
    }

    fn for_screen(self) -> RecordSection {
        let cell = |parts: &Vec<Part>| parts.iter().map(Part::words).collect::<String>();
        let row = |row: &Vec<Vec<Part>>| {
            let cells: Vec<String> = row.iter().map(cell).filter(|cell| !cell.is_empty()).collect();
            cells.join(", ")
        };
        let lines = self.rows.iter().map(row).collect();
        RecordSection { name: self.name, warning: self.warning, lines, remarks: self.after, holds: self.holds }
    }
}

/// Every section, in order.
pub(super) fn all(record: &ControlRecord) -> Vec<Entries> {
    vec![
        signatures(record),
        examined(record),
        not_examined(record),
        overruled(record),
        edits(record),
        decisions(record),
        deliveries(record),
        log(record),
    ]
}

/// Why a signature does not stand.
pub(super) fn because(signature: &RecordedSignature) -> String {
    signature.void_because.join(" ")
}

fn undone(is_undone: bool) -> Part {
    Words(if is_undone { " (undone later)" } else { "" })
}

fn signatures(record: &ControlRecord) -> Entries {
    let rows = record.signatures.iter().map(|signature| {
        let state =
            if signature.stands { vec![Words("it stands")] } else { vec![Words("VOID. "), Text(because(signature))] };
        vec![
            vec![Time(signature.at.clone())],
            vec![Name(signature.by.clone())],
            vec![Text(format!("run {}, draft {}", signature.run, signature.round))],
            vec![Code(signature.version.clone())],
            vec![Code(signature.chain.clone())],
            state,
        ]
    });
    let headings = &["When", "Who", "What", "Version signed (SHA-256)", "Audit log before it", "State"];
    let stands = record.signatures.iter().any(|signature| signature.stands);
    let warning = (!record.signatures.is_empty() && !stands).then_some("VOID");
    Entries { warning, ..Entries::new("signatures", "Signatures", headings, rows.collect()) }
}

fn examined(record: &ControlRecord) -> Entries {
    let rows = record.examined.iter().map(|row| {
        let signed = Words(match row.is_signed_version {
            Some(true) => " (the signed version)",
            Some(false) => " (not the signed version)",
            None => "",
        });
        let mut what = vec![Name(row.what.clone()), signed];
        what.extend(row.excerpt.iter().flat_map(|excerpt| [Words(": "), Quote(excerpt.clone())]));
        let gate = row.gate.clone().map_or(Words("no gate"), Text);
        vec![vec![Time(row.at.clone())], vec![Name(row.by.clone())], what, vec![gate]]
    });
    Entries {
        heading: "Who examined what",
        before: "What was on an editor’s screen for a second or more, with somebody at the keys. Each part is logged once at each gate.",
        none: "Nothing is logged.",
        ..Entries::new("examined", "Examined", &["When", "Who", "What", "At"], rows.collect())
    }
}

fn not_examined(record: &ControlRecord) -> Entries {
    let rows = record.not_examined.iter().map(|row| vec![vec![Name(row.what.clone())]]).collect();
    let is_signed = record.signatures.iter().any(|signature| signature.run == record.run);
    let (headings, none): (&[&str], _) = if is_signed {
        (
            &["On no screen before the signature, by the log"],
            "Everything of the article, its concerns and its sources was on a screen before the signature.",
        )
    } else {
        (
            &["On no screen so far, by the log"],
            "Everything of the article, its concerns and its sources was on a screen.",
        )
    };
    let heading = "What nobody had on the screen";
    Entries { heading, none, ..Entries::new("not-examined", "Not examined", headings, rows) }
}

fn overruled(record: &ControlRecord) -> Entries {
    let row = |which, excerpt: &String, says, instead, [by, at, reason]: [&String; 3]| {
        vec![
            vec![Text(which), Words(": "), Quote(excerpt.clone())],
            says,
            vec![Words(instead)],
            vec![Name(by.clone()), Words(", "), Time(at.clone())],
            vec![Lines(reason.clone())],
        ]
    };
    let verdicts = record.overruled.iter().map(|verdict| {
        let which = format!("Round {}, concern {}", verdict.round, verdict.concern);
        let says = vec![Words(verdict.verdict.name()), Words(": "), Lines(verdict.rationale.clone())];
        row(which, &verdict.excerpt, says, verdict.now.name(), [&verdict.by, &verdict.at, &verdict.reason])
    });
    let findings = record.accepted.iter().map(|finding| {
        let which = format!("Round {}, finding {} of the proof", finding.round, finding.finding);
        let says = vec![Lines(finding.note.clone())];
        row(which, &finding.text, says, "let stand", [&finding.by, &finding.at, &finding.reason])
    });
    let headings = &["Concern or finding", "What it says", "Instead", "Who and when", "Reason"];
    let heading = "Verdicts overruled";
    Entries { heading, ..Entries::new("overruled", "Overruled", headings, verdicts.chain(findings).collect()) }
}

fn edits(record: &ControlRecord) -> Entries {
    let rows = record.edits.iter().map(|edit| {
        let what = edit.concern.map_or_else(|| "by hand".to_owned(), |concern| format!("fix for concern {concern}"));
        let words = edit.changes.iter().enumerate().flat_map(|(index, words)| {
            let field = Text(field_in_words(&words.field).to_owned());
            [
                Words(if index == 0 { "" } else { "; " }),
                field,
                Words(": "),
                Name(in_words(&words.removed, &words.added)),
            ]
        });
        vec![
            vec![Time(edit.at.clone())],
            vec![Name(edit.by.clone())],
            vec![Text(format!("round {}, {what}", edit.round)), undone(edit.undone)],
            vec![Code(edit.from_version.clone()), Words(" to "), Code(edit.to_version.clone())],
            words.collect(),
        ]
    });
    Entries::new("edits", "Edits", &["When", "Who", "What", "Versions", "Words"], rows.collect())
}

fn decisions(record: &ControlRecord) -> Entries {
    let rows = record.decisions.iter().map(|row| {
        let round = if row.round == 0 { "research".to_owned() } else { format!("round {}", row.round) };
        vec![
            vec![Time(row.at.clone())],
            vec![Text(round)],
            vec![Name(row.by.clone())],
            vec![Lines(row.what.clone()), undone(row.undone)],
        ]
    });
    let heading = "Every decision";
    Entries { heading, ..Entries::new("decisions", "Decisions", &["When", "Round", "Who", "What"], rows.collect()) }
}

fn deliveries(record: &ControlRecord) -> Entries {
    let rows = record.deliveries.iter().map(|DeliveryRow { at, delivery, .. }| {
        vec![
            vec![Time(at.clone())],
            vec![Name(delivery.by.clone())],
            vec![Name(delivery.target.clone()), Words(" ("), Name(delivery.place.clone()), Words(")")],
            vec![Code(delivery.version.clone())],
            delivery.digest.clone().map(Code).into_iter().collect(),
        ]
    });
    let headings = &["When", "Who", "Where", "Version", "File (SHA-256)"];
    Entries {
        heading: "What left the house",
        none: "Nothing by “copydesk publish”.",
        ..Entries::new("deliveries", "Left the house", headings, rows.collect())
    }
}

fn log(record: &ControlRecord) -> Entries {
    let is_whole = record.log.flaws.is_empty();
    let rows = record.log.flaws.iter().map(|flaw| vec![vec![Text(flaw.clone())]]).collect();
    let mut after = Vec::new();
    if is_whole {
        after.push("The desk’s whole record was checked for this page and is as it was written.".to_owned());
    }
    let events = count(record.log.events, "event");
    after.push(format!("{events}; the last link is {}.", record.log.head));
    Entries {
        heading: "The audit log",
        warning: (!is_whole).then_some("CHANGED"),
        none: "",
        after,
        holds: Some(events),
        ..Entries::new("log", "Audit log", &["How the desk’s record was changed"], rows)
    }
}
