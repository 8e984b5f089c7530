//! The numbers of the versions of a story, as other systems count them. Each is given once: to a version that is signed off or sent, and to
//! the notice that withdraws one.

use serde_json::Value;

use crate::prelude::*;

/// The number that the next version of a run's story gets, from 1.
pub(super) fn next_version(db: &Database, run: RunKey) -> Result<u32, DbFault> {
    let mut last = 0;
    db.each(
        "SELECT coalesce(version, 0), killed FROM run WHERE story = (SELECT story FROM run WHERE id = ?1)",
        [run.0],
        |row| {
            let notice = row.get_ref(1)?.as_str_or_null()?.and_then(|notice| serde_json::from_str(notice).ok());
            let notice: u64 =
                notice.map_or(0, |notice: Value| notice.get("number").and_then(Value::as_u64).unwrap_or(0));
            last = last.max(row.get(0)?).max(u32::try_from(notice).unwrap_or(0));
            Ok(())
        },
    )?;
    Ok(last + 1)
}

/// Gives the version of a run its number, for good, unless it has one.
pub(super) fn number_version(db: &Database, run: RunKey) -> Result<(), DbFault> {
    let next = next_version(db, run)?;
    db.write("UPDATE run SET version = ?2 WHERE id = ?1 AND version IS NULL", params![run.0, next])
}

#[cfg(test)]
mod tests {
    use crate::{
        Store,
        testing::{AT, open, opening_of, store},
    };
    use copydesk_core::ports::{Archive as _, Commit, Outbox as _, Records as _, RunKey, RunSummary};
    use copydesk_newsroom::{DeliveryState, RunState, StoryDelivery, StoryWithdrawal, TargetKind};

    async fn sign(store: &Store, run: RunKey) {
        let summary = RunSummary {
            headline: None,
            state: RunState::Succeeded,
            signed_by: Some("Ada".into()),
            rounds: 1,
            max_rounds: 1,
            open_concerns: 0,
            flags: vec![],
            prompt_tokens: 0,
            completion_tokens: 0,
            error: None,
            waits: None,
            extract: false,
        };
        store.commit(run, Commit { at: AT.into(), summary: Some(summary), ..Commit::default() }, None).await.unwrap();
    }

    async fn version(store: &Store, run: RunKey) -> u32 {
        store.listed(&[run]).await.unwrap()[0].1.version
    }

    #[tokio::test]
    async fn each_version_and_each_notice_has_a_number_of_its_own_in_the_order_in_which_they_came() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("copydesk.db");
        let store = Store::open(&file).unwrap();
        let first = open(&store, opening_of("park", "R1", "Text."), None).await;
        assert_eq!(version(&store, first).await, 1, "it has none yet");
        sign(&store, first).await;
        let (second, third) = (
            open(&store, opening_of("park", "R2", "Text."), None).await,
            open(&store, opening_of("park", "R3", "Text."), None).await,
        );
        assert_eq!((version(&store, second).await, version(&store, third).await), (2, 2), "whichever is first");
        let withdrawal = StoryWithdrawal { at: AT.into(), by: "Ada".into(), reason: "x".into(), number: 0 };
        assert!(store.kill(first, &withdrawal).await.unwrap());
        sign(&store, third).await;
        let sent = StoryDelivery {
            key: "k".into(),
            target: "wire".into(),
            kind: TargetKind::Webhook,
            place: "wire.example".into(),
            version: "v".into(),
            digest: None,
            state: DeliveryState::Waiting,
            attempts: 0,
            answer: None,
            by: "Ada".into(),
        };
        assert!(store.advance(second, None, sent, AT).await.unwrap());
        sign(&store, third).await;
        let numbers = |store: Store| async move {
            let killed = store.listed(&[first]).await.unwrap()[0].1.withdrawn.clone().unwrap();
            let (first, second, third) =
                (version(&store, first).await, version(&store, second).await, version(&store, third).await);
            (first, killed.number, second, third)
        };
        assert_eq!(numbers(store).await, (1, 2, 4, 3));
    }

    #[tokio::test]
    async fn another_story_counts_for_itself() {
        let (_folder, store) = store();
        let park = open(&store, opening_of("park", "R1", "Text."), None).await;
        let mill = open(&store, opening_of("mill", "R2", "Text."), None).await;
        sign(&store, park).await;
        assert_eq!(version(&store, mill).await, 1);
    }
}
