//! The parts of a run that were on an editor's screen, and those that were not.

use super::model::{ExaminedRow, NotExamined, RecordedRun, RecordedSignature};
use crate::editorial::{report, version::version_of};
use copydesk_newsroom::{Event, ExaminedObject, Journal};
use copydesk_text::sanitise;

/// Most characters of an excerpt.
const LONGEST: usize = 300;

/// The parts that were on the screen, in the order of time. `line`: the run and those that it took over from.
pub(super) fn examined(line: &[&RecordedRun<'_>], signed: Option<&RecordedSignature>) -> Vec<ExaminedRow> {
    let mut rows: Vec<ExaminedRow> = Vec::new();
    for run in line {
        for record in run.events {
            let Event::Examined { by, gate, what } = &record.event else { continue };
            rows.push(ExaminedRow {
                at: record.at.clone(),
                by: by.clone(),
                run: record.run.clone(),
                gate: gate.clone(),
                what: what.in_words(),
                excerpt: excerpt(run.journal, what),
                is_signed_version: version(what)
                    .and_then(|version| signed.map(|signature| signature.version == version)),
                part: what.clone(),
            });
        }
    }
    rows.sort_by(|one, other| one.at.cmp(&other.at));
    rows
}

fn version(part: &ExaminedObject) -> Option<&str> {
    match part {
        ExaminedObject::Draft { version, .. } | ExaminedObject::DraftEnd { version, .. } => Some(version),
        _ => None,
    }
}

/// The words that are in question, as the journal of that run has them.
fn excerpt(journal: &Journal, part: &ExaminedObject) -> Option<String> {
    let words = match part {
        ExaminedObject::Concern { round, concern } => {
            let concerns = &journal.concerns(*round)?.concerns;
            concerns.iter().find(|known| known.concern_id == *concern)?.excerpt.as_str()
        }
        ExaminedObject::Claim { round, claim } => {
            let place = usize::try_from(*claim).ok()?.checked_sub(1)?;
            &journal.claims(*round)?.claims.get(place)?.text
        }
        ExaminedObject::Passage { source, start, end } => journal.brought(source)?.get(*start..*end)?,
        ExaminedObject::Draft { .. }
        | ExaminedObject::DraftEnd { .. }
        | ExaminedObject::Changes { .. }
        | ExaminedObject::Source { .. } => return None,
    };
    Some(sanitise::excerpt(words, LONGEST))
}

/// The parts of the article, its concerns and its sources that no editor had on the screen, before the signature if there is one.
pub(super) fn not_examined(
    journal: &Journal,
    rows: &[ExaminedRow],
    signed: Option<&RecordedSignature>,
) -> Vec<NotExamined> {
    let in_time = |row: &&ExaminedRow| signed.is_none_or(|signature| row.at <= signature.at);
    let seen: Vec<&ExaminedObject> = rows.iter().filter(in_time).map(|row| &row.part).collect();
    let mut parts = Vec::new();
    let round =
        signed.map_or_else(|| report::shown_round(journal, journal.latest_draft()), |signature| signature.round);
    if let Some(draft) = journal.draft(round) {
        let version = version_of(&draft.article);
        // A draft is known by its text: it may have been read under another number.
        let is_seen = |end: bool| {
            seen.iter().any(|part| match part {
                ExaminedObject::Draft { version: of, .. } => !end && *of == version,
                ExaminedObject::DraftEnd { version: of, .. } => end && *of == version,
                _ => false,
            })
        };
        if !is_seen(false) {
            parts.push(ExaminedObject::Draft { round, version });
        } else if !is_seen(true) {
            parts.push(ExaminedObject::DraftEnd { round, version });
        }
    }
    for round in 1..=journal.latest_draft() {
        let concerns = journal.concerns(round).map(|result| result.concerns.as_slice()).unwrap_or_default();
        let concerns = concerns.iter().map(|concern| ExaminedObject::Concern { round, concern: concern.concern_id });
        parts.extend(concerns.filter(|concern| !seen.contains(&concern)));
    }
    // Whoever opened a passage had its source on the screen.
    let opened = |name: &str| {
        seen.iter().any(|part| {
            matches!(part, ExaminedObject::Source { source } | ExaminedObject::Passage { source, .. } if source == name)
        })
    };
    for (name, _) in journal.texts() {
        if !opened(name) {
            parts.push(ExaminedObject::Source { source: name.to_owned() });
        }
    }
    parts.into_iter().map(|part| NotExamined { what: part.in_words(), part }).collect()
}
