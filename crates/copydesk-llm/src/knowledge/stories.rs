//! Indexes the stories' sources and articles, for a search over earlier stories. It runs beside the desk's work.

use super::{Library, recut::recut_stories};
use copydesk_core::editorial::report;
use copydesk_core::ports::{Passages as _, Records, Shelf, StoreError};
use copydesk_newsroom::Tier;

/// Runs that are looked at once.
const BATCH: usize = 16;

/// Indexes the sources and articles of runs that are not indexed yet, and cuts the others again if the settings have changed. `progress` is
/// called with how many runs are done. A run that cannot be read is noted as done, so that it does not hold up the others each time, and
/// reported.
///
/// # Errors
/// [`StoreError`] if the database fails; runs done before stay so.
pub async fn shelve_stories(
    records: &dyn Records,
    shelf: &dyn Shelf,
    library: &Library,
    progress: &(dyn Fn(usize) + Send + Sync),
) -> Result<Vec<String>, StoreError> {
    recut_stories(shelf, library).await?;
    let mut done = 0;
    let mut problems = Vec::new();
    loop {
        let waiting = shelf.unshelved(BATCH).await?;
        if waiting.is_empty() {
            return Ok(problems);
        }
        for unshelved in waiting {
            let story = &unshelved.story;
            match records.load(unshelved.run).await {
                Ok(stored) => {
                    library.shelve_sources(&stored.journal).await?;
                    let article = unshelved.article.then(|| report::standing_draft(&stored.journal)).flatten();
                    if let Some(draft) = article {
                        let text = (draft.article.headline.clone(), draft.article.articleBody.clone());
                        library.shelve(story, Tier::Article, &[text]).await?;
                    }
                }
                Err(StoreError::Unreadable { what, detail }) => {
                    problems.push(format!("{story}: {what} cannot be read: {detail}"));
                }
                Err(error) => return Err(error),
            }
            shelf.note_shelved(unshelved.run, unshelved.article).await?;
            done += 1;
            progress(done);
        }
    }
}
