//! The body line by line: which lines are footnotes, and which of them stay.

use std::collections::HashSet;

use super::{
    addresses::addresses,
    allowed::Allowed,
    patterns::{DEFINITION, REFERENCE, captures, group, replace},
};

/// The body: footnote definitions first, then the references to them, then addresses.
///
/// A note goes on to the next blank line (or an indented one behind it) or the next definition. Below a heading `Footnotes`
/// stands nothing but notes: a list of papers without labels is taken out as a footnote is.
pub(super) fn body(text: &str, allowed: &Allowed, stripped: &mut Vec<String>) -> String {
    let mut kept_labels: HashSet<String> = HashSet::new();
    let mut lines: Vec<(bool, String)> = Vec::new();
    let mut place = Place::Text;
    let mut section = false;
    for line in text.lines() {
        if let Some(found) = captures(&DEFINITION, line) {
            let (label, note) = (group(&found, 1), group(&found, 2));
            if allowed.footnote(note) && kept_labels.insert(label.to_owned()) {
                place = Place::Note;
            } else {
                place = Place::Dropped;
                stripped.push(format!("footnote [^{label}]: {note}"));
            }
        } else if line.starts_with('#') {
            section = line.trim_start_matches('#').trim().eq_ignore_ascii_case("footnotes");
            place = Place::Text;
        } else if line.trim().is_empty() {
            place = if place == Place::Text { Place::Text } else { Place::Behind(place == Place::Dropped) };
        } else if let Place::Behind(dropped) = place {
            let goes_on = line.starts_with([' ', '\t']);
            place = match (goes_on, dropped) {
                (true, true) => Place::Dropped,
                (true, false) => Place::Note,
                (false, _) => Place::Text,
            };
        }
        if section && place == Place::Text && !line.starts_with('#') && !line.trim().is_empty() {
            if !allowed.footnote(line.trim()) {
                stripped.push(format!("footnote: {}", line.trim()));
                continue;
            }
        } else if place == Place::Dropped {
            continue;
        }
        lines.push((place == Place::Note, line.to_owned()));
    }
    let mut out = String::new();
    for (note, line) in &lines {
        let line = if *note { footnote_line(line, allowed, stripped) } else { running(line, allowed, stripped) };
        out.push_str(&line);
        out.push('\n');
    }
    let referenced = replace(&REFERENCE, &out, |found| {
        let label = group(found, 1);
        if kept_labels.contains(label) {
            return None;
        }
        stripped.push(format!("reference [^{label}] without a footnote that a verdict supports"));
        Some(String::new())
    });
    without_empty_section(referenced.trim_end(), kept_labels.is_empty())
}

/// The place of a line of the body.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// In the running text.
    Text,
    /// In a footnote that stays.
    Note,
    /// In a footnote that goes.
    Dropped,
    /// In the blank lines behind a footnote, which went or not.
    Behind(bool),
}

fn footnote_line(line: &str, allowed: &Allowed, stripped: &mut Vec<String>) -> String {
    addresses(line, stripped, |key| allowed.citation_addresses.contains(key) || allowed.own_addresses.contains(key))
}

pub(super) fn running(text: &str, allowed: &Allowed, stripped: &mut Vec<String>) -> String {
    addresses(text, stripped, |key| allowed.own_addresses.contains(key))
}

/// Drops a `## Footnotes` heading below which nothing is left.
fn without_empty_section(text: &str, empty: bool) -> String {
    if empty && let Some((before, last)) = text.rsplit_once('\n').or(Some(("", text))) {
        let heading = last.trim_start_matches('#').trim();
        if last.starts_with('#') && heading.eq_ignore_ascii_case("footnotes") {
            return before.trim_end().to_owned();
        }
    }
    text.to_owned()
}
