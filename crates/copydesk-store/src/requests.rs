//! The ledger over all requests.
//!
//! A request to another machine is in the table before it is sent. One to this machine waits for the next commit after its end, so that a step
//! costs no second one.

use std::sync::Arc;

use super::{
    pending_requests::PendingRequest,
    request_rows::{digest_of, insert, kept},
};
use crate::prelude::*;
use copydesk_core::ports::{KeptRequest, RequestLedger, RequestStart, RequestTicket};

#[async_trait]
impl RequestLedger for Store {
    async fn begin(&self, request: RequestStart) -> Result<RequestTicket, StoreError> {
        let request = Arc::new(request);
        if request.here {
            return Ok(self.requests.add(PendingRequest { start: Some(request), row: None, end: None }));
        }
        let row = self.write(move |db| insert(db, &request, None)).await?;
        Ok(self.requests.add(PendingRequest { start: None, row: Some(row), end: None }))
    }

    fn end(&self, ticket: RequestTicket, bytes_in: u64, outcome: &str) {
        self.requests.end(ticket, bytes_in, outcome);
    }

    fn refuse(&self, request: RequestStart, why: &str) {
        let (start, end) = (Some(Arc::new(request)), Some((0, why.to_owned())));
        self.requests.add(PendingRequest { start, row: None, end });
    }

    async fn requests(&self, story: Option<&StoryKey>) -> Result<Vec<KeptRequest>, StoreError> {
        let of = story.map(|story| digest_of(&story.folded()));
        // After an empty write, the list has every request that is over by now.
        if self.requests.waits() {
            self.write(|_| Ok(())).await?;
        }
        self.read(move |db| kept(db, of.as_deref())).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        database::Database,
        request_rows::broken_at,
        testing::{AT, open, opening_of, store_in_a_file, story},
    };
    use copydesk_core::ports::{Archive as _, Commit, Records as _, Stories as _};

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
        let (folder, store) = store_in_a_file();
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
    async fn a_change_that_is_undone_leaves_no_gap_in_the_ledger() {
        let (_folder, store) = crate::testing::store();
        for outcome in ["200", "500"] {
            let ticket = store.begin(start(None, true)).await.unwrap();
            store.end(ticket, 5, outcome);
            let undone = store.write(|_| Err::<(), _>(StoreError::Full { file: "a disk".into() }.into())).await;
            assert!(undone.is_err() && store.requests.waits());
        }
        assert_eq!(store.requests(None).await.unwrap().len(), 2);
        assert_eq!(store.audit(vec![]).await.unwrap().flaws, []);
    }

    #[tokio::test]
    async fn what_is_over_is_written_when_the_program_ends() {
        let (folder, store) = store_in_a_file();
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
            let (folder, store) = store_in_a_file();
            for _ in 0..3 {
                let ticket = store.begin(start(Some("park"), false)).await.unwrap();
                store.end(ticket, 5, "200");
            }
            assert_eq!(store.audit(vec![]).await.unwrap().flaws, []);
            let db = Database::open_for_upkeep(&folder.path().join("copydesk.db")).unwrap();
            db.write(change, []).unwrap();
            assert_eq!(broken_at(&db).unwrap(), Some(at), "{change}");
            let said: Vec<String> = store.audit(vec![]).await.unwrap().flaws.iter().map(ToString::to_string).collect();
            assert!(said.iter().any(|said| said.contains(&format!("at request {at}"))), "{change}: {said:?}");
        }
    }
}
