//! Records of earlier checks that come in from files: into the database, and to the files of this desk.

use super::{DeskError, Outputs};
use crate::ports::{Imported, MemoryBook};
use copydesk_newsroom::MemoryRecord;

/// Keeps `records` in the memory and writes the files that are not there. Returns the result for each record.
///
/// # Errors
/// If the database refuses them, none is kept. [`DeskError::MemoryFile`] if a file cannot be written: all are kept.
pub async fn import(
    book: &dyn MemoryBook,
    outputs: &Outputs,
    records: Vec<MemoryRecord>,
    by: &str,
    at: &str,
) -> Result<Vec<Imported>, DeskError> {
    let told = book.import(records.clone(), by, at).await?;
    outputs.add_memory(&records).await?;
    Ok(told)
}
