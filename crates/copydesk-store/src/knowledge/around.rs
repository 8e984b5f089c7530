//! The text around a passage.

use super::documents::{document_text, slice, story_id};
use crate::prelude::*;
use copydesk_core::ports::Around;
use copydesk_newsroom::Passage;

/// The text before and after a passage. None if the text is no longer indexed or has changed.
pub(super) fn around(
    db: &Database,
    folded: Option<&str>,
    passage: &Passage,
    most: usize,
) -> Result<Option<Around>, DbFault> {
    let story = folded.map(|folded| story_id(db, folded)).transpose()?;
    if story == Some(None) {
        return Ok(None);
    }
    // A story can have several texts of one name: those of its runs.
    let documents: Vec<i64> = db.column(
        "SELECT id FROM document WHERE story IS NOT DISTINCT FROM ?1 AND tier = ?2 AND name = ?3 ORDER BY id DESC",
        params![story.flatten(), passage.tier.name(), passage.file],
    )?;
    for document in documents {
        let (_, text) = document_text(db, document)?;
        if slice(&text, passage.start, passage.end) == passage.text && !passage.text.is_empty() {
            return Ok(Some(cut(&text, passage, most)));
        }
    }
    Ok(None)
}

/// The text before and after a passage, whose bounds are the text's.
fn cut(text: &str, passage: &Passage, most: usize) -> Around {
    let bound = |byte: u64| usize::try_from(byte).unwrap_or(text.len()).min(text.len());
    let (start, end) = (bound(passage.start), bound(passage.end));
    let first = text.ceil_char_boundary(start.saturating_sub(most)).min(start);
    let last = text.floor_char_boundary(end.saturating_add(most).min(text.len())).max(end);
    let part = |from: usize, to: usize| text.get(from..to).unwrap_or_default().to_owned();
    Around { before: part(first, start), after: part(end, last) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{open, opening_of, store, story};
    use copydesk_core::ports::{Index as _, KnowledgeFile, NewDocument, Shelf as _};
    use copydesk_newsroom::Tier;

    const TEXT: &str = "Où était le parc? The park was here. Où est-il?";

    fn document(tier: Tier, text: &str) -> NewDocument {
        NewDocument { name: "park".into(), tier, digest: text.into(), text: text.into(), ..NewDocument::default() }
    }

    fn passage(tier: Tier) -> Passage {
        let text = "The park was here.";
        let start = TEXT.find(text).unwrap() as u64;
        let end = start + text.len() as u64;
        Passage { file: "park".into(), start, end, text: text.into(), tier, ..Passage::default() }
    }

    #[tokio::test]
    async fn what_stands_around_a_passage_is_cut_between_characters() {
        let (_folder, store) = store();
        let file = KnowledgeFile { path: "park".into(), size: 1, modified: 1, digest: "d".into() };
        store.index_file(file.clone(), document(Tier::Knowledge, TEXT)).await.unwrap();
        let around = |most| {
            let (store, passage) = (store.clone(), passage(Tier::Knowledge));
            async move { store.around(None, &passage, most).await.unwrap() }
        };
        let whole = Around { before: "Où était le parc? ".into(), after: " Où est-il?".into() };
        assert_eq!(around(1000).await, Some(whole));
        assert_eq!(around(3).await, Some(Around { before: "c? ".into(), after: " O".into() }));
        assert_eq!(around(0).await, Some(Around::default()));
        // The file has changed since it was found, or is gone.
        store
            .index_file(file, document(Tier::Knowledge, "Another text that is as long as the one before was."))
            .await
            .unwrap();
        assert_eq!(around(10).await, None);
        store.forget_files(vec!["park".into()]).await.unwrap();
        assert_eq!(around(10).await, None);
    }

    #[tokio::test]
    async fn of_a_storys_texts_of_one_name_it_is_the_one_that_has_the_passage() {
        let (_folder, store) = store();
        open(&store, opening_of("park", "R1", "A source."), None).await;
        let key = story("park");
        let wanted = passage(Tier::Source);
        assert_eq!(store.around(Some(&key), &wanted, 9).await.unwrap(), None);
        store.index_story_text(&key, document(Tier::Source, TEXT)).await.unwrap();
        store
            .index_story_text(&key, document(Tier::Source, "Nothing of it is left in the later run's source."))
            .await
            .unwrap();
        let around = store.around(Some(&key), &wanted, 6).await.unwrap();
        assert_eq!(around, Some(Around { before: "parc? ".into(), after: " Où e".into() }));
        assert_eq!(store.around(None, &wanted, 6).await.unwrap(), None, "it is no knowledge file");
    }
}
