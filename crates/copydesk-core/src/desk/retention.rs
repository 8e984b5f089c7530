//! Deletes data of stories that are over for `copydesk gc`, as the configured policy says.

use std::{collections::BTreeMap, path::PathBuf};

use super::{DeskError, Outputs, lock::StoryLocks};
use crate::ports::{Freed, Resting, Retention, Taking, WorkProgress};
use copydesk_newsroom::StoryKey;

/// Stories whose locks are held at once: each takes an open file.
const BATCH: usize = 100;

/// The times (ISO 8601, UTC, with milliseconds) before which each kind of data is deleted; none if that kind is kept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Policy {
    /// Prompts and answers of stories that were last changed before.
    pub calls_before: Option<String>,
    /// Vectors of such stories' texts.
    pub vectors_before: Option<String>,
    /// Folders of artifacts of such stories.
    pub artifacts_before: Option<String>,
    /// Records of the memory that were checked before.
    pub memory_before: Option<String>,
}

/// Whether the data are deleted, or only counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Really {
    Yes,
    No,
}

/// The data of one story that go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SweptStory {
    pub story: StoryKey,
    /// When it was last changed: ISO 8601, UTC.
    pub changed_at: String,
    /// Calls whose texts go.
    pub calls: u64,
    /// Passages whose vectors go.
    pub vectors: u64,
    pub folders: Vec<PathBuf>,
    pub folder_bytes: u64,
}

/// All data that go.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Swept {
    pub stories: Vec<SweptStory>,
    /// The space of the calls' texts that becomes free in the database.
    pub texts: Freed,
    /// Expired records of the memory.
    pub records: u64,
    /// The space of these records that becomes free in the database.
    pub memory: Freed,
    /// The stories, folders and files that had to be left alone: sentences for a person.
    pub missed: Vec<String>,
}

/// Deletes the data that `policy` no longer keeps, or only counts them. A story that a program works on is left alone and reported; so is
/// a folder that cannot be deleted. The rest goes on. `progress` is told how many stories are done.
///
/// # Errors
/// If the database fails. Earlier deletions stay.
pub async fn sweep(
    store: &dyn Retention,
    outputs: &Outputs,
    locks: &StoryLocks,
    policy: &Policy,
    (by, at): (&str, &str),
    really: Really,
    progress: &WorkProgress,
) -> Result<Swept, DeskError> {
    let mut swept = Swept::default();
    let times = [&policy.calls_before, &policy.vectors_before, &policy.artifacts_before];
    let lets_go = |story: &Resting| times.into_iter().any(|before| lapsed(before.as_ref(), story));
    let old: Vec<Resting> = store.resting().await?.into_iter().filter(lets_go).collect();
    let mut done = 0;
    for batch in old.chunks(BATCH) {
        let mut held = Vec::new();
        for story in batch {
            match locks.take(&story.story).await {
                Ok(lock) => held.push((story.story.clone(), lock)),
                Err(DeskError::Locked { story, .. }) => {
                    swept.missed.push(format!("{story} is being worked on by another copydesk and was left alone"));
                }
                Err(error) => return Err(error),
            }
        }
        // Another program may have taken a story up again just before.
        let mut still = store.resting().await?;
        still.retain(|story| batch.contains(story) && held.iter().any(|(held, _)| *held == story.story));
        one_batch(store, outputs, policy, still, (by, at), really, &mut swept).await?;
        done += batch.len();
        progress.at(done as u64, old.len() as u64);
    }
    if let Some(before) = &policy.memory_before {
        let lapsed = store.drop_expired(before, by, at, really == Really::Yes).await?;
        swept.records = u64::try_from(lapsed.records.len()).unwrap_or(u64::MAX);
        swept.memory = lapsed.freed;
        if really == Really::Yes {
            swept.missed.extend(outputs.remove_memory(&lapsed.records, &lapsed.others).await);
        }
    }
    Ok(swept)
}

async fn one_batch(
    store: &dyn Retention,
    outputs: &Outputs,
    policy: &Policy,
    stories: Vec<Resting>,
    (by, at): (&str, &str),
    really: Really,
    swept: &mut Swept,
) -> Result<(), DeskError> {
    let mut takings = Vec::new();
    let mut without_vectors = Vec::new();
    for resting in stories {
        let mut folders = BTreeMap::new();
        if lapsed(policy.artifacts_before.as_ref(), &resting) {
            folders = outputs.artifacts_of(&store.held_runs(&resting.story).await?).await;
            if really == Really::Yes {
                let (gone, missed) = outputs.remove_artifacts(folders).await?;
                folders = gone;
                swept.missed.extend(missed);
            }
        }
        let texts = lapsed(policy.calls_before.as_ref(), &resting) && resting.calls > 0;
        let vectors = lapsed(policy.vectors_before.as_ref(), &resting) && resting.vectors > 0;
        if !texts && !vectors && folders.is_empty() {
            continue;
        }
        if vectors {
            without_vectors.push(resting.story.clone());
        }
        if texts || !folders.is_empty() {
            let count = u64::try_from(folders.len()).unwrap_or(u64::MAX);
            takings.push(Taking { story: resting.story.clone(), texts, folders: count });
        }
        swept.stories.push(SweptStory {
            story: resting.story,
            changed_at: resting.changed_at,
            calls: if texts { resting.calls } else { 0 },
            vectors: if vectors { resting.vectors } else { 0 },
            folder_bytes: folders.values().sum(),
            folders: folders.into_keys().collect(),
        });
    }
    if !without_vectors.is_empty() {
        store.take_vectors(without_vectors, really == Really::Yes).await?;
    }
    if !takings.is_empty() {
        let freed = store.take_texts(takings, by, at, really == Really::Yes).await?;
        swept.texts.calls += freed.calls;
        swept.texts.texts += freed.texts;
        swept.texts.bytes += freed.bytes;
        // Each batch empties the whole log, so the last one speaks for all before it.
        swept.texts.wiped = freed.wiped;
    }
    Ok(())
}

/// Whether a story was last changed before that time; never if the data are kept.
fn lapsed(before: Option<&String>, story: &Resting) -> bool {
    before.is_some_and(|before| story.changed_at < *before)
}
