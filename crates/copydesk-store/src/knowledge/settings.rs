//! The notes of the index about itself: how its texts were cut, and whose vectors it holds.

use crate::database::{Database, DbFault};

/// How the knowledge base is cut, as the index was last built.
pub(super) const CHUNKING: &str = "knowledge.chunking";

/// How the stories' texts are cut.
pub(super) const STORY_CHUNKING: &str = "stories.chunking";

/// The embedder of the vectors and their length: `LENGTH IDENTITY`.
const EMBEDDER: &str = "knowledge.embedder";

pub(super) fn setting(db: &Database, key: &str) -> Result<Option<String>, DbFault> {
    db.optional("SELECT value FROM setting WHERE key = ?1", [key])
}

pub(super) fn set_setting(db: &Database, key: &str, value: &str) -> Result<(), DbFault> {
    db.write(
        "INSERT INTO setting (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        [key, value],
    )
}

/// The embedder of the vectors, and how long they are.
pub(super) fn embedder(db: &Database) -> Result<Option<(String, usize)>, DbFault> {
    Ok(setting(db, EMBEDDER)?.and_then(|kept| {
        let (length, identity) = kept.split_once(' ')?;
        Some((identity.to_owned(), length.parse().ok()?))
    }))
}

pub(super) fn set_embedder(db: &Database, identity: &str, length: usize) -> Result<(), DbFault> {
    set_setting(db, EMBEDDER, &format!("{length} {identity}"))
}
