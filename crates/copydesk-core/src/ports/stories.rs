//! Stories as a whole: how urgent, paused, deleted; and a copy of them all.

use std::path::Path;

use async_trait::async_trait;

use super::{RunKey, StoreError, WorkProgress};
use copydesk_newsroom::{ExaminedObject, MemoryRecord, Priority, Secrecy, StoryKey};

/// A run of a story, as far as its files go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldRun {
    pub run_id: String,
    /// The story as this run's topic spells it: case can differ between runs. If its opening cannot be read, as the first did.
    pub story: StoryKey,
    /// The folder of its artifacts, as its opening has it; none if that cannot be read.
    pub artifacts_dir: Option<String>,
}

/// A story's data outside the database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holdings {
    /// Its runs, oldest first.
    pub runs: Vec<HeldRun>,
    /// The memory's records that its runs made.
    pub memory: Vec<MemoryRecord>,
    /// The number of further ones that cannot be read, so that their files are unknown.
    pub unreadable: usize,
    /// Records of other stories under the same keys: their file may be the same.
    pub others: Vec<MemoryRecord>,
}

/// The numbers of deleted things.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Deleted {
    pub runs: u64,
    /// Steps of their journals.
    pub entries: u64,
    pub calls: u64,
    /// Records of the institutional memory.
    pub memory: u64,
    /// Events whose text was taken away; their digests stay in the chain.
    pub events: u64,
    /// Texts that nothing else refers to: sources, drafts, prompts, answers.
    pub texts: u64,
    /// Whether nothing of them is left in the database's files. False if another program was reading just then: the
    /// rest in the write-ahead log goes when the last program closes the database.
    pub wiped: bool,
}

/// Stories as a whole. If a method returns, its change is durable; if it fails, nothing was changed.
#[async_trait]
pub trait Stories: Send + Sync {
    /// Sets a story's priority and logs the event, if it is a change. False if there is no such story.
    async fn set_priority(&self, story: &StoryKey, priority: Priority, by: &str, at: &str) -> Result<bool, StoreError>;

    /// Sets or removes the time at which a story is due (ISO 8601, UTC) and logs the event, if it is a change. False if there is no such story.
    async fn set_due(&self, story: &StoryKey, due: Option<String>, by: &str, at: &str) -> Result<bool, StoreError>;

    /// Gives a story to an editor, or takes it from one, and logs the event, if it is a change. False if there is no such story.
    async fn assign(&self, story: &StoryKey, editor: Option<String>, by: &str, at: &str) -> Result<bool, StoreError>;

    /// Pauses a story or ends its pause, and logs the event, if that is a change. False if there is no such story.
    async fn set_paused(&self, story: &StoryKey, paused: bool, by: &str, at: &str) -> Result<bool, StoreError>;

    /// Notes that an editor lets the flags of a run stand, with the event. False if it has none that are open.
    async fn settle_flags(&self, run: RunKey, reason: &str, by: &str, at: &str) -> Result<bool, StoreError>;

    /// Logs that an editor had a part of a run on the screen, once for each editor, gate and part. False if that is logged already, or
    /// there is no such run.
    async fn note_examined(
        &self,
        run: RunKey,
        gate: Option<String>,
        what: ExaminedObject,
        by: &str,
        at: &str,
    ) -> Result<bool, StoreError>;

    /// A story's secrecy: the facts that must not leave this machine; the default if there is no such story.
    async fn secrecy(&self, story: &StoryKey) -> Result<Secrecy, StoreError>;

    /// The story's data outside the database; none if there is no such story. Unreadable records do not prevent a deletion: they are
    /// counted.
    async fn holdings(&self, story: &StoryKey) -> Result<Option<Holdings>, StoreError>;

    /// Deletes a story: its runs, journals, calls, memory records, typed texts, and every text that no other story refers to.
    /// Its events keep their digests and their place in the chain. None if there is no such story.
    ///
    /// The caller holds the story's lock and has deleted its files: after this, no program can find them.
    async fn delete_story(&self, story: &StoryKey, by: &str, at: &str) -> Result<Option<Deleted>, StoreError>;

    /// Writes the whole database to the new file `to`, as it is at one instant, while others go on writing. Returns its size
    /// in bytes. Tells how many bytes of about how many are written.
    async fn backup(&self, to: &Path, progress: WorkProgress) -> Result<u64, StoreError>;
}
