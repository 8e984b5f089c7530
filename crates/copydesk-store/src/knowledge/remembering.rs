//! Asking a connection's cache before the index.

use super::{
    cache::QueryHits,
    fulltext::has,
    shelves::{ShelfKind, tally},
};
use crate::database::Database;
use crate::fault::DbFault;
use copydesk_core::ports::{PassageHit, PassageRequest};

/// Most passages whose words are remembered, most words of one, and most queries.
const MOST_REMEMBERED: usize = 256;

/// Forgets what the queries found if a passage came or went since.
pub(super) fn forget_what_changed(db: &Database) -> Result<(), DbFault> {
    let last: i64 = db.value("SELECT coalesce(max(id), 0) FROM passage", [])?;
    let shelves = (last, tally(db, ShelfKind::Knowledge)?, tally(db, ShelfKind::Story)?);
    let mut found = db.searches.found.borrow_mut();
    if found.shelves != shelves {
        found.shelves = shelves;
        found.hits.clear();
    }
    Ok(())
}

/// The hits for the words of a request: the earlier hits if there are any, or else the result of `find`.
pub(super) fn found_before(
    db: &Database,
    request: &PassageRequest,
    find: impl FnOnce() -> Result<Vec<PassageHit>, DbFault>,
) -> Result<Vec<PassageHit>, DbFault> {
    let same =
        |asked: &&QueryHits| asked.area == request.area && asked.filter == request.filter && asked.most == request.most;
    let before = |asked: &Vec<QueryHits>| asked.iter().find(same).map(|asked| asked.hits.clone());
    if let Some(hits) = db.searches.found.borrow().hits.get(&request.words).and_then(before) {
        return Ok(hits);
    }
    let hits = find()?;
    let known = &mut db.searches.found.borrow_mut().hits;
    if known.len() >= MOST_REMEMBERED {
        known.clear();
    }
    known.entry(request.words.clone()).or_default().push(QueryHits {
        area: request.area.clone(),
        filter: request.filter.clone(),
        most: request.most,
        hits: hits.clone(),
    });
    Ok(hits)
}

/// Whether a passage has a word. A passage's words never change and its key is never given again, so the answer can be kept.
pub(super) fn has_word(db: &Database, passage: i64, word: &str) -> Result<bool, DbFault> {
    if let Some(known) = db.searches.found.borrow().words.get(&passage).and_then(|words| words.get(word)) {
        return Ok(*known);
    }
    let Some(shelf) = shelf_of(db, passage)? else { return Ok(false) };
    let has = has(db, shelf, passage, word)?;
    let known = &mut db.searches.found.borrow_mut().words;
    if known.len() >= MOST_REMEMBERED {
        known.clear();
    }
    let words = known.entry(passage).or_default();
    if words.len() >= MOST_REMEMBERED {
        words.clear();
    }
    words.insert(word.to_owned(), has);
    Ok(has)
}

/// The shelf of a passage; none if it is gone.
fn shelf_of(db: &Database, passage: i64) -> Result<Option<ShelfKind>, DbFault> {
    let of_a_story = db.optional(
        "SELECT document.story IS NOT NULL FROM passage JOIN document ON document.id = passage.document WHERE passage.id = ?1",
        [passage],
    )?;
    Ok(of_a_story.map(|of_a_story: bool| if of_a_story { ShelfKind::Story } else { ShelfKind::Knowledge }))
}
