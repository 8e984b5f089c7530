//! The traits between the desk and the world, with their contracts. The desk knows these; adapters implement them; only
//! the roof knows both.

mod clock;
mod model;
mod records;
mod watch;

pub use clock::Clock;
pub use model::{Ask, CallError, Card, Heard, ModelClient, Schema};
pub use records::{
    Archive, Commit, Intent, KnowledgeFile, Memory, NewPassage, NewRun, Passages, Records, Rejected, RunKey, RunState,
    RunSummary, Shelf, StoreError, StoredCall, StoredRun, Unfinished,
};
pub use watch::Watch;
