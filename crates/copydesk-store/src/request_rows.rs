//! The rows of the ledger over all requests. Each continues a chain of digests, so that a row that is changed or taken out is found.

use std::collections::HashMap;

use rusqlite::params;
use sha2::{Digest as _, Sha256};

use super::{
    columns::{natural, whole},
    database::Database,
    fault::DbFault,
};
use copydesk_core::ports::{KeptRequest, RequestStart};

/// Writes what is over, within a transaction. Returns the tickets, which are forgotten once that is committed.
pub(super) fn write_over(db: &Database) -> Result<Vec<u64>, DbFault> {
    let over = db.requests.over();
    for (_, request) in &over {
        match (&request.start, request.row, &request.end) {
            (_, Some(row), Some((bytes, outcome))) => {
                let sql = "UPDATE request SET bytes_in = ?2, outcome = ?3 WHERE id = ?1";
                db.write(sql, params![row, whole(*bytes), outcome])?;
            }
            (Some(start), None, end) => drop(insert(db, start, end.as_ref())?),
            _ => {}
        }
    }
    Ok(over.into_iter().map(|(ticket, _)| ticket).collect())
}

/// The digest that a row stores for its story.
pub(super) fn digest_of(folded: &str) -> Vec<u8> {
    Sha256::digest(folded).to_vec()
}

/// Adds a row, with the bytes and the outcome of a request that is over. Returns its number.
pub(super) fn insert(db: &Database, request: &RequestStart, end: Option<&(u64, String)>) -> Result<i64, DbFault> {
    let of = request.story.as_ref().map(|story| digest_of(&story.folded()));
    let bytes = whole(request.bytes_out);
    let (bytes_in, outcome) = end.map(|(bytes, outcome)| (whole(*bytes), outcome)).unzip();
    let RequestStart { at, why, host, port, here, .. } = request;
    // A number that SQLite has counted is not given again. A server would count one that no commit kept, so it is not asked to.
    let counted = db.counted("request")?;
    let (id, link) = db.with_ends(|ends| {
        let (last, before) = &mut ends.request;
        *last = counted.max(*last) + 1;
        *before = link(before, of.as_deref(), [at, why, host], [i64::from(*port), i64::from(*here), bytes]);
        (*last, before.clone())
    })?;
    db.write(
        "INSERT INTO request (id, at, of, why, host, port, here, bytes_out, link, bytes_in, outcome)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        params![id, at, of, why, host, port, here, bytes, link, bytes_in, outcome],
    )?;
    Ok(id)
}

fn link(before: &[u8], of: Option<&[u8]>, texts: [&String; 3], numbers: [i64; 3]) -> Vec<u8> {
    let mut digest = Sha256::new();
    let mut put = |bytes: &[u8]| {
        digest.update((bytes.len() as u64).to_be_bytes());
        digest.update(bytes);
    };
    put(before);
    put(of.unwrap_or_default());
    for text in texts {
        put(text.as_bytes());
    }
    for number in numbers {
        put(&number.to_be_bytes());
    }
    digest.finalize().to_vec()
}

/// The requests of a story, or all.
pub(super) fn kept(db: &Database, of: Option<&[u8]>) -> Result<Vec<KeptRequest>, DbFault> {
    let names = db.rows("SELECT folded, channel || '/' || slug FROM story", [], |row| {
        Ok((digest_of(row.get_ref(0)?.as_str()?), row.get(1)?))
    })?;
    let names: HashMap<Vec<u8>, String> = names.into_iter().collect();
    db.rows(
        "SELECT at, of, why, host, port, here, bytes_out, bytes_in, outcome FROM request
         WHERE coalesce(?1, of) IS NOT DISTINCT FROM of ORDER BY id",
        [of],
        |row| {
            let of: Option<Vec<u8>> = row.get(1)?;
            let story = of.as_ref().and_then(|of| names.get(of)).cloned();
            Ok(KeptRequest {
                at: row.get(0)?,
                deleted_story: of.is_some() && story.is_none(),
                story,
                why: row.get(2)?,
                host: row.get(3)?,
                port: row.get(4)?,
                left: !row.get::<bool>(5)?,
                bytes_out: natural(row.get(6)?),
                bytes_in: row.get::<Option<i64>>(7)?.map(natural),
                outcome: row.get(8)?,
            })
        },
    )
}

/// Whether the ledger is as it was written: the number of the first row that is not, or that is missing.
pub(super) fn broken_at(db: &Database) -> Result<Option<i64>, DbFault> {
    let (mut before, mut last, mut broken) = (Vec::new(), 0, None);
    db.each("SELECT id, at, of, why, host, port, here, bytes_out, link FROM request ORDER BY id", [], |row| {
        let id: i64 = row.get(0)?;
        let of: Option<Vec<u8>> = row.get(2)?;
        let texts: [String; 3] = [row.get(1)?, row.get(3)?, row.get(4)?];
        let [at, why, host] = &texts;
        let wanted = link(&before, of.as_deref(), [at, why, host], [row.get(5)?, row.get(6)?, row.get(7)?]);
        let found: Vec<u8> = row.get(8)?;
        if broken.is_none() && (found != wanted || id != last + 1) {
            broken = Some(last + 1);
        }
        (before, last) = (found, id);
        Ok(())
    })?;
    // Its end was cut off.
    let counted = db.counted("request")?;
    Ok(broken.or((counted > last).then_some(last + 1)))
}
