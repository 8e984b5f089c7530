//! Putting the knowledge base's files in, and taking them out.

use std::time::{Duration, Instant};

use async_trait::async_trait;
use rusqlite::{OptionalExtension, params};

use super::Place;
use crate::{
    newsroom::StoryKey,
    ports::{
        ChildVector, KnowledgeFile, NewDocument, NewPassage, RunKey, Shelf, StoreError, StoryText, Unembedded,
        Unshelved,
    },
    store::{Store, session::Session},
};

/// How the knowledge base is cut, as the index was last built.
const CHUNKING: &str = "knowledge.chunking";

/// The same of the stories' texts.
const STORY_CHUNKING: &str = "stories.chunking";

/// How long files are taken out in one transaction. What is deleted is overwritten, word by word: files that share one share most of the
/// pages that this touches. Others wait for it.
const LONGEST: Duration = Duration::from_secs(1);

#[async_trait]
impl Shelf for Store {
    async fn indexed_files(&self) -> Result<Vec<KnowledgeFile>, StoreError> {
        self.read(Session::knowledge_files).await
    }

    async fn index_file(&self, file: KnowledgeFile, document: NewDocument) -> Result<(), StoreError> {
        self.write(move |session| {
            session.forget_file(&file.path)?;
            session.put_document(None, &document, Some(&file))
        })
        .await
    }

    async fn touch_file(&self, file: KnowledgeFile) -> Result<(), StoreError> {
        self.write(move |session| {
            session.sql(|connection| {
                connection
                    .prepare_cached("UPDATE document SET modified = ?2 WHERE story IS NULL AND name = ?1")?
                    .execute(params![file.path, file.modified])
            })?;
            Ok(())
        })
        .await
    }

    async fn forget_files(&self, paths: Vec<String>) -> Result<usize, StoreError> {
        self.write(move |session| session.forget_files(&paths, LONGEST)).await
    }

    async fn story_texts(&self, story: &StoryKey, texts: Vec<StoryText>) -> Result<Vec<(StoryText, u64)>, StoreError> {
        let folded = story.folded();
        self.read(move |session| session.known_story_texts(&folded, texts)).await
    }

    async fn index_story_text(&self, story: &StoryKey, document: NewDocument) -> Result<bool, StoreError> {
        let folded = story.folded();
        self.write(move |session| session.put_story_text(&folded, &document)).await
    }

    async fn unshelved(&self, most: usize) -> Result<Vec<Unshelved>, StoreError> {
        self.read(move |session| session.runs_unshelved(most)).await
    }

    async fn note_shelved(&self, run: RunKey, article: bool) -> Result<(), StoreError> {
        self.write(move |session| {
            session.sql(|connection| {
                connection
                    .prepare_cached("UPDATE run SET shelved = max(shelved, ?2) WHERE id = ?1")?
                    .execute(params![run.0, if article { 2 } else { 1 }])
            })?;
            Ok(())
        })
        .await
    }

    async fn chunking(&self) -> Result<Option<String>, StoreError> {
        self.read(|session| session.setting(CHUNKING)).await
    }

    async fn set_chunking(&self, chunking: &str) -> Result<(), StoreError> {
        let chunking = chunking.to_owned();
        self.write(move |session| {
            session.forget_knowledge()?;
            session.set_setting(CHUNKING, &chunking)
        })
        .await
    }

    async fn story_chunking(&self) -> Result<Option<String>, StoreError> {
        self.read(|session| session.setting(STORY_CHUNKING)).await
    }

    async fn set_story_chunking(&self, chunking: &str) -> Result<(), StoreError> {
        let chunking = chunking.to_owned();
        self.write(move |session| session.set_setting(STORY_CHUNKING, &chunking)).await
    }

    async fn next_story_text(&self, after: i64) -> Result<Option<(i64, Option<String>)>, StoreError> {
        self.read(move |session| session.story_text_behind(after)).await
    }

    async fn recut_story_text(&self, text: i64, tokens: u64, passages: Vec<NewPassage>) -> Result<(), StoreError> {
        self.write(move |session| session.recut(text, tokens, &passages)).await
    }

    async fn set_embedder(&self, identity: &str, dimension: usize) -> Result<(), StoreError> {
        let identity = identity.to_owned();
        self.write(move |session| session.use_embedder(&identity, dimension)).await
    }

    async fn unembedded(&self, most: usize) -> Result<Vec<Unembedded>, StoreError> {
        self.read(move |session| session.without_vectors(most)).await
    }

    async fn keep_vectors(&self, embedder: &str, vectors: Vec<ChildVector>) -> Result<bool, StoreError> {
        let embedder = embedder.to_owned();
        self.write(move |session| {
            let lengths = vectors.iter().map(|child| child.vector.len());
            let theirs = session.is_embedder(&embedder, lengths)?;
            if theirs {
                session.put_vectors(&vectors)?;
            }
            Ok(theirs)
        })
        .await
    }

    async fn note_refused(&self, embedder: &str, passage: i64) -> Result<bool, StoreError> {
        let embedder = embedder.to_owned();
        self.write(move |session| {
            let theirs = session.is_embedder(&embedder, std::iter::empty())?;
            if theirs {
                session.put_refused(passage)?;
            }
            Ok(theirs)
        })
        .await
    }
}

impl Session {
    pub(super) fn setting(&self, key: &str) -> Result<Option<String>, StoreError> {
        self.sql(|connection| {
            connection
                .prepare_cached("SELECT value FROM setting WHERE key = ?1")?
                .query_row([key], |row| row.get(0))
                .optional()
        })
    }

    pub(super) fn set_setting(&self, key: &str, value: &str) -> Result<(), StoreError> {
        self.sql(|connection| {
            connection
                .prepare_cached("INSERT INTO setting (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = excluded.value")?
                .execute([key, value])
        })?;
        Ok(())
    }

    pub(super) fn knowledge_files(&self) -> Result<Vec<KnowledgeFile>, StoreError> {
        self.sql(|connection| {
            connection
                .prepare_cached(
                    "SELECT name, file_size, modified, digest FROM document WHERE story IS NULL ORDER BY name",
                )?
                .query_map([], |row| {
                    let size: Option<i64> = row.get(1)?;
                    Ok(KnowledgeFile {
                        path: row.get(0)?,
                        size: size.and_then(|size| u64::try_from(size).ok()).unwrap_or(0),
                        modified: row.get::<_, Option<i64>>(2)?.unwrap_or(0),
                        digest: row.get(3)?,
                    })
                })?
                .collect()
        })
    }

    /// Takes the whole knowledge base out: far quicker than a file at a time.
    fn forget_knowledge(&self) -> Result<(), StoreError> {
        self.forget_knowledge_vectors()?;
        self.sql(|connection| {
            connection.execute_batch(
                "INSERT INTO knowledge_fts (knowledge_fts) VALUES ('delete-all');
                 DELETE FROM passage WHERE document IN (SELECT id FROM document WHERE story IS NULL);
                 DELETE FROM document WHERE story IS NULL;
                 UPDATE tally SET passages = 0 WHERE shelf = 'knowledge';",
            )
        })
    }

    /// Takes files out until `longest` is over, one at least. Returns how many.
    pub(super) fn forget_files(&self, paths: &[String], longest: Duration) -> Result<usize, StoreError> {
        let begun = Instant::now();
        for (path, done) in paths.iter().zip(1..) {
            self.forget_file(path)?;
            if begun.elapsed() >= longest {
                return Ok(done);
            }
        }
        Ok(paths.len())
    }

    fn forget_file(&self, path: &str) -> Result<(), StoreError> {
        let known: Option<i64> = self.sql(|connection| {
            connection
                .prepare_cached("SELECT id FROM document WHERE story IS NULL AND name = ?1")?
                .query_row([path], |row| row.get(0))
                .optional()
        })?;
        known.map_or(Ok(()), |document| self.forget_document(Place::Knowledge, document))
    }

    /// Adds a text with its passages to the shelf on which `story` puts it.
    pub(super) fn put_document(
        &self,
        story: Option<i64>,
        document: &NewDocument,
        file: Option<&KnowledgeFile>,
    ) -> Result<(), StoreError> {
        let place = if story.is_none() { Place::Knowledge } else { Place::Story };
        let bytes = document.text.as_bytes();
        let packed = self.pack(bytes);
        let (flag, body) = packed.as_deref().map_or((0, bytes), |packed| (1, packed));
        let id = self.sql(|connection| {
            connection
                .prepare_cached(
                    "INSERT INTO document (story, tier, name, title, credibility, published, digest, file_size, modified, tokens, size, packed, body)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
                )?
                .insert(params![
                    story,
                    document.tier.name(),
                    document.name,
                    document.title,
                    document.credibility,
                    document.published,
                    file.map_or(&document.digest, |file| &file.digest),
                    file.map(|file| integer(file.size)),
                    file.map(|file| file.modified),
                    integer(document.tokens),
                    integer(bytes.len() as u64),
                    flag,
                    body
                ])
        })?;
        self.put_passages(place, id, (&document.title, &document.text), &document.passages)
    }

    /// Adds the passages of a text, which stands there with its title; they wait for vectors.
    pub(super) fn put_passages(
        &self,
        place: Place,
        document: i64,
        (title, text): (&str, &str),
        passages: &[NewPassage],
    ) -> Result<(), StoreError> {
        self.sql(|connection| {
            let name = place.name();
            let mut put = connection.prepare_cached(
                "INSERT INTO passage (document, start, stop, tokens, heading) VALUES (?1, ?2, ?3, ?4, ?5)",
            )?;
            let mut words = connection
                .prepare_cached(&format!("INSERT INTO {name}_fts (rowid, title, body) VALUES (?1, ?2, ?3)"))?;
            for passage in passages {
                let id = put.insert(params![
                    document,
                    integer(passage.start),
                    integer(passage.end),
                    integer(passage.tokens),
                    passage.heading
                ])?;
                words.execute(params![id, headed(title, &passage.heading), slice(text, passage.start, passage.end)])?;
            }
            connection
                .prepare_cached("UPDATE tally SET passages = passages + ?2 WHERE shelf = ?1")?
                .execute(params![name, integer(passages.len() as u64)])
        })?;
        Ok(())
    }

    /// A text with its title.
    pub(super) fn document_text(&self, document: i64) -> Result<(String, String), StoreError> {
        self.known_document_text(document)?.ok_or_else(|| unreadable(document, "it is not there".into()))
    }

    /// The same, where the text is still there.
    pub(super) fn known_document_text(&self, document: i64) -> Result<Option<(String, String)>, StoreError> {
        let mut found = None;
        self.each("SELECT title, size, packed, body FROM document WHERE id = ?1", [document], |row| {
            let title = self.columns(|| row.get(0))?;
            let text =
                String::from_utf8(self.text(row, 1)?).map_err(|error| unreadable(document, error.to_string()))?;
            found = Some((title, text));
            Ok(())
        })?;
        Ok(found)
    }
}

fn unreadable(document: i64, detail: String) -> StoreError {
    StoreError::Unreadable { what: format!("text {document} of the index"), detail }
}

/// What the full text has as a passage's title.
pub(super) fn headed(title: &str, heading: &str) -> String {
    if heading.is_empty() { title.to_owned() } else { format!("{title} > {heading}") }
}

/// The stretch of a text; empty where its bounds are none of it.
pub(super) fn slice(text: &str, start: u64, end: u64) -> &str {
    let bounds = usize::try_from(start).ok().zip(usize::try_from(end).ok());
    bounds.and_then(|(start, end)| text.get(start..end)).unwrap_or_default()
}

pub(super) fn integer(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
