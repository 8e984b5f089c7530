//! The passages that runs rest on: a row for each place, replaced whenever the draft that stands changes.

use std::collections::BTreeMap;

use sha2::{Digest as _, Sha256};

use crate::prelude::*;
use copydesk_newsroom::{PassageUse, SharingStory};

/// Takes the place of what was noted of a run.
pub(super) fn keep_uses(db: &Database, run: RunKey, uses: &[PassageUse]) -> Result<(), DbFault> {
    db.write("DELETE FROM passage_use WHERE run = ?1", [run.0])?;
    for PassageUse { name, digest, start, end } in uses {
        let known = match digest {
            Some(digest) => digest.clone(),
            None => of_knowledge(db, name)?,
        };
        db.write(
            "INSERT INTO passage_use (run, source, start, stop, name, knowledge) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
             ON CONFLICT DO NOTHING",
            params![run.0, known, whole(*start), whole(*end), name, digest.is_none()],
        )?;
    }
    Ok(())
}

/// The digest of a list in its order, hex.
pub(super) fn digest_of_uses(uses: &[PassageUse]) -> String {
    let mut digest = Sha256::new();
    for PassageUse { name, digest: text, start, end } in uses {
        digest.update(format!("{start} {end} {} {} {name}", text.as_deref().unwrap_or("-"), name.len()));
    }
    hex::encode(digest.finalize())
}

/// The digest that a knowledge file is known by: as it is indexed; of its path, if it is not there any more.
fn of_knowledge(db: &Database, path: &str) -> Result<String, DbFault> {
    let indexed = db.optional("SELECT digest FROM document WHERE story IS NULL AND name = ?1", [path])?;
    Ok(indexed.unwrap_or_else(|| hex::encode(Sha256::digest(path))))
}

/// The passages noted for a run, as they were given.
pub(super) fn uses_of(db: &Database, run: RunKey) -> Result<Vec<PassageUse>, DbFault> {
    let sql = "SELECT name, source, start, stop, knowledge FROM passage_use WHERE run = ?1";
    let mut uses = db.rows(sql, [run.0], |row| {
        let knowledge: bool = row.get(4)?;
        Ok(PassageUse {
            name: row.get(0)?,
            digest: Some(row.get::<String>(1)?).filter(|_| !knowledge),
            start: natural(row.get(2)?),
            end: natural(row.get(3)?),
        })
    })?;
    uses.sort();
    Ok(uses)
}

/// The other stories that rest on a passage of a run, by their current run or one that was signed off: those with the most passages first.
pub(super) fn sharing(db: &Database, run: RunKey) -> Result<Vec<SharingStory>, DbFault> {
    let mut stories: BTreeMap<String, SharingStory> = BTreeMap::new();
    db.each(
        "SELECT story.channel || '/' || story.slug, max(coalesce(run.headline, run.title)), max(run.signed_by), mine.name,
             count(DISTINCT mine.source || ' ' || mine.start || ' ' || mine.stop)
         FROM passage_use AS mine
         CROSS JOIN passage_use AS other ON other.source = mine.source AND other.start < mine.stop AND other.stop > mine.start
         CROSS JOIN run ON run.id = other.run
         CROSS JOIN story ON story.id = run.story
         WHERE mine.run = ?1 AND story.id <> (SELECT story FROM run WHERE id = ?1)
         AND (story.current_run = run.id OR run.signed_by IS NOT NULL)
         GROUP BY story.id, mine.name",
        [run.0],
        |row| {
            let name: String = row.get(0)?;
            let story = stories.entry(name.clone()).or_insert(SharingStory {
                story: name,
                title: row.get(1)?,
                signed_by: None,
                passages: 0,
                texts: Vec::new(),
            });
            story.signed_by = story.signed_by.take().or(row.get(2)?);
            story.texts.push(row.get(3)?);
            story.passages += natural(row.get(4)?);
            Ok(())
        },
    )?;
    let mut stories: Vec<SharingStory> = stories.into_values().collect();
    stories.sort_by_key(|story| std::cmp::Reverse(story.passages));
    Ok(stories)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Store,
        testing::{AT, open, opening_of, store, story},
    };
    use copydesk_core::ports::{Archive as _, Commit, Records as _, RunSummary, Stories as _};
    use copydesk_newsroom::RunState;

    fn place(name: &str, digest: Option<&str>, start: u64, end: u64) -> PassageUse {
        PassageUse { name: name.into(), digest: digest.map(str::to_owned), start, end }
    }

    async fn rests(store: &Store, run: RunKey, uses: Vec<PassageUse>) {
        let commit = Commit { at: AT.into(), passages: Some(uses), ..Commit::default() };
        store.commit(run, commit, None).await.unwrap();
    }

    #[tokio::test]
    async fn stories_that_rest_on_a_passage_are_found_by_the_text_and_the_place() {
        let (_folder, store) = store();
        let mut runs = Vec::new();
        for (slug, uses) in [
            ("park", vec![place("minutes.txt", Some("a"), 10, 50), place("file.md", None, 0, 9)]),
            ("mill", vec![place("Minutes", Some("a"), 40, 60), place("file.md", None, 5, 20)]),
            ("pool", vec![place("minutes.txt", Some("a"), 50, 60)]),
            ("pier", vec![place("minutes.txt", Some("b"), 10, 50)]),
        ] {
            let run = open(&store, opening_of(slug, slug, "Text."), None).await;
            rests(&store, run, uses).await;
            runs.push(run);
        }
        let shared = store.sharing(runs[0]).await.unwrap();
        let mill = SharingStory {
            story: "desk/mill".into(),
            title: "The park".into(),
            signed_by: None,
            passages: 2,
            texts: vec!["file.md".into(), "minutes.txt".into()],
        };
        assert_eq!(shared, [mill]);
        assert_eq!(store.sharing(runs[2]).await.unwrap()[0].story, "desk/mill");
        // A rerun that rests on something else; the earlier run counts only if it was signed.
        let next = open(&store, opening_of("mill", "again", "Text."), Some(runs[1])).await;
        rests(&store, next, vec![]).await;
        assert_eq!(store.sharing(runs[0]).await.unwrap(), []);
        // New places replace those that were noted.
        rests(&store, next, vec![place("m", Some("a"), 0, 11)]).await;
        rests(&store, next, vec![place("m", Some("a"), 0, 10)]).await;
        assert_eq!(store.sharing(runs[0]).await.unwrap(), []);
    }

    #[tokio::test]
    async fn a_signed_version_counts_although_a_later_run_replaced_it_and_a_deleted_story_does_not() {
        let (_folder, store) = store();
        let park = open(&store, opening_of("park", "R1", "Text."), None).await;
        rests(&store, park, vec![place("m", Some("a"), 0, 9)]).await;
        let mill = open(&store, opening_of("mill", "R2", "Text."), None).await;
        let summary = RunSummary {
            headline: None,
            state: RunState::Succeeded,
            waits: None,
            signed_by: Some("Ada".into()),
            rounds: 1,
            max_rounds: 1,
            open_concerns: 0,
            flags: vec![],
            prompt_tokens: 0,
            completion_tokens: 0,
            error: None,
            extract: false,
        };
        let passages = Some(vec![place("m", Some("a"), 5, 6)]);
        let commit = Commit { at: AT.into(), passages, summary: Some(summary), ..Commit::default() };
        store.commit(mill, commit, None).await.unwrap();
        open(&store, opening_of("mill", "R3", "Text."), Some(mill)).await;
        assert_eq!(store.sharing(park).await.unwrap()[0].signed_by.as_deref(), Some("Ada"));
        store.delete_story(&story("mill"), "Ada", AT).await.unwrap().unwrap();
        assert_eq!(store.sharing(park).await.unwrap(), []);
    }
}
