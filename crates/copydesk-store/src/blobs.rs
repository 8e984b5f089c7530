//! Texts and records in the table `blob`: each stored once by its digest, compressed.

use crate::engine::DbRow;
use rusqlite::params;
use serde::{Serialize, de::DeserializeOwned};
use sha2::{Digest, Sha256};

use super::{
    columns::whole,
    database::{Database, unreadable},
    fault::DbFault,
};

/// Stores `bytes` if they are not stored yet. Returns their key.
pub(super) fn put_bytes(db: &Database, bytes: &[u8]) -> Result<i64, DbFault> {
    let digest = Sha256::digest(bytes);
    let known = db.optional("SELECT id FROM blob WHERE digest = ?1", [digest.as_slice()])?;
    if let Some(id) = known {
        return Ok(id);
    }
    let packed = db.packer.borrow_mut().pack(bytes);
    let (flag, body) = packed.as_deref().map_or((0, bytes), |packed| (1, packed));
    db.value(
        "INSERT INTO blob (digest, size, packed, body) VALUES (?1, ?2, ?3, ?4) RETURNING id",
        params![digest.as_slice(), whole(bytes.len() as u64), flag, body],
    )
}

pub(super) fn put_record<T: Serialize>(db: &Database, value: &T) -> Result<i64, DbFault> {
    put_bytes(db, &serde_json::to_vec(value).map_err(|error| unreadable("a new record", error))?)
}

/// The digest of a text, hex.
pub(super) fn digest_of(db: &Database, id: i64) -> Result<String, DbFault> {
    db.first("SELECT digest FROM blob WHERE id = ?1", [id], |row| Ok(hex::encode(row.get_ref(0)?.as_blob()?)))
}

pub(super) fn bytes(db: &Database, id: i64) -> Result<Vec<u8>, DbFault> {
    let found = db.rows("SELECT size, packed, body FROM blob WHERE id = ?1", [id], |row| bytes_in(db, row, 0))?.pop();
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
