//! Reads the record off the runs of a story and the audit log.

use super::{
    decided,
    model::{
        ArticleOnDisk, CheckedLog, ControlRecord, DeliveryRow, NOTICE, RecordedArticle, RecordedDisclosure, RecordedRun,
    },
    reading, signature,
};
use crate::editorial::{
    export::{Imprint, disclosure_line},
    report,
    version::version_of,
};
use copydesk_newsroom::{DeliveryState, Event};

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
        withdrawn: asked.run.withdrawn.clone(),
        corrections: journal.opening.corrections.clone(),
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
