//! Texts of stories: put in with their story, gone with it.

use rusqlite::{OptionalExtension, params};

use super::Place;
use crate::{
    ports::{NewDocument, StoreError},
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

    pub(super) fn known_story_texts(&self, folded: &str, digests: &[String]) -> Result<Vec<(String, u64)>, StoreError> {
        let Some(story) = self.story_id(folded)? else { return Ok(Vec::new()) };
        let mut known = Vec::new();
        for digest in digests {
            let tokens: Option<i64> = self.sql(|connection| {
                connection
                    .prepare_cached("SELECT tokens FROM document WHERE story = ?1 AND digest = ?2 LIMIT 1")?
                    .query_row(params![story, digest], |row| row.get(0))
                    .optional()
            })?;
            known.extend(tokens.map(|tokens| (digest.clone(), u64::try_from(tokens).unwrap_or(0))));
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
            self.put_document(Some(story), document, None)?;
        }
        Ok(true)
    }

    /// Takes every text of a story away.
    pub(in crate::store) fn forget_story_texts(&self, story: i64) -> Result<(), StoreError> {
        let documents: Vec<i64> = self.sql(|connection| {
            connection
                .prepare_cached("SELECT id FROM document WHERE story = ?1")?
                .query_map([story], |row| row.get(0))?
                .collect()
        })?;
        documents.into_iter().try_for_each(|document| self.forget_document(Place::Story, document))
    }
}
