//! The editorial control record of a run: who examined what and when, what was overruled and edited, who signed which version, and whether
//! that signature still stands.
//!
//! It is read off journals and the audit log, and adds nothing to them. It says what the log has, and nothing of what somebody thought.

mod decided;
mod page;
mod reading;
mod signature;
#[cfg(test)]
mod tests;

use serde::Serialize;

pub(super) use decided::told;
pub use page::to_html;

use crate::{
    editorial::{
        distribution::version_of,
        export::{Imprint, disclosure_line},
        report,
    },
    newsroom::{DeliveryState, Disclosure, Event, EventRecord, ExaminedObject, Journal, ListedRun, Status},
};

/// Stands in each record.
pub const NOTICE: &str = "This record is evidence of what Copydesk logged. It is not legal advice, and it does not show what a person \
                          understood, or read elsewhere.";

/// A run with its journal and its events.
#[derive(Debug, Clone, Copy)]
pub struct RecordedRun<'a> {
    pub run: &'a ListedRun,
    pub journal: &'a Journal,
    pub events: &'a [EventRecord],
}

/// The desk's audit log at the moment of the record.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct CheckedLog {
    pub events: u64,
    /// Its last link, hex.
    pub head: String,
    /// What a check of the whole desk found changed; empty if nothing was.
    pub flaws: Vec<String>,
}

/// The story's canonical file as it lies on the disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArticleOnDisk {
    pub path: String,
    /// The folder of the run that wrote it.
    pub artifacts_dir: Option<String>,
    /// The version that it has now; none if there is no article in it.
    pub version: Option<String>,
}

/// The whole record of one run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ControlRecord {
    /// `copydesk control record 1`: fields are only ever added.
    pub format: &'static str,
    pub notice: &'static str,
    /// `channel/slug`.
    pub story: String,
    pub title: String,
    pub run: String,
    /// ISO 8601, UTC; so are all times.
    pub opened_at: String,
    pub ended_at: Option<String>,
    /// How far the article has come, in a sentence.
    pub standing: String,
    pub disclosure: RecordedDisclosure,
    /// The article as it stands; none before the first draft.
    pub article: Option<RecordedArticle>,
    /// Every signature under a run of the story, oldest first.
    pub signatures: Vec<RecordedSignature>,
    /// What was on an editor's screen, in the order of time.
    pub examined: Vec<ExaminedRow>,
    /// What of the run no log entry says that anybody had it on the screen: before the signature, if there is one.
    pub not_examined: Vec<NotExamined>,
    pub overruled: Vec<OverruledRow>,
    /// Findings of the proof that somebody let stand.
    pub accepted: Vec<AcceptedRow>,
    pub edits: Vec<EditRow>,
    /// Every decision, also those above.
    pub decisions: Vec<DecisionRow>,
    /// What left the house.
    pub deliveries: Vec<DeliveryRow>,
    pub log: CheckedLog,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RecordedDisclosure {
    pub setting: Disclosure,
    /// What readers are told.
    pub line: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RecordedArticle {
    pub round: u32,
    pub headline: String,
    /// SHA-256 of its fields, hex.
    pub version: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RecordedSignature {
    pub run: String,
    pub by: String,
    pub at: String,
    pub round: u32,
    /// The version that was signed.
    pub version: String,
    /// The last link of the audit log before it, hex.
    pub chain: String,
    /// Whether the version that was signed is still the story's article.
    pub stands: bool,
    /// Why it does not stand, a sentence each.
    pub void_because: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExaminedRow {
    pub at: String,
    pub by: String,
    pub run: String,
    /// Where the run waited, such as `r1.gate`; null if it did not wait.
    pub gate: Option<String>,
    /// In words.
    pub what: String,
    /// The words that are in question there.
    pub excerpt: Option<String>,
    /// For a draft: whether it is exactly the version that was signed.
    pub is_signed_version: Option<bool>,
    #[serde(flatten)]
    pub part: ExaminedObject,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NotExamined {
    /// In words.
    pub what: String,
    #[serde(flatten)]
    pub part: ExaminedObject,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OverruledRow {
    pub round: u32,
    pub concern: u32,
    pub excerpt: String,
    /// What the agent had decided, and why.
    pub verdict: Status,
    pub rationale: String,
    /// What counts instead.
    pub now: Status,
    pub by: String,
    pub at: String,
    pub reason: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AcceptedRow {
    pub round: u32,
    pub finding: u32,
    pub text: String,
    pub note: String,
    pub by: String,
    pub at: String,
    pub reason: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EditRow {
    pub round: u32,
    pub by: String,
    pub at: String,
    /// The concern whose fix was made; null for an edit by hand.
    pub concern: Option<u32>,
    /// The versions before and after.
    pub from_version: String,
    pub to_version: String,
    pub changes: Vec<EditedWords>,
    /// Whether it was undone.
    pub undone: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EditedWords {
    /// The article's field, by its contract name.
    pub field: String,
    pub removed: String,
    pub added: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DecisionRow {
    /// 0 before the first draft.
    pub round: u32,
    pub at: String,
    pub by: String,
    /// What was decided, and why, in words.
    pub what: String,
    /// Whether a later decision undid it.
    pub undone: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DeliveryRow {
    pub at: String,
    pub by: String,
    pub run: String,
    pub target: String,
    pub place: String,
    pub version: String,
    /// SHA-256 of the file that was sent, hex.
    pub digest: Option<String>,
}

/// The record of the run of that id. `runs` are all runs of its story, oldest first. None if the run is not among them.
#[must_use]
pub fn record(
    runs: &[RecordedRun<'_>],
    run_id: &str,
    log: &CheckedLog,
    on_disk: Option<&ArticleOnDisk>,
) -> Option<ControlRecord> {
    let asked = runs.iter().find(|run| run.run.run == run_id)?;
    let journal = asked.journal;
    let imprint = Imprint::of(journal);
    let signatures = signature::signatures(runs, log, on_disk);
    let own = signatures.iter().find(|signature| signature.run == run_id);
    let line = line(runs, asked);
    let round = report::shown_round(journal, journal.latest_draft());
    let article = report::standing_draft(journal).map(|draft| RecordedArticle {
        round,
        headline: draft.article.headline.clone(),
        version: version_of(&draft.article),
    });
    let examined = reading::examined(&line, own);
    let mut decisions = decided::decisions(journal);
    decisions.extend(line.iter().flat_map(|run| decided::settled(run)));
    decisions.sort_by(|one, other| one.at.cmp(&other.at));
    let source = &journal.opening.topic.source_metadata;
    Some(ControlRecord {
        format: "copydesk control record 1",
        notice: NOTICE,
        story: asked.run.story.clone(),
        title: source.topic_title.clone(),
        run: run_id.to_owned(),
        opened_at: journal.opening.opened_at.clone(),
        ended_at: imprint.finished_at,
        standing: imprint.standing,
        disclosure: RecordedDisclosure {
            setting: journal.opening.disclosure,
            line: disclosure_line(journal.opening.disclosure, imprint.signed_by.as_deref()),
        },
        article,
        not_examined: reading::not_examined(journal, &examined, own),
        signatures,
        examined,
        overruled: decided::overruled_verdicts(journal),
        accepted: decided::accepted_findings(journal),
        edits: decided::edits(journal),
        decisions,
        deliveries: deliveries(runs),
        log: log.clone(),
    })
}

/// The run and those that it took over from, oldest first: what was read of a draft that it shares with them counts for it.
fn line<'r, 'a>(runs: &'r [RecordedRun<'a>], asked: &'r RecordedRun<'a>) -> Vec<&'r RecordedRun<'a>> {
    let mut line = vec![asked];
    while let Some(before) = line.last().and_then(|run| run.run.took_over.as_deref()) {
        // A run takes over from an earlier one only; a damaged list ends here.
        let Some(found) = runs.iter().find(|run| run.run.run == before) else { break };
        if line.iter().any(|known| known.run.run == found.run.run) {
            break;
        }
        line.push(found);
    }
    line.reverse();
    line
}

fn deliveries(runs: &[RecordedRun<'_>]) -> Vec<DeliveryRow> {
    let mut rows: Vec<DeliveryRow> = Vec::new();
    for record in runs.iter().flat_map(|run| run.events) {
        if let Event::DeliveryMade { delivery } = &record.event
            && delivery.state == DeliveryState::Sent
        {
            rows.push(DeliveryRow {
                at: record.at.clone(),
                by: delivery.by.clone(),
                run: record.run.clone(),
                target: delivery.target.clone(),
                place: delivery.place.clone(),
                version: delivery.version.clone(),
                digest: delivery.digest.clone(),
            });
        }
    }
    rows.sort_by(|one, other| one.at.cmp(&other.at));
    rows
}
