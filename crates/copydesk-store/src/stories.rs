//! Stories as a whole: priority, pause, and what a story has outside the database.

use std::{collections::BTreeSet, path::Path};

use crate::engine::parameters::Parameters;
use crate::prelude::*;
use rusqlite::types::Value;

use super::{
    backup::backup,
    blobs::record_in,
    columns::{milliseconds, rank},
    deletion::delete_story,
    events::{append_event, append_new},
    memory_book::imported_about,
    replies, secrecy,
    settling::settle_flags,
};
use copydesk_core::ports::{Deleted, HeldRun, Holdings, Stories, StoryChange, WorkProgress};
use copydesk_newsroom::{ExaminedObject, MemoryRecord, Opening, ReplyAnswer, Secrecy, StoryReply};

#[async_trait]
impl Stories for Store {
    async fn change(&self, story: &StoryKey, change: StoryChange, by: &str, at: &str) -> Result<bool, StoreError> {
        let (folded, by, at) = (story.folded(), by.to_owned(), at.to_owned());
        let (column, value, event): (_, Value, _) = match change {
            StoryChange::Priority(priority) => ("priority", rank(priority).into(), Event::PrioritySet { priority, by }),
            StoryChange::Paused(paused) => ("paused", i64::from(paused).into(), Event::PauseSet { paused, by }),
            StoryChange::Due(due) => ("due", due.clone().into(), Event::DeadlineSet { due, by }),
            StoryChange::Editor(editor) => ("assigned", editor.clone().into(), Event::EditorAssigned { editor, by }),
            StoryChange::Embargo(until) => ("embargo", until.clone().into(), Event::EmbargoSet { until, by }),
        };
        self.write(move |db| set_on_story(db, &folded, column, &value, &event, &at)).await
    }

    async fn settle_flags(&self, run: RunKey, reason: &str, by: &str, at: &str) -> Result<bool, StoreError> {
        let (reason, by, at) = (reason.to_owned(), by.to_owned(), at.to_owned());
        self.write(move |db| settle_flags(db, run, &reason, &by, &at)).await
    }

    async fn note_examined(
        &self,
        run: RunKey,
        gate: Option<String>,
        what: ExaminedObject,
        by: &str,
        at: &str,
    ) -> Result<bool, StoreError> {
        let (event, at) = (Event::Examined { by: by.to_owned(), gate, what }, at.to_owned());
        self.write(move |db| append_new(db, run, &at, &event)).await
    }

    async fn secrecy(&self, story: &StoryKey) -> Result<Secrecy, StoreError> {
        let folded = story.folded();
        self.read(move |db| secrecy::of_story(db, &folded)).await
    }

    async fn holdings(&self, story: &StoryKey) -> Result<Option<Holdings>, StoreError> {
        let folded = story.folded();
        self.read(move |db| holdings(db, &folded)).await
    }

    async fn delete_story(&self, story: &StoryKey, by: &str, at: &str) -> Result<Option<Deleted>, StoreError> {
        let (folded, by, at) = (story.folded(), by.to_owned(), at.to_owned());
        self.upkeep(move |db| delete_story(db, &folded, &by, &at)).await
    }

    async fn backup(&self, to: &Path, progress: WorkProgress) -> Result<u64, StoreError> {
        let to = to.to_owned();
        self.upkeep(move |db| backup(db, &to, &progress)).await
    }

    async fn replies(&self, story: &StoryKey) -> Result<Vec<StoryReply>, StoreError> {
        let folded = story.folded();
        self.read(move |db| Ok(replies::of_story(db, &folded)?.into_iter().map(|(_, reply)| reply).collect())).await
    }

    async fn ask_reply(&self, story: &StoryKey, reply: StoryReply) -> Result<bool, StoreError> {
        let folded = story.folded();
        self.write(move |db| replies::ask(db, &folded, &reply)).await
    }

    async fn answer_reply(
        &self,
        story: &StoryKey,
        name: &str,
        text: &str,
        by: &str,
        at: &str,
    ) -> Result<bool, StoreError> {
        let (folded, name) = (story.folded(), name.to_owned());
        let answer = ReplyAnswer { text: text.to_owned(), at: at.to_owned(), by: by.to_owned() };
        self.write(move |db| replies::answer_to(db, &folded, &name, &answer)).await
    }
}

/// Sets a column of a story's row, with the event if that changes it. False if there is no such story.
fn set_on_story(
    db: &Database,
    folded: &str,
    column: &'static str,
    value: &Value,
    event: &Event,
    at: &str,
) -> Result<bool, DbFault> {
    let found: Option<(i64, Option<i64>, Value)> =
        db.one(&format!("SELECT id, current_run, {column} FROM story WHERE folded = ?1"), [folded], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        })?;
    let Some((id, run, before)) = found else { return Ok(false) };
    if before != *value {
        let resumed = column == "paused" && *value == Value::Integer(0);
        db.write(&format!("UPDATE story SET {column} = ?2 WHERE id = ?1"), params![id, value])?;
        requeue(db, id, resumed, milliseconds(at)?)?;
        if let Some(run) = run {
            append_event(db, RunKey(run), at, event)?;
        }
    }
    Ok(true)
}

/// Gives the story's messages its priority, and holds them while it is paused. If the story is resumed, every message that is held is
/// released, even one held for another reason: a person wants the story to go on.
fn requeue(db: &Database, story: i64, resumed: bool, now: i64) -> Result<(), DbFault> {
    db.write(
        "UPDATE message SET priority = story.priority, state = CASE
             WHEN story.paused = 1 AND message.state IN ('waiting', 'later') THEN 'held'
             WHEN ?2 = 1 AND message.state = 'held' THEN iif(not_before > ?3, 'later', 'waiting')
             ELSE message.state END,
             since = iif(?2 = 1 AND message.state = 'held', ?3, message.since)
         FROM story JOIN run ON run.story = story.id
         WHERE story.id = ?1 AND message.run = run.id",
        params![story, resumed, now],
    )
}

/// A story's key and its names.
fn story_named(db: &Database, folded: &str) -> Result<Option<(i64, StoryKey)>, DbFault> {
    let sql = "SELECT id, channel, slug FROM story WHERE folded = ?1";
    db.one(sql, [folded], |row| Ok((row.get(0)?, story_key(row.get(1)?, row.get(2)?)?)))
}

/// The runs of the story of that name; none if there is no such story.
pub(super) fn held_runs_of(db: &Database, folded: &str) -> Result<Vec<HeldRun>, DbFault> {
    story_named(db, folded)?.map_or_else(|| Ok(Vec::new()), |(id, key)| held_runs(db, id, &key))
}

fn holdings(db: &Database, folded: &str) -> Result<Option<Holdings>, DbFault> {
    let Some((id, key)) = story_named(db, folded)? else { return Ok(None) };
    let runs = held_runs(db, id, &key)?;
    let (mut memory, unreadable) = memory_where(db, "memory.run IN (SELECT id FROM run WHERE story = ?1)", [id])?;
    let imported: Vec<MemoryRecord> = imported_about(db, folded)?.into_iter().map(|(_, record)| record).collect();
    memory.extend_from_slice(&imported);
    let mut keys: BTreeSet<String> = imported.iter().map(|record| record.cache_key_hash().to_owned()).collect();
    let own: Vec<String> =
        db.column("SELECT cache_key_hash FROM memory WHERE run IN (SELECT id FROM run WHERE story = ?1)", [id])?;
    keys.extend(own);
    let mut others = Vec::new();
    for key in keys {
        let elsewhere =
            "cache_key_hash = ?2 AND coalesce(memory.run NOT IN (SELECT id FROM run WHERE story = ?1), TRUE)";
        let (records, _) = memory_where(db, elsewhere, params![id, key])?;
        others.extend(records.into_iter().filter(|other| !imported.contains(other)));
    }
    Ok(Some(Holdings { runs, memory, unreadable, others }))
}

/// A story's runs, oldest first. A run whose opening cannot be read has the story's name as it was first spelled.
fn held_runs(db: &Database, id: i64, spelled_first: &StoryKey) -> Result<Vec<HeldRun>, DbFault> {
    db.rows(
        "SELECT run_id, size, packed, body FROM run CROSS JOIN blob ON blob.id = run.opening WHERE story = ?1 ORDER BY run.id",
        [id],
        |row| {
            let opening: Option<Opening> = readable(record_in(db, row, 1))?;
            let (story, artifacts_dir) = opening.map_or_else(
                || (spelled_first.clone(), None),
                |opening| (opening.topic.story(), Some(opening.artifacts_dir)),
            );
            Ok(HeldRun { story, run_id: row.get(0)?, artifacts_dir })
        },
    )
}

/// The memory's records that meet a condition, and how many of them cannot be read.
fn memory_where(
    db: &Database,
    which: &str,
    parameters: impl Parameters,
) -> Result<(Vec<MemoryRecord>, usize), DbFault> {
    let sql = format!(
        "SELECT size, packed, body FROM memory CROSS JOIN blob ON blob.id = memory.record WHERE {which} ORDER BY memory.id"
    );
    let found = db.rows(&sql, parameters, |row| readable(record_in(db, row, 0)))?;
    let all = found.len();
    let records: Vec<MemoryRecord> = found.into_iter().flatten().collect();
    let unreadable = all - records.len();
    Ok((records, unreadable))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{AT, open, opening_of, store, story};
    use copydesk_core::ports::{Archive as _, Records as _};
    use copydesk_newsroom::Priority;

    #[tokio::test]
    async fn a_deadline_and_an_editor_belong_to_the_story_and_each_change_is_logged_once() {
        let (_folder, store) = store();
        let run = open(&store, opening_of("one", "one", "Text."), None).await;
        let before = store.events(run).await.unwrap().len();
        let due = Some("2026-10-06T16:00:00.000Z".to_owned());
        for _ in 0..2 {
            assert!(store.change(&story("one"), StoryChange::Due(due.clone()), "Ada", AT).await.unwrap());
            assert!(store.change(&story("one"), StoryChange::Editor(Some("Ben".into())), "Ada", AT).await.unwrap());
        }
        assert!(!store.change(&story("four"), StoryChange::Due(due.clone()), "Ada", AT).await.unwrap());
        let listed = store.list(false).await.unwrap().remove(0).1;
        assert_eq!((listed.due, listed.assigned), (due, Some("Ben".into())));
        assert!(store.change(&story("one"), StoryChange::Due(None), "Ada", AT).await.unwrap());
        assert_eq!(store.list(false).await.unwrap().remove(0).1.due, None);
        assert_eq!(store.events(run).await.unwrap().len(), before + 3);
    }

    #[tokio::test]
    async fn the_most_urgent_story_comes_first_and_a_paused_one_says_so() {
        let (_folder, store) = store();
        for slug in ["one", "two", "three"] {
            open(&store, opening_of(slug, slug, "Text."), None).await;
        }
        assert!(store.change(&story("three"), StoryChange::Priority(Priority::High), "M. Ito", AT).await.unwrap());
        assert!(store.change(&story("one"), StoryChange::Priority(Priority::Low), "M. Ito", AT).await.unwrap());
        assert!(store.change(&story("two"), StoryChange::Paused(true), "M. Ito", AT).await.unwrap());
        assert!(!store.change(&story("four"), StoryChange::Paused(true), "M. Ito", AT).await.unwrap());
        let order: Vec<_> =
            store.unfinished().await.unwrap().into_iter().map(|run| (run.run_id, run.priority, run.paused)).collect();
        assert_eq!(
            order,
            [
                ("three".to_owned(), Priority::High, false),
                ("two".to_owned(), Priority::Normal, true),
                ("one".to_owned(), Priority::Low, false)
            ]
        );
    }

    #[tokio::test]
    async fn what_was_on_the_screen_is_logged_once_for_each_editor_gate_and_part() {
        let (_folder, store) = store();
        let run = open(&store, opening_of("park", "R1", "Text."), None).await;
        let (first, second) = (
            ExaminedObject::Draft { round: 1, version: "v".into() },
            ExaminedObject::Source { source: "a \"b\"".into() },
        );
        let gate = || Some("r1.gate".to_owned());
        for _ in 0..2 {
            store.note_examined(run, gate(), first.clone(), "Ada", AT).await.unwrap();
        }
        assert!(store.note_examined(run, None, first.clone(), "Ada", AT).await.unwrap(), "at no gate");
        assert!(store.note_examined(run, gate(), first.clone(), "Ben", AT).await.unwrap(), "by another editor");
        assert!(store.note_examined(run, gate(), second.clone(), "Ada", AT).await.unwrap(), "another part");
        assert!(!store.note_examined(run, gate(), second.clone(), "Ada", AT).await.unwrap(), "again");
        assert!(!store.note_examined(RunKey(99), gate(), first.clone(), "Ada", AT).await.unwrap(), "no such run");
        let told: Vec<Event> =
            store.events(run).await.unwrap().into_iter().skip(1).map(|record| record.event).collect();
        let event = |gate, what: &ExaminedObject, by: &str| Event::Examined { by: by.into(), gate, what: what.clone() };
        let wanted = [
            event(gate(), &first, "Ada"),
            event(None, &first, "Ada"),
            event(gate(), &first, "Ben"),
            event(gate(), &second, "Ada"),
        ];
        assert_eq!(told, wanted);
        assert!(store.audit(vec![]).await.unwrap().flaws.is_empty());
    }

    #[tokio::test]
    async fn who_paused_a_story_is_in_its_log_once() {
        let (_folder, store) = store();
        let run = open(&store, opening_of("park", "R1", "Text."), None).await;
        let seen = store.tail(0).await.unwrap().last;
        for _ in 0..2 {
            store.change(&story("PARK"), StoryChange::Paused(true), "M. Ito", AT).await.unwrap();
        }
        store.change(&story("park"), StoryChange::Priority(Priority::Normal), "M. Ito", AT).await.unwrap();
        let events: Vec<Event> =
            store.events(run).await.unwrap().into_iter().skip(1).map(|record| record.event).collect();
        assert_eq!(events, [Event::PauseSet { paused: true, by: "M. Ito".into() }]);
        assert_eq!(store.tail(seen).await.unwrap().runs, [run], "a screen is told");
        assert!(store.listed(&[run]).await.unwrap()[0].1.paused);
    }
}
