//! The ends of the tables that only grow: plain data beside the connection.

use std::collections::HashMap;

/// The SHA-256 of a text.
pub(super) type TextDigest = [u8; 32];

/// The last rows of the audit log, the ledger of requests, and the texts, as a writing transaction counts on from them.
#[derive(Default)]
pub(super) struct Ends {
    /// The link of the last event.
    pub(super) event: Vec<u8>,
    /// Number and link of the last request.
    pub(super) request: (i64, Vec<u8>),
    /// The key of the last text, and those of the texts that this transaction has stored.
    pub(super) blob: i64,
    pub(super) texts: HashMap<TextDigest, i64>,
}
