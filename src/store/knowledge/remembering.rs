//! What a connection remembers of its searches: claims and questions of one story ask for the same again and again, and a revised draft
//! asks for what the one before it did.

use std::collections::HashMap;

use rusqlite::{OptionalExtension, params};

use super::{Place, expression::quoted};
use crate::{
    ports::{Area, Filter, Request, StoreError, TextHit},
    store::session::Session,
};

/// Most passages whose words are remembered, most words of one, and most queries.
const MOST_REMEMBERED: usize = 256;

/// What was found, and in which passages words were looked for.
#[derive(Default)]
pub(in crate::store) struct Remembered {
    /// How the shelves stood when the queries were asked.
    shelves: Shelves,
    /// By the words of the query.
    hits: HashMap<Vec<String>, Vec<Asked>>,
    /// Which words a passage has and which it has not.
    words: HashMap<i64, HashMap<String, bool>>,
}

/// The last key that a passage was given, and how many passages each shelf has. Since no key is given twice, one of these changes
/// whenever a passage comes or goes.
type Shelves = (i64, i64, i64);

/// Where and among what a query's words were looked for, how many were wanted, and what was found.
struct Asked {
    area: Area,
    filter: Filter,
    most: usize,
    hits: Vec<TextHit>,
}

impl Session {
    /// Forgets what the queries found, where a passage came or went since.
    pub(super) fn forget_what_changed(&self) -> Result<(), StoreError> {
        let last: Option<i64> = self.sql(|connection| {
            connection
                .prepare_cached("SELECT seq FROM sqlite_sequence WHERE name = 'passage'")?
                .query_row([], |row| row.get(0))
                .optional()
        })?;
        let shelves = (last.unwrap_or(0), self.tally(Place::Knowledge)?, self.tally(Place::Story)?);
        let mut remembered = self.remembered.borrow_mut();
        if remembered.shelves != shelves {
            remembered.shelves = shelves;
            remembered.hits.clear();
        }
        Ok(())
    }

    /// What the words of a request find: as it was found before, or else by `find`.
    pub(super) fn found_before(
        &self,
        request: &Request,
        find: impl FnOnce() -> Result<Vec<TextHit>, StoreError>,
    ) -> Result<Vec<TextHit>, StoreError> {
        let same =
            |asked: &&Asked| asked.area == request.area && asked.filter == request.filter && asked.most == request.most;
        let before = |asked: &Vec<Asked>| asked.iter().find(same).map(|asked| asked.hits.clone());
        if let Some(hits) = self.remembered.borrow().hits.get(&request.words).and_then(before) {
            return Ok(hits);
        }
        let hits = find()?;
        let known = &mut self.remembered.borrow_mut().hits;
        if known.len() >= MOST_REMEMBERED {
            known.clear();
        }
        known.entry(request.words.clone()).or_default().push(Asked {
            area: request.area.clone(),
            filter: request.filter.clone(),
            most: request.most,
            hits: hits.clone(),
        });
        Ok(hits)
    }

    /// Whether a passage has a word. A passage's words never change and its key is never given again, so that what is known of it stays:
    /// claims and questions of one story ask for the same words again and again.
    pub(super) fn has_word(&self, passage: i64, word: &str) -> Result<bool, StoreError> {
        if let Some(known) = self.remembered.borrow().words.get(&passage).and_then(|words| words.get(word)) {
            return Ok(*known);
        }
        let Some(place) = self.shelf_of(passage)? else { return Ok(false) };
        let name = place.name();
        let has = self.sql(|connection| {
            connection
                .prepare_cached(&format!("SELECT 1 FROM {name}_fts WHERE {name}_fts MATCH ?1 AND rowid = ?2"))?
                .query_row(params![quoted(word), passage], |_| Ok(()))
                .optional()
        })?;
        let known = &mut self.remembered.borrow_mut().words;
        if known.len() >= MOST_REMEMBERED {
            known.clear();
        }
        let words = known.entry(passage).or_default();
        if words.len() >= MOST_REMEMBERED {
            words.clear();
        }
        words.insert(word.to_owned(), has.is_some());
        Ok(has.is_some())
    }

    /// Where a passage stands; none where it is gone.
    fn shelf_of(&self, passage: i64) -> Result<Option<Place>, StoreError> {
        let of_a_story = self.sql(|connection| {
            connection
                .prepare_cached(
                    "SELECT document.story IS NOT NULL FROM passage JOIN document ON document.id = passage.document WHERE passage.id = ?1",
                )?
                .query_row([passage], |row| row.get::<_, bool>(0))
                .optional()
        })?;
        Ok(of_a_story.map(|of_a_story| if of_a_story { Place::Story } else { Place::Knowledge }))
    }
}
