//! The knowledge base's files in the index.

use std::time::{Duration, Instant};

use super::{forgetting::forget_document, shelves::ShelfKind, vectors::forget_knowledge_vectors};
use crate::{
    columns::natural,
    database::{Database, DbFault},
};
use copydesk_core::ports::KnowledgeFile;

pub(super) fn knowledge_files(db: &Database) -> Result<Vec<KnowledgeFile>, DbFault> {
    db.rows(
        "SELECT name, coalesce(file_size, 0), coalesce(modified, 0), digest FROM document WHERE story IS NULL ORDER BY name",
        [],
        |row| {
            let size = natural(row.get(1)?);
            Ok(KnowledgeFile { path: row.get(0)?, size, modified: row.get(2)?, digest: row.get(3)? })
        },
    )
}

/// Removes the whole knowledge base, which is far quicker than a file at a time.
pub(super) fn forget_knowledge(db: &Database) -> Result<(), DbFault> {
    forget_knowledge_vectors(db)?;
    db.set(
        "INSERT INTO knowledge_fts (knowledge_fts) VALUES ('delete-all');
         DELETE FROM passage WHERE document IN (SELECT id FROM document WHERE story IS NULL);
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
