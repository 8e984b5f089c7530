//! Making the search indexes again from the texts, passages and vectors that stand in plain tables.

use super::{
    documents::tell_words,
    fulltext::FullTextChange,
    settings::embedder,
    shelves::ShelfKind,
    vectors::{put_signs, vector_tables},
};
use crate::database::Database;
use crate::fault::DbFault;

/// Makes the tables of vectors that the settings speak of, empty.
pub(crate) fn make_vector_tables(db: &Database) -> Result<(), DbFault> {
    if let Some((_, dimension)) = embedder(db)? {
        db.set(&vector_tables(db, dimension))?;
    }
    Ok(())
}

/// Fills the full text, the tables of vectors and the counts of a database whose plain tables were copied.
pub(crate) fn rebuild(db: &Database) -> Result<(), DbFault> {
    make_vector_tables(db)?;
    for (shelf, which) in [(ShelfKind::Knowledge, "IS NULL"), (ShelfKind::Story, "IS NOT NULL")] {
        for document in db.column(&format!("SELECT id FROM document WHERE story {which}"), [])? {
            tell_words(db, shelf, document, FullTextChange::Add)?;
        }
        db.write(
            &format!(
                "UPDATE tally SET passages = (SELECT count(*) FROM passage JOIN document ON document.id = passage.document
                 WHERE document.story {which}) WHERE shelf = ?1"
            ),
            [shelf.name()],
        )?;
    }
    if let Some((_, dimension)) = embedder(db)? {
        db.each(
            "SELECT embedding.id, vector, document.story, document.credibility FROM embedding
             JOIN passage ON passage.id = embedding.passage JOIN document ON document.id = passage.document",
            [],
            |row| {
                let bytes = row.get_ref(1)?.as_blob()?;
                let (components, _) = bytes.as_chunks::<4>();
                // One of another length could not be found; its text is found by its words.
                if components.len() != dimension {
                    return Ok(());
                }
                let vector: Vec<f32> = components.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
                put_signs(db, row.get(0)?, &vector, row.get(2)?, row.get(3)?)
            },
        )?;
    }
    Ok(())
}
