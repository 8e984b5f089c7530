//! Texts and records in the table `blob`: each stored once by its digest, compressed.

use std::collections::HashMap;

use rusqlite::types::Value;
use serde::{Serialize, de::DeserializeOwned};
use sha2::{Digest, Sha256};

use super::ends::TextDigest;
use crate::prelude::*;

/// Stores `bytes` if they are not stored yet. Returns their digest.
pub(super) fn put_bytes(db: &Database, bytes: &[u8]) -> Result<TextDigest, DbFault> {
    let digest = TextDigest::from(Sha256::digest(bytes));
    insert(db, bytes, &digest)?;
    Ok(digest)
}

/// Stores a text that is probably not stored yet. Returns the key that it has if it was not.
fn insert(db: &Database, bytes: &[u8], digest: &TextDigest) -> Result<i64, DbFault> {
    let (last, id) = db.with_ends(|ends| {
        let (last, next) = (ends.blob, ends.blob + 1);
        let id = *ends.texts.entry(*digest).or_insert(next);
        ends.blob = last.max(id);
        (last, id)
    })?;
    if id <= last {
        return Ok(id);
    }
    let packed = db.packer.borrow_mut().pack(bytes);
    let (flag, body) = packed.as_deref().map_or((0, bytes), |packed| (1, packed));
    db.write(
        // Without the column's name: a server would let nobody insert a text who cannot read it yet.
        "INSERT INTO blob (id, digest, size, packed, body) VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO NOTHING",
        params![id, digest.as_slice(), whole(bytes.len() as u64), flag, body],
    )?;
    Ok(id)
}

pub(super) fn put_record<T: Serialize>(db: &Database, value: &T) -> Result<TextDigest, DbFault> {
    put_bytes(db, &serde_json::to_vec(value).map_err(|error| unreadable("a new record", error))?)
}

/// Stores the texts that are not stored yet. Returns the keys of all, in their order.
pub(super) fn put_texts(db: &Database, texts: &[String]) -> Result<Vec<i64>, DbFault> {
    if texts.is_empty() {
        return Ok(Vec::new());
    }
    let digests: Vec<TextDigest> = texts.iter().map(|text| Sha256::digest(text).into()).collect();
    let places: Vec<String> = (1..=texts.len()).map(|place| format!("?{place}")).collect();
    let sql = format!("SELECT digest, id FROM text_key WHERE digest IN ({})", places.join(", "));
    let values: Vec<Value> = digests.iter().map(|digest| Value::Blob(digest.to_vec())).collect();
    let known = db.rows(&sql, values, |row| Ok((row.get::<TextDigest>(0)?, row.get(1)?)))?;
    let known: HashMap<TextDigest, i64> = known.into_iter().collect();
    let keyed = digests.iter().zip(texts).map(|(digest, text)| match known.get(digest) {
        Some(key) => Ok(*key),
        None => insert(db, text.as_bytes(), digest),
    });
    keyed.collect()
}

pub(super) fn bytes(db: &Database, id: i64) -> Result<Vec<u8>, DbFault> {
    let found = db.one("SELECT size, packed, body FROM blob WHERE id = ?1", [id], |row| bytes_in(db, row, 0))?;
    found.ok_or_else(|| unreadable(format!("text {id}"), "it is not there"))
}

pub(super) fn record<T: DeserializeOwned>(db: &Database, id: i64) -> Result<T, DbFault> {
    serde_json::from_slice(&bytes(db, id)?).map_err(|error| unreadable(format!("blob {id}"), error))
}

/// The bytes in a row's columns `size`, `packed` and `body`; `size` is the column `first`.
pub(super) fn bytes_in(db: &Database, row: &DbRow<'_>, first: usize) -> Result<Vec<u8>, DbFault> {
    let unpacked =
        db.packer.borrow_mut().unpack(row.get(first)?, row.get(first + 1)?, row.get_ref(first + 2)?.as_blob()?);
    unpacked.map_err(|error| unreadable("a text", error))
}

/// The record in such columns.
pub(super) fn record_in<T: DeserializeOwned>(db: &Database, row: &DbRow<'_>, first: usize) -> Result<T, DbFault> {
    serde_json::from_slice(&bytes_in(db, row, first)?).map_err(|error| unreadable("a record", error))
}
