//! The savings of the memory in the work on stories.

use anyhow::Result;

use crate::{
    editorial::savings::{self, Savings},
    newsroom::Journal,
    ports::{Archive, MemoryBook, Records},
    store::Store,
};

/// Of one run.
pub(crate) async fn of_run(store: &Store, journal: &Journal) -> Result<Savings> {
    let mut saved = Savings::of(journal);
    for record in savings::reused(journal) {
        saved.add_cost(store.spent_on(record).await?);
    }
    Ok(saved)
}

/// The savings of the current runs of stories, added up. A name that is no story of the desk adds nothing.
pub(crate) async fn of_stories(store: &Store, stories: impl Iterator<Item = &str>) -> Result<Savings> {
    let mut all = Savings::default();
    for story in stories {
        if let Some((key, _)) = store.runs_of(story).await?.into_iter().find(|(_, run)| run.current) {
            all += of_run(store, &store.load(key).await?.journal).await?;
        }
    }
    Ok(all)
}
