//! Taking texts out of the index, even those that can no longer be read.

use std::time::{Duration, Instant};

use super::{
    documents::tell_words,
    fulltext::{FullTextChange, clear_words},
    shelves::{ShelfKind, count_passages},
    vectors::{forget_knowledge_vectors, forget_vectors},
};
use crate::{columns::whole, database::Database, fault::DbFault};

/// Removes a text, its passages, their words and their vectors.
pub(super) fn forget_document(db: &Database, shelf: ShelfKind, document: i64) -> Result<(), DbFault> {
    forget_vectors(db, shelf, document)?;
    let readable = tell_words(db, shelf, document, FullTextChange::Remove)?;
    let gone = db.change("DELETE FROM passage WHERE document = ?1", [document])?;
    db.write("DELETE FROM document WHERE id = ?1", [document])?;
    count_passages(db, shelf, -whole(gone as u64))?;
    if readable { Ok(()) } else { rebuild_full_text(db, shelf) }
}

/// Builds a shelf's full text again from the texts that can be read. The words of a text that cannot be read are no longer known, and
/// nothing of it may stay.
fn rebuild_full_text(db: &Database, shelf: ShelfKind) -> Result<(), DbFault> {
    clear_words(db, shelf)?;
    let of_knowledge = shelf == ShelfKind::Knowledge;
    let documents: Vec<i64> = db.column("SELECT id FROM document WHERE (story IS NULL) = ?1", [of_knowledge])?;
    documents.into_iter().try_for_each(|document| tell_words(db, shelf, document, FullTextChange::Add).map(drop))
}

/// Removes the whole knowledge base, which is far quicker than a file at a time.
pub(super) fn forget_knowledge(db: &Database) -> Result<(), DbFault> {
    forget_knowledge_vectors(db)?;
    clear_words(db, ShelfKind::Knowledge)?;
    db.set(
        "DELETE FROM passage WHERE document IN (SELECT id FROM document WHERE story IS NULL);
         DELETE FROM document WHERE story IS NULL;
         UPDATE tally SET passages = 0 WHERE shelf = 'knowledge';",
    )?;
    Ok(())
}

/// Removes files until `longest` is over, one at least. Returns how many.
pub(super) fn forget_files(db: &Database, paths: &[String], longest: Duration) -> Result<usize, DbFault> {
    let begun = Instant::now();
    for (path, done) in paths.iter().zip(1..) {
        forget_file(db, path)?;
        if begun.elapsed() >= longest {
            return Ok(done);
        }
    }
    Ok(paths.len())
}

pub(super) fn forget_file(db: &Database, path: &str) -> Result<(), DbFault> {
    let known: Option<i64> = db.optional("SELECT id FROM document WHERE story IS NULL AND name = ?1", [path])?;
    known.map_or(Ok(()), |document| forget_document(db, ShelfKind::Knowledge, document))
}
