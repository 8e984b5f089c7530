//! What goes between the screen and the back room: requests one way, news the other. Neither waits for the other.

use crate::tui::app::ticket::Ticket;
use std::{path::PathBuf, sync::Arc};

use crate::tui::app::inquiry::{Inquiry, Wanted};

use crate::desk::{DeadLetter, Known};
use crate::editorial::choices::GateSeen;
use crate::newsroom::{Choice, Journal, Priority, Step, StoryKey};
use crate::ports::{CallText, RunKey};
use crate::tui::screens::changes::comparisons::Pair;

/// A request on its way to the back room.
#[derive(Debug, Clone, PartialEq)]
pub struct Order {
    /// Where somebody waits for its end: [`News::Answered`] tells of it, once. Without one, only what went wrong is told.
    pub ticket: Option<Ticket>,
    /// What is asked for.
    pub request: Request,
}

/// What the screen asks the back room to do.
#[derive(Debug, Clone, PartialEq)]
pub enum Request {
    /// Read the list of stories.
    ReadDesk,
    /// Read a run, to be shown.
    Open(RunKey),
    /// Tell of every entry that is added to a run, from now on and to no other.
    Watch {
        /// The run.
        run: RunKey,
        /// The number of its last entry that was read.
        seq: i64,
    },
    /// Nothing is open any more.
    CloseStory,
    /// Read the audit log of a run.
    ReadLog(RunKey),
    /// Read the runs of a story.
    ReadRuns(StoryKey),
    /// Read the calls of a run.
    ReadCalls(RunKey),
    /// Read the texts of a call.
    ReadCall {
        /// The run that made it.
        run: RunKey,
        /// The step that asked.
        step: Step,
        /// Which attempt.
        attempt: u32,
    },
    /// Read the records of the memory.
    ReadMemory,
    /// Read the records under a key of the memory.
    ReadRecord(String),
    /// Strike the records under a key of the memory.
    StrikeRecord {
        /// The key.
        cache_key_hash: String,
        /// Why.
        reason: String,
    },
    /// Take the striking of the records under a key back.
    RestoreRecord(String),
    /// Read the story of a dead letter's attempts.
    ReadLetter(Box<DeadLetter>),
    /// Try the step of a dead letter again, and go on with its story.
    RetryLetter(Box<DeadLetter>),
    /// Drop a dead letter.
    DropLetter {
        /// The letter.
        letter: Box<DeadLetter>,
        /// Why.
        reason: String,
    },
    /// Search what is indexed; the latest inquiry counts, and its answer is [`News::Found`].
    Search(Box<Inquiry>),
    /// Read what stands around a passage; the latest counts.
    ReadAround(Box<Wanted>),
    /// Read what is indexed.
    ReadStock,
    /// Begin a story.
    Begin(Beginning),
    /// Go on with a story that was interrupted.
    GoOn(StoryKey),
    /// Commit a decision; where it leaves the gate, go on.
    Decide {
        /// The run.
        run: RunKey,
        /// The story.
        story: StoryKey,
        /// What is decided.
        choice: Choice,
        /// Where the run waited, and what was decided there already, when it was decided.
        seen: GateSeen,
        /// Kept text that is no longer needed then, such as `r1.edit`.
        forget: Option<String>,
    },
    /// A new run that shares everything before a step.
    Fork {
        /// The run that it is made from.
        run: RunKey,
        /// The story.
        story: StoryKey,
        /// The first step to be done anew.
        at: Step,
        /// What becomes of that step's own answer, where it is known.
        known: Known,
    },
    /// Take a story up again that has ended.
    Reopen {
        /// The run.
        run: RunKey,
        /// The story.
        story: StoryKey,
    },
    /// Let the flags of a run that has ended stand.
    LetStand {
        /// The run.
        run: RunKey,
        /// The story.
        story: StoryKey,
        /// Why.
        reason: String,
    },
    /// Pause a story, or let it go on.
    Pause {
        /// The story.
        story: StoryKey,
        /// Whether it is to be paused.
        paused: bool,
    },
    /// Stop working on a story now.
    Stop(StoryKey),
    /// Change a story's priority.
    Priority {
        /// The story.
        story: StoryKey,
        /// What it shall be.
        priority: Priority,
    },
    /// Keep a text that is being typed.
    Keep {
        /// The run.
        run: RunKey,
        /// What it is, such as `r1.edit`.
        what: String,
        /// The text.
        text: String,
    },
    /// Throw away a text that was kept.
    Forget {
        /// The run.
        run: RunKey,
        /// What it is.
        what: String,
    },
    /// Read a text that was kept.
    ReadKept {
        /// The run.
        run: RunKey,
        /// What it is.
        what: String,
    },
    /// Write a file; one that exists is not replaced.
    Write {
        /// Where.
        path: PathBuf,
        /// What.
        text: String,
    },
    /// Delete a story wholly.
    Delete(StoryKey),
    /// Write the whole desk to one file.
    BackUp(PathBuf),
    /// Lay out the texts of a call for reading, with their syntax marked.
    LayCall {
        /// Which call, and how.
        laid: Laid,
        /// The texts.
        call: Box<CallText>,
    },
    /// Compare two drafts.
    Compare {
        /// The run that is shown.
        key: RunKey,
        /// Its journal.
        journal: Arc<Journal>,
        /// The rounds of the drafts, the earlier first.
        pair: Pair,
    },
    /// Find where the excerpts of a round's concerns stand in its draft.
    FindExcerpts {
        /// The run that is shown.
        key: RunKey,
        /// Its journal.
        journal: Arc<Journal>,
        /// The round.
        round: u32,
    },
    /// Find the passage of the sources that bears on a concern.
    FindPassage {
        /// The run that is shown.
        key: RunKey,
        /// Its journal.
        journal: Arc<Journal>,
        /// The round.
        round: u32,
        /// The concern.
        concern: u32,
    },
    /// Hold a draft against its sources.
    Prove {
        /// The run that is shown.
        key: RunKey,
        /// Its journal.
        journal: Arc<Journal>,
        /// The draft's round.
        round: u32,
    },
}

/// A call as it is laid out for reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Laid {
    /// The run that made it.
    pub run: RunKey,
    /// The step that asked.
    pub step: Step,
    /// Which attempt.
    pub attempt: u32,
    /// As its texts were sent and received, or laid out.
    pub raw: bool,
}

/// How a story begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Beginning {
    /// From a topic file, a folder of them, or a plain source.
    File(PathBuf),
    /// The story that comes with the program.
    Sample,
    /// From a text.
    Text {
        /// The source.
        text: String,
        /// The working title; the text's first line where it is empty.
        title: String,
        /// The channel; the configured one where it is empty.
        channel: String,
        /// The angle, where there is one.
        angle: String,
        /// The length in words, such as `250-400`; the configured one where it is empty.
        length: String,
        /// The style; the configured one where it is empty.
        style: String,
        /// The newsroom desk, where there is one.
        desk: String,
        /// A draft that exists, where there is one.
        draft: String,
    },
}
