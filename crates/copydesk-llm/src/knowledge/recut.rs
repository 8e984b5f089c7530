//! Cuts the stories' texts again after a change of the settings, because a search must compare passages of one size.

use super::Library;
use copydesk_core::ports::{Shelf, StoreError};

/// Cuts the stories' texts as the settings say, unless all of them are cut so. If it is interrupted, it begins again the next time and
/// leaves what is cut already. A text that can no longer be read stays as it is.
///
/// # Errors
/// [`StoreError`] if the database fails or the settings cannot be kept.
pub(super) async fn recut_stories(shelf: &dyn Shelf, library: &Library) -> Result<(), StoreError> {
    let chunking = library.chunking();
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
