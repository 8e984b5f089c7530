//! The effects that an update asks for, and the screen's requests to the worker. The screen waits for none of them.

use std::path::PathBuf;
use std::sync::Arc;

use jiff::civil::Date;

use crate::app::Ticket;
use crate::screens::changes::DraftPair;
use crate::screens::forms::DecisionPoint;
use crate::screens::settings::{ChoosableModel, NewSettings, ServerAt};
use copydesk_core::desk::{FailedStep, ForkedAnswer};
use copydesk_core::ports::{CallText, Found, RunKey, Stock};
use copydesk_newsroom::{ArticleResponse, Choice, ExaminedObject, Journal, Passage, Priority, Step, StoryKey, Wait};

/// A request travels with a ticket or without. With one, `News::Answered` tells its end, once. Without one, only a failure is told.
#[derive(Debug, Clone, PartialEq)]
pub enum Request {
    /// Read the list of stories.
    ReadDesk,
    /// Read a run, to show it.
    Open(RunKey),
    /// Tell every new entry of this run, after the entry `seq`, and of no other run.
    Watch { run: RunKey, seq: i64 },
    /// Tell no more entries.
    CloseStory,
    /// Read the audit log of a run.
    ReadLog(RunKey),
    /// Read the list of a story's runs.
    ReadRuns(StoryKey),
    /// Read the list of a run's calls.
    ReadCalls(RunKey),
    /// Read the texts of a call.
    ReadCall { run: RunKey, step: Step, attempt: u32 },
    /// Read the memory.
    ReadMemory,
    /// Read the records under a key of the memory.
    ReadRecord(String),
    /// Strike the records under a key of the memory.
    StrikeRecord { cache_key_hash: String, reason: String },
    /// Restore the struck records under a key of the memory.
    RestoreRecord(String),
    /// Read the attempts of a failed step.
    ReadFailedStep(Box<FailedStep>),
    /// Retry a failed step and resume its story.
    RetryFailedStep(Box<FailedStep>),
    /// Drop a failed step.
    DropFailedStep { failed: Box<FailedStep>, reason: String },
    /// Search the index. Only the latest inquiry counts; its answer is `News::Found`.
    Search(Box<Inquiry>),
    /// Read the text around a passage. Only the latest request counts.
    ReadAround(Box<WantedPassage>),
    /// Ask the sources of a run. Only the latest question counts; its answer is `News::SourcesAnswered`.
    AskSources { ticket: Ticket, journal: Arc<Journal>, question: String },
    /// Stop asking them.
    StopAsking,
    /// Read how much is indexed.
    ReadStock,
    /// Begin a story, or several.
    Begin(Beginning),
    /// Begin a new version of the story that is signed in this run, from what was given when it was to begin.
    BeginVersion(RunKey),
    /// Resume a story that was interrupted.
    Resume(StoryKey),
    /// Commit a decision; resume the story if it does not wait any more.
    Decide { at: DecisionPoint, choice: Choice },
    /// Read a file and commit the decision that makes it a source, under this name or the file's.
    AddSource { at: DecisionPoint, path: PathBuf, name: Option<String> },
    /// A new run that shares everything before the step `at`, the first that runs again. Its known answer may be reused.
    Fork { run: RunKey, story: StoryKey, at: Step, known: ForkedAnswer },
    /// Reopen a story that has ended.
    Reopen { run: RunKey, story: StoryKey },
    /// Accept the flags of a run that has ended.
    AcceptFlags { run: RunKey, story: StoryKey, reason: String },
    /// Note in the log that a part of a run was on the screen. `gate` says where the run waited, if it did.
    NoteExamined { run: RunKey, gate: Option<Wait>, what: ExaminedObject },
    /// Pause or unpause a story.
    Pause { story: StoryKey, paused: bool },
    /// Stop working on a story now.
    Stop(StoryKey),
    /// Set the priority of a story.
    Priority { story: StoryKey, priority: Priority },
    /// Set when a story is due, as the editor typed it.
    SetDue { story: StoryKey, typed: String },
    /// Read the numbers of a day; for today (`live`) with what waits now. Only the latest request counts; its answer is `News::Day`.
    ReadDay { ticket: Ticket, date: Date, live: bool },
    /// Read the record of a story: who examined, decided and signed what, its versions, and who was asked for a reply.
    ReadStoryRecord { run: RunKey, story: StoryKey },
    /// Records that a person was asked for a reply, and by when, as the editor typed it.
    AskForReply { run: RunKey, story: StoryKey, name: String, about: String, due: String },
    /// Records a person's reply.
    NoteReply { run: RunKey, story: StoryKey, name: String, text: String },
    /// Take a signed version up again, with a note for its readers.
    Correct { run: RunKey, story: StoryKey, note: String },
    /// Take back the version that is out.
    Withdraw { run: RunKey, story: StoryKey, reason: String },
    /// Read how a story stands before its targets.
    ReadPublishing { run: RunKey, story: StoryKey },
    /// Send a signed story to these targets.
    Publish { run: RunKey, story: StoryKey, targets: Vec<String> },
    /// Set the time before which nothing of a story goes out, as the editor typed it.
    SetEmbargo { run: RunKey, story: StoryKey, typed: String },
    /// Open the story's page in a browser.
    OpenPreview { run: RunKey, story: StoryKey },
    /// Give a story to an editor; `None` removes the editor.
    Assign { story: StoryKey, editor: Option<String> },
    /// Save a text while it is typed. Its name is such as `r1.edit`.
    Keep { run: RunKey, what: String, text: String },
    /// Delete a saved text.
    Forget { run: RunKey, what: String },
    /// Read a saved text.
    ReadKept { run: RunKey, what: String },
    /// Write a new file; an existing one is not replaced.
    Write { path: PathBuf, bytes: Vec<u8> },
    /// Delete a story with everything that belongs to it.
    Delete(StoryKey),
    /// Add a word to the newsroom's dictionary and check this run's drafts again.
    AddWord { word: String, key: RunKey, journal: Arc<Journal> },
    /// Play a place of a recording, and note who listened.
    Listen { run: RunKey, gate: Option<Wait>, source: String, file: String, seconds: u32 },
    /// List the models of the usual servers on this machine, or of one server.
    ListModels(Option<ServerAt>),
    /// Ask a model what it can take, for the settings that fit it. Only the latest request counts.
    MeasureModel(Box<ChoosableModel>),
    /// Stop asking it.
    StopMeasuring,
    /// Write changed settings to the configuration.
    SaveSettings(Box<NewSettings>),
    /// Try the models on small cases, in the newsroom's style.
    TryModels { style: String },
    /// Write the whole desk to one file.
    BackUp(PathBuf),
    /// Lay out the texts of a call for reading, with highlighted syntax.
    LayCall { laid: CallLayout, call: Box<CallText> },
    /// Compare two drafts.
    Compare { key: RunKey, journal: Arc<Journal>, pair: DraftPair },
    /// Find the excerpts of a round's concerns in its draft.
    FindExcerpts { key: RunKey, journal: Arc<Journal>, round: u32 },
    /// List a folder, as it was typed.
    ListFolder(String),
    /// Compare the article of the open run with that of another one.
    CompareRuns { key: RunKey, journal: Arc<Journal>, other: RunKey },
    /// Find out which to-dos the draft of a round leaves.
    FollowUp { key: RunKey, journal: Arc<Journal>, round: u32 },
    /// Find the passage of the sources that bears on a concern.
    FindPassage { key: RunKey, journal: Arc<Journal>, round: u32, concern: u32 },
    /// Prove a text that is being typed over the draft of a round. Only the latest counts.
    ProveTyped { run: RunKey, journal: Arc<Journal>, round: u32, article: Box<ArticleResponse> },
    /// Prove a draft.
    Prove { key: RunKey, journal: Arc<Journal>, round: u32 },
}

/// Names a call and its layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallLayout {
    pub run: RunKey,
    pub step: Step,
    pub attempt: u32,
    /// True for the texts as sent and received, false for the formatted ones.
    pub raw: bool,
}

/// The origin of a new story.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Beginning {
    /// Topic files, a folder of them, or plain sources: several are one story's.
    Files(Vec<PathBuf>),
    /// The story that comes with the program.
    Sample,
    /// The question that a story answers. The Reporter researches it first.
    Question { question: String, desk: String },
    Text {
        text: String,
        /// The working title; if empty, the text's first line.
        title: String,
        /// If empty, the configured one.
        channel: String,
        angle: String,
        /// In words, such as `250-400`; if empty, the configured one.
        length: String,
        /// If empty, the configured one.
        style: String,
        desk: String,
        /// An existing draft to start from.
        draft: String,
    },
}

#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Ask the worker.
    Ask(Request),
    /// Ask the worker, and expect its answer.
    AskFor(Ticket, Request),
    /// Copy a text. `what` names it in the message.
    Copy { text: Arc<str>, what: String },
    /// Ring the terminal's bell.
    Bell,
    /// A notification of the desktop.
    Notify(String),
    /// Hand a text to the person's own editor; `Arrival::EditedOutside` brings it back.
    EditOutside(String),
    /// Take the mouse, or give it back to the terminal.
    Mouse(bool),
    /// Draw every cell again.
    Redraw,
    /// Stop the process, as ctrl-z in a shell does.
    Suspend,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Inquiry {
    /// Its answers carry it; an answer with another ticket than the latest is stale.
    pub ticket: Ticket,
    pub text: String,
    pub within: Within,
    /// The least credibility, from 0 to 1.
    pub min_credibility: f64,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Within {
    /// In everything that is indexed.
    Everywhere,
    /// The sources of a run.
    Sources { run: RunKey, journal: Arc<Journal> },
    /// The knowledge base.
    Knowledge,
    /// The sources, articles and evidence of all stories.
    Stories,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct SearchAnswer {
    pub found: Found,
    /// How much was searched.
    pub stock: Stock,
    /// Whether a better answer follows, because the embedder has not answered yet.
    pub goes_on: bool,
}

/// A passage whose surroundings the screen asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct WantedPassage {
    pub ticket: Ticket,
    /// The story of its text; `None` for the knowledge base.
    pub story: Option<StoryKey>,
    pub passage: Passage,
}
