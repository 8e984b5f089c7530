//! The outbox: what is to leave the house, and what has left it.

use crate::engine::parameters::Parameters;
use crate::prelude::*;

use super::{
    events::append_event,
    versions::{next_version, number_version},
};
use copydesk_core::ports::{KeptDelivery, Outbox};
use copydesk_newsroom::{DeliveryState, StoryDelivery, StoryWithdrawal};

const COLUMNS: &str =
    "outbox.key, target, kind, place, outbox.version, digest, outbox.state, attempts, answer, wanted_by,
    channel || '/' || slug, run.run_id, queued_at, changed_at";

const FROM: &str = "FROM outbox JOIN run ON run.id = outbox.run JOIN story ON story.id = run.story";

#[async_trait]
impl Outbox for Store {
    async fn deliveries(&self, story: &StoryKey) -> Result<Vec<KeptDelivery>, StoreError> {
        let folded = story.folded();
        self.read(move |db| kept(db, "WHERE folded = ?1", [&folded])).await
    }

    async fn advance(
        &self,
        run: RunKey,
        seen: Option<&StoryDelivery>,
        next: StoryDelivery,
        at: &str,
    ) -> Result<bool, StoreError> {
        let (seen, at) = (seen.map(|seen| (seen.state, seen.attempts)), at.to_owned());
        self.write(move |db| advance(db, run, seen, &next, &at)).await
    }

    async fn kill(&self, run: RunKey, withdrawal: &StoryWithdrawal) -> Result<bool, StoreError> {
        let withdrawal = withdrawal.clone();
        self.write(move |db| kill(db, run, &withdrawal)).await
    }
}

/// The deliveries that meet a condition, oldest first.
fn kept(db: &Database, which: &str, parameters: impl Parameters) -> Result<Vec<KeptDelivery>, DbFault> {
    db.rows(&format!("SELECT {COLUMNS} {FROM} {which} ORDER BY outbox.id"), parameters, |row| {
        Ok(KeptDelivery {
            delivery: delivery_in(row)?,
            story: row.get(10)?,
            run: row.get(11)?,
            queued_at: row.get(12)?,
            changed_at: row.get(13)?,
        })
    })
}

/// The delivery in the first ten columns.
fn delivery_in(row: &DbRow<'_>) -> Result<StoryDelivery, DbFault> {
    let (target, kind, state): (String, String, String) = (row.get(1)?, row.get(2)?, row.get(6)?);
    let odd =
        |what: &str, name: &str| unreadable(format!("a delivery to {target}"), format!("no {what} is called {name}"));
    Ok(StoryDelivery {
        key: row.get(0)?,
        kind: kind.parse().map_err(|_| odd("kind of target", &kind))?,
        place: row.get(3)?,
        version: row.get(4)?,
        digest: row.get(5)?,
        state: state.parse().map_err(|_| odd("state", &state))?,
        attempts: row.get(7)?,
        answer: row.get(8)?,
        by: row.get(9)?,
        target,
    })
}

/// Every delivery as its row has it, with the run that its story is known by.
pub(super) fn all(db: &Database) -> Result<Vec<(String, StoryDelivery)>, DbFault> {
    let found = kept(db, "", [])?;
    Ok(found.into_iter().map(|kept| (kept.run, kept.delivery)).collect())
}

fn kill(db: &Database, run: RunKey, withdrawal: &StoryWithdrawal) -> Result<bool, DbFault> {
    let numbered = StoryWithdrawal { number: next_version(db, run)?, ..withdrawal.clone() };
    let kept = serde_json::to_string(&numbered).map_err(|error| unreadable("a withdrawal", error.to_string()))?;
    let changed = db.change("UPDATE run SET killed = ?2 WHERE id = ?1 AND killed IS NULL", params![run.0, kept])?;
    if changed > 0 {
        let StoryWithdrawal { at, by, reason, .. } = withdrawal.clone();
        append_event(db, run, &at, &Event::StoryKilled { by, reason })?;
    }
    Ok(changed > 0)
}

fn advance(
    db: &Database,
    run: RunKey,
    seen: Option<(DeliveryState, u32)>,
    next: &StoryDelivery,
    at: &str,
) -> Result<bool, DbFault> {
    let values = params![
        next.key,
        run.0,
        next.target,
        next.kind.name(),
        next.place,
        next.version,
        next.digest,
        next.state.name(),
        next.attempts,
        next.answer,
        next.by,
        at,
        seen.map(|(state, _)| state.name()),
        seen.map(|(_, attempts)| attempts),
    ];
    let changed = if seen.is_some() {
        db.change(
            "UPDATE outbox SET run = ?2, target = ?3, kind = ?4, place = ?5, version = ?6, digest = ?7, state = ?8,
                 attempts = ?9, answer = ?10, wanted_by = ?11, changed_at = ?12
             WHERE key = ?1 AND state = ?13 AND attempts = ?14",
            values,
        )?
    } else {
        db.change(
            "INSERT INTO outbox (key, run, target, kind, place, version, digest, state, attempts, answer,
                 wanted_by, queued_at, changed_at)
             SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?12 WHERE CAST(?13 AS TEXT) IS NULL AND CAST(?14 AS BIGINT) IS NULL
             ON CONFLICT DO NOTHING",
            values,
        )?
    };
    if changed > 0 {
        number_version(db, run)?;
        append_event(db, run, at, &Event::DeliveryMade { delivery: next.clone() })?;
    }
    Ok(changed > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{AT, open, opening_of, store, story};
    use copydesk_core::ports::{Archive as _, Stories as _, StoryChange};
    use copydesk_newsroom::TargetKind;

    fn delivery(target: &str, state: DeliveryState, attempts: u32) -> StoryDelivery {
        StoryDelivery {
            key: format!("key of {target}"),
            target: target.into(),
            kind: TargetKind::Webhook,
            place: "wire.example".into(),
            version: "v".into(),
            digest: (attempts > 0).then(|| "d".into()),
            state,
            attempts,
            answer: None,
            by: "Ada".into(),
        }
    }

    #[tokio::test]
    async fn a_delivery_moves_on_from_the_state_that_was_seen_and_each_move_is_an_event() {
        use DeliveryState::{Sending, Sent, Waiting};
        let (_folder, store) = store();
        let run = open(&store, opening_of("park", "R1", "Text."), None).await;
        let (waits, sends) = (delivery("wire", Waiting, 0), delivery("wire", Sending, 1));
        let sent = StoryDelivery { answer: Some("200".into()), ..delivery("wire", Sent, 1) };
        assert!(store.advance(run, None, waits.clone(), AT).await.unwrap());
        assert!(!store.advance(run, None, waits.clone(), AT).await.unwrap(), "it is known");
        assert!(store.advance(run, Some(&waits), sends.clone(), AT).await.unwrap());
        assert!(!store.advance(run, Some(&waits), sends.clone(), AT).await.unwrap(), "another program sends it");
        assert!(store.advance(run, Some(&sends), sent.clone(), AT).await.unwrap());
        let kept = store.deliveries(&story("PARK")).await.unwrap();
        assert_eq!(kept.len(), 1);
        assert_eq!((kept[0].story.as_str(), kept[0].run.as_str(), &kept[0].delivery), ("desk/park", "R1", &sent));
        let told: Vec<Event> =
            store.events(run).await.unwrap().into_iter().skip(1).map(|record| record.event).collect();
        assert_eq!(told, [waits, sends, sent].map(|delivery| Event::DeliveryMade { delivery }));
        let audit = store.audit(vec![]).await.unwrap();
        assert_eq!((audit.events, audit.flaws), (4, vec![]));
    }

    #[tokio::test]
    async fn an_embargo_is_the_storys_and_a_deleted_story_takes_its_deliveries_along() {
        let (_folder, store) = store();
        let run = open(&store, opening_of("park", "R1", "Text."), None).await;
        let until = Some("2026-10-07T16:00:00.000Z".to_owned());
        for _ in 0..2 {
            assert!(store.change(&story("park"), StoryChange::Embargo(until.clone()), "Ada", AT).await.unwrap());
        }
        assert!(!store.change(&story("mill"), StoryChange::Embargo(until.clone()), "Ada", AT).await.unwrap());
        assert_eq!(store.list(false).await.unwrap()[0].1.embargo, until);
        assert_eq!(store.events(run).await.unwrap().len(), 2, "one change, one event");
        assert!(store.advance(run, None, delivery("wire", DeliveryState::Waiting, 0), AT).await.unwrap());
        store.delete_story(&story("park"), "Ada", AT).await.unwrap().unwrap();
        assert_eq!(store.deliveries(&story("park")).await.unwrap(), []);
        assert!(store.audit(vec![]).await.unwrap().flaws.is_empty());
    }
}
