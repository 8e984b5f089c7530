//! Cutting the stories' texts anew, where they are to be cut otherwise than before: what they were made of is not read again.

use rusqlite::{OptionalExtension, params};

use super::{Place, forgetting::Words, shelf::integer};
use crate::{
    ports::{NewPassage, StoreError},
    store::session::Session,
};

impl Session {
    /// The stories' text with the lowest key above `after`, with itself where it can be read.
    pub(super) fn story_text_behind(&self, after: i64) -> Result<Option<(i64, Option<String>)>, StoreError> {
        let found: Option<i64> = self.sql(|connection| {
            connection
                .prepare_cached("SELECT id FROM document WHERE id > ?1 AND story IS NOT NULL ORDER BY id LIMIT 1")?
                .query_row([after], |row| row.get(0))
                .optional()
        })?;
        let Some(document) = found else { return Ok(None) };
        match self.document_text(document) {
            Ok((_, text)) => Ok(Some((document, Some(text)))),
            Err(StoreError::Unreadable { .. }) => Ok(Some((document, None))),
            Err(error) => Err(error),
        }
    }

    /// Gives a story's text other passages. One that is gone by now stays so, and whose vectors were let go gets none.
    pub(super) fn recut(&self, document: i64, tokens: u64, passages: &[NewPassage]) -> Result<(), StoreError> {
        let there = self.sql(|connection| {
            connection
                .prepare_cached("UPDATE document SET tokens = ?2 WHERE id = ?1 AND story IS NOT NULL")?
                .execute(params![document, integer(tokens)])
        })?;
        if there == 0 || self.cut_of(document)? == passages {
            return Ok(());
        }
        let known = self.document_text(document)?;
        self.forget_vectors(Place::Story, document)?;
        self.tell_words(Place::Story, document, Words::Out)?;
        let let_go = self.sql(|connection| {
            let let_go = connection
                .prepare_cached("SELECT 1 FROM passage WHERE document = ?1 AND embedded = 2")?
                .exists([document])?;
            let gone = connection.prepare_cached("DELETE FROM passage WHERE document = ?1")?.execute([document])?;
            connection
                .prepare_cached("UPDATE tally SET passages = passages - ?2 WHERE shelf = ?1")?
                .execute(params![Place::Story.name(), integer(gone as u64)])?;
            Ok(let_go)
        })?;
        self.put_passages(Place::Story, document, (&known.0, &known.1), passages)?;
        if let_go {
            self.sql(|connection| {
                connection.prepare_cached("UPDATE passage SET embedded = 2 WHERE document = ?1")?.execute([document])
            })?;
        }
        Ok(())
    }

    fn cut_of(&self, document: i64) -> Result<Vec<NewPassage>, StoreError> {
        let whole = |number: i64| u64::try_from(number).unwrap_or(0);
        self.sql(|connection| {
            connection
                .prepare_cached(
                    "SELECT start, stop, heading, tokens FROM passage WHERE document = ?1 ORDER BY start, id",
                )?
                .query_map([document], |row| {
                    Ok(NewPassage {
                        start: whole(row.get(0)?),
                        end: whole(row.get(1)?),
                        heading: row.get(2)?,
                        tokens: whole(row.get(3)?),
                    })
                })?
                .collect()
        })
    }
}
