//! Stories as a whole: how urgent, paused, deleted; a copy of them all; replies, texts while they are typed, and data that may go after a
//! while.

use std::path::Path;

use async_trait::async_trait;

use super::{RunKey, StoreError, WorkProgress};
use copydesk_newsroom::{ExaminedObject, MemoryRecord, Priority, Secrecy, StoryKey, StoryReply};

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

/// What an editor says of a story beside its text. Times are ISO 8601, UTC; none takes one back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoryChange {
    Priority(Priority),
    Paused(bool),
    Due(Option<String>),
    Editor(Option<String>),
    Embargo(Option<String>),
}

/// Stories as a whole. If a method returns, its change is durable; if it fails, nothing was changed.
#[async_trait]
pub trait Stories: Send + Sync {
    /// Changes one property of a story, and logs the event unless the value is the same. Returns false if there is no such story.
    async fn change(&self, story: &StoryKey, change: StoryChange, by: &str, at: &str) -> Result<bool, StoreError>;

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

    /// Everybody whom the story asked, in the order of asking.
    async fn replies(&self, story: &StoryKey) -> Result<Vec<StoryReply>, StoreError>;

    /// Notes that a person was asked, with the event. False if there is no such story.
    async fn ask_reply(&self, story: &StoryKey, reply: StoryReply) -> Result<bool, StoreError>;

    /// Notes a person's answer at the oldest question to them that has no answer, with the event. False if there is no such question.
    async fn answer_reply(
        &self,
        story: &StoryKey,
        name: &str,
        text: &str,
        by: &str,
        at: &str,
    ) -> Result<bool, StoreError>;
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedText {
    pub text: String,
    /// When it was stored: ISO 8601, UTC.
    pub at: String,
}

/// Texts that are being typed, by run and by what they are (`r1.edit`).
#[async_trait]
pub trait Scratch: Send + Sync {
    /// Stores `text` in place of the earlier text under `what`.
    async fn keep(&self, run: RunKey, what: &str, text: &str, at: &str) -> Result<(), StoreError>;

    /// The stored text.
    async fn kept(&self, run: RunKey, what: &str) -> Result<Option<SavedText>, StoreError>;

    /// Deletes it, also from the database file.
    async fn forget(&self, run: RunKey, what: &str) -> Result<(), StoreError>;
}

/// A story that is over: it has ended, its files are written, and no question about it is open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resting {
    pub story: StoryKey,
    /// When any of its runs was last changed: ISO 8601, UTC.
    pub changed_at: String,
    /// Calls whose texts are still there.
    pub calls: u64,
    /// Passages of its texts that have vectors.
    pub vectors: u64,
}

/// The deletion of a story's data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taking {
    pub story: StoryKey,
    /// Whether the texts of its calls go.
    pub texts: bool,
    /// Folders of artifacts that were deleted, for the log.
    pub folders: u64,
}

/// The data that was freed in the database.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Freed {
    /// Calls whose texts went.
    pub calls: u64,
    /// Texts that nothing else refers to.
    pub texts: u64,
    /// Bytes that they took, as they were stored.
    pub bytes: u64,
    /// Whether nothing of them is left in the database's files, as with a deleted story.
    pub wiped: bool,
}

/// Records that went.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lapsed {
    pub records: Vec<MemoryRecord>,
    /// Those that stay under the same keys: their file may be the same.
    pub others: Vec<MemoryRecord>,
    pub freed: Freed,
}

/// Retention. With `really` false a method works out the deletion and changes nothing. As everywhere, a change is durable if the method
/// returns, and did not happen if it fails.
#[async_trait]
pub trait Retention: Send + Sync {
    /// The stories that are over, the one that has rested longest first. An open story is none, nor one that waits for its editor. Nor
    /// is a flagged story that nobody has signed and whose flags nobody has accepted.
    async fn resting(&self) -> Result<Vec<Resting>, StoreError>;

    /// A story's runs, as far as their files go.
    async fn held_runs(&self, story: &StoryKey) -> Result<Vec<HeldRun>, StoreError>;

    /// Takes the prompts and answers of stories' calls away, in one transaction; the calls stay, with digests of both, and an event of
    /// each story says so. The caller holds the stories' locks.
    async fn take_texts(&self, stories: Vec<Taking>, by: &str, at: &str, really: bool) -> Result<Freed, StoreError>;

    /// Deletes the vectors of stories' texts, in one transaction. The texts are found by their words from then on and get no vectors again.
    /// Returns the number of passages. No event is logged, because an index is not a record.
    async fn take_vectors(&self, stories: Vec<StoryKey>, really: bool) -> Result<u64, StoreError>;

    /// Deletes records of the memory whose check is older than `before` (ISO 8601, UTC, with milliseconds), with one event. A record that
    /// was struck or overruled stays, or the same verdict would be offered again; so does one that an open story made.
    async fn drop_expired(&self, before: &str, by: &str, at: &str, really: bool) -> Result<Lapsed, StoreError>;
}
