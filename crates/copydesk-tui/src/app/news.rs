//! The worker's news for the screen.

use std::sync::Arc;

use jiff::Timestamp;

use crate::app::{CallLayout, SearchAnswer, Ticket, Trouble, UnderWay, UnreadText, WorkKind};
use crate::screens::changes::DraftPair;
use crate::screens::concerns::ExcerptPlaces;
use crate::screens::day::DayNumbers;
use crate::screens::desk::StoryHolder;
use crate::screens::forms::Margin;
use crate::screens::proof::{NoProof, Proved};
use crate::screens::settings::{FoundServer, MeasuredModel, ModelAt, SeenSettings};
use crate::widgets::Page;
use copydesk_core::desk::{FailedStep, Happening, PublishStanding, SourceAnswer};
use copydesk_core::editorial::changes::{Comparison, FollowUp};
use copydesk_core::editorial::control_record::ControlRecord;
use copydesk_core::editorial::extract::Extract;
use copydesk_core::ports::{Around, Book, CallRow, CallText, RunKey, ServerDown, Stock, StoreError};
use copydesk_newsroom::{Choice, Entry, EventRecord, Journal, ListedRun, Step, StoryKey, StoryReply};
use copydesk_proof::Bearing;
use copydesk_style::StyleReview;

#[derive(Debug, Clone)]
#[expect(clippy::large_enum_variant, reason = "news are few, and each is read once")]
pub enum News {
    /// All stories.
    Desk(Vec<(RunKey, ListedRun)>),
    /// The changes since the last look: runs that have changed or are new, and runs whose story was deleted.
    Runs { changed: Vec<(RunKey, ListedRun)>, gone: Vec<RunKey> },
    /// Who works on which story. A story that is not named has no worker.
    StoryHolder(Vec<(String, StoryHolder)>),
    /// A whole run, and the number of its last entry.
    Opened { ticket: Option<Ticket>, key: RunKey, run: ListedRun, journal: Arc<Journal>, seq: i64 },
    /// Entries that were added to the open run.
    Added { key: RunKey, entries: Vec<(i64, Entry)> },
    /// A committed event of a story that this program works on.
    Happened(EventRecord),
    /// Some events were not told because the screen did not read them in time.
    Missed,
    /// New text of an answer; not committed yet.
    Heard { story: String, step: Step, unread: UnreadText },
    /// The audit log of a run.
    Log(RunKey, Vec<EventRecord>),
    /// The runs of a story.
    StoryRuns(StoryKey, Vec<(RunKey, ListedRun)>),
    /// The calls of a run.
    Calls(RunKey, Vec<CallRow>),
    /// The texts of a call; `None` if there is no such call.
    Call { run: RunKey, step: Step, attempt: u32, text: Option<Box<CallText>> },
    /// The memory.
    Memory(Book),
    /// The records under a key of the memory.
    Record(String, Book),
    /// The servers that are resting after failures.
    ServersDown(Vec<ServerDown>),
    /// All failed steps.
    FailedSteps(Vec<FailedStep>),
    /// The attempts of this run's failed step.
    Attempts(RunKey, Vec<Happening>),
    /// The record of a story.
    StoryRecord(RunKey, Box<StoryRecord>),
    /// The numbers of a day, and the milliseconds that it took to read them.
    Day { ticket: Ticket, took: i64, numbers: Result<Box<DayNumbers>, Trouble> },
    /// How a story stands before its targets.
    Publishing(RunKey, Box<PublishStanding>),
    /// The answer to a search.
    Found { ticket: Ticket, answer: Result<Box<SearchAnswer>, StoreError> },
    /// The answer of a story's sources to a question, or why there is none.
    SourcesAnswered { ticket: Ticket, answer: Result<Box<SourceAnswer>, Trouble> },
    /// The text around a passage; `None` if the text is not indexed any more, or has changed.
    Around { ticket: Ticket, around: Option<Around> },
    /// How much is indexed.
    Stock(Stock),
    /// Work beside the stories has begun, or is so far now.
    GoesOn(UnderWay),
    /// That work has ended.
    IsOver { kind: WorkKind, since: Timestamp },
    /// A story has begun; the screen opens it. Without a ticket, the command named it.
    Begun { ticket: Option<Ticket>, story: StoryKey, run: RunKey },
    /// A story was not begun, because an earlier run of it stands.
    Stands { ticket: Option<Ticket>, standing: StandingRun },
    /// A decision is in the database.
    Decided { run: RunKey, choice: Choice },
    /// The end of a request with a ticket. After an error nothing is changed.
    Answered { ticket: Ticket, result: Result<(), Trouble> },
    /// A saved text, and when it was saved.
    Kept { run: RunKey, what: String, text: Option<(String, String)> },
    /// When the text that is being typed was saved (ISO 8601, UTC), or why it is not; the worker tries again.
    IsKept { run: RunKey, what: String, kept: Result<String, Trouble> },
    /// The model servers that were found, each with its models, or why the server that was named lists none.
    Servers(Result<Vec<FoundServer>, Trouble>),
    /// The question that a model is being asked now.
    Measuring(ModelAt, String),
    /// The measured limits of a model, or why it gave no answer.
    Measured(ModelAt, Result<Box<MeasuredModel>, Trouble>),
    /// Changed settings are in the configuration, as they are now.
    SettingsSaved(Box<SeenSettings>),
    /// A story is deleted.
    Deleted(StoryKey),
    /// The texts of a call, laid out.
    CallLaid { laid: CallLayout, page: Box<Page> },
    /// The comparison of two drafts; `None` if one of them does not exist.
    Compared { key: RunKey, pair: DraftPair, comparison: Option<Arc<Comparison>> },
    /// The entries of a folder that a story can begin with.
    Folder(FolderListing),
    /// The articles of the open run and another run of its story; none if one of them has no draft.
    RunsCompared { key: RunKey, other: RunKey, comparison: Option<Arc<Comparison>> },
    /// The places of the excerpts of a round's concerns in its draft.
    Excerpts { key: RunKey, round: u32, places: ExcerptPlaces },
    /// The to-dos that a draft leaves, as of so many journal entries; and the parts that an extracted draft takes from its sources.
    FollowedUp { key: RunKey, entries: usize, left: Vec<FollowUp>, extract: Option<Extract> },
    /// The passage of the sources that bears on a concern, if there is one.
    Passage { key: RunKey, round: u32, concern: u32, bearing: Option<Bearing> },
    /// The proof of a draft.
    Proved { key: RunKey, round: u32, proof: Result<Arc<Proved>, NoProof> },
    /// The margin of a text that is being typed over the draft of a round.
    TypedProved { run: RunKey, round: u32, margin: Box<Margin> },
    /// The notes of house style and spelling on a draft.
    Spelt { key: RunKey, round: u32, review: StyleReview },
    /// The editor accepted the flags of a run.
    Settled(RunKey),
    /// A message: something is done.
    Done(String),
    /// A message: something went wrong.
    Trouble(Trouble),
}

/// An earlier run of a story that was to begin, which a new one may not take over from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StandingRun {
    pub run: RunKey,
    /// How it stands.
    pub said: String,
    /// Whether it is signed. Otherwise it waits for its editor.
    pub is_signed: bool,
}

/// The data on the page.
#[derive(Debug, Clone, PartialEq)]
pub struct StoryRecord {
    pub record: ControlRecord,
    /// The runs of the story that were signed off, the latest first.
    pub versions: Vec<ListedRun>,
    pub replies: Vec<StoryReply>,
    /// The persons whom the draft accuses and who have not been asked for a reply.
    pub unasked: Vec<String>,
    /// When it was read.
    pub at: Timestamp,
}

impl StoryRecord {
    /// Those who were asked and have not answered, the oldest question first.
    pub fn open_replies(&self) -> impl Iterator<Item = &StoryReply> {
        self.replies.iter().filter(|reply| reply.answer.is_none())
    }
}

/// An entry of a folder that a story can begin with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderEntry {
    pub name: String,
    pub is_folder: bool,
    /// The kind of the entry, in words.
    pub what: String,
}

/// The entries of a folder, or why it cannot be read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FolderListing {
    /// The folder as it was typed, with its last slash; empty for the one in which the program was started.
    pub folder: String,
    pub entries: Vec<FolderEntry>,
    /// Why it cannot be read.
    pub trouble: Option<String>,
}
