//! Who signed which version, and whether a signature still stands.

use super::model::{ArticleOnDisk, CheckedLog, RecordedRun, RecordedSignature};
use crate::editorial::{
    decisions::{at_sign_off, signed_by},
    report,
    version::version_of,
};
use copydesk_newsroom::Choice;

/// Every signature, oldest first. `runs` are all runs of the story, oldest first.
pub(super) fn signatures(
    runs: &[RecordedRun<'_>],
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
fn signature(RecordedRun { run, journal, .. }: &RecordedRun<'_>) -> Option<RecordedSignature> {
    let by = signed_by(journal)?;
    let decided = at_sign_off(journal, journal.rounds())?;
    let Choice::SignOff { chain } = &decided.decision.choice else { return None };
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
    own: &RecordedRun<'_>,
    signature: &RecordedSignature,
    later: &[RecordedRun<'_>],
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
