//! The material of the papers about a story: its runs with their journals, events and calls, and the state of the desk's record.

use std::{
    borrow::Cow,
    collections::{BTreeSet, HashMap},
};

use crate::cli::prelude::*;
use crate::cli::wiring::targets;
use crate::editorial::{
    self, citations,
    control_record::ControlRecord,
    run_page::{self, RunMaterial},
};
use crate::newsroom::{ListedRun, Step};
use crate::ports::{Archive as _, CallRow, Records as _, aside};
use crate::proof;

/// The control record of a run.
///
/// # Errors
/// If the database cannot be read.
pub(crate) async fn control_record(settings: &Settings, store: &Store, listed: &ListedRun) -> Result<ControlRecord> {
    let distribution = targets::distribution(settings, store, settings.editor.clone());
    Ok(distribution.control_record(listed).await?)
}

/// The report of a run, as a page.
///
/// # Errors
/// If the database cannot be read.
pub(crate) async fn report(
    settings: &Settings,
    store: &Store,
    (key, listed): (RunKey, &ListedRun),
    embargo: Option<&str>,
) -> Result<String> {
    let record = control_record(settings, store, listed).await?;
    let journal = store.load(key).await?.journal;
    let calls = store.call_log(key).await?;
    let digests = digests(store, &calls).await?;
    let times = store.times(key).await?;
    let worked = times.into_iter().filter_map(|(step, times)| Some((step, times.worked_ms?))).collect();
    let mut events = Vec::new();
    for run in line(store, listed).await? {
        events.extend(store.events(run).await?);
    }
    let round = editorial::report::shown_round(&journal, journal.latest_draft());
    // A proof takes its time, and what a panic in it leaves is no reason to have no report.
    let proving = journal.clone();
    let ledger =
        aside(move || proof::ledger_of(&proving, round, citations::pages).map(Cow::into_owned)).await.ok().flatten();
    let ledgers = ledger.map(|ledger| (round, ledger)).into_iter().collect();
    Ok(run_page::to_html(&RunMaterial {
        journal: &journal,
        events: &events,
        calls: &calls,
        digests: &digests,
        worked: &worked,
        ledgers: &ledgers,
        record: &record,
        embargo,
    }))
}

/// The keys of a run and of those that it took over from, oldest first.
async fn line(store: &Store, listed: &ListedRun) -> Result<Vec<RunKey>> {
    let runs = store.runs_of(&listed.story).await?;
    let mut line: Vec<RunKey> = Vec::new();
    let mut next = Some(listed.run.as_str());
    while let Some((key, run)) = next.and_then(|name| runs.iter().find(|(_, run)| run.run == name)) {
        if line.contains(key) {
            break;
        }
        line.push(*key);
        next = run.took_over.as_deref();
    }
    line.reverse();
    Ok(line)
}

/// The digests of the inputs of calls.
async fn digests(store: &Store, calls: &[CallRow]) -> Result<HashMap<(RunKey, Step, u32), String>> {
    let mut digests = HashMap::new();
    let makers: BTreeSet<i64> = calls.iter().map(|call| call.run.0).collect();
    for maker in makers.into_iter().map(RunKey) {
        let stored = store.load(maker).await?.calls;
        digests.extend(stored.into_iter().map(|call| ((maker, call.key.step, call.key.attempt), call.digest)));
    }
    Ok(digests)
}
