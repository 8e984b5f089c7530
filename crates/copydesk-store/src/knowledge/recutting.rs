//! Cutting the stories' texts again after a change of the settings, without reading again what they were made of.

use super::{
    documents::{document_text, put_passages, tell_words},
    fulltext::FullTextChange,
    shelves::{ShelfKind, count_passages},
    vectors::forget_vectors,
};
use crate::prelude::*;
use copydesk_core::ports::NewPassage;

/// The stories' text with the lowest key above `after`, with its content if that can be read.
pub(super) fn story_text_behind(db: &Database, after: i64) -> Result<Option<(i64, Option<String>)>, DbFault> {
    let sql = "SELECT id FROM document WHERE id > ?1 AND story IS NOT NULL ORDER BY id LIMIT 1";
    let Some(document) = db.optional(sql, [after])? else { return Ok(None) };
    let text = readable(document_text(db, document))?;
    Ok(Some((document, text.map(|(_, text)| text))))
}

/// Gives a story's text other passages. If the text is gone by now, nothing happens; if its vectors were removed, it gets no new ones.
pub(super) fn recut(db: &Database, document: i64, tokens: u64, passages: &[NewPassage]) -> Result<(), DbFault> {
    let update = "UPDATE document SET tokens = ?2 WHERE id = ?1 AND story IS NOT NULL";
    if db.change(update, params![document, whole(tokens)])? == 0 || cut_of(db, document)? == passages {
        return Ok(());
    }
    let (title, text) = document_text(db, document)?;
    forget_vectors(db, ShelfKind::Story, document)?;
    tell_words(db, ShelfKind::Story, document, FullTextChange::Remove)?;
    let removed = db.exists("SELECT 1 FROM passage WHERE document = ?1 AND embedded = 2", [document])?;
    let gone = db.change("DELETE FROM passage WHERE document = ?1", [document])?;
    count_passages(db, ShelfKind::Story, -whole(gone as u64))?;
    put_passages(db, ShelfKind::Story, document, (&title, &text), passages)?;
    if removed {
        db.write("UPDATE passage SET embedded = 2 WHERE document = ?1", [document])?;
    }
    Ok(())
}

fn cut_of(db: &Database, document: i64) -> Result<Vec<NewPassage>, DbFault> {
    let sql = "SELECT start, stop, heading, tokens FROM passage WHERE document = ?1 ORDER BY start, id";
    db.rows(sql, [document], |row| {
        let (start, end, tokens) = (natural(row.get(0)?), natural(row.get(1)?), natural(row.get(3)?));
        Ok(NewPassage { start, end, heading: row.get(2)?, tokens })
    })
}
