//! Vectors: kept as floats, found by their signs.
//!
//! A table of vec0 holds one bit a component, which every search reads through; the nearest by those are compared again by the floats.
//! Known figures over 100,000 vectors of 384 (ours: `benches/search.rs`): a scan of floats 57 to 110 ms, of bits with 160 candidates 13 to
//! 18 ms at full recall.

use rusqlite::types::Value;

use super::{
    documents::{document_text, headed, slice, story_id},
    settings::{embedder, set_embedder},
    shelves::ShelfKind,
};
use crate::prelude::*;
use crate::{columns::counted, secrecy::secrecy_in};
use copydesk_core::ports::{ChildVector, Unembedded};

/// Whether the kept vectors are this embedder's, and as long as those to be kept. Two servers can call different models the same.
pub(super) fn is_embedder(
    db: &Database,
    identity: &str,
    mut lengths: impl Iterator<Item = usize>,
) -> Result<bool, DbFault> {
    Ok(embedder(db)?.is_some_and(|(kept, length)| kept == identity && lengths.all(|other| other == length)))
}

pub(super) fn use_embedder(db: &Database, identity: &str, dimension: usize) -> Result<(), DbFault> {
    if embedder(db)?.is_some_and(|(kept, length)| kept == identity && length == dimension) {
        return Ok(());
    }
    // A bit a component, eight to a byte.
    if dimension == 0 || !dimension.is_multiple_of(8) {
        return Err(StoreError::Length { identity: identity.to_owned(), length: dimension }.into());
    }
    db.set(&format!(
        "DROP TABLE IF EXISTS knowledge_vec; DROP TABLE IF EXISTS story_vec; DELETE FROM embedding;
         UPDATE passage SET embedded = 0 WHERE embedded IN (1, 3);
         {}",
        vector_tables(db, dimension)
    ))?;
    set_embedder(db, identity, dimension)
}

/// Forgets every vector of the knowledge base.
pub(super) fn forget_knowledge_vectors(db: &Database) -> Result<(), DbFault> {
    let Some((_, dimension)) = embedder(db)? else { return Ok(()) };
    db.set(&format!(
        "DELETE FROM embedding WHERE passage IN
         (SELECT passage.id FROM passage JOIN document ON document.id = passage.document WHERE document.story IS NULL);
         DROP TABLE knowledge_vec; {};",
        knowledge_table(db, dimension)
    ))?;
    Ok(())
}

/// Marks the passages of confidential stories as those that the embedder is not given, or takes the mark away. Returns whether any other
/// passage waits for it.
pub(super) fn spare_confidential(db: &Database, identity: &str, spare: bool) -> Result<bool, DbFault> {
    let is_set = if db.is_on_server() {
        "(secrecy::json ->> 'confidential') = 'true'"
    } else {
        "json_extract(secrecy, '$.confidential')"
    };
    let confidential = format!(
        "document IN (SELECT document.id FROM document JOIN story ON story.id = document.story WHERE {is_set})"
    );
    if spare {
        db.write(&format!("UPDATE passage SET embedded = 4 WHERE embedded = 0 AND {confidential}"), [])?;
    } else {
        db.write("UPDATE passage SET embedded = 0 WHERE embedded = 4", [])?;
    }
    if is_embedder(db, identity, std::iter::empty())? {
        return db.exists("SELECT 1 FROM passage WHERE embedded = 0", []);
    }
    let open = if spare { format!("WHERE NOT {confidential}") } else { String::new() };
    db.exists(&format!("SELECT 1 FROM passage {open} LIMIT 1"), [])
}

/// Passages without vectors, those of the knowledge base first.
pub(super) fn without_vectors(db: &Database, most: usize) -> Result<Vec<Unembedded>, DbFault> {
    let mut open: Option<(i64, (String, String))> = None;
    db.rows(
        "SELECT passage.id, document, start, stop, heading, name, channel, slug, secrecy
         FROM passage JOIN document ON document.id = passage.document LEFT JOIN story ON story.id = document.story
         WHERE embedded = 0 ORDER BY passage.id LIMIT ?1",
        [whole(most as u64)],
        |row| {
            let document = row.get(1)?;
            let (title, text) = match &open {
                Some((known, text)) if *known == document => text,
                _ => &open.insert((document, document_text(db, document)?)).1,
            };
            Ok(Unembedded {
                passage: row.get(0)?,
                name: row.get(5)?,
                title: headed(title, row.get_ref(4)?.as_str()?),
                text: slice(text, natural(row.get(2)?), natural(row.get(3)?)).to_owned(),
                story: match (row.get(6)?, row.get(7)?) {
                    (Some(channel), Some(slug)) => Some(story_key(channel, slug)?),
                    _ => None,
                },
                secrecy: secrecy_in(row.get_ref(8)?)?,
            })
        },
    )
}

/// Keeps vectors. A passage that was removed meanwhile, or whose vectors another program has kept meanwhile, is left as it is.
pub(super) fn put_vectors(db: &Database, vectors: &[ChildVector]) -> Result<(), DbFault> {
    let mut last = None;
    let mut text: Option<(Option<i64>, f64)> = None;
    for child in vectors {
        if last.replace(child.passage) != Some(child.passage) {
            text = db.one(
                "SELECT document.story, document.credibility FROM passage JOIN document ON document.id = passage.document
                 WHERE passage.id = ?1 AND embedded = 0",
                [child.passage],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )?;
        }
        let Some((story, credibility)) = text else { continue };
        let put = "INSERT INTO embedding (passage, vector) VALUES (?1, ?2) RETURNING id";
        let id: i64 = db.value(put, params![child.passage, bytes(&child.vector)])?;
        put_signs(db, id, &child.vector, story, credibility)?;
    }
    let mut passages: Vec<i64> = vectors.iter().map(|child| child.passage).collect();
    passages.dedup();
    passages.into_iter().try_for_each(|passage| db.write("UPDATE passage SET embedded = 1 WHERE id = ?1", [passage]))
}

/// Puts the signs of a kept vector where searches look for them. `story` and `credibility` are its text's.
pub(super) fn put_signs(
    db: &Database,
    id: i64,
    vector: &[f32],
    story: Option<i64>,
    credibility: f64,
) -> Result<(), DbFault> {
    let (table, column, value) = match story {
        None => ("knowledge_vec", "credibility", Value::Real(credibility)),
        Some(story) => ("story_vec", "story", Value::Integer(story)),
    };
    let sql = format!("INSERT INTO {table} (rowid, signs, {column}) VALUES (?1, vec_bit(?2), ?3)");
    db.write(&sql, params![id, signs(vector), value])
}

/// Notes that a passage gets no vectors. One that was removed meanwhile, or has vectors, is left as it is.
pub(super) fn put_refused(db: &Database, passage: i64) -> Result<(), DbFault> {
    db.write("UPDATE passage SET embedded = 3 WHERE id = ?1 AND embedded = 0", [passage])
}

/// Removes the vectors of a story's texts for good: its passages get none again. Returns from how many passages.
pub(crate) fn remove_vectors(db: &Database, folded: &str) -> Result<u64, DbFault> {
    let Some(story) = story_id(db, folded)? else { return Ok(0) };
    let documents: Vec<i64> = db.column("SELECT id FROM document WHERE story = ?1", [story])?;
    let mut passages = 0;
    for document in documents {
        forget_vectors(db, ShelfKind::Story, document)?;
        passages += db.change("UPDATE passage SET embedded = 2 WHERE document = ?1 AND embedded = 1", [document])?;
    }
    Ok(counted(passages))
}

/// Forgets the vectors of a text's passages.
pub(super) fn forget_vectors(db: &Database, shelf: ShelfKind, document: i64) -> Result<(), DbFault> {
    if embedder(db)?.is_none() {
        return Ok(());
    }
    let ids: Vec<i64> = db.column(
        "SELECT embedding.id FROM embedding JOIN passage ON passage.id = embedding.passage WHERE passage.document = ?1",
        [document],
    )?;
    let signs = format!("DELETE FROM {}_vec WHERE rowid = ?1", shelf.name());
    for id in ids {
        db.write(&signs, [id])?;
        db.write("DELETE FROM embedding WHERE id = ?1", [id])?;
    }
    Ok(())
}

/// The statements that make both tables of vectors.
pub(super) fn vector_tables(db: &Database, dimension: usize) -> String {
    let of_stories = if db.is_on_server() {
        format!(
            "CREATE TABLE story_vec (rowid BIGINT PRIMARY KEY, story BIGINT NOT NULL, signs BIT({dimension}) NOT NULL);
             CREATE INDEX story_vec_of_story ON story_vec (story);
             CREATE INDEX story_vec_near ON story_vec USING hnsw (signs bit_hamming_ops)"
        )
    } else {
        format!(
            "CREATE VIRTUAL TABLE story_vec USING vec0 (story integer partition key, signs bit[{dimension}], chunk_size = 16)"
        )
    };
    format!("{}; {of_stories};", knowledge_table(db, dimension))
}

fn knowledge_table(db: &Database, dimension: usize) -> String {
    if db.is_on_server() {
        format!(
            "CREATE TABLE knowledge_vec (rowid BIGINT PRIMARY KEY, credibility DOUBLE PRECISION NOT NULL, signs BIT({dimension}) NOT NULL);
             CREATE INDEX knowledge_vec_near ON knowledge_vec USING hnsw (signs bit_hamming_ops)"
        )
    } else {
        format!("CREATE VIRTUAL TABLE knowledge_vec USING vec0 (signs bit[{dimension}], credibility float)")
    }
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

/// The product of a kept vector with another: their cosine, if both are of length 1.
pub(super) fn product(kept: &[u8], vector: &[f32]) -> f64 {
    let (components, _) = kept.as_chunks::<4>();
    components
        .iter()
        .zip(vector)
        .map(|(bytes, component)| f64::from(f32::from_le_bytes(*bytes)) * f64::from(*component))
        .sum()
}
