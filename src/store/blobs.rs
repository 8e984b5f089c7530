//! Texts, stored once by their digest, compressed.

use rusqlite::{OptionalExtension, Row, params};
use serde::{Serialize, de::DeserializeOwned};
use sha2::{Digest, Sha256};

use super::session::Session;
use crate::ports::StoreError;

/// Compression level: 3 is zstd's own default, and a commit should not wait for a better one.
const LEVEL: i32 = 3;

impl Session {
    /// Stores `bytes` where they are not stored yet. Returns their row.
    pub(super) fn put_blob(&self, bytes: &[u8]) -> Result<i64, StoreError> {
        let digest = Sha256::digest(bytes);
        let known = self.sql(|connection| {
            connection
                .prepare_cached("SELECT id FROM blob WHERE digest = ?1")?
                .query_row([digest.as_slice()], |row| row.get(0))
                .optional()
        })?;
        if let Some(id) = known {
            return Ok(id);
        }
        let packed = self.pack(bytes);
        let (flag, body) = packed.as_deref().map_or((0, bytes), |packed| (1, packed));
        self.sql(|connection| {
            connection
                .prepare_cached("INSERT INTO blob (digest, size, packed, body) VALUES (?1, ?2, ?3, ?4)")?
                .insert(params![digest.as_slice(), i64::try_from(bytes.len()).unwrap_or(i64::MAX), flag, body])
        })
    }

    /// The compressed form, where it is smaller.
    pub(super) fn pack(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let mut compressor = self.compressor.borrow_mut();
        if compressor.is_none() {
            *compressor = zstd::bulk::Compressor::new(LEVEL).ok();
        }
        let packed = compressor.as_mut()?.compress(bytes).ok()?;
        (packed.len() < bytes.len()).then_some(packed)
    }

    /// Reads a blob back.
    pub(super) fn blob(&self, id: i64) -> Result<Vec<u8>, StoreError> {
        let mut text = None;
        self.each("SELECT size, packed, body FROM blob WHERE id = ?1", [id], |row| {
            text = Some(self.text(row, 0)?);
            Ok(())
        })?;
        text.ok_or_else(|| StoreError::Unreadable { what: format!("text {id}"), detail: "it is not there".into() })
    }

    /// The text of a row's columns `size`, `packed` and `body`, of which `size` is the `first`.
    pub(super) fn text(&self, row: &Row<'_>, first: usize) -> Result<Vec<u8>, StoreError> {
        let (size, packed, body): (i64, bool, &[u8]) =
            self.columns(|| Ok((row.get(first)?, row.get(first + 1)?, row.get_ref(first + 2)?.as_blob()?)))?;
        if !packed {
            return Ok(body.to_owned());
        }
        let mut decompressor = self.decompressor.borrow_mut();
        if decompressor.is_none() {
            *decompressor = zstd::bulk::Decompressor::new().ok();
        }
        let text = match decompressor.as_mut() {
            Some(decompressor) => decompressor.decompress(body, usize::try_from(size).unwrap_or(0)),
            None => unpacked(size, packed, body),
        };
        text.map_err(|error| StoreError::Unreadable { what: "a text".into(), detail: error.to_string() })
    }

    /// The value of such columns.
    pub(super) fn value<T: DeserializeOwned>(&self, row: &Row<'_>, first: usize) -> Result<T, StoreError> {
        serde_json::from_slice(&self.text(row, first)?)
            .map_err(|error| StoreError::Unreadable { what: "a record".into(), detail: error.to_string() })
    }

    /// Stores a value as JSON.
    pub(super) fn put_json<T: Serialize>(&self, value: &T) -> Result<i64, StoreError> {
        let bytes = serde_json::to_vec(value)
            .map_err(|error| StoreError::Unreadable { what: "a new record".into(), detail: error.to_string() })?;
        self.put_blob(&bytes)
    }

    /// Reads a value back.
    pub(super) fn json<T: DeserializeOwned>(&self, id: i64) -> Result<T, StoreError> {
        serde_json::from_slice(&self.blob(id)?)
            .map_err(|error| StoreError::Unreadable { what: format!("blob {id}"), detail: error.to_string() })
    }
}

/// The text of a stored body.
pub(super) fn unpacked(size: i64, packed: bool, body: &[u8]) -> std::io::Result<Vec<u8>> {
    if packed { zstd::bulk::decompress(body, usize::try_from(size).unwrap_or(0)) } else { Ok(body.to_owned()) }
}
