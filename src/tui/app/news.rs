//! What the back room tells the screen.

use std::sync::Arc;

use crate::desk::{DeadLetter, Happening};
use crate::editorial::changes::Comparison;
use crate::newsroom::{Choice, Entry, EventRecord, Journal, ListedRun, Step, StoryKey};
use crate::ports::{Around, Book, CallRow, CallText, RunKey, ServerDown, Stock};
use crate::proof::Bearing;
use crate::tui::{
    app::{
        inquiry::{Answer, Shelving},
        messages::Laid,
        ticket::Ticket,
        unread::Unread,
    },
    screens::{
        changes::comparisons::DraftPair, concerns::panes::ExcerptPlaces, desk::model::Hands, proof::proved::Proved,
    },
    widgets::page::Page,
};

/// What the back room tells the screen.
#[derive(Debug, Clone)]
#[expect(clippy::large_enum_variant, reason = "news are few, and each is read once")]
pub enum News {
    /// The whole list of stories.
    Desk(Vec<(RunKey, ListedRun)>),
    /// What has changed since the last look.
    Runs {
        /// Runs that have changed or are new.
        changed: Vec<(RunKey, ListedRun)>,
        /// Runs that are not there any more: their story was deleted.
        gone: Vec<RunKey>,
    },
    /// Who is at work on which story; stories that are not named are in nobody's hands.
    Hands(Vec<(String, Hands)>),
    /// A run, read whole.
    Opened {
        /// What it was asked for with.
        ticket: Option<Ticket>,
        /// Its key.
        key: RunKey,
        /// As the records list it.
        run: ListedRun,
        /// What is done.
        journal: Arc<Journal>,
        /// The number of its last entry.
        seq: i64,
    },
    /// Entries that were added to the open run.
    Added {
        /// The run.
        key: RunKey,
        /// With their numbers.
        entries: Vec<(i64, Entry)>,
    },
    /// Something happened to a story that this program works on; it is committed.
    Happened(EventRecord),
    /// More happened than was told, while the screen was not read.
    Missed,
    /// Pieces of an answer arrived; nothing is committed.
    Heard {
        /// The story.
        story: String,
        /// The step that asked.
        step: Step,
        /// The pieces.
        unread: Unread,
    },
    /// A run's audit log.
    Log(RunKey, Vec<EventRecord>),
    /// A story's runs.
    StoryRuns(StoryKey, Vec<(RunKey, ListedRun)>),
    /// A run's calls.
    Calls(RunKey, Vec<CallRow>),
    /// The texts of a call.
    Call {
        /// The run that made it.
        run: RunKey,
        /// The step that asked.
        step: Step,
        /// Which attempt.
        attempt: u32,
        /// None where there is no such call.
        text: Option<Box<CallText>>,
    },
    /// The records of the memory.
    Memory(Book),
    /// The records under a key of the memory.
    Record(String, Book),
    /// The servers that are left alone.
    ServersDown(Vec<ServerDown>),
    /// All dead letters.
    Letters(Vec<DeadLetter>),
    /// The story of the attempts of this run's dead letter.
    Attempts(RunKey, Vec<Happening>),
    /// What a search has brought, or why nothing.
    Found {
        /// The inquiry's.
        ticket: Ticket,
        /// What was found.
        answer: Result<Box<Answer>, String>,
    },
    /// What stands around a passage.
    Around {
        /// What it was asked for with.
        ticket: Ticket,
        /// None where its text is not indexed any more, or is another one by now.
        around: Option<Around>,
    },
    /// What is indexed.
    Stock(Stock),
    /// How the work on the index stands.
    Shelving(Shelving),
    /// A story has begun and should be opened.
    Begun {
        /// What it was asked for with; none where it was handed in with the command.
        ticket: Option<Ticket>,
        /// The story.
        story: StoryKey,
        /// Its new run.
        run: RunKey,
    },
    /// A decision is in the database.
    Decided {
        /// The run.
        run: RunKey,
        /// What was decided.
        choice: Choice,
    },
    /// A request that somebody waits for has ended: done, or why it was not.
    Answered {
        /// Which.
        ticket: Ticket,
        /// What went wrong; nothing is changed then.
        result: Result<(), String>,
    },
    /// A text that was kept while it was typed.
    Kept {
        /// The run.
        run: RunKey,
        /// What it is.
        what: String,
        /// The text and when it was kept, where there is one.
        text: Option<(String, String)>,
    },
    /// Whether a text that is being typed is in the database.
    IsKept {
        /// The run.
        run: RunKey,
        /// What it is.
        what: String,
        /// Since when: ISO 8601, UTC; or why it is not, though it is tried again.
        kept: Result<String, String>,
    },
    /// A story is deleted.
    Deleted(StoryKey),
    /// The texts of a call, laid out.
    CallLaid {
        /// Which call, and how.
        laid: Laid,
        /// The page.
        page: Box<Page>,
    },
    /// Two drafts compared.
    Compared {
        /// The run that is shown.
        key: RunKey,
        /// The rounds of the drafts.
        pair: DraftPair,
        /// None where there are no two such drafts.
        comparison: Option<Arc<Comparison>>,
    },
    /// Where the excerpts of a round's concerns stand in its draft.
    Excerpts {
        /// The run that is shown.
        key: RunKey,
        /// The round.
        round: u32,
        /// The place of each.
        places: ExcerptPlaces,
    },
    /// The passage of the sources that bears on a concern.
    Passage {
        /// The run that is shown.
        key: RunKey,
        /// The round.
        round: u32,
        /// The concern.
        concern: u32,
        /// None where nothing bears on it.
        bearing: Option<Bearing>,
    },
    /// A draft held against its sources.
    Proved {
        /// The run that is shown.
        key: RunKey,
        /// The draft's round.
        round: u32,
        /// What came of it, or why nothing did.
        proof: Result<Arc<Proved>, String>,
    },
    /// The flags of a run stand, by the editor's word.
    Settled(RunKey),
    /// Something is done.
    Done(String),
    /// Something went wrong.
    Trouble(String),
}
