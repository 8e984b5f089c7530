//! The index beside the screen: what `copydesk kb index` does, in pieces that can be broken off.

use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::OnceCell;

use crate::cli::prelude::*;
use crate::knowledge::{self, Library};
use crate::ports::{Index as _, Occasion, Shelf as _, WorkProgress};
use crate::tui::{app::trouble::Trouble, worker::context::Librarian};

/// How long the vectors rest once nothing waits for any.
const AGAIN: Duration = Duration::from_millis(500);

/// Makes vectors for indexed texts, beside the work on stories, if an embedder is configured. No story waits for them,
/// and later searches find texts by their meaning, too. An error is reported once; the search by words continues.
pub(crate) fn vectors_follow(keeper: Keeper) {
    if keeper.settings.article_generation.knowledge_base.embedding.is_none() {
        return;
    }
    tokio::spawn(async move {
        loop {
            match keeper.embed(&WorkProgress::default()).await {
                Ok(refused) => headless::messages(refused.iter().map(|text| format!("knowledge base: {text}"))),
                Err(why) => return headless::message(&format!("knowledge base: {why}")),
            }
            tokio::time::sleep(AGAIN).await;
        }
    });
}

/// Keeps the index of a store.
pub(crate) struct Keeper {
    pub(crate) settings: Settings,
    pub(crate) store: Store,
    /// Has the embedder, so that a model is read once, for the search too.
    pub(crate) library: Arc<Library>,
    /// Whether the passages of confidential stories are marked as its embedder needs it.
    marked: OnceCell<()>,
}

#[async_trait]
impl Librarian for Keeper {
    async fn refresh(&self, progress: &WorkProgress) -> Result<Vec<String>, Trouble> {
        let generation = &self.settings.article_generation;
        let refreshed = knowledge::refresh(&self.store, &generation.knowledge_base, &generation.encoding, progress);
        Ok(refreshed.await?.problems)
    }

    async fn shelve(&self) -> Result<Vec<String>, Trouble> {
        Ok(knowledge::shelve_stories(&self.store, &self.store, &self.library).await?)
    }

    async fn embed(&self, progress: &WorkProgress) -> Result<Vec<String>, Trouble> {
        Occasion::of_house("vectors", Some(wiring::books(&self.store))).during(self.embedded(progress)).await
    }
}

impl Keeper {
    pub(crate) fn new(settings: &Settings, store: &Store, library: Arc<Library>) -> Self {
        Self { settings: settings.clone(), store: store.clone(), library, marked: OnceCell::new() }
    }

    async fn embedded(&self, progress: &WorkProgress) -> Result<Vec<String>, Trouble> {
        let Some(embedder) = self.library.embedder().await? else { return Ok(Vec::new()) };
        // The embedder may have been on another machine before: what it was not given then waits now.
        let mark = async || self.store.spare_confidential(embedder.identity(), embedder.is_elsewhere()).await.map(drop);
        self.marked.get_or_try_init(mark).await?;
        let stock = self.store.stock().await?;
        let all = knowledge::waiting(&stock, embedder.as_ref());
        // An embedder that has nothing to do is not asked for anything.
        if all == 0 {
            return Ok(Vec::new());
        }
        progress.at(0, all as u64);
        let done =
            knowledge::embed_all(&self.store, embedder, &|done| progress.at(done as u64, all.max(done) as u64)).await?;
        Ok(done.problems)
    }
}
