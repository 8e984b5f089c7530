//! Taking a text out of the index, also one that cannot be read any more.

use rusqlite::params;

use super::{
    Place,
    shelf::{headed, integer, slice},
};
use crate::{ports::StoreError, store::session::Session};

/// What the full text is told of a passage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Words {
    /// It is there.
    In,
    /// It is gone. The full text keeps no text, so that it has to be told each word.
    Out,
}

impl Session {
    /// Takes a text, its passages, their words and their vectors away.
    pub(in crate::store) fn forget_document(&self, place: Place, document: i64) -> Result<(), StoreError> {
        self.forget_vectors(place, document)?;
        let readable = self.tell_words(place, document, Words::Out)?;
        self.sql(|connection| {
            let gone = connection.prepare_cached("DELETE FROM passage WHERE document = ?1")?.execute([document])?;
            connection.prepare_cached("DELETE FROM document WHERE id = ?1")?.execute([document])?;
            connection
                .prepare_cached("UPDATE tally SET passages = passages - ?2 WHERE shelf = ?1")?
                .execute(params![place.name(), integer(gone as u64)])
        })?;
        if readable { Ok(()) } else { self.tell_all_words_anew(place) }
    }

    /// Tells the full text each passage of a text. False where it cannot be read; then nothing is told.
    pub(super) fn tell_words(&self, place: Place, document: i64, words: Words) -> Result<bool, StoreError> {
        let (title, text) = match self.document_text(document) {
            Ok(known) => known,
            Err(StoreError::Unreadable { .. }) => return Ok(false),
            Err(error) => return Err(error),
        };
        let name = place.name();
        let sql = match words {
            Words::In => format!("INSERT INTO {name}_fts (rowid, title, body) VALUES (?1, ?2, ?3)"),
            Words::Out => {
                format!("INSERT INTO {name}_fts ({name}_fts, rowid, title, body) VALUES ('delete', ?1, ?2, ?3)")
            }
        };
        self.sql(|connection| {
            let mut tell = connection.prepare_cached(&sql)?;
            let mut passages =
                connection.prepare_cached("SELECT id, start, stop, heading FROM passage WHERE document = ?1")?;
            let mut rows = passages.query([document])?;
            while let Some(row) = rows.next()? {
                let (start, end): (i64, i64) = (row.get(1)?, row.get(2)?);
                let heading: String = row.get(3)?;
                let body = slice(&text, u64::try_from(start).unwrap_or(0), u64::try_from(end).unwrap_or(0));
                tell.execute(params![row.get::<_, i64>(0)?, headed(&title, &heading), body])?;
            }
            Ok(true)
        })
    }

    /// Makes a shelf's full text anew, of the texts that can be read: the words of one that cannot are not known any more, and nothing of
    /// it may stay.
    fn tell_all_words_anew(&self, place: Place) -> Result<(), StoreError> {
        let name = place.name();
        let documents: Vec<i64> = self.sql(|connection| {
            connection.execute(&format!("INSERT INTO {name}_fts ({name}_fts) VALUES ('delete-all')"), [])?;
            connection
                .prepare_cached("SELECT id FROM document WHERE (story IS NULL) = ?1")?
                .query_map([place == Place::Knowledge], |row| row.get(0))?
                .collect()
        })?;
        documents.into_iter().try_for_each(|document| self.tell_words(place, document, Words::In).map(|_| ()))
    }
}
