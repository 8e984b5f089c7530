//! Vectors: kept as floats, found by their signs.
//!
//! A table of vec0 holds one bit a component, which is read through at every search; the nearest by those are compared anew by the
//! floats. Known figures over 100,000 vectors of 384 (ours: `benches/search.rs`): a scan of floats 57 to 110 ms, of bits with 160 candidates 13 to 18 ms at full recall.

use rusqlite::{Connection, params};

use super::{
    Place,
    shelf::{headed, slice},
};
use crate::{
    ports::{ChildVector, StoreError, Unembedded},
    store::session::Session,
};

/// Whose vectors are kept, and how long they are: `LENGTH IDENTITY`.
const EMBEDDER: &str = "knowledge.embedder";

impl Session {
    /// Whose vectors are kept.
    pub(super) fn embedder(&self) -> Result<Option<(String, usize)>, StoreError> {
        let kept = self.setting(EMBEDDER)?;
        Ok(kept.and_then(|kept| {
            let (length, identity) = kept.split_once(' ')?;
            Some((identity.to_owned(), length.parse().ok()?))
        }))
    }

    /// Whether the kept vectors are this embedder's, and as long as those to be kept. Two servers can call different models the same.
    pub(super) fn is_embedder(
        &self,
        identity: &str,
        mut lengths: impl Iterator<Item = usize>,
    ) -> Result<bool, StoreError> {
        let kept = self.embedder()?;
        Ok(kept.is_some_and(|(kept, length)| kept == identity && lengths.all(|other| other == length)))
    }

    pub(super) fn use_embedder(&self, identity: &str, dimension: usize) -> Result<(), StoreError> {
        if self.embedder()?.is_some_and(|(kept, length)| kept == identity && length == dimension) {
            return Ok(());
        }
        // A bit a component, eight to a byte.
        if dimension == 0 || !dimension.is_multiple_of(8) {
            return Err(StoreError::Length { identity: identity.to_owned(), length: dimension });
        }
        self.sql(|connection| {
            connection.execute_batch(&format!(
                "DROP TABLE IF EXISTS knowledge_vec; DROP TABLE IF EXISTS story_vec; DELETE FROM embedding;
                 UPDATE passage SET embedded = 0 WHERE embedded IN (1, 3);
                 {};
                 CREATE VIRTUAL TABLE story_vec USING vec0 (story integer partition key, signs bit[{dimension}], chunk_size = 16);",
                knowledge_table(dimension)
            ))
        })?;
        self.set_setting(EMBEDDER, &format!("{dimension} {identity}"))
    }

    /// Forgets every vector of the knowledge base.
    pub(super) fn forget_knowledge_vectors(&self) -> Result<(), StoreError> {
        let Some((_, dimension)) = self.embedder()? else { return Ok(()) };
        self.sql(|connection| {
            connection.execute_batch(&format!(
                "DELETE FROM embedding WHERE passage IN
                 (SELECT passage.id FROM passage JOIN document ON document.id = passage.document WHERE document.story IS NULL);
                 DROP TABLE knowledge_vec; {};",
                knowledge_table(dimension)
            ))
        })
    }

    /// Passages without vectors, those of the knowledge base first.
    pub(super) fn without_vectors(&self, most: usize) -> Result<Vec<Unembedded>, StoreError> {
        let mut waiting: Vec<(i64, i64, u64, u64, String, String)> = Vec::new();
        self.each(
            "SELECT passage.id, document, start, stop, heading, name FROM passage JOIN document ON document.id = passage.document
             WHERE embedded = 0 ORDER BY passage.id LIMIT ?1",
            [i64::try_from(most).unwrap_or(i64::MAX)],
            |row| {
                waiting.push(self.columns(|| {
                    let (start, end): (i64, i64) = (row.get(2)?, row.get(3)?);
                    let bounds = (u64::try_from(start).unwrap_or(0), u64::try_from(end).unwrap_or(0));
                    Ok((row.get(0)?, row.get(1)?, bounds.0, bounds.1, row.get(4)?, row.get(5)?))
                })?);
                Ok(())
            },
        )?;
        let mut open: Option<(i64, String, String)> = None;
        let mut found = Vec::with_capacity(waiting.len());
        for (passage, document, start, end, heading, name) in waiting {
            let same = open.as_ref().is_some_and(|(known, ..)| *known == document);
            if !same {
                let (title, text) = self.document_text(document)?;
                open = Some((document, title, text));
            }
            if let Some((_, title, text)) = &open {
                found.push(Unembedded {
                    passage,
                    name,
                    title: headed(title, &heading),
                    text: slice(text, start, end).to_owned(),
                });
            }
        }
        Ok(found)
    }

    /// Keeps vectors. A passage that was taken away meanwhile, or whose vectors another program has kept meanwhile, is left as it is.
    pub(super) fn put_vectors(&self, vectors: &[ChildVector]) -> Result<(), StoreError> {
        self.sql(|connection| {
            let mut last = None;
            let mut place = None;
            for child in vectors {
                if last != Some(child.passage) {
                    last = Some(child.passage);
                    place = belongs(connection, child.passage)?;
                }
                let Some((story, credibility)) = place else { continue };
                let bytes = bytes(&child.vector);
                let id = connection
                    .prepare_cached("INSERT INTO embedding (passage, vector) VALUES (?1, ?2)")?
                    .insert(params![child.passage, bytes])?;
                let signs = signs(&child.vector);
                match story {
                    None => connection
                        .prepare_cached(
                            "INSERT INTO knowledge_vec (rowid, signs, credibility) VALUES (?1, vec_bit(?2), ?3)",
                        )?
                        .execute(params![id, signs, credibility])?,
                    Some(story) => connection
                        .prepare_cached("INSERT INTO story_vec (rowid, story, signs) VALUES (?1, ?2, vec_bit(?3))")?
                        .execute(params![id, story, signs])?,
                };
            }
            let mut passages: Vec<i64> = vectors.iter().map(|child| child.passage).collect();
            passages.dedup();
            let mut done = connection.prepare_cached("UPDATE passage SET embedded = 1 WHERE id = ?1")?;
            passages.into_iter().try_for_each(|passage| done.execute([passage]).map(|_| ()))
        })
    }

    /// Notes that a passage gets no vectors. One that was taken away meanwhile, or has them, is left as it is.
    pub(super) fn put_refused(&self, passage: i64) -> Result<(), StoreError> {
        self.sql(|connection| {
            connection
                .prepare_cached("UPDATE passage SET embedded = 3 WHERE id = ?1 AND embedded = 0")?
                .execute([passage])
        })?;
        Ok(())
    }

    /// Forgets the vectors of a story's texts for good: its passages get none again. Returns of how many passages.
    pub(in crate::store) fn let_go_of_vectors(&self, folded: &str) -> Result<u64, StoreError> {
        let Some(story) = self.story_id(folded)? else { return Ok(0) };
        let documents: Vec<i64> = self.sql(|connection| {
            connection
                .prepare_cached("SELECT id FROM document WHERE story = ?1")?
                .query_map([story], |row| row.get(0))?
                .collect()
        })?;
        let mut passages = 0;
        for document in documents {
            self.forget_vectors(Place::Story, document)?;
            passages += self.sql(|connection| {
                connection
                    .prepare_cached("UPDATE passage SET embedded = 2 WHERE document = ?1 AND embedded = 1")?
                    .execute([document])
            })?;
        }
        Ok(passages as u64)
    }

    /// Forgets the vectors of a text's passages.
    pub(super) fn forget_vectors(&self, place: Place, document: i64) -> Result<(), StoreError> {
        if self.embedder()?.is_none() {
            return Ok(());
        }
        self.sql(|connection| {
            let ids: Vec<i64> = connection
                .prepare_cached(
                    "SELECT embedding.id FROM embedding JOIN passage ON passage.id = embedding.passage WHERE passage.document = ?1",
                )?
                .query_map([document], |row| row.get(0))?
                .collect::<rusqlite::Result<_>>()?;
            let name = place.name();
            let mut signs = connection.prepare_cached(&format!("DELETE FROM {name}_vec WHERE rowid = ?1"))?;
            let mut floats = connection.prepare_cached("DELETE FROM embedding WHERE id = ?1")?;
            for id in ids {
                signs.execute([id])?;
                floats.execute([id])?;
            }
            Ok(())
        })
    }
}

fn knowledge_table(dimension: usize) -> String {
    format!("CREATE VIRTUAL TABLE knowledge_vec USING vec0 (signs bit[{dimension}], credibility float)")
}

/// The story and the credibility of a passage's text; none where it is gone or has its vectors.
fn belongs(connection: &Connection, passage: i64) -> rusqlite::Result<Option<(Option<i64>, f64)>> {
    use rusqlite::OptionalExtension as _;
    connection
        .prepare_cached(
            "SELECT document.story, document.credibility FROM passage JOIN document ON document.id = passage.document
             WHERE passage.id = ?1 AND embedded = 0",
        )?
        .query_row([passage], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()
}

/// A vector as it is kept.
pub(super) fn bytes(vector: &[f32]) -> Vec<u8> {
    vector.iter().flat_map(|component| component.to_le_bytes()).collect()
}

/// One bit a component, the first in the lowest bit: whether it is positive.
pub(super) fn signs(vector: &[f32]) -> Vec<u8> {
    vector
        .chunks(8)
        .map(|eight| eight.iter().zip(0..).fold(0, |byte, (component, bit)| byte | (u8::from(*component > 0.0) << bit)))
        .collect()
}

/// The product of a kept vector with another: their cosine, where both are of length 1.
pub(super) fn product(kept: &[u8], vector: &[f32]) -> f64 {
    let (components, _) = kept.as_chunks::<4>();
    components
        .iter()
        .zip(vector)
        .map(|(bytes, component)| f64::from(f32::from_le_bytes(*bytes)) * f64::from(*component))
        .sum()
}
