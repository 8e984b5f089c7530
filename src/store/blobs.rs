//! Texts, stored once by their digest, compressed.

use rusqlite::{OptionalExtension, params};
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
    fn pack(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let mut compressor = self.compressor.borrow_mut();
        if compressor.is_none() {
            *compressor = zstd::bulk::Compressor::new(LEVEL).ok();
        }
        let packed = compressor.as_mut()?.compress(bytes).ok()?;
        (packed.len() < bytes.len()).then_some(packed)
    }

    /// Reads a blob back.
    pub(super) fn blob(&self, id: i64) -> Result<Vec<u8>, StoreError> {
        let (size, packed, body): (i64, bool, Vec<u8>) = self.sql(|connection| {
            connection
                .prepare_cached("SELECT size, packed, body FROM blob WHERE id = ?1")?
                .query_row([id], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        })?;
        if !packed {
            return Ok(body);
        }
        zstd::bulk::decompress(&body, usize::try_from(size).unwrap_or(0))
            .map_err(|error| StoreError::Unreadable { what: format!("blob {id}"), detail: error.to_string() })
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
