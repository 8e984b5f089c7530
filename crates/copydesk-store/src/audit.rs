//! One check of the whole database: whether it is as it was written, from the file's pages to the signatures.

mod deliveries;
mod log_book;
mod objects;
mod passages;
mod replies;
mod rows;

use rusqlite::ErrorCode;

use self::{
    deliveries::deliveries, log_book::LogBook, objects::objects, passages::passages, replies::replies, rows::rows,
};
use super::{
    blobs::bytes_in,
    head::{HeadFile, KeptHead},
    request_rows, secrecy,
};
use crate::prelude::*;
use copydesk_core::ports::{Audit, Flaw, SignedOff, WorkProgress};

/// Checks everything. `head` is the file beside the database, `signed` what the runs' artifacts say of sign-offs.
pub(super) fn audit(
    db: &Database,
    head: Option<&HeadFile>,
    signed: &[SignedOff],
    progress: &WorkProgress,
) -> Result<Audit, DbFault> {
    // One state for all that is compared.
    db.begin_to_read()?;
    let mut found = Audit::default();
    let checked = check(db, head, signed, progress, &mut found);
    match checked {
        // A part that cannot be read is damage, too.
        Err(DbFault::Sql(error)) if is_damage(&error) => found.flaws.push(Flaw::Damaged(error.to_string())),
        Err(DbFault::Store(StoreError::Unreadable { what, detail })) => {
            found.flaws.push(Flaw::Damaged(format!("{what}: {detail}")));
        }
        other => other?,
    }
    db.set("ROLLBACK")?;
    Ok(found)
}

fn check(
    db: &Database,
    head: Option<&HeadFile>,
    signed: &[SignedOff],
    progress: &WorkProgress,
    found: &mut Audit,
) -> Result<(), DbFault> {
    let flaws = &mut found.flaws;
    // A server has its own checks of its files.
    if !db.is_on_server() {
        objects(db, flaws)?;
    }
    // SQLite's check runs the expressions of indexes. It is made only if all of them are ours.
    if flaws.is_empty() && !db.is_on_server() {
        let verdict: String = db.value("PRAGMA integrity_check(1)", [])?;
        if verdict != "ok" {
            flaws.push(Flaw::Damaged(verdict));
        }
        if db.exists("SELECT 1 FROM pragma_foreign_key_check", [])? {
            flaws.push(Flaw::Damaged("a row refers to one that is not there".into()));
        }
    }
    found.stories = natural(db.value("SELECT count(*) FROM story", [])?);
    let kept = head.map_or(KeptHead::None, HeadFile::read);
    let count =
        "SELECT (SELECT count(*) FROM log_link) + (SELECT count(*) FROM blob) + (SELECT count(*) FROM document)";
    let (mut done, all) = (0, natural(db.value(count, [])?));
    let mut one = || {
        done += 1;
        progress.at(done.min(all), all);
    };
    let told = LogBook::read(db, &kept, signed, &mut one)?;
    (found.events, found.hidden) = (told.events, told.hidden);
    told.flaws(db, head, &kept, flaws)?;
    texts(db, flaws, one)?;
    deliveries(db, &told, flaws)?;
    passages(db, &told, flaws)?;
    replies(db, &told, flaws)?;
    flaws.extend(request_rows::broken_at(db)?.map(Flaw::Ledger));
    flaws.extend(secrecy::laid_open(db)?.into_iter().map(Flaw::Secrecy));
    rows(db, &told, signed, flaws)
}

/// Each text against its digest.
fn texts(db: &Database, flaws: &mut Vec<Flaw>, mut one: impl FnMut()) -> Result<(), DbFault> {
    use sha2::{Digest as _, Sha256};

    let mut changed = Vec::new();
    db.each("SELECT id, digest, size, packed, body FROM blob", [], |row| {
        one();
        let text = readable(bytes_in(db, row, 2))?;
        let is_whole = text.is_some_and(|text| {
            row.get_ref(1)
                .is_ok_and(|digest| digest.as_blob().is_ok_and(|digest| Sha256::digest(&text).as_slice() == digest))
                && row.get::<i64>(2).is_ok_and(|size| usize::try_from(size) == Ok(text.len()))
        });
        if !is_whole {
            changed.push(row.get::<i64>(0)?);
        }
        Ok(())
    })?;
    let mut of = Vec::new();
    for blob in changed.iter().take(20) {
        of.append(&mut db.column::<String>(
            "SELECT run_id FROM run WHERE opening = ?1
             UNION SELECT run_id FROM journal JOIN run ON run.id = journal.run WHERE outcome = ?1
             UNION SELECT run_id FROM llm_call JOIN run ON run.id = llm_call.run WHERE prompt = ?1 OR answer = ?1
             UNION SELECT 'the memory' FROM memory WHERE record = ?1",
            [blob],
        )?);
    }
    if !changed.is_empty() {
        of.sort();
        of.dedup();
        let of = if of.is_empty() { "prompts".to_owned() } else { of.join(", ") };
        flaws.push(Flaw::Texts { count: changed.len(), of });
    }
    // The texts of stories in the search index; a knowledge file's digest is that of the file.
    let mut indexed = 0;
    db.each("SELECT story IS NOT NULL, digest, size, packed, body FROM document", [], |row| {
        one();
        let text = readable(bytes_in(db, row, 2))?;
        let is_whole = text.is_some_and(|text| {
            let digest = row.get_ref(1).ok().and_then(|digest| digest.as_str().ok());
            let of_story = row.get(0).unwrap_or(false);
            std::str::from_utf8(&text).is_ok()
                && row.get::<i64>(2).is_ok_and(|size| usize::try_from(size) == Ok(text.len()))
                && (!of_story || digest == Some(hex::encode(Sha256::digest(&text)).as_str()))
        });
        indexed += usize::from(!is_whole);
        Ok(())
    })?;
    if indexed > 0 {
        flaws.push(Flaw::Texts { count: indexed, of: "the search index".into() });
    }
    Ok(())
}

fn is_damage(error: &rusqlite::Error) -> bool {
    use rusqlite::Error as E;
    match error.sqlite_error_code() {
        Some(code) => matches!(
            code,
            ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::Unknown | ErrorCode::SystemIoFailure
        ),
        None => matches!(
            error,
            E::FromSqlConversionFailure(..)
                | E::IntegralValueOutOfRange(..)
                | E::Utf8Error(..)
                | E::InvalidColumnType(..)
                | E::QueryReturnedNoRows
        ),
    }
}
