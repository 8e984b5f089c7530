//! Indexes the stories' sources and articles, for a search over earlier stories. It runs beside the desk's work.

use super::Library;
use copydesk_core::editorial::report;
use copydesk_core::ports::{Passages as _, Records, Shelf, ShelvedText, StoreError};
use copydesk_newsroom::{ArticleResponse, Tier};

/// Runs that are looked at once.
const BATCH: usize = 16;

/// Indexes the sources and articles of runs that are not indexed yet, and cuts the others again if the settings have changed. A run that
/// cannot be read is noted as done, so that it does not hold up the others each time, and reported.
///
/// # Errors
/// [`StoreError`] if the database fails; runs done before stay so.
pub async fn shelve_stories(
    records: &dyn Records,
    shelf: &dyn Shelf,
    library: &Library,
) -> Result<Vec<String>, StoreError> {
    recut_stories(shelf, library).await?;
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
                        let ArticleResponse { headline: name, articleBody: text, .. } = draft.article.clone();
                        let text = ShelvedText { name, text, credibility: 1.0, published: None };
                        library.shelve(story, Tier::Article, &[text]).await?;
                    }
                }
                Err(StoreError::Unreadable { what, detail }) => {
                    problems.push(format!("{story}: {what} cannot be read: {detail}"));
                }
                Err(error) => return Err(error),
            }
            shelf.note_shelved(unshelved.run, unshelved.article).await?;
        }
    }
}

/// Cuts the stories' texts as the settings say, unless all of them are cut so: a search must compare passages of one size. If it is
/// interrupted, it begins again the next time and leaves what is cut already. A text that can no longer be read stays as it is.
///
/// # Errors
/// [`StoreError`] if the database fails or the settings cannot be kept.
async fn recut_stories(shelf: &dyn Shelf, library: &Library) -> Result<(), StoreError> {
    let chunking = &library.sources;
    let how = chunking.described();
    if shelf.story_chunking().await?.as_deref() == Some(how.as_str()) {
        return Ok(());
    }
    let mut last = 0;
    while let Some((key, text)) = shelf.next_story_text(last).await? {
        last = key;
        let Some(text) = text else { continue };
        let cut = chunking.cut_off_thread("a story's text", text).await?;
        shelf.recut_story_text(key, cut.tokens, cut.passages).await?;
    }
    shelf.set_story_chunking(&how).await
}
