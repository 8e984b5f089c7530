//! Taking a text out of the index, even one that can no longer be read.

use super::{
    documents::{FullTextChange, tell_words},
    shelves::{ShelfKind, count_passages},
    vectors::forget_vectors,
};
use crate::{
    columns::whole,
    database::{Database, DbFault},
};

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
    let name = shelf.name();
    db.write(&format!("INSERT INTO {name}_fts ({name}_fts) VALUES ('delete-all')"), [])?;
    let of_knowledge = shelf == ShelfKind::Knowledge;
    let documents: Vec<i64> = db.column("SELECT id FROM document WHERE (story IS NULL) = ?1", [of_knowledge])?;
    documents.into_iter().try_for_each(|document| tell_words(db, shelf, document, FullTextChange::Add).map(drop))
}
