//! The traits between the desk and the world, with their contracts. The desk knows these; adapters implement them; only
//! the roof knows both.

mod clock;
mod model;
mod records;

pub use clock::Clock;
pub use model::{Ask, CallError, Card, Heard, ModelClient, Schema};
pub use records::{
    Archive, Commit, Intent, Memory, NewRun, Passages, Records, Rejected, RunKey, RunState, RunSummary, StoreError,
    StoredCall, StoredRun, Unfinished,
};
