//! The ledger over all requests.
//!
//! A request to another machine is in the table before it is sent. One to this machine waits for the next commit after its end, so that a step
//! costs no second one. Each row continues a chain of digests, so that a row that is changed or taken out is found.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex, PoisonError},
};

use async_trait::async_trait;
use rusqlite::params;
use sha2::{Digest as _, Sha256};

use super::{
    Store,
    columns::natural,
    database::{Database, DbFault},
};
use crate::{
    newsroom::StoryKey,
    ports::{KeptRequest, RequestLedger, RequestStart, RequestTicket, StoreError},
};

/// Requests that are under way or not written yet.
#[derive(Default)]
pub(super) struct PendingRequests(Mutex<Pending>);

#[derive(Default)]
struct Pending {
    last: u64,
    /// By their tickets, so in the order in which they began.
    requests: BTreeMap<u64, PendingRequest>,
}

#[derive(Clone)]
struct PendingRequest {
    /// What is to be written; none if the row is there.
    start: Option<Arc<RequestStart>>,
    row: Option<i64>,
    /// Bytes and outcome, once it is over.
    end: Option<(u64, String)>,
}

impl PendingRequests {
    fn lock(&self) -> std::sync::MutexGuard<'_, Pending> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, request: PendingRequest) -> RequestTicket {
        let mut pending = self.lock();
        pending.last = pending.last.saturating_add(1);
        let ticket = pending.last;
        pending.requests.insert(ticket, request);
        RequestTicket(ticket)
    }

    /// Whether there is anything to be written.
    pub(super) fn waits(&self) -> bool {
        self.lock().requests.values().any(|request| request.end.is_some())
    }

    /// Writes what is over, within a transaction. Returns the tickets, which are forgotten once that is committed.
    pub(super) fn write(&self, db: &Database) -> Result<Vec<u64>, DbFault> {
        let over: Vec<(u64, PendingRequest)> = {
            let pending = self.lock();
            let over = pending.requests.iter().filter(|(_, request)| request.end.is_some());
            over.map(|(ticket, request)| (*ticket, request.clone())).collect()
        };
        for (_, request) in &over {
            let row = match (&request.start, request.row) {
                (_, Some(row)) => row,
                (Some(start), None) => insert(db, start)?,
                (None, None) => continue,
            };
            if let Some((bytes, outcome)) = &request.end {
                let bytes = i64::try_from(*bytes).unwrap_or(i64::MAX);
                db.write("UPDATE request SET bytes_in = ?2, outcome = ?3 WHERE id = ?1", params![row, bytes, outcome])?;
            }
        }
        Ok(over.into_iter().map(|(ticket, _)| ticket).collect())
    }

    pub(super) fn forget(&self, written: &[u64]) {
        let mut pending = self.lock();
        for ticket in written {
            pending.requests.remove(ticket);
        }
    }
}

#[async_trait]
impl RequestLedger for Store {
    async fn begin(&self, request: RequestStart) -> Result<RequestTicket, StoreError> {
        let request = Arc::new(request);
        if request.here {
            return Ok(self.requests.add(PendingRequest { start: Some(request), row: None, end: None }));
        }
        let row = self.write(move |db| insert(db, &request)).await?;
        Ok(self.requests.add(PendingRequest { start: None, row: Some(row), end: None }))
    }

    fn end(&self, ticket: RequestTicket, bytes_in: u64, outcome: &str) {
        if let Some(request) = self.requests.lock().requests.get_mut(&ticket.0) {
            request.end = Some((bytes_in, outcome.to_owned()));
        }
    }

    fn refuse(&self, request: RequestStart, why: &str) {
        let (start, end) = (Some(Arc::new(request)), Some((0, why.to_owned())));
        self.requests.add(PendingRequest { start, row: None, end });
    }

    async fn requests(&self, story: Option<&StoryKey>) -> Result<Vec<KeptRequest>, StoreError> {
        let of = story.map(|story| digest_of(&story.folded()));
        // What is over by now is in the list.
        if self.requests.waits() {
            self.write(|_| Ok(())).await?;
        }
        self.read(move |db| kept(db, of.as_deref())).await
    }
}

/// What a row says of its story.
fn digest_of(folded: &str) -> Vec<u8> {
    Sha256::digest(folded).to_vec()
}

fn insert(db: &Database, request: &RequestStart) -> Result<i64, DbFault> {
    let before: Vec<u8> = db.optional("SELECT link FROM request ORDER BY id DESC LIMIT 1", [])?.unwrap_or_default();
    let of = request.story.as_ref().map(|story| digest_of(&story.folded()));
    let bytes = i64::try_from(request.bytes_out).unwrap_or(i64::MAX);
    let RequestStart { at, why, host, port, here, .. } = request;
    let link = link(&before, of.as_deref(), [at, why, host], [i64::from(*port), i64::from(*here), bytes]);
    db.insert(
        "INSERT INTO request (at, of, why, host, port, here, bytes_out, link) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        params![at, of, why, host, port, here, bytes, link],
    )
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

fn kept(db: &Database, of: Option<&[u8]>) -> Result<Vec<KeptRequest>, DbFault> {
    let mut names: HashMap<Vec<u8>, String> = HashMap::new();
    db.each("SELECT folded, channel || '/' || slug FROM story", [], |row| {
        names.insert(digest_of(row.get_ref(0)?.as_str()?), row.get(1)?);
        Ok(())
    })?;
    db.rows(
        "SELECT at, of, why, host, port, here, bytes_out, bytes_in, outcome FROM request
         WHERE ?1 IS NULL OR of = ?1 ORDER BY id",
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
                left: !row.get::<_, bool>(5)?,
                bytes_out: natural(row.get(6)?),
                bytes_in: row.get::<_, Option<i64>>(7)?.map(natural),
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
    let counted: i64 = db.optional("SELECT seq FROM sqlite_sequence WHERE name = 'request'", [])?.unwrap_or(0);
    Ok(broken.or((counted > last).then_some(last + 1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        ports::{Archive as _, Commit, Records as _, Stories as _},
        store::testing::{AT, open, opening_of, store, story},
    };

    fn start(slug: Option<&str>, here: bool) -> RequestStart {
        RequestStart {
            at: AT.into(),
            story: slug.map(story),
            why: "r1.review: reviewer".into(),
            host: "models.example".into(),
            port: 443,
            here,
            bytes_out: 1_000,
        }
    }

    #[tokio::test]
    async fn a_request_away_is_noted_before_it_is_sent_and_one_here_with_the_next_commit() {
        let (folder, store) = store();
        let run = open(&store, opening_of("park", "R1", "Text."), None).await;
        let look = || Database::open_for_upkeep(&folder.path().join("copydesk.db")).unwrap();
        let rows = || kept(&look(), None).unwrap().into_iter().map(|row| (row.left, row.outcome)).collect::<Vec<_>>();
        let away = store.begin(start(Some("park"), false)).await.unwrap();
        let here = store.begin(start(None, true)).await.unwrap();
        assert_eq!(rows(), [(true, None)]);
        store.end(away, 20, "200");
        store.end(here, 30, "200");
        store.refuse(start(Some("park"), false), "not sent: confidential");
        assert_eq!(rows(), [(true, None)]);
        store.commit(run, Commit { at: AT.into(), ..Commit::default() }, None).await.unwrap();
        let said = |outcome: &str| Some(outcome.to_owned());
        assert_eq!(rows(), [(true, said("200")), (false, said("200")), (true, said("not sent: confidential"))]);
        let of_story = store.requests(Some(&story("PARK"))).await.unwrap();
        assert_eq!((of_story.len(), of_story[0].story.as_deref()), (2, Some("desk/park")));
        assert!(store.audit(vec![]).await.unwrap().flaws.is_empty());
        store.delete_story(&story("park"), "Ada", AT).await.unwrap().unwrap();
        let all = store.requests(None).await.unwrap();
        assert_eq!((all.len(), all[0].deleted_story, all[0].story.clone()), (3, true, None));
        assert!(store.audit(vec![]).await.unwrap().flaws.is_empty());
    }

    #[tokio::test]
    async fn what_is_over_is_written_when_the_program_ends() {
        let (folder, store) = store();
        let ticket = store.begin(start(None, true)).await.unwrap();
        store.end(ticket, 5, "200");
        store.begin(start(None, true)).await.unwrap();
        drop(store);
        let db = Database::open_for_upkeep(&folder.path().join("copydesk.db")).unwrap();
        assert_eq!(kept(&db, None).unwrap().len(), 1, "one was under way");
    }

    #[tokio::test]
    async fn whoever_changes_the_ledger_is_found() {
        for (change, at) in [
            ("UPDATE request SET host = 'other.example' WHERE id = 2", 2),
            ("UPDATE request SET bytes_out = 1 WHERE id = 1", 1),
            ("UPDATE request SET of = NULL WHERE id = 3", 3),
            ("UPDATE request SET here = 1 WHERE id = 3", 3),
            ("DELETE FROM request WHERE id = 2", 2),
            ("DELETE FROM request WHERE id = 3", 3),
            ("DELETE FROM request", 1),
        ] {
            let (folder, store) = store();
            for _ in 0..3 {
                let ticket = store.begin(start(Some("park"), false)).await.unwrap();
                store.end(ticket, 5, "200");
            }
            assert_eq!(store.audit(vec![]).await.unwrap().flaws, []);
            let db = Database::open_for_upkeep(&folder.path().join("copydesk.db")).unwrap();
            db.connection.execute(change, []).unwrap();
            assert_eq!(broken_at(&db).unwrap(), Some(at), "{change}");
            let said: Vec<String> = store.audit(vec![]).await.unwrap().flaws.iter().map(ToString::to_string).collect();
            assert!(said.iter().any(|said| said.contains(&format!("at request {at}"))), "{change}: {said:?}");
        }
    }
}
