//! The nearest vectors by their signs.
//!
//! vec0 picks the k nearest of each of its chunks by k passes over the chunk, which takes most of the time of a search. Where it is told how
//! far the k nearest can be at most, it has next to nothing to pick from. How far that is, a sample says; where it was wrong, all
//! are asked.

use rusqlite::{Params, params};

use super::{Place, vectors::signs};
use crate::{ports::StoreError, store::session::Session};

/// Passages from which on a sample is worth its trouble.
const LARGE: i64 = 10_000;

/// Vectors of a sample.
const SAMPLE: usize = 512;

/// So many times the wanted number are expected within the bound: of a sample's few nearest nobody can say more.
const MARGIN: usize = 4;

/// Signs of vectors from all over the index.
#[derive(Debug)]
pub(in crate::store) struct Sample {
    /// Whose they are.
    embedder: String,
    /// The last vector's key when it was taken.
    last: i64,
    signs: Vec<Vec<u8>>,
}

impl Session {
    /// The `most` vectors of the knowledge base that are nearest to `wanted`, of texts that are credible enough; their keys.
    pub(super) fn nearest_of_knowledge(
        &self,
        wanted: &[u8],
        most: u32,
        min_credibility: f64,
    ) -> Result<Vec<i64>, StoreError> {
        if let Some(bound) = self.bound(wanted, most)? {
            let nearest = self.keys(
                "SELECT rowid FROM knowledge_vec
                 WHERE signs MATCH vec_bit(?1) AND k = ?2 AND credibility >= ?3 AND distance <= ?4",
                params![wanted, most, min_credibility, bound],
            )?;
            if nearest.len() >= most as usize {
                return Ok(nearest);
            }
        }
        self.nearest_of_all_knowledge(wanted, most, min_credibility)
    }

    /// The same without a bound.
    pub(super) fn nearest_of_all_knowledge(
        &self,
        wanted: &[u8],
        most: u32,
        min_credibility: f64,
    ) -> Result<Vec<i64>, StoreError> {
        self.keys(
            "SELECT rowid FROM knowledge_vec WHERE signs MATCH vec_bit(?1) AND k = ?2 AND credibility >= ?3",
            params![wanted, most, min_credibility],
        )
    }

    /// The `most` vectors of one story's texts, or of all stories', that are nearest to `wanted`; their keys.
    pub(super) fn nearest_of_stories(
        &self,
        wanted: &[u8],
        most: u32,
        story: Option<i64>,
    ) -> Result<Vec<i64>, StoreError> {
        match story {
            Some(story) => self.keys(
                "SELECT rowid FROM story_vec WHERE signs MATCH vec_bit(?1) AND k = ?2 AND story = ?3",
                params![wanted, most, story],
            ),
            None => {
                self.keys("SELECT rowid FROM story_vec WHERE signs MATCH vec_bit(?1) AND k = ?2", params![wanted, most])
            }
        }
    }

    pub(super) fn keys(&self, sql: &str, parameters: impl Params) -> Result<Vec<i64>, StoreError> {
        let mut keys = Vec::new();
        self.each(sql, parameters, |row| {
            keys.push(self.columns(|| row.get(0))?);
            Ok(())
        })?;
        Ok(keys)
    }

    /// How many bits the `most` nearest differ from `wanted` at most, as far as a sample can say; none where the index is small.
    pub(super) fn bound(&self, wanted: &[u8], most: u32) -> Result<Option<u32>, StoreError> {
        let passages = self.tally(Place::Knowledge)?;
        if passages < LARGE {
            return Ok(None);
        }
        self.keep_sample()?;
        let sample = self.sample.borrow();
        let mut distances: Vec<u32> =
            sample.iter().flat_map(|sample| &sample.signs).map(|kept| apart(kept, wanted)).collect();
        let all = usize::try_from(passages).unwrap_or(usize::MAX);
        let place = (SAMPLE * MARGIN * most as usize).div_ceil(all).max(MARGIN);
        if distances.len() <= place {
            return Ok(None);
        }
        Ok(Some(*distances.select_nth_unstable(place - 1).1))
    }

    /// Takes a sample anew where there is none, where the vectors are another embedder's by now, or where many came or went.
    fn keep_sample(&self) -> Result<(), StoreError> {
        let Some((embedder, _)) = self.embedder()? else { return Ok(()) };
        let (first, last): (i64, i64) = self.sql(|connection| {
            connection
                .prepare_cached("SELECT coalesce(min(id), 0), coalesce(max(id), 0) FROM embedding")?
                .query_row([], |row| Ok((row.get(0)?, row.get(1)?)))
        })?;
        let fits = |sample: &Sample| sample.embedder == embedder && (sample.last - last).abs() <= last / 10;
        if self.sample.borrow().as_ref().is_some_and(fits) {
            return Ok(());
        }
        let signs = self.take_sample(first, last)?;
        // Before there are vectors there is nothing to keep.
        *self.sample.borrow_mut() = (!signs.is_empty()).then_some(Sample { embedder, last, signs });
        Ok(())
    }

    /// Vectors at even distances through the whole index. A passage's parts lie together, but texts come in any order.
    fn take_sample(&self, first: i64, last: i64) -> Result<Vec<Vec<u8>>, StoreError> {
        let step = usize::try_from((last - first) / i64::try_from(SAMPLE).unwrap_or(i64::MAX)).unwrap_or(0).max(1);
        let mut sample = Vec::with_capacity(SAMPLE);
        for id in (first..=last).step_by(step).take(SAMPLE) {
            self.each("SELECT vector FROM embedding WHERE id >= ?1 ORDER BY id LIMIT 1", [id], |row| {
                let bytes = self.columns(|| Ok(row.get_ref(0)?.as_blob()?.to_vec()))?;
                let floats: Vec<f32> =
                    bytes.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
                sample.push(signs(&floats));
                Ok(())
            })?;
        }
        Ok(sample)
    }
}

/// In how many bits two vectors differ.
fn apart(one: &[u8], other: &[u8]) -> u32 {
    one.iter().zip(other).map(|(one, other)| (one ^ other).count_ones()).sum()
}
