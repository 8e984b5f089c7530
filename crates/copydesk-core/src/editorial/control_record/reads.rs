//! Reads the record off the runs of a story and the audit log.

use super::{
    decided,
    model::{
        ArticleOnDisk, CheckedLog, ControlRecord, DeliveryRow, ExaminedRow, NOTICE, NotExamined, RecordedArticle,
        RecordedDisclosure, RecordedRun, RecordedSignature,
    },
};
use crate::editorial::{
    decisions::{at_sign_off, signed_by},
    export::{Imprint, disclosure_line},
    report,
    version::version_of,
};
use copydesk_newsroom::{Choice, ConcernType, DeliveryState, Event, ExaminedObject, Journal};
use copydesk_text::sanitise;

/// The record of the run of that id. `runs` are all runs of its story, oldest first. None if the run is not among them.
pub fn record(
    runs: &[RecordedRun],
    run_id: &str,
    log: &CheckedLog,
    on_disk: Option<&ArticleOnDisk>,
) -> Option<ControlRecord> {
    let asked = runs.iter().find(|run| run.run.run == run_id)?;
    let journal = &asked.journal;
    let imprint = Imprint::of(journal);
    let signatures = signatures(runs, log, on_disk);
    let own = signatures.iter().find(|signature| signature.run == run_id);
    let line = line(runs, asked);
    let round = report::shown_round(journal, journal.latest_draft());
    let article = report::standing_draft(journal).map(|draft| RecordedArticle {
        round,
        headline: draft.article.headline.clone(),
        version: version_of(&draft.article),
    });
    let examined = examined(&line, own);
    let mut decisions = decided::decisions(journal);
    decisions.extend(line.iter().flat_map(|run| decided::settled(run)));
    decisions.sort_by(|one, other| one.at.cmp(&other.at));
    let source = &journal.opening.topic.source_metadata;
    Some(ControlRecord {
        format: "copydesk control record 1",
        notice: NOTICE,
        story: asked.run.story.clone(),
        title: report::new_headline(journal).unwrap_or(&source.topic_title).to_owned(),
        run: run_id.to_owned(),
        opened_at: journal.opening.opened_at.clone(),
        ended_at: imprint.finished_at,
        standing: imprint.standing,
        disclosure: RecordedDisclosure {
            setting: journal.opening.settings.disclosure,
            line: disclosure_line(journal.opening.settings.disclosure, imprint.signed_by.as_deref()),
        },
        withdrawn: asked.run.withdrawn.clone(),
        corrections: journal.opening.corrections.clone(),
        article,
        not_examined: not_examined(journal, &examined, own),
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
fn line<'r>(runs: &'r [RecordedRun], asked: &'r RecordedRun) -> Vec<&'r RecordedRun> {
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

fn deliveries(runs: &[RecordedRun]) -> Vec<DeliveryRow> {
    let mut rows: Vec<DeliveryRow> = Vec::new();
    for record in runs.iter().flat_map(|run| &run.events) {
        if let Event::DeliveryMade { delivery } = &record.event
            && delivery.state == DeliveryState::Sent
        {
            rows.push(DeliveryRow { at: record.at.clone(), run: record.run.clone(), delivery: delivery.clone() });
        }
    }
    rows.sort_by(|one, other| one.at.cmp(&other.at));
    rows
}

/// Most characters of an excerpt.
const LONGEST: usize = 300;

/// The parts that were on the screen, in the order of time. `line`: the run and those that it took over from.
pub(super) fn examined(line: &[&RecordedRun], signed: Option<&RecordedSignature>) -> Vec<ExaminedRow> {
    let mut rows: Vec<ExaminedRow> = Vec::new();
    for run in line {
        for record in &run.events {
            let Event::Examined { by, gate, what } = &record.event else { continue };
            rows.push(ExaminedRow {
                at: record.at.clone(),
                by: by.clone(),
                run: record.run.clone(),
                gate: gate.clone(),
                what: what.in_words(),
                excerpt: excerpt(&run.journal, what),
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
            return Some(ConcernType::in_words(&journal.concern(*round, *concern)?.excerpt));
        }
        ExaminedObject::Claim { round, claim } => {
            let place = usize::try_from(*claim).ok()?.checked_sub(1)?;
            &journal.claims(*round)?.claims.get(place)?.text
        }
        ExaminedObject::Passage { source, start, end } => journal.brought(source)?.get(*start..*end)?,
        _ => return None,
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
        let concerns = journal.concern_list(round);
        let concerns = concerns.iter().map(|concern| ExaminedObject::Concern { round, concern: concern.concern_id });
        parts.extend(concerns.filter(|concern| !seen.contains(&concern)));
    }
    // Whoever opened a passage had its source on the screen.
    let opened = |name: &str| {
        seen.iter().any(|part| {
            matches!(part, ExaminedObject::Source { source } | ExaminedObject::Passage { source, .. } if source == name)
        })
    };
    let unopened = journal.texts().filter(|(name, _)| !opened(name));
    parts.extend(unopened.map(|(name, _)| ExaminedObject::Source { source: name.to_owned() }));
    parts.into_iter().map(|part| NotExamined { what: part.in_words(), part }).collect()
}

/// Every signature, oldest first. `runs` are all runs of the story, oldest first.
pub(super) fn signatures(
    runs: &[RecordedRun],
    log: &CheckedLog,
    on_disk: Option<&ArticleOnDisk>,
) -> Vec<RecordedSignature> {
    let signed = runs.iter().enumerate().filter_map(|(place, run)| {
        let mut signature = signature(run)?;
        signature.void_because = void(run, &signature, runs.get(place + 1..).unwrap_or_default(), log, on_disk);
        signature.stands = signature.void_because.is_empty();
        Some(signature)
    });
    signed.collect()
}

/// The signature under a run, as if it stood.
fn signature(RecordedRun { run, journal, .. }: &RecordedRun) -> Option<RecordedSignature> {
    let by = signed_by(journal)?;
    let decided = at_sign_off(journal, journal.rounds())?;
    let Choice::SignOff { chain, .. } = &decided.decision.choice else { return None };
    Some(RecordedSignature {
        run: run.run.clone(),
        by: by.to_owned(),
        at: decided.at.to_owned(),
        round: decided.round,
        version: version_of(&journal.draft(decided.round)?.article),
        chain: chain.clone(),
        stands: true,
        void_because: Vec::new(),
    })
}

/// Why a signature does not stand: another text came after it, or the record is not as it was written.
fn void(
    own: &RecordedRun,
    signature: &RecordedSignature,
    later: &[RecordedRun],
    log: &CheckedLog,
    on_disk: Option<&ArticleOnDisk>,
) -> Vec<String> {
    let mut why = Vec::new();
    for RecordedRun { run, journal, .. } in later {
        let Some(draft) = report::standing_draft(journal) else { continue };
        let version = version_of(&draft.article);
        let corrects = journal.opening.corrections.len() > own.journal.opening.corrections.len();
        if corrects && version == signature.version {
            why.push(format!(
                "The run {}, opened {}, corrects this version with a note to its readers.",
                run.run, journal.opening.opened_at
            ));
        }
        if version != signature.version {
            let signed = signed_by(journal)
                .map_or_else(|| "nobody has signed that".to_owned(), |by| format!("{by} signed that"));
            why.push(format!(
                "The run {}, opened {}, has another text, version {version}; {signed}.",
                run.run, journal.opening.opened_at
            ));
        }
    }
    // A file that is no result any more was the last run's.
    let is_its = |file: &&ArticleOnDisk| match &file.artifacts_dir {
        Some(folder) => *folder == own.journal.opening.artifacts_dir,
        None => later.is_empty(),
    };
    if let Some(ArticleOnDisk { path, version, .. }) = on_disk.filter(is_its)
        && version.as_ref() != Some(&signature.version)
    {
        let now = version.as_ref().map_or_else(|| "no article".to_owned(), |version| format!("version {version}"));
        why.push(format!("The file {path} was changed after it was signed: it has {now}."));
    }
    why.extend(log.flaws.iter().map(|flaw| format!("The desk’s record is not as it was written: {flaw}.")));
    why
}
