//! Stories as a whole: priority, pause, and what a story has outside the database.

use std::{collections::BTreeSet, path::Path};

use async_trait::async_trait;
use rusqlite::{OptionalExtension, Params, params};

use super::{Store, session::Session};
use crate::{
    newsroom::{Event, MemoryRecord, Opening, PathName, Priority, StoryKey},
    ports::{Deleted, HeldRun, Holdings, RunKey, StoreError, Stories},
};

#[async_trait]
impl Stories for Store {
    async fn set_priority(&self, story: &StoryKey, priority: Priority, by: &str, at: &str) -> Result<bool, StoreError> {
        let (folded, at) = (story.folded(), at.to_owned());
        let event = Event::PrioritySet { priority, by: by.to_owned() };
        self.write(move |session| session.set_on_story(&folded, "priority", rank(priority), &event, &at)).await
    }

    async fn set_paused(&self, story: &StoryKey, paused: bool, by: &str, at: &str) -> Result<bool, StoreError> {
        let (folded, at) = (story.folded(), at.to_owned());
        let event = Event::PauseSet { paused, by: by.to_owned() };
        self.write(move |session| session.set_on_story(&folded, "paused", i64::from(paused), &event, &at)).await
    }

    async fn settle_flags(&self, run: RunKey, reason: &str, by: &str, at: &str) -> Result<bool, StoreError> {
        let (reason, by, at) = (reason.to_owned(), by.to_owned(), at.to_owned());
        self.write(move |session| session.settle_flags(run, &reason, &by, &at)).await
    }

    async fn holdings(&self, story: &StoryKey) -> Result<Option<Holdings>, StoreError> {
        let folded = story.folded();
        self.read(move |session| session.holdings(&folded)).await
    }

    async fn delete_story(&self, story: &StoryKey, by: &str, at: &str) -> Result<Option<Deleted>, StoreError> {
        let (folded, by, at) = (story.folded(), by.to_owned(), at.to_owned());
        self.upkeep(move |session| session.delete_story(&folded, &by, &at)).await
    }

    async fn backup(&self, to: &Path) -> Result<u64, StoreError> {
        let to = to.to_owned();
        self.upkeep(move |session| session.backup(&to)).await
    }
}

impl Session {
    /// Sets a column of a story's row, with the event, where that changes it. False where there is no such story.
    fn set_on_story(
        &self,
        folded: &str,
        column: &'static str,
        value: i64,
        event: &Event,
        at: &str,
    ) -> Result<bool, StoreError> {
        let found: Option<(i64, Option<i64>, i64)> = self.sql(|connection| {
            connection
                .prepare_cached(&format!("SELECT id, current_run, {column} FROM story WHERE folded = ?1"))?
                .query_row([folded], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
                .optional()
        })?;
        let Some((id, run, before)) = found else { return Ok(false) };
        if before != value {
            self.sql(|connection| {
                connection
                    .prepare_cached(&format!("UPDATE story SET {column} = ?2 WHERE id = ?1"))?
                    .execute(params![id, value])
            })?;
            self.requeue(id, column == "paused" && value == 0, super::queue::milliseconds(at)?)?;
            if let Some(run) = run {
                self.append_event(RunKey(run), at, event)?;
            }
        }
        Ok(true)
    }

    /// The story's messages follow its priority, and are held while it is paused. What was held for another reason than the pause is let
    /// go with it, since somebody wants the story to go on.
    fn requeue(&self, story: i64, goes_on: bool, now: i64) -> Result<(), StoreError> {
        self.sql(|connection| {
            connection
                .prepare_cached(
                    "UPDATE message SET priority = story.priority, state = CASE
                         WHEN story.paused AND message.state IN ('waiting', 'later') THEN 'held'
                         WHEN ?2 AND message.state = 'held' THEN iif(not_before > ?3, 'later', 'waiting')
                         ELSE message.state END,
                         since = iif(?2 AND message.state = 'held', ?3, since)
                     FROM story JOIN run ON run.story = story.id
                     WHERE story.id = ?1 AND message.run = run.id",
                )?
                .execute(params![story, goes_on, now])?;
            Ok(())
        })
    }

    /// A story's row and names.
    fn story_named(&self, folded: &str) -> Result<Option<(i64, String, String)>, StoreError> {
        self.sql(|connection| {
            connection
                .prepare_cached("SELECT id, channel, slug FROM story WHERE folded = ?1")?
                .query_row([folded], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
                .optional()
        })
    }

    /// The runs of the story of that name; none where there is no such story.
    pub(super) fn held_runs_of(&self, folded: &str) -> Result<Vec<HeldRun>, StoreError> {
        match self.story_named(folded)? {
            Some((id, channel, slug)) => self.held_runs(id, channel, slug),
            None => Ok(Vec::new()),
        }
    }

    fn holdings(&self, folded: &str) -> Result<Option<Holdings>, StoreError> {
        let found = self.story_named(folded)?;
        let Some((id, channel, slug)) = found else { return Ok(None) };
        let runs = self.held_runs(id, channel, slug)?;
        let (mut memory, unreadable) =
            self.memory_where("memory.run IN (SELECT id FROM run WHERE story = ?1)", [id])?;
        let imported = self.imported_about(folded)?;
        memory.extend(imported.iter().map(|(_, record)| record.clone()));
        let mut keys: BTreeSet<String> =
            imported.iter().map(|(_, record)| record.cache_key_hash().to_owned()).collect();
        self.each(
            "SELECT cache_key_hash FROM memory WHERE run IN (SELECT id FROM run WHERE story = ?1)",
            [id],
            |row| {
                keys.insert(self.columns(|| row.get(0))?);
                Ok(())
            },
        )?;
        let mut others = Vec::new();
        for key in keys {
            let elsewhere =
                "cache_key_hash = ?2 AND coalesce(memory.run NOT IN (SELECT id FROM run WHERE story = ?1), 1)";
            let (records, _) = self.memory_where(elsewhere, params![id, key])?;
            others.extend(records.into_iter().filter(|other| imported.iter().all(|(_, record)| record != other)));
        }
        Ok(Some(Holdings { runs, memory, unreadable, others }))
    }

    /// A story's runs, oldest first.
    fn held_runs(&self, id: i64, channel: String, slug: String) -> Result<Vec<HeldRun>, StoreError> {
        let spelled_first = story_key(channel, slug)?;
        let mut runs = Vec::new();
        self.each(
            "SELECT run_id, size, packed, body FROM run CROSS JOIN blob ON blob.id = run.opening WHERE story = ?1 ORDER BY run.id",
            [id],
            |row| {
                let opening: Option<Opening> = readable(self.value(row, 1))?;
                let (story, artifacts_dir) = opening.map_or_else(
                    || (spelled_first.clone(), None),
                    |opening| (opening.topic.story(), Some(opening.artifacts_dir)),
                );
                runs.push(HeldRun { story, run_id: self.columns(|| row.get(0))?, artifacts_dir });
                Ok(())
            },
        )?;
        Ok(runs)
    }

    /// The memory's records of which that is so, and how many of them cannot be read.
    fn memory_where(&self, which: &str, parameters: impl Params) -> Result<(Vec<MemoryRecord>, usize), StoreError> {
        let mut records = Vec::new();
        let mut unreadable = 0;
        let sql = format!(
            "SELECT size, packed, body FROM memory CROSS JOIN blob ON blob.id = memory.record WHERE {which} ORDER BY memory.id"
        );
        self.each(&sql, parameters, |row| {
            match readable(self.value(row, 0))? {
                Some(record) => records.push(record),
                None => unreadable += 1,
            }
            Ok(())
        })?;
        Ok((records, unreadable))
    }
}

/// A value, or none where what is stored cannot be read; any other failure is one.
fn readable<T>(value: Result<T, StoreError>) -> Result<Option<T>, StoreError> {
    match value {
        Ok(value) => Ok(Some(value)),
        Err(StoreError::Unreadable { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// A priority as it is kept.
pub(super) fn rank(priority: Priority) -> i64 {
    match priority {
        Priority::Low => 0,
        Priority::Normal => 1,
        Priority::High => 2,
    }
}

/// And back.
pub(super) fn priority(rank: i64) -> Priority {
    match rank {
        0 => Priority::Low,
        1 => Priority::Normal,
        _ => Priority::High,
    }
}

/// A story by its stored names.
pub(super) fn story_key(channel: String, slug: String) -> Result<StoryKey, StoreError> {
    let name = |text: String| {
        PathName::new(text.clone())
            .map_err(|error| StoreError::Unreadable { what: format!("the story {text}"), detail: error.to_string() })
    };
    Ok(StoryKey::new(name(channel)?, name(slug)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        ports::{Archive as _, Records as _},
        store::testing::{AT, open, opening_of, store, story},
    };

    #[tokio::test]
    async fn the_most_urgent_story_comes_first_and_a_paused_one_says_so() {
        let (_folder, store) = store();
        for slug in ["one", "two", "three"] {
            open(&store, opening_of(slug, slug, "Text."), None).await;
        }
        assert!(store.set_priority(&story("three"), Priority::High, "M. Ito", AT).await.unwrap());
        assert!(store.set_priority(&story("one"), Priority::Low, "M. Ito", AT).await.unwrap());
        assert!(store.set_paused(&story("two"), true, "M. Ito", AT).await.unwrap());
        assert!(!store.set_paused(&story("four"), true, "M. Ito", AT).await.unwrap());
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
    async fn who_paused_a_story_is_in_its_log_once() {
        let (_folder, store) = store();
        let run = open(&store, opening_of("park", "R1", "Text."), None).await;
        let seen = store.tail(0).await.unwrap().last;
        for _ in 0..2 {
            store.set_paused(&story("PARK"), true, "M. Ito", AT).await.unwrap();
        }
        store.set_priority(&story("park"), Priority::Normal, "M. Ito", AT).await.unwrap();
        let events: Vec<Event> =
            store.events(run).await.unwrap().into_iter().skip(1).map(|record| record.event).collect();
        assert_eq!(events, [Event::PauseSet { paused: true, by: "M. Ito".into() }]);
        assert_eq!(store.tail(seen).await.unwrap().runs, [run], "a screen is told");
        assert!(store.listed(&[run]).await.unwrap()[0].1.paused);
    }
}
