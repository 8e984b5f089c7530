//! Cutting the stories' texts anew where the settings have changed: a search compares passages of one size with each other.

use super::{Library, Markup};
use crate::{
    ports::{Shelf, StoreError},
    text::tokens,
};

/// Cuts the stories' texts as the settings say, where not all of them are cut so. Interrupted, it begins anew the next time, and leaves
/// what is cut already. A text that cannot be read any more stays as it is.
///
/// # Errors
/// [`StoreError`] where the database fails, or the settings cannot be kept.
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
        let chunking = chunking.clone();
        let cut = move || {
            let passages = chunking.cut(&text, Markup::Plain)?;
            Ok((tokens::count(&chunking.encoding, &text), passages))
        };
        let cut = tokio::task::spawn_blocking(cut).await.unwrap_or_else(|error| Err(error.to_string()));
        let failed = |detail| StoreError::Unreadable { what: "a story's text".into(), detail };
        let (tokens, passages) = cut.map_err(failed)?;
        shelf.recut_story_text(key, tokens, passages).await?;
    }
    shelf.set_story_chunking(&how).await
}
