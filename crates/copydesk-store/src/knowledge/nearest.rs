//! The nearest vectors by their signs.
//!
//! vec0 picks the k nearest of each of its chunks by k passes over the chunk, which takes most of the time of a search. If it is told how
//! far away the k nearest can be at most, it has next to nothing to pick from. A sample says how far that is; if it was wrong, the search is
//! repeated without a bound.

use rusqlite::params;

use super::{
    cache::Sample,
    settings::embedder,
    shelves::{ShelfKind, tally},
    vectors::signs,
};
use crate::database::Database;
use crate::fault::DbFault;

/// Candidates by sign that are compared again by their floats. The cost grows with the number; at 160 none of the best ten was missed.
const NEAREST: u32 = 160;

/// With this many passages a sample is worth its cost.
const LARGE: i64 = 10_000;

/// Vectors of a sample.
const SAMPLE: usize = 512;

/// The bound is set for this many times the wanted number, because a sample's few nearest say no more.
const MARGIN: usize = 4;

/// The [`NEAREST`] vectors of the knowledge base that are nearest to `wanted`, of texts that are credible enough. Returns their keys.
pub(super) fn nearest_of_knowledge(db: &Database, wanted: &[u8], min_credibility: f64) -> Result<Vec<i64>, DbFault> {
    if db.is_on_server() {
        return db.column(
            "SELECT rowid FROM knowledge_vec WHERE credibility >= ?3 ORDER BY signs <~> vec_bit(?1) LIMIT ?2",
            params![wanted, NEAREST, min_credibility],
        );
    }
    if let Some(bound) = bound(db, wanted)? {
        let nearest = db.column(
            "SELECT rowid FROM knowledge_vec
             WHERE signs MATCH vec_bit(?1) AND k = ?2 AND credibility >= ?3 AND distance <= ?4",
            params![wanted, NEAREST, min_credibility, bound],
        )?;
        if nearest.len() >= NEAREST as usize {
            return Ok(nearest);
        }
    }
    nearest_of_all_knowledge(db, wanted, min_credibility)
}

/// The same without a bound.
pub(super) fn nearest_of_all_knowledge(
    db: &Database,
    wanted: &[u8],
    min_credibility: f64,
) -> Result<Vec<i64>, DbFault> {
    db.column(
        "SELECT rowid FROM knowledge_vec WHERE signs MATCH vec_bit(?1) AND k = ?2 AND credibility >= ?3",
        params![wanted, NEAREST, min_credibility],
    )
}

/// The [`NEAREST`] vectors of one story's texts, or of all stories', that are nearest to `wanted`. Returns their keys.
pub(super) fn nearest_of_stories(db: &Database, wanted: &[u8], story: Option<i64>) -> Result<Vec<i64>, DbFault> {
    if db.is_on_server() {
        return db.column(
            "SELECT rowid FROM story_vec WHERE coalesce(story = ?3, TRUE) ORDER BY signs <~> vec_bit(?1) LIMIT ?2",
            params![wanted, NEAREST, story],
        );
    }
    match story {
        Some(story) => db.column(
            "SELECT rowid FROM story_vec WHERE signs MATCH vec_bit(?1) AND k = ?2 AND story = ?3",
            params![wanted, NEAREST, story],
        ),
        None => {
            db.column("SELECT rowid FROM story_vec WHERE signs MATCH vec_bit(?1) AND k = ?2", params![wanted, NEAREST])
        }
    }
}

/// In how many bits the nearest differ from `wanted` at most, as far as a sample can say; none if the index is small.
pub(super) fn bound(db: &Database, wanted: &[u8]) -> Result<Option<u32>, DbFault> {
    let passages = tally(db, ShelfKind::Knowledge)?;
    if passages < LARGE {
        return Ok(None);
    }
    keep_sample(db)?;
    let sample = db.searches.sample.borrow();
    let mut distances: Vec<u32> =
        sample.iter().flat_map(|sample| &sample.signs).map(|kept| apart(kept, wanted)).collect();
    let all = usize::try_from(passages).unwrap_or(usize::MAX);
    let place = (SAMPLE * MARGIN * NEAREST as usize).div_ceil(all).max(MARGIN);
    if distances.len() <= place {
        return Ok(None);
    }
    Ok(Some(*distances.select_nth_unstable(place - 1).1))
}

/// Takes a new sample if there is none, if the vectors are now another embedder's, or if many came or went.
fn keep_sample(db: &Database) -> Result<(), DbFault> {
    let Some((embedder, _)) = embedder(db)? else { return Ok(()) };
    let (first, last): (i64, i64) =
        db.first("SELECT coalesce(min(id), 0), coalesce(max(id), 0) FROM embedding", [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?;
    let fits = |sample: &Sample| sample.embedder == embedder && (sample.last - last).abs() <= last / 10;
    if db.searches.sample.borrow().as_ref().is_some_and(fits) {
        return Ok(());
    }
    let signs = take_sample(db, first, last)?;
    // Without vectors there is nothing to keep.
    *db.searches.sample.borrow_mut() = (!signs.is_empty()).then_some(Sample { embedder, last, signs });
    Ok(())
}

/// Vectors at even distances through the whole index. A passage's parts lie together, but texts come in any order.
fn take_sample(db: &Database, first: i64, last: i64) -> Result<Vec<Vec<u8>>, DbFault> {
    let step = usize::try_from((last - first) / i64::try_from(SAMPLE).unwrap_or(i64::MAX)).unwrap_or(0).max(1);
    let mut sample = Vec::with_capacity(SAMPLE);
    for id in (first..=last).step_by(step).take(SAMPLE) {
        db.each("SELECT vector FROM embedding WHERE id >= ?1 ORDER BY id LIMIT 1", [id], |row| {
            let floats = row.get_ref(0)?.as_blob()?.as_chunks::<4>().0;
            let floats: Vec<f32> = floats.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
            sample.push(signs(&floats));
            Ok(())
        })?;
    }
    Ok(sample)
}

/// In how many bits two vectors differ.
fn apart(one: &[u8], other: &[u8]) -> u32 {
    one.iter().zip(other).map(|(one, other)| (one ^ other).count_ones()).sum()
}
