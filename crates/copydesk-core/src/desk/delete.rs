//! Changes of files and rows outside a run: deleting a story, refusing a topic, importing records of the memory.
//!
//! A deletion removes files first, because only the database knows which they are: one that stops in between can be repeated. A topic that
//! cannot be used still leaves its failure in a file (docs/reference/contract.md, 6).

use std::path::PathBuf;

use super::{
    Desk, DeskError,
    lock::StoryLocks,
    outputs::{Outputs, Rejection, Removed},
};
use crate::ports::{Deleted, Imported, Memory, Stories};
use copydesk_newsroom::{ArticleGenerationResult, MemoryRecord, StoryKey};

/// The records and files that were deleted with a story.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deletion {
    pub records: Deleted,
    /// Files, and folders with all that was in them.
    pub paths: Vec<PathBuf>,
    /// Files that may still be on the disk because the database could not be read for their places: sentences for a person.
    pub missed: Vec<String>,
}

impl Desk {
    /// As [`delete`], in the name of the desk's editor. None if there is no such story.
    ///
    /// # Errors
    /// As [`delete`].
    pub async fn delete(&self, story: &StoryKey) -> Result<Option<Deletion>, DeskError> {
        delete(&*self.stories, &self.outputs, &self.locks, story, &self.editor, &self.now()).await
    }
}

/// Deletes a story wholly: canonical file, artifacts, files of the institutional memory, and everything that the database has of
/// it. `by` and `at` (ISO 8601, UTC) stay in the audit log. None if there is no such story. It needs no desk: a newsroom with
/// broken prompts or a damaged database can still delete. [`Deletion::missed`] reports files that a damaged database hides.
///
/// # Errors
/// [`DeskError::Locked`] if a program works on it, [`DeskError::Delete`] if a file cannot be deleted: the database then
/// still has the story.
pub async fn delete(
    stories: &dyn Stories,
    outputs: &Outputs,
    locks: &StoryLocks,
    story: &StoryKey,
    by: &str,
    at: &str,
) -> Result<Option<Deletion>, DeskError> {
    let _lock = locks.take(story).await?;
    let Some(holdings) = stories.holdings(story).await? else { return Ok(None) };
    let Removed { gone: paths, missed } = outputs.remove(story, &holdings).await?;
    let records = stories.delete_story(story, by, at).await?;
    Ok(records.map(|records| Deletion { records, paths, missed }))
}

/// Writes the failure of a topic as the canonical file of its story. A canonical file with an article stays, and the failure goes to
/// `rejected.json` in the story's folder of run artifacts. Needs no desk.
///
/// # Errors
/// [`DeskError::Locked`] if a program works on the story, which will write its own result; [`DeskError::Output`] if the file cannot be
/// written.
pub async fn reject(
    outputs: &Outputs,
    locks: &StoryLocks,
    story: &StoryKey,
    result: &ArticleGenerationResult,
) -> Result<Rejection, DeskError> {
    let _lock = locks.take(story).await?;
    outputs.write_rejection(story, result).await
}

/// Keeps `records` in the memory and writes the files that are not there. Returns the result for each record.
///
/// # Errors
/// If the database refuses them, none is kept. [`DeskError::MemoryFile`] if a file cannot be written: all are kept.
pub async fn import(
    book: &dyn Memory,
    outputs: &Outputs,
    records: Vec<MemoryRecord>,
    by: &str,
    at: &str,
) -> Result<Vec<Imported>, DeskError> {
    let told = book.import(records.clone(), by, at).await?;
    outputs.add_memory(&records).await?;
    Ok(told)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use copydesk_newsroom::PathName;

    struct House {
        folder: tempfile::TempDir,
        outputs: Outputs,
    }

    impl House {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let path = |name: &str| folder.path().join(name);
            let outputs = Outputs {
                workspace: folder.path().to_owned(),
                articles: path("articles"),
                runs: "./runs".into(),
                fact_checks: path("facts"),
                evidence_searches: path("searches"),
                save_intermediate_results: false,
                group_readable: false,
            };
            Self { folder, outputs }
        }

        /// Rejects a topic. Returns the file, and the one that was kept, both as below the folder.
        async fn reject(&self, channel: &str, slug: &str, error: &str) -> (String, Option<String>) {
            let name = |name: &str| PathName::new(name).unwrap();
            let story = StoryKey::new(name(channel), name(slug));
            let failure = ArticleGenerationResult {
                success: false,
                article: None,
                metadata: None,
                editor_report: None,
                artifacts_dir: None,
                error: Some(error.to_owned()),
            };
            let locks = StoryLocks::from(self.folder.path().join("locks"));
            let Rejection { file, kept } = reject(&self.outputs, &locks, &story, &failure).await.unwrap();
            let written: ArticleGenerationResult = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
            assert_eq!(written, failure);
            let below = |path: PathBuf| path.strip_prefix(self.folder.path()).unwrap().to_str().unwrap().to_owned();
            (below(file), kept.map(below))
        }

        fn stands(&self, file: &str, text: &str) {
            let path = self.folder.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }

        fn read(&self, file: &str) -> String {
            std::fs::read_to_string(self.folder.path().join(file)).unwrap()
        }
    }

    #[tokio::test]
    async fn a_failure_is_the_canonical_file_until_an_article_stands_there() {
        let house = House::new();
        assert_eq!(house.reject("desk", "park", "one").await, ("articles/desk/park.json".into(), None));
        assert_eq!(
            house.reject("desk", "park", "two").await,
            ("articles/desk/park.json".into(), None),
            "a failure is replaced"
        );
        // None of these files says that it is a failure, so none is replaced.
        for stands in [r#"{"success": true, "other": 1}"#, r#"{"success": tr"#, "[]", ""] {
            house.stands("articles/desk/park.json", stands);
            let beside = ("runs/desk/park/rejected.json".to_owned(), Some("articles/desk/park.json".to_owned()));
            assert_eq!(house.reject("desk", "park", "three").await, beside);
            assert_eq!(house.reject("desk", "park", "four").await, beside, "the later one counts");
            assert_eq!(house.read("articles/desk/park.json"), stands);
        }
    }

    #[tokio::test]
    async fn upper_and_lower_case_are_one_story() {
        let house = House::new();
        house.stands("articles/Desk/PARK.json", r#"{"success": true}"#);
        house.stands("articles/desk/mill.json", r#"{"success": false}"#);
        house.stands("articles/notes.txt", "no channel");
        assert_eq!(
            house.reject("desk", "park", "x").await,
            ("runs/Desk/PARK/rejected.json".into(), Some("articles/Desk/PARK.json".into()))
        );
        assert_eq!(house.reject("Desk", "Mill", "x").await, ("articles/desk/mill.json".into(), None));
        assert_eq!(house.reject("desk", "pond", "x").await, ("articles/desk/pond.json".into(), None));
    }
}
