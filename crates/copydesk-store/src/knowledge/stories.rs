//! Texts of stories: put in with their story, gone with it.

use super::{
    documents::{put_document, story_id},
    forgetting::forget_document,
    shelves::ShelfKind,
};
use crate::prelude::*;
use copydesk_core::ports::{NewDocument, StoryText, Unshelved};
use copydesk_newsroom::Tier;

pub(super) fn known_story_texts(
    db: &Database,
    folded: &str,
    texts: Vec<StoryText>,
) -> Result<Vec<(StoryText, u64)>, DbFault> {
    let Some(story) = story_id(db, folded)? else { return Ok(Vec::new()) };
    let mut known = Vec::new();
    for text in texts {
        let tokens = db.optional(
            "SELECT tokens FROM document WHERE story = ?1 AND digest = ?2 AND tier = ?3 AND name = ?4",
            params![story, text.digest, text.tier.name(), text.name],
        )?;
        known.extend(tokens.map(|tokens| (text, natural(tokens))));
    }
    Ok(known)
}

pub(super) fn put_story_text(db: &Database, folded: &str, document: &NewDocument) -> Result<bool, DbFault> {
    let Some(story) = story_id(db, folded)? else { return Ok(false) };
    let known = db.exists(
        "SELECT 1 FROM document WHERE story = ?1 AND digest = ?2 AND tier = ?3 AND name = ?4",
        params![story, document.digest, document.tier.name(), document.name],
    )?;
    if !known {
        if document.tier == Tier::Article {
            forget_texts(db, story, Some(Tier::Article))?;
        }
        put_document(db, Some(story), document, None)?;
    }
    Ok(true)
}

/// Runs whose texts are not all indexed. The article of a run that succeeded is its story's if the run is the story's current one.
pub(super) fn runs_unshelved(db: &Database, most: usize) -> Result<Vec<Unshelved>, DbFault> {
    let found = db.rows(
        "SELECT run.id, story.channel, story.slug, run.state = 'success' AND story.current_run = run.id
         FROM run JOIN story ON story.id = run.story
         WHERE run.shelved < 2 AND run.state <> 'superseded'
         AND (run.shelved = 0 OR (run.state = 'success' AND story.current_run = run.id)) ORDER BY run.id LIMIT ?1",
        [whole(most as u64)],
        |row| {
            let (run, article) = (RunKey(row.get(0)?), row.get(3)?);
            let story = readable(story_key(row.get(1)?, row.get(2)?))?;
            Ok(story.map(|story| Unshelved { run, story, article }))
        },
    )?;
    Ok(found.into_iter().flatten().collect())
}

/// Removes every text of a story.
pub(crate) fn forget_story_texts(db: &Database, story: i64) -> Result<(), DbFault> {
    forget_texts(db, story, None)
}

/// Removes the texts of a story, or those of a tier.
fn forget_texts(db: &Database, story: i64, tier: Option<Tier>) -> Result<(), DbFault> {
    let sql = "SELECT id FROM document WHERE story = ?1 AND (CAST(?2 AS TEXT) IS NULL OR tier = ?2)";
    let documents: Vec<i64> = db.column(sql, params![story, tier.map(Tier::name)])?;
    documents.into_iter().try_for_each(|document| forget_document(db, ShelfKind::Story, document))
}
