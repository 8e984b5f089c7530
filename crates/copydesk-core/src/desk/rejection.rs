//! Topics that cannot be used: each still leaves its failure in a file (docs/reference/contract.md, 6).

use std::path::Path;

use super::{
    DeskError,
    lock::StoryLock,
    outputs::{Outputs, Rejection},
};
use copydesk_newsroom::{ArticleGenerationResult, StoryKey};

/// Writes the failure of a topic as the canonical file of its story. If that is there and is no failure, it stays as it is, and the
/// failure goes to `rejected.json` in the story's folder of run artifacts. Needs no desk.
///
/// # Errors
/// [`DeskError::Locked`] if a program works on the story, which will write its own result; [`DeskError::Output`] if the file cannot be
/// written.
pub async fn reject(
    outputs: &Outputs,
    locks: &Path,
    story: &StoryKey,
    result: &ArticleGenerationResult,
) -> Result<Rejection, DeskError> {
    let _lock = StoryLock::take(locks, story).await?;
    outputs.write_rejection(story, result).await
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
            let locks = self.folder.path().join("locks");
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
        // Another version may have more fields; half a file is no recorded failure.
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
