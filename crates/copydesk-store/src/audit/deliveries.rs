//! Compares the outbox and the embargoes with what the audit log tells of them. A row that was changed or removed would
//! let a story go out twice, or too early.

use std::collections::HashMap;

use super::log_book::LogBook;
use crate::{
    database::{Database, readable},
    fault::DbFault,
    outbox,
};
use copydesk_core::ports::Flaw;
use copydesk_newsroom::StoryWithdrawal;

/// Compares both ways: what the log tells and no row has, what a row has and the log does not tell.
pub(super) fn deliveries(db: &Database, told: &LogBook, flaws: &mut Vec<Flaw>) -> Result<(), DbFault> {
    let Some(rows) = readable(outbox::all(db))? else {
        flaws.push(Flaw::Outbox("a row of it cannot be read".into()));
        return Ok(());
    };
    let mut listed: HashMap<String, _> =
        rows.into_iter().map(|(run, delivery)| (delivery.key.clone(), (run, delivery))).collect();
    for (key, (_, made)) in &told.deliveries {
        match listed.remove(key) {
            Some((_, kept)) if kept == *made => {}
            Some((run, _)) => {
                flaws.push(Flaw::Outbox(format!("what it says of {} for {run} was changed", made.target)));
            }
            None => flaws.push(Flaw::Outbox(format!("what it said of {} was removed", made.target))),
        }
    }
    let mut untold: Vec<_> = listed.into_values().collect();
    untold.sort_by(|one, other| one.1.key.cmp(&other.1.key));
    for (run, kept) in untold {
        flaws.push(Flaw::Outbox(format!(
            "somebody wrote into it that {} is {} for {run}",
            kept.state.name(),
            kept.target
        )));
    }
    withdrawals(db, told, flaws)?;
    versions(db, flaws)?;
    embargoes(db, told, flaws)
}

/// Each version that was taken back against the event about it.
fn withdrawals(db: &Database, told: &LogBook, flaws: &mut Vec<Flaw>) -> Result<(), DbFault> {
    db.each("SELECT id, run_id, killed FROM run", [], |row| {
        let (id, run, kept): (i64, String, Option<String>) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let kept =
            kept.map(|kept| serde_json::from_str::<StoryWithdrawal>(&kept).ok().map(|kept| (kept.by, kept.reason)));
        let as_told = match kept {
            None => !told.killed.contains_key(&id),
            Some(kept) => kept.is_some_and(|kept| told.killed.get(&id) == Some(&kept)),
        };
        if !as_told {
            flaws.push(Flaw::Run { run, what: "withdrawal" });
        }
        Ok(())
    })
}

/// Each version that was signed off or sent has a number, and no other of its story has the same.
fn versions(db: &Database, flaws: &mut Vec<Flaw>) -> Result<(), DbFault> {
    db.each(
        "SELECT run_id FROM run
         WHERE (version IS NULL) = (signed_by IS NOT NULL AND state = 'success' OR id IN (SELECT run FROM outbox))
             OR EXISTS (SELECT 1 FROM run AS other WHERE other.story = run.story AND other.id <> run.id AND other.version = run.version)",
        [],
        |row| {
            flaws.push(Flaw::Run { run: row.get(0)?, what: "version number" });
            Ok(())
        },
    )
}

/// Each story's embargo against the last event about it, of whichever of its runs.
fn embargoes(db: &Database, told: &LogBook, flaws: &mut Vec<Flaw>) -> Result<(), DbFault> {
    let mut last: HashMap<i64, (i64, Option<String>)> = HashMap::new();
    let mut stories = Vec::new();
    db.each("SELECT run.id, story.id, story.channel || '/' || story.slug, story.embargo FROM run JOIN story ON story.id = run.story ORDER BY run.id", [], |row| {
        let (run, story): (i64, i64) = (row.get(0)?, row.get(1)?);
        let kept = last.entry(story).or_default();
        if let Some((seq, until)) = told.embargoes.get(&run).filter(|(seq, _)| *seq > kept.0) {
            *kept = (*seq, until.clone());
        }
        stories.push((story, row.get::<String>(2)?, row.get::<Option<String>>(3)?));
        Ok(())
    })?;
    stories.dedup_by_key(|(story, ..)| *story);
    for (story, name, embargo) in stories {
        let flaw = Flaw::Embargo(name);
        if last.get(&story).is_some_and(|(_, until)| *until != embargo) && !flaws.contains(&flaw) {
            flaws.push(flaw);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::{
        database::Database,
        testing::{AT, open, opening_of, store_in_a_file, story},
    };
    use copydesk_core::ports::{Archive as _, Outbox as _, Stories as _, StoryChange};
    use copydesk_newsroom::{DeliveryState, StoryDelivery, StoryWithdrawal, TargetKind};

    #[tokio::test]
    async fn whoever_changes_the_outbox_or_an_embargo_is_found() {
        let hidden = "UPDATE outbox SET state = 'failed'";
        for (change, found) in [
            (hidden, "its outbox was changed: what it says of wire for R1 was changed"),
            ("UPDATE outbox SET key = 'other'", "its outbox was changed: what it said of wire was removed"),
            ("DELETE FROM outbox", "its outbox was changed: what it said of wire was removed"),
            ("UPDATE outbox SET place = 'elsewhere'", "what it says of wire for R1 was changed"),
            ("UPDATE run SET killed = NULL", "its withdrawal is not what its journal"),
            ("UPDATE run SET killed = replace(killed, 'forged', 'fine')", "its withdrawal is not what its journal"),
            ("UPDATE run SET killed = '{}' WHERE run_id = 'R2'", "the row of the run R2 was changed: its withdrawal"),
            ("UPDATE run SET version = 2 WHERE run_id = 'R2'", "the row of the run R2 was changed: its version number"),
            ("UPDATE run SET version = NULL", "the row of the run R1 was changed: its version number"),
            ("UPDATE story SET embargo = NULL", "the embargo of desk/park was changed"),
            ("UPDATE story SET embargo = '2020-01-01T00:00:00.000Z' WHERE slug = 'mill'", "the embargo of desk/mill"),
        ] {
            let (folder, store) = store_in_a_file();
            let run = open(&store, opening_of("park", "R1", "Text."), None).await;
            open(&store, opening_of("mill", "R2", "Text."), None).await;
            let sent = StoryDelivery {
                key: "key".into(),
                target: "wire".into(),
                kind: TargetKind::Webhook,
                place: "wire.example".into(),
                version: "v".into(),
                digest: Some("d".into()),
                state: DeliveryState::Sent,
                attempts: 1,
                answer: None,
                by: "Ada".into(),
            };
            assert!(store.advance(run, None, sent, AT).await.unwrap());
            assert!(store.change(&story("park"), StoryChange::Embargo(Some(AT.into())), "Ada", AT).await.unwrap());
            let killed =
                StoryWithdrawal { at: AT.into(), by: "Ada".into(), reason: "It was forged.".into(), number: 2 };
            assert!(store.kill(run, &killed).await.unwrap() && !store.kill(run, &killed).await.unwrap());
            assert_eq!(store.listed(&[run]).await.unwrap()[0].1.withdrawn, Some(killed));
            assert_eq!(store.audit(vec![]).await.unwrap().flaws, []);
            let db = Database::open_for_upkeep(&folder.path().join("copydesk.db")).unwrap();
            db.write(change, []).unwrap();
            let said: Vec<String> = store.audit(vec![]).await.unwrap().flaws.iter().map(ToString::to_string).collect();
            assert!(said.iter().any(|said| said.contains(found)), "{change}: {said:?}");
        }
    }
}
