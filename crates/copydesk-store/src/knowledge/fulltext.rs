//! The words of passages: in FTS5 or, on a server, in `tsvector`. Both cut words alike, stem them by Porter's rules, and rank by BM25.

#[cfg(feature = "postgres")]
mod tsvector;

use rusqlite::{params, types::Value};

use super::shelves::ShelfKind;
use crate::database::Database;
use crate::fault::DbFault;
use copydesk_core::ports::PassageHit;

/// The change of a passage in the full-text index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FullTextChange {
    Add,
    /// FTS5 keeps no text, so that it has to be told each word that goes.
    Remove,
}

/// Adds a passage's words or takes them away.
pub(super) fn change_words(
    db: &Database,
    shelf: ShelfKind,
    change: FullTextChange,
    passage: i64,
    (title, body): (&str, &str),
) -> Result<(), DbFault> {
    #[cfg(feature = "postgres")]
    if db.is_on_server() {
        return match change {
            FullTextChange::Add => tsvector::add_words(db, shelf, passage, (title, body)),
            FullTextChange::Remove => tsvector::remove_words(db, passage),
        };
    }
    let name = shelf.name();
    let sql = match change {
        FullTextChange::Add => format!("INSERT INTO {name}_fts (rowid, title, body) VALUES (?1, ?2, ?3)"),
        FullTextChange::Remove => {
            format!("INSERT INTO {name}_fts ({name}_fts, rowid, title, body) VALUES ('delete', ?1, ?2, ?3)")
        }
    };
    db.write(&sql, params![passage, title, body])
}

/// Takes all words of a shelf away.
pub(super) fn clear_words(db: &Database, shelf: ShelfKind) -> Result<(), DbFault> {
    #[cfg(feature = "postgres")]
    if db.is_on_server() {
        return tsvector::clear_words(db, shelf);
    }
    let name = shelf.name();
    db.write(&format!("INSERT INTO {name}_fts ({name}_fts) VALUES ('delete-all')"), [])
}

/// The passages that have one of `words`, the best first, at most `limit`; of those with a key `between` two, if that is given.
pub(super) fn ranked(
    db: &Database,
    shelf: ShelfKind,
    words: &[&str],
    between: Option<(i64, i64)>,
    limit: i64,
) -> Result<Vec<PassageHit>, DbFault> {
    #[cfg(feature = "postgres")]
    if db.is_on_server() {
        return tsvector::ranked(db, shelf, words, between, limit);
    }
    let name = shelf.name();
    let mut parameters = vec![Value::Text(any_of(words))];
    let within = if let Some((first, last)) = between {
        parameters.extend([Value::Integer(first), Value::Integer(last)]);
        "AND rowid BETWEEN ?2 AND ?3"
    } else {
        ""
    };
    // By the function, not by FTS5's column `rank`, which sorts every match with all its places before the first is cut off. The limit is
    // part of the statement: if it is a parameter, SQLite prepares the statement again each time.
    db.rows(
        &format!(
            "SELECT rowid, bm25({name}_fts, 2.0, 1.0) AS score FROM {name}_fts WHERE {name}_fts MATCH ?1 {within}
             ORDER BY score LIMIT {limit}"
        ),
        parameters,
        |row| Ok(PassageHit { passage: row.get(0)?, score: -row.get::<f64>(1)? }),
    )
}

/// In how many passages a word stands, counted up to `most`.
pub(super) fn passages_with(db: &Database, shelf: ShelfKind, word: &str, most: i64) -> Result<i64, DbFault> {
    #[cfg(feature = "postgres")]
    if db.is_on_server() {
        return tsvector::passages_with(db, shelf, word, most);
    }
    let name = shelf.name();
    let sql = format!("SELECT count(*) FROM (SELECT 1 FROM {name}_fts WHERE {name}_fts MATCH ?1 LIMIT ?2)");
    db.value(&sql, params![quoted(word), most])
}

/// Whether a passage has a word.
pub(super) fn has(db: &Database, shelf: ShelfKind, passage: i64, word: &str) -> Result<bool, DbFault> {
    #[cfg(feature = "postgres")]
    if db.is_on_server() {
        return tsvector::has(db, passage, word);
    }
    let name = shelf.name();
    let sql = format!("SELECT 1 FROM {name}_fts WHERE {name}_fts MATCH ?1 AND rowid = ?2");
    db.exists(&sql, params![quoted(word), passage])
}

/// The words as an expression of FTS5, each quoted, so that nothing in them is an operator.
fn any_of(words: &[&str]) -> String {
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" OR ")
}

/// Any text as one word of FTS5. A null byte would end the expression.
fn quoted(word: &str) -> String {
    format!("\"{}\"", word.replace('\0', " ").replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_is_an_operator() {
        assert_eq!(any_of(&["near(", "\"", "*", "a\0b"]), "\"near(\" OR \"\"\"\" OR \"*\" OR \"a b\"");
    }
}
