//! A prompt as it is stored: long parts by reference.

use serde::{Deserialize, Serialize};

use crate::newsroom::Role;

#[derive(Serialize, Deserialize)]
pub(super) struct StoredMessage {
    pub(super) role: Role,
    pub(super) parts: Vec<StoredPart>,
}

/// A part has either its text or the key of the stored text.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredPart {
    pub(super) name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) blob: Option<i64>,
}

/// The keys of the texts that these messages refer to.
pub(super) fn references(messages: &[StoredMessage]) -> impl Iterator<Item = i64> {
    messages.iter().flat_map(|message| &message.parts).filter_map(|part| part.blob)
}

/// The keys of the texts that a stored prompt refers to; none if it is not a prompt.
pub(super) fn references_in(prompt: &[u8]) -> Option<Vec<i64>> {
    let messages: Vec<StoredMessage> = serde_json::from_slice(prompt).ok()?;
    Some(references(&messages).collect())
}
