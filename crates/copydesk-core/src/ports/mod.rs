//! The traits between the desk and the world, with their contracts. The desk knows these; adapters implement them; only
//! the roof knows both.

mod archive;
mod aside;
mod audit;
mod budget;
mod calls;
mod clock;
mod embedder;
mod entailment;
mod error;
mod facts;
mod index;
mod memory_book;
mod model;
mod occasion;
mod outbox;
mod pages;
mod passages;
mod progress;
mod queue;
mod records;
mod replies;
mod requests;
mod retention;
mod run;
mod scratch;
mod shelf;
mod stories;
mod texts;
mod tools;
mod traces;
mod transcriber;
mod watch;
mod withheld;

pub use archive::{Archive, CallRow, CallState, CallText, Chain, Logged, Tail};
pub use aside::{InStep, aside};
pub use audit::{Audit, Flaw, SignedOff};
pub use budget::{Budget, OverBudget};
pub use calls::{CallNumbers, Intent, Rejected, StoredCall, Times, ToolEnd, ToolTried};
pub use clock::Clock;
pub use copydesk_newsroom::RunState;
pub use embedder::{EmbedError, Embedder, normalised};
pub use entailment::{Entailment, EntailmentError, Weighing, Weighings, opinions};
pub use error::StoreError;
pub use facts::{FactBook, PeriodFacts, QueueBacklog, SlowCall};
pub use index::{Candidates, DenseHit, Index, PassageRequest, Span, Stock, StoredPassage, TextHit};
pub use memory_book::{Book, Imported, MemoryBook, RecordState, Remembered, Strike};
pub use model::{Ask, CallError, Heard, ModelClient, ModelProfile, RequestField, Schema, WaitedFor};
pub use occasion::{Occasion, RequestBooks};
pub use outbox::{Carrier, CarryError, DeliveryService, KeptDelivery, NotSent, Outbox, Parcel};
pub use pages::{PageError, Pages, WebPage};
pub use passages::{Area, DenseMatch, Filter, Found, Hit, Passages, Query, StoryText, TextMatch};
pub use progress::WorkProgress;
pub use queue::{
    Admission, Breaker, Dead, Failing, Leased, MessageState, Outlook, Queue, QueueChanges, QueuedMessage, QueuedStep,
    ServerDid, ServerDown, ServerLimits, ServerNews, Slots, Start, Taken,
};
pub use records::{Commit, Committed, Memory, NewRun, Records, StoredRun};
pub use replies::Replies;
pub use requests::{KeptRequest, RequestLedger, RequestStart, RequestTicket};
pub use retention::{Freed, Lapsed, Resting, Retention, Taking};
pub use run::{PauseState, QueueState, RunKey, RunSummary, Unfinished};
pub use scratch::{SavedText, Scratch};
pub use shelf::{ChildVector, KnowledgeFile, NewDocument, NewPassage, Shelf, StoppedFile, Unembedded, Unshelved};
pub use stories::{Deleted, HeldRun, Holdings, Stories};
pub use texts::{Around, Texts};
pub use tools::{ToolError, Toolbox};
pub use traces::{TraceBook, TraceFault, TraceSink, TracedRun, TracedStep, TracedTool};
pub use transcriber::{Recording, TranscribeError, Transcriber, Transcription};
pub use watch::Watch;
pub use withheld::Withheld;
