//! The desk: takes a story from its topic to its canonical article, step by step, and goes on where it stopped.
//!
//! Decides nothing about text (that is `editorial` and the agents) and performs no I/O but through ports and the files
//! that a run leaves. There is no state beside the journal: what is in memory here can be lost at any instant.

mod calls;
mod claims;
mod commit;
mod dead;
mod decide;
mod delete;
mod derive;
mod driver;
mod lock;
mod look_up;
mod memory;
mod open;
mod outputs;
mod pools;
mod reached;
mod replay;
mod retention;
mod retrieve;
mod run;
mod settle;
mod shift;
mod words;
mod writable;

use std::{path::PathBuf, sync::Arc};

pub use dead::{DeadLetter, Happening, dead_letters, drop_letter};
pub use decide::{Forked, Known, Made};
pub use delete::{Deletion, delete, is_held};
pub use memory::import;
pub use outputs::Outputs;
pub use pools::QueueRules;
pub use reached::{Ended, Reached, Waiting};
pub use replay::{Replayed, replay};
pub use retention::{Policy, Really, Swept, SweptStory, sweep};
pub use run::{Assignment, Replaces};
pub use shift::{Ending, Only, Shift, Told};
pub use words::{particulars, question};

use crate::{
    agents::Agents,
    editorial::choices::Refused,
    newsroom::{ClaimRules, FlagRules, StoryKey},
    ports::{Archive, Clock, Memory, ModelClient, Pages, Passages, Queue, Records, StoreError, Stories, Watch},
};

/// How passages are asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Retrieval {
    /// Most passages that one question brings.
    pub top_k: usize,
    /// Most tokens of passages that an agent is given.
    pub budget_tokens: u64,
    /// The least credibility of what is cited, from 0 to 1.
    pub min_credibility: f64,
    /// How long a search may take.
    pub timeout: std::time::Duration,
}

/// Everything that the desk works with.
pub struct Desk {
    /// Who does the work.
    pub agents: Arc<Agents>,
    /// `offline` or `llm`, as events say it.
    pub engine: &'static str,
    /// Asks models.
    pub model: Arc<dyn ModelClient>,
    /// Keeps runs.
    pub records: Arc<dyn Records>,
    /// Which steps may be worked on.
    pub queue: Arc<dyn Queue>,
    /// How they are.
    pub queue_rules: Arc<QueueRules>,
    /// Stories as a whole.
    pub stories: Arc<dyn Stories>,
    /// The institutional memory.
    pub memory: Arc<dyn Memory>,
    /// Days after which a record of the memory is not offered any more; none where it always is.
    pub memory_expires_after_days: Option<u32>,
    /// Reads the desk back.
    pub archive: Arc<dyn Archive>,
    /// The knowledge base.
    pub passages: Arc<dyn Passages>,
    /// Opens the pages that a search outside cites.
    pub pages: Arc<dyn Pages>,
    /// How the knowledge base is asked.
    pub retrieval: Retrieval,
    /// Tells the time.
    pub clock: Arc<dyn Clock>,
    /// Is told what happens.
    pub watch: Arc<dyn Watch>,
    /// Where files go.
    pub outputs: Outputs,
    /// Folder of the locks that keep two programs from one story.
    pub locks: PathBuf,
    /// The name that decisions carry.
    pub editor: String,
    /// `editor_max_rounds`.
    pub max_rounds: u32,
    /// Whether each draft is held against its sources before a model reviews it.
    pub proves: bool,
    /// How the claims of a draft are checked; none where they are not.
    pub claims: Option<ClaimRules>,
    /// Which flags a run may get.
    pub flags: FlagRules,
    /// Whether a model writes what a fact check asks of the passages.
    pub asks_questions: bool,
    /// Whether a search for outside evidence is configured.
    pub seeks_evidence: bool,
    /// How many specialists of one story may work at once.
    pub specialists_of_a_story: usize,
    /// Digest of prompts and settings that shape a run.
    pub pins: String,
}

/// Why a story could not be worked on. What is committed stays; each message says what to do.
#[derive(Debug, thiserror::Error)]
pub enum DeskError {
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file could not be written.
    #[error(
        "{path} cannot be written: {detail}; the work is safe in the database, and `copydesk resume` writes the file once it can"
    )]
    Output {
        /// The file or folder.
        path: String,
        /// What the system said.
        detail: String,
    },
    /// The file of a record that was imported.
    #[error(
        "{path} cannot be written: {detail}; the record is in the database, and importing it again writes its file"
    )]
    MemoryFile {
        /// The file.
        path: String,
        /// What the system said.
        detail: String,
    },
    /// The output folder cannot be used, found before anything was spent.
    #[error(
        "the folder {path} cannot be used: {detail}; check the keys below article_generation.editor.output (nothing was started)"
    )]
    Folder {
        /// The folder.
        path: String,
        /// What the system said.
        detail: String,
    },
    /// A file of a story that is being deleted.
    #[error(
        "{path} cannot be deleted: {detail}; the story is still in the database: delete it again once that is mended"
    )]
    Delete {
        /// The file or folder.
        path: String,
        /// What is in the way.
        detail: String,
    },
    /// Another program has the story.
    #[error("{story} is being worked on by another copydesk; wait for it, or stop it there")]
    Locked {
        /// The story.
        story: StoryKey,
    },
    /// A new run would take a story away from the editor who is asked.
    #[error(
        "{story} waits for its editor at {gate}: decide it first (`copydesk` opens it), or `run --replace` begins it anew"
    )]
    Waits {
        /// The story.
        story: StoryKey,
        /// Where it waits.
        gate: String,
    },
    /// The worker is not there any more.
    #[error("this program works on no stories any more")]
    Ended,
    /// A part of the program broke off.
    #[error(
        "the work on run {run} broke off; what is committed is safe; please report this, and `copydesk resume` tries again"
    )]
    BrokeOff {
        /// Its key.
        run: i64,
    },
    /// An editor's decision that is not possible now.
    #[error("{story}: {reason}")]
    Refused {
        /// The story.
        story: StoryKey,
        /// Why.
        reason: Refused,
    },
    /// A dead letter that somebody else has dealt with.
    #[error("{story} has no such dead letter any more: it was tried again or dropped meanwhile")]
    NoLetter {
        /// The story.
        story: StoryKey,
    },
    /// A step that the run has not done.
    #[error("{run} has no step {step}; its steps are {steps}")]
    NoSuchStep {
        /// The run.
        run: String,
        /// The step that was asked for.
        step: String,
        /// The steps that it has.
        steps: String,
    },
    /// A journal that does not fit this version.
    #[error("the journal of {story} cannot go on at {step}: {detail}")]
    Journal {
        /// The story.
        story: StoryKey,
        /// The step.
        step: String,
        /// What is wrong.
        detail: String,
    },
}
