//! Texts and their passages: put in, read back, told to the full text.

use super::{
    fulltext::{FullTextChange, change_words},
    shelves::{ShelfKind, count_passages},
};
use crate::blobs::bytes_in;
use crate::prelude::*;
use copydesk_core::ports::{KnowledgeFile, NewDocument, NewPassage};

pub(super) fn story_id(db: &Database, folded: &str) -> Result<Option<i64>, DbFault> {
    db.optional("SELECT id FROM story WHERE folded = ?1", [folded])
}

/// Adds a text with its passages to the shelf on which `story` puts it.
pub(super) fn put_document(
    db: &Database,
    story: Option<i64>,
    document: &NewDocument,
    file: Option<&KnowledgeFile>,
) -> Result<(), DbFault> {
    let shelf = if story.is_none() { ShelfKind::Knowledge } else { ShelfKind::Story };
    let bytes = document.text.as_bytes();
    let packed = db.packer.borrow_mut().pack(bytes);
    let (flag, body) = packed.as_deref().map_or((0, bytes), |packed| (1, packed));
    let id: i64 = db.value(
        "INSERT INTO document (story, tier, name, title, credibility, published, digest, file_size, modified, tokens, size, packed, body)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13) RETURNING id",
        params![
            story,
            document.tier.name(),
            document.name,
            document.title,
            document.credibility,
            document.published,
            file.map_or(&document.digest, |file| &file.digest),
            file.map(|file| whole(file.size)),
            file.map(|file| file.modified),
            whole(document.tokens),
            whole(bytes.len() as u64),
            flag,
            body
        ],
    )?;
    put_passages(db, shelf, id, (&document.title, &document.text), &document.passages)
}

/// Adds the passages of a text that stands there with its title; they wait for vectors.
pub(super) fn put_passages(
    db: &Database,
    shelf: ShelfKind,
    document: i64,
    (title, text): (&str, &str),
    passages: &[NewPassage],
) -> Result<(), DbFault> {
    let put = "INSERT INTO passage (document, start, stop, tokens, heading) VALUES (?1, ?2, ?3, ?4, ?5) RETURNING id";
    for passage in passages {
        let (start, end, tokens) = (whole(passage.start), whole(passage.end), whole(passage.tokens));
        let id: i64 = db.value(put, params![document, start, end, tokens, passage.heading])?;
        let words = (&*headed(title, &passage.heading), slice(text, passage.start, passage.end));
        change_words(db, shelf, FullTextChange::Add, id, words)?;
    }
    count_passages(db, shelf, whole(passages.len() as u64))
}

/// Tells the full text each passage of a text. If the text cannot be read, it is told nothing, and this returns false.
pub(super) fn tell_words(
    db: &Database,
    shelf: ShelfKind,
    document: i64,
    change: FullTextChange,
) -> Result<bool, DbFault> {
    let Some((title, text)) = readable(document_text(db, document))? else { return Ok(false) };
    db.each("SELECT id, start, stop, heading FROM passage WHERE document = ?1", [document], |row| {
        let body = slice(&text, natural(row.get(1)?), natural(row.get(2)?));
        change_words(db, shelf, change, row.get(0)?, (&headed(&title, row.get_ref(3)?.as_str()?), body))
    })?;
    Ok(true)
}

/// A text with its title.
pub(super) fn document_text(db: &Database, document: i64) -> Result<(String, String), DbFault> {
    known_document_text(db, document)?.ok_or_else(|| unreadable(of_index(document), "it is not there"))
}

/// The same, if the text is still there.
pub(super) fn known_document_text(db: &Database, document: i64) -> Result<Option<(String, String)>, DbFault> {
    db.one("SELECT title, size, packed, body FROM document WHERE id = ?1", [document], |row| {
        let text = String::from_utf8(bytes_in(db, row, 1)?).map_err(|error| unreadable(of_index(document), error))?;
        Ok((row.get(0)?, text))
    })
}

fn of_index(document: i64) -> String {
    format!("text {document} of the index")
}

/// A passage's title in the full text.
pub(super) fn headed(title: &str, heading: &str) -> String {
    if heading.is_empty() { title.to_owned() } else { format!("{title} > {heading}") }
}

/// A stretch of a text; empty if the bounds do not fit the text.
pub(super) fn slice(text: &str, start: u64, end: u64) -> &str {
    let bounds = usize::try_from(start).ok().zip(usize::try_from(end).ok());
    bounds.and_then(|(start, end)| text.get(start..end)).unwrap_or_default()
}

/// The knowledge base's files, by name.
pub(super) fn knowledge_files(db: &Database) -> Result<Vec<KnowledgeFile>, DbFault> {
    db.rows(
        "SELECT name, coalesce(file_size, 0), coalesce(modified, 0), digest FROM document WHERE story IS NULL ORDER BY name",
        [],
        |row| {
            let size = natural(row.get(1)?);
            Ok(KnowledgeFile { path: row.get(0)?, size, modified: row.get(2)?, digest: row.get(3)? })
        },
    )
}
