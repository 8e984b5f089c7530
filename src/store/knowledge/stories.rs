//! Texts of stories: put in with their story, gone with it.

use rusqlite::{OptionalExtension, params};

use super::Place;
use crate::{
    newsroom::{PathName, StoryKey, Tier},
    ports::{NewDocument, RunKey, StoreError, StoryText, Unshelved},
    store::session::Session,
};

impl Session {
    pub(super) fn story_id(&self, folded: &str) -> Result<Option<i64>, StoreError> {
        self.sql(|connection| {
            connection
                .prepare_cached("SELECT id FROM story WHERE folded = ?1")?
                .query_row([folded], |row| row.get(0))
                .optional()
        })
    }

    pub(super) fn known_story_texts(
        &self,
        folded: &str,
        texts: Vec<StoryText>,
    ) -> Result<Vec<(StoryText, u64)>, StoreError> {
        let Some(story) = self.story_id(folded)? else { return Ok(Vec::new()) };
        let mut known = Vec::new();
        for text in texts {
            let tokens: Option<i64> = self.sql(|connection| {
                connection
                    .prepare_cached(
                        "SELECT tokens FROM document WHERE story = ?1 AND digest = ?2 AND tier = ?3 AND name = ?4",
                    )?
                    .query_row(params![story, text.digest, text.tier.name(), text.name], |row| row.get(0))
                    .optional()
            })?;
            known.extend(tokens.map(|tokens| (text, u64::try_from(tokens).unwrap_or(0))));
        }
        Ok(known)
    }

    pub(super) fn put_story_text(&self, folded: &str, document: &NewDocument) -> Result<bool, StoreError> {
        let Some(story) = self.story_id(folded)? else { return Ok(false) };
        let known = self.sql(|connection| {
            connection
                .prepare_cached("SELECT 1 FROM document WHERE story = ?1 AND digest = ?2 AND tier = ?3 AND name = ?4")?
                .exists(params![story, document.digest, document.tier.name(), document.name])
        })?;
        if !known {
            if document.tier == Tier::Article {
                self.forget_texts(story, Some(Tier::Article))?;
            }
            self.put_document(Some(story), document, None)?;
        }
        Ok(true)
    }

    /// Runs whose texts are not all indexed. Of a run that succeeded the article is its story's where the run is the story's current one.
    pub(super) fn runs_unshelved(&self, most: usize) -> Result<Vec<Unshelved>, StoreError> {
        let mut runs = Vec::new();
        self.each(
            "SELECT run.id, story.channel, story.slug, run.state = 'success' AND story.current_run = run.id
             FROM run JOIN story ON story.id = run.story
             WHERE run.shelved < 2 AND run.state <> 'superseded'
             AND (run.shelved = 0 OR (run.state = 'success' AND story.current_run = run.id)) ORDER BY run.id LIMIT ?1",
            [i64::try_from(most).unwrap_or(i64::MAX)],
            |row| {
                let (run, channel, slug, article): (i64, String, String, bool) =
                    self.columns(|| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?;
                if let (Ok(channel), Ok(slug)) = (PathName::new(channel), PathName::new(slug)) {
                    runs.push(Unshelved { run: RunKey(run), story: StoryKey::new(channel, slug), article });
                }
                Ok(())
            },
        )?;
        Ok(runs)
    }

    /// Takes every text of a story away.
    pub(in crate::store) fn forget_story_texts(&self, story: i64) -> Result<(), StoreError> {
        self.forget_texts(story, None)
    }

    /// Takes the texts of a story away, or those of a tier.
    fn forget_texts(&self, story: i64, tier: Option<Tier>) -> Result<(), StoreError> {
        let documents: Vec<i64> = self.sql(|connection| {
            connection
                .prepare_cached("SELECT id FROM document WHERE story = ?1 AND (?2 IS NULL OR tier = ?2)")?
                .query_map(params![story, tier.map(Tier::name)], |row| row.get(0))?
                .collect()
        })?;
        documents.into_iter().try_for_each(|document| self.forget_document(Place::Story, document))
    }
}
