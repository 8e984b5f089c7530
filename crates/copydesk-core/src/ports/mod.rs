//! The traits between the desk and the world, with their contracts. The desk knows these; adapters implement them; only
//! the roof knows both.

mod addresses;
mod archive;
mod calls;
mod embedder;
mod error;
mod index;
mod memory;
mod model;
mod outbox;
mod pages;
mod queue;
mod records;
mod requests;
mod run;
mod shared_desk;
mod shelf;
mod stories;
mod transcriber;
mod watch;

pub use addresses::address_of_each;
pub use archive::{
    Archive, Audit, CallRow, CallState, CallText, FactBook, Flaw, Logged, PeriodFacts, QueueBacklog, SignedOff,
    SlowCall, Tail, TraceFault, TracedRun, TracedStep, TracedTool,
};
pub use calls::{Budget, CallNumbers, Intent, OverBudget, Rejected, StoredCall, Times, ToolEnd, ToolTried};
pub use copydesk_newsroom::RunState;
pub use embedder::{EmbedError, Embedder, normalised};
pub use error::StoreError;
pub use index::{
    Area, Around, Candidates, DenseMatch, Filter, Found, Hit, Index, PassageHit, PassageRequest, Passages, Query,
    ShelvedText, Span, Stock, StoredPassage, StoryText, TextMatch,
};
pub use memory::{Book, Imported, Memory, RecordState, Remembered, Strike};
pub use model::{Ask, CallError, Heard, ModelClient, ModelProfile, RequestField, Schema, WaitedFor};
pub use outbox::{Carrier, CarryError, DeliveryService, KeptDelivery, NotSent, Outbox, Parcel};
pub use pages::{PageError, Pages, ToolError, Toolbox};
pub use queue::{
    Admission, Breaker, Failing, Leased, MessageState, Outlook, Queue, QueueChanges, QueuedMessage, QueuedStep,
    ServerDid, ServerDown, ServerLimits, ServerNews, Slots, Start, Taken,
};
pub use records::{Commit, Committed, NewRun, Records, StoredRun};
pub use requests::{Clock, KeptRequest, Occasion, RequestBooks, RequestLedger, RequestStart, RequestTicket, Withheld};
pub use run::{PauseState, QueueState, RunKey, RunSummary, Unfinished};
pub use shared_desk::SharedDesk;
pub use shelf::{ChildVector, KnowledgeFile, NewDocument, NewPassage, Shelf, StoppedFile, Unembedded, Unshelved};
pub use stories::{
    Deleted, Freed, HeldRun, Holdings, Lapsed, Resting, Retention, SavedText, Scratch, Stories, StoryChange, Taking,
};
pub use transcriber::{Recording, TranscribeError, Transcription};
pub use watch::{InStep, Watch, WorkProgress, aside};
