//! The shelf's port: what is put into the index and taken out, each method a transaction.

use std::time::Duration;

use super::{
    documents::{knowledge_files, put_document},
    forgetting::{forget_file, forget_files, forget_knowledge},
    recutting::{recut, story_text_behind},
    settings::{
        CHUNKING, STORY_CHUNKING, forget_stopped, hidden, note_hidden, note_stopped, set_setting, setting, stopped,
    },
    stories::{known_story_texts, put_story_text, runs_unshelved},
    vectors::{is_embedder, put_refused, put_vectors, spare_confidential, use_embedder, without_vectors},
};
use crate::prelude::*;
use copydesk_core::ports::{
    ChildVector, KnowledgeFile, NewDocument, NewPassage, Shelf, StoppedFile, StoryText, Unembedded, Unshelved,
};
use copydesk_newsroom::HiddenText;

/// How long files are removed in one transaction, while others wait. Deleted content is overwritten word by word, and files that share a
/// word share most of the pages that this touches.
const LONGEST: Duration = Duration::from_secs(1);

#[async_trait]
impl Shelf for Store {
    async fn indexed_files(&self) -> Result<Vec<KnowledgeFile>, StoreError> {
        self.read(knowledge_files).await
    }

    async fn index_file(&self, file: KnowledgeFile, document: NewDocument) -> Result<(), StoreError> {
        self.write(move |db| {
            forget_file(db, &file.path)?;
            note_hidden(db, &file.path, document.hidden.clone())?;
            put_document(db, None, &document, Some(&file))
        })
        .await
    }

    async fn touch_file(&self, file: KnowledgeFile) -> Result<(), StoreError> {
        self.write(move |db| {
            db.write(
                "UPDATE document SET modified = ?2 WHERE story IS NULL AND name = ?1",
                params![file.path, file.modified],
            )
        })
        .await
    }

    async fn forget_files(&self, paths: Vec<String>) -> Result<usize, StoreError> {
        self.write(move |db| forget_files(db, &paths, LONGEST)).await
    }

    async fn stopped_files(&self) -> Result<Vec<StoppedFile>, StoreError> {
        self.read(stopped).await
    }

    async fn note_stopped(&self, file: StoppedFile) -> Result<(), StoreError> {
        self.write(move |db| note_stopped(db, file)).await
    }

    async fn forget_stopped(&self) -> Result<(), StoreError> {
        self.write(forget_stopped).await
    }

    async fn hidden_in_files(&self) -> Result<Vec<(String, Vec<HiddenText>)>, StoreError> {
        self.read(hidden).await
    }

    async fn story_texts(&self, story: &StoryKey, texts: Vec<StoryText>) -> Result<Vec<(StoryText, u64)>, StoreError> {
        let folded = story.folded();
        self.read(move |db| known_story_texts(db, &folded, texts.clone())).await
    }

    async fn index_story_text(&self, story: &StoryKey, document: NewDocument) -> Result<bool, StoreError> {
        let folded = story.folded();
        self.write(move |db| put_story_text(db, &folded, &document)).await
    }

    async fn unshelved(&self, most: usize) -> Result<Vec<Unshelved>, StoreError> {
        self.read(move |db| runs_unshelved(db, most)).await
    }

    async fn note_shelved(&self, run: RunKey, article: bool) -> Result<(), StoreError> {
        self.write(move |db| {
            db.write(
                "UPDATE run SET shelved = max(shelved, ?2) WHERE id = ?1",
                params![run.0, if article { 2 } else { 1 }],
            )
        })
        .await
    }

    async fn chunking(&self) -> Result<Option<String>, StoreError> {
        self.read(|db| setting(db, CHUNKING)).await
    }

    async fn set_chunking(&self, chunking: &str) -> Result<(), StoreError> {
        let chunking = chunking.to_owned();
        self.write(move |db| {
            forget_knowledge(db)?;
            set_setting(db, CHUNKING, &chunking)
        })
        .await
    }

    async fn story_chunking(&self) -> Result<Option<String>, StoreError> {
        self.read(|db| setting(db, STORY_CHUNKING)).await
    }

    async fn set_story_chunking(&self, chunking: &str) -> Result<(), StoreError> {
        let chunking = chunking.to_owned();
        self.write(move |db| set_setting(db, STORY_CHUNKING, &chunking)).await
    }

    async fn next_story_text(&self, after: i64) -> Result<Option<(i64, Option<String>)>, StoreError> {
        self.read(move |db| story_text_behind(db, after)).await
    }

    async fn recut_story_text(&self, text: i64, tokens: u64, passages: Vec<NewPassage>) -> Result<(), StoreError> {
        self.write(move |db| recut(db, text, tokens, &passages)).await
    }

    async fn set_embedder(&self, identity: &str, dimension: usize) -> Result<(), StoreError> {
        let identity = identity.to_owned();
        self.write(move |db| use_embedder(db, &identity, dimension)).await
    }

    async fn spare_confidential(&self, embedder: &str, spare: bool) -> Result<bool, StoreError> {
        let embedder = embedder.to_owned();
        self.write(move |db| spare_confidential(db, &embedder, spare)).await
    }

    async fn unembedded(&self, most: usize) -> Result<Vec<Unembedded>, StoreError> {
        self.read(move |db| without_vectors(db, most)).await
    }

    async fn keep_vectors(&self, embedder: &str, vectors: Vec<ChildVector>) -> Result<bool, StoreError> {
        let embedder = embedder.to_owned();
        self.write(move |db| {
            let lengths = vectors.iter().map(|child| child.vector.len());
            let theirs = is_embedder(db, &embedder, lengths)?;
            if theirs {
                put_vectors(db, &vectors)?;
            }
            Ok(theirs)
        })
        .await
    }

    async fn note_refused(&self, embedder: &str, passage: i64) -> Result<bool, StoreError> {
        let embedder = embedder.to_owned();
        self.write(move |db| {
            let theirs = is_embedder(db, &embedder, std::iter::empty())?;
            if theirs {
                put_refused(db, passage)?;
            }
            Ok(theirs)
        })
        .await
    }
}
