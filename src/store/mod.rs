//! One SQLite file: schema, migrations, journal, calls, events, memory, passages. The only room that speaks SQL.
//!
//! Writes go through one thread that commits what waits together, reads through another with short transactions; the
//! asynchronous side only ever waits for a message. Several processes may have the file open.

mod archive;
mod backup;
mod blobs;
mod call_log;
mod calls;
mod deletion;
mod events;
mod extension;
mod journal;
mod knowledge;
mod memory;
mod memory_book;
mod presence;
mod queue;
mod restore;
mod retention;
mod schema;
mod scratch;
mod session;
mod settling;
mod stories;
#[cfg(test)]
mod testing;
mod threads;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

pub use restore::{RestoreError, Restored, restore};

use crate::ports::StoreError;
use presence::Presence;
use session::Session;
use threads::Lane;

/// An open database.
#[derive(Clone)]
pub struct Store {
    writer: Arc<Lane>,
    reader: Arc<Lane>,
    file: PathBuf,
    // Dropped last: the connections are closed before others may replace the file.
    presence: Arc<Presence>,
}

impl Store {
    /// Opens the database `file`, creating it and its folder where they do not exist, and brings its schema up to date.
    /// Blocks for the time that takes.
    ///
    /// # Errors
    /// [`StoreError`] where the file cannot be opened, is no database, or is of a newer version.
    pub fn open(file: &Path) -> Result<Self, StoreError> {
        let presence = Presence::shared(file)?;
        let writer = Session::open(file)?;
        let reader = Session::open_for_reading(file)?;
        Ok(Self {
            writer: Arc::new(Lane::writing(writer)?),
            reader: Arc::new(Lane::reading(reader)?),
            file: file.to_owned(),
            presence: Arc::new(presence),
        })
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

    /// Runs `work` on a connection of its own, beside both lanes.
    async fn upkeep<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Session) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let file = self.file.clone();
        let failed = self.file.display().to_string();
        let presence = Arc::clone(&self.presence);
        let work = move || {
            let done = work(&Session::open_for_upkeep(&file)?);
            drop(presence);
            done
        };
        tokio::task::spawn_blocking(work)
            .await
            .map_err(|error| StoreError::Failed { file: failed, detail: error.to_string() })?
    }
}
