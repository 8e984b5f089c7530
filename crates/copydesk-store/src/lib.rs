//! One store in a SQLite file or on a PostgreSQL server: schema, journal, calls, events, memory, passages. The only room that speaks SQL.
//!
//! [`Store`] owns two threads: one commits waiting work together, the other reads in short transactions; the asynchronous side only
//! waits for a message. Several processes may have the file open. Each file holds the functions of one subject (journal, calls, events,
//! queue, …) over a `database::Database`, which is one connection to either engine; the impls of the ports call them.

#![cfg_attr(test, allow(clippy::string_slice, reason = "a test that cuts at a wrong place should stop there"))]

mod archive;
mod audit;
mod backup;
mod blobs;
mod call_log;
mod calls;
mod columns;
mod database;
mod deletion;
mod ends;
mod engine;
mod events;
mod extension;
mod facts;
mod fault;
mod files;
mod head;
mod journal;
mod knowledge;
mod lanes;
mod memory;
mod memory_book;
#[cfg(feature = "postgres")]
mod migration;
mod outbox;
mod packing;
mod passage_use;
mod passphrase;
mod pending_requests;
mod prelude;
mod presence;
mod queue;
mod replies;
mod request_rows;
mod requests;
mod restore;
mod retention;
mod schema;
mod scratch;
mod secrecy;
mod settling;
#[cfg(feature = "postgres")]
mod shared_desk;
mod stored_prompt;
mod stories;
#[cfg(test)]
mod testing;
mod traces;
mod versions;

pub use lanes::Store;
#[cfg(feature = "postgres")]
pub use migration::{Migrated, MigrationError, MigrationPlace, migrate};
pub use passphrase::unlock;
pub use restore::{RestoreError, Restored, restore};
#[cfg(feature = "postgres")]
pub use shared_desk::ServerFacts;
