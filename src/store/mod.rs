//! One SQLite file: schema, migrations, journal, calls, events, memory, passages. The only room that speaks SQL.
//!
//! Writes go through one thread that commits what waits together, reads through another with short transactions; the
//! asynchronous side only ever waits for a message. Several processes may have the file open.

mod archive;
mod blobs;
mod calls;
mod events;
mod journal;
mod memory;
mod passages;
mod schema;
mod session;
mod threads;

use std::{path::Path, sync::Arc};

use crate::ports::StoreError;
use session::Session;
use threads::Lane;

/// An open database.
#[derive(Clone)]
pub struct Store {
    writer: Arc<Lane>,
    reader: Arc<Lane>,
}

impl Store {
    /// Opens the database `file`, creating it and its folder where they do not exist, and brings its schema up to date.
    /// Blocks for the time that takes.
    ///
    /// # Errors
    /// [`StoreError`] where the file cannot be opened, is no database, or is of a newer version.
    pub fn open(file: &Path) -> Result<Self, StoreError> {
        let writer = Session::open(file)?;
        let reader = Session::open_for_reading(file)?;
        Ok(Self { writer: Arc::new(Lane::writing(writer)?), reader: Arc::new(Lane::reading(reader)?) })
    }

    /// Runs `work` inside the writer's next transaction.
    async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Session) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.writer.run(work).await
    }

    /// Runs `work` on the reader.
    async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Session) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.reader.run(work).await
    }
}
