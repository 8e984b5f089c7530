//! Files: a projection of the journal, written to a temporary name and renamed, so that no reader ever sees half a file.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Component, Path, PathBuf},
};

use super::{
    DeskError,
    files::{can_be_written_in, halves, halves_of, is_name, no_links, open_to_group, output_error, write},
};
use crate::{
    editorial::{
        artifacts::{self, Artifact, SignOffFile},
        run_id,
    },
    ports::{HeldRun, Holdings, SignedOff, aside},
};
use copydesk_newsroom::{ArticleGenerationResult, Entry, Journal, MemoryRecord, Opening, StoryKey, fold_name};
use copydesk_text::sanitise;

/// The file of a rejected topic whose story has an article.
const REJECTED: &str = "rejected.json";

/// The result of deleting the files of a story.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Removed {
    /// Files and folders that are gone.
    pub gone: Vec<PathBuf>,
    /// Files that may still be there because their places cannot be read any more: sentences for a person.
    pub missed: Vec<String>,
}

/// Where the failure of a topic was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejection {
    pub file: PathBuf,
    /// The canonical file that it would have replaced; none if the failure is the canonical file.
    pub kept: Option<PathBuf>,
}

/// Where files go.
#[derive(Debug, Clone)]
pub struct Outputs {
    /// The folder that a run's `artifacts_dir` is relative to.
    pub workspace: PathBuf,
    /// Folder of canonical articles.
    pub articles: PathBuf,
    /// `run_artifacts_dir` as configured.
    pub runs: String,
    /// Folder of fact checks.
    pub fact_checks: PathBuf,
    /// Folder of evidence searches.
    pub evidence_searches: PathBuf,
    /// Whether artifacts are written, or stay in the database.
    pub save_intermediate_results: bool,
    /// Whether the group of the files' owner may read canonical articles.
    pub group_readable: bool,
}

impl Outputs {
    /// The canonical file of a story.
    pub fn canonical(&self, story: &StoryKey) -> PathBuf {
        self.articles.join(story.channel.as_str()).join(format!("{}.json", story.slug))
    }

    /// The folder of a run's artifacts: as its opening has it, or where runs have theirs now. An opening that was written elsewhere can say
    /// anything: a folder that is not below the workspace, or not the run's own by its name, is never used.
    ///
    /// # Errors
    /// [`DeskError::Output`] if the run's id is no name of a folder.
    pub(super) fn artifacts(&self, opening: &Opening) -> Result<PathBuf, DeskError> {
        let (story, run) = (opening.topic.story(), &opening.run_id);
        if !is_name(run) {
            let detail = "the id of the run is no name of a folder".to_owned();
            return Err(DeskError::Output { path: sanitise::excerpt(run, 80), detail });
        }
        let below = self.below_workspace(&opening.artifacts_dir, &story, run);
        Ok(below.unwrap_or_else(|| self.workspace.join(run_id::artifacts_dir(&self.runs, &story, run))))
    }

    /// A run's own folder by its recorded name; none if that leads elsewhere.
    fn below_workspace(&self, recorded: &str, story: &StoryKey, run: &str) -> Option<PathBuf> {
        let own = Path::new(story.channel.as_str()).join(story.slug.as_str()).join(run);
        let now = run_id::artifacts_dir(&self.runs, story, run);
        let inside = Path::new(recorded).components().all(|part| matches!(part, Component::Normal(_)));
        let is_own = is_name(run) && Path::new(recorded).ends_with(own) && (inside || recorded == now);
        is_own.then(|| self.workspace.join(recorded))
    }

    /// Returns the sign-offs that the folders of runs record.
    pub async fn witnesses(&self) -> Vec<SignedOff> {
        let runs = self.workspace.join(&self.runs);
        let found = aside(move || {
            let below = |folders: Vec<PathBuf>| -> Vec<PathBuf> {
                let entries = folders.into_iter().filter_map(|folder| std::fs::read_dir(folder).ok());
                entries.flatten().flatten().map(|entry| entry.path()).collect()
            };
            let files = below(below(below(vec![runs]))).into_iter().map(|folder| folder.join(artifacts::SIGN_OFF));
            let read = |file: PathBuf| serde_json::from_slice(&std::fs::read(file).ok()?).ok();
            let signed = files.filter_map(read);
            signed.map(|SignOffFile { run, by, chain, .. }| SignedOff { run, by, chain }).collect()
        });
        found.await.unwrap_or_default()
    }

    /// Makes sure that results can be written before anything is spent on them.
    pub(super) async fn prepare(&self, story: &StoryKey) -> Result<(), DeskError> {
        let runs = self.workspace.join(&self.runs).join(story.channel.as_str()).join(story.slug.as_str());
        let mut folders =
            vec![self.articles.join(story.channel.as_str()), self.fact_checks.clone(), self.evidence_searches.clone()];
        let runs = self.save_intermediate_results.then_some(runs);
        folders.extend(runs.clone());
        let canonical = self.canonical(story);
        blocking(move || {
            no_links(&canonical, 2)?;
            for folder in folders {
                let cannot = |error| DeskError::folder(&folder, &error);
                std::fs::create_dir_all(&folder).and_then(|()| can_be_written_in(&folder)).map_err(cannot)?;
            }
            if let Some(runs) = runs {
                no_links(&runs, 2)?;
            }
            Ok(())
        })
        .await
    }

    /// Writes the files that `entries` add.
    pub(super) async fn write_entries(&self, journal: &Journal, entries: &[Entry]) -> Result<(), DeskError> {
        if !self.save_intermediate_results {
            return Ok(());
        }
        let folder = self.artifacts(&journal.opening)?;
        let mut files: Vec<Artifact> = Vec::new();
        for entry in entries {
            files.extend(artifacts::of_entry(journal, entry).map_err(|error| output_error(&folder, &error))?);
        }
        if files.is_empty() {
            return Ok(());
        }
        blocking(move || {
            files.into_iter().try_for_each(|file| write(&folder.join(file.name), 4, &file.bytes, ("", false)))
        })
        .await
    }

    /// Deletes the half-written files that a crash left of a run. The caller holds the lock of its story.
    pub(super) async fn remove_halves(&self, opening: &Opening, records: &[MemoryRecord]) -> Result<(), DeskError> {
        let (artifacts, canonical) = (self.artifacts(opening)?, self.canonical(&opening.topic.story()));
        let memory: BTreeSet<PathBuf> = records.iter().map(|record| self.memory_file(record)).collect();
        let run_id = opening.run_id.clone();
        blocking(move || {
            let mut left = halves(&artifacts, |_| true);
            left.extend(halves_of(&BTreeSet::from([canonical]), &[""]));
            left.extend(halves_of(&memory, &[&run_id]));
            // A half-written file that cannot be deleted does no harm.
            for half in left {
                let _ = std::fs::remove_file(half);
            }
            Ok(())
        })
        .await
    }

    /// Writes the records of the institutional memory that `run_id` made.
    pub(super) async fn write_memory(&self, run_id: &str, records: &[MemoryRecord]) -> Result<(), DeskError> {
        if records.is_empty() {
            return Ok(());
        }
        let mut files = Vec::new();
        for record in records {
            let path = self.memory_file(record);
            let bytes = artifacts::json(record).map_err(|error| output_error(&path, &error))?;
            files.push((path, bytes));
        }
        // Two stories may record the same check at once.
        let by = run_id.to_owned();
        blocking(move || files.into_iter().try_for_each(|(path, bytes)| write(&path, 2, &bytes, (&by, false)))).await
    }

    /// Writes the files of records that were imported, if there are none: a file of this desk's own is never replaced.
    pub(super) async fn add_memory(&self, records: &[MemoryRecord]) -> Result<(), DeskError> {
        for record in records {
            let path = self.memory_file(record);
            let bytes = artifacts::json(record).map_err(|error| output_error(&path, &error))?;
            blocking(move || if path.exists() { Ok(()) } else { write(&path, 2, &bytes, ("", false)) }).await.map_err(
                |error| match error {
                    DeskError::Output { path, detail } | DeskError::Full { path, detail } => {
                        DeskError::MemoryFile { path, detail }
                    }
                    other => other,
                },
            )?;
        }
        Ok(())
    }

    /// Writes the canonical file of a story, and makes sure that it is on the disk.
    ///
    /// # Errors
    /// [`DeskError::Output`] if it cannot be written; an earlier file is then untouched.
    pub(super) async fn write_canonical(
        &self,
        story: &StoryKey,
        result: &ArticleGenerationResult,
    ) -> Result<PathBuf, DeskError> {
        let path = self.canonical(story);
        let bytes = artifacts::json(result).map_err(|error| output_error(&path, &error))?;
        let group = self.group_readable;
        blocking(move || {
            write(&path, 2, &bytes, ("", true))?;
            if group {
                open_to_group(&path).map_err(|error| DeskError::file(&path, &error))?;
            }
            Ok(path)
        })
        .await
    }

    /// Writes the failure of a topic that cannot be used: as the canonical file of its story, or beside the story's runs if an article
    /// stands there.
    pub(super) async fn write_rejection(
        &self,
        story: &StoryKey,
        result: &ArticleGenerationResult,
    ) -> Result<Rejection, DeskError> {
        let canonical = self.canonical(story);
        let bytes = artifacts::json(result).map_err(|error| output_error(&canonical, &error))?;
        let (articles, runs, story) = (self.articles.clone(), self.workspace.join(&self.runs), story.clone());
        blocking(move || {
            let standing = standing(&articles, &story);
            let kept = standing.iter().find(|(_, path)| !is_failure(path));
            let rejection = if let Some((folder, path)) = kept {
                Rejection { file: runs.join(folder).join(REJECTED), kept: Some(path.clone()) }
            } else {
                let failure = standing.into_iter().next();
                Rejection { file: failure.map_or(canonical, |(_, path)| path), kept: None }
            };
            write(&rejection.file, if rejection.kept.is_some() { 3 } else { 2 }, &bytes, ("", true)).map(|()| rejection)
        })
        .await
    }

    /// The file of a rejected topic beside the runs of its story.
    fn rejected(&self, story: &StoryKey) -> PathBuf {
        let runs = self.workspace.join(&self.runs);
        runs.join(story.channel.as_str()).join(story.slug.as_str()).join(REJECTED)
    }

    /// Deletes the files of a story: its canonical file, the failure of a rejected topic, its runs' folders, its records of the
    /// institutional memory. A record whose file another story's record shares is left as that one has it. If a run does not name its
    /// folder any more, the folder is looked for where runs have theirs now.
    ///
    /// # Errors
    /// [`DeskError::Delete`] at the first file that cannot be deleted.
    pub(super) async fn remove(&self, story: &StoryKey, holdings: &Holdings) -> Result<Removed, DeskError> {
        let spelled: BTreeSet<&StoryKey> = holdings.runs.iter().map(|run| &run.story).chain([story]).collect();
        let mut files: BTreeSet<PathBuf> =
            spelled.into_iter().flat_map(|story| [self.canonical(story), self.rejected(story)]).collect();
        for record in &holdings.memory {
            files.insert(self.memory_file(record));
        }
        let mut folders = BTreeSet::new();
        let mut sought = Vec::new();
        for run in &holdings.runs {
            let Some(known) = &run.artifacts_dir else {
                let folder = self.workspace.join(run_id::artifacts_dir(&self.runs, &run.story, &run.run_id));
                folders.insert(folder.clone());
                sought.push((&run.run_id, folder));
                continue;
            };
            let Some(folder) = self.below_workspace(known, &run.story, &run.run_id) else {
                let detail = format!("it is no folder of the run {}", run.run_id);
                return Err(DeskError::Delete { path: self.workspace.join(known).display().to_string(), detail });
            };
            folders.insert(folder);
        }
        let run_ids: Vec<String> = holdings.runs.iter().map(|run| run.run_id.clone()).collect();
        let gone = blocking(move || remove_all(&files, &folders, &run_ids)).await?;
        let shared: Vec<MemoryRecord> =
            holdings.others.iter().filter(|record| gone.contains(&self.memory_file(record))).cloned().collect();
        self.write_memory("", &shared).await?;
        let lost = sought.into_iter().filter(|(_, folder)| !gone.contains(folder));
        let mut missed: Vec<String> = lost.map(|(run, folder)| not_found(run, &folder)).collect();
        if holdings.unreadable > 0 {
            missed.push(format!(
                "{} of its records in the memory cannot be read; their files may still be in {} or {}: look there, and delete them by hand",
                holdings.unreadable,
                self.fact_checks.display(),
                self.evidence_searches.display()
            ));
        }
        Ok(Removed { gone, missed })
    }

    /// Returns the folders of artifacts that runs have on the disk, with their sizes in bytes. A folder that is not the run's own by its
    /// name is left out, even if the run names it.
    pub(super) async fn artifacts_of(&self, runs: &[HeldRun]) -> BTreeMap<PathBuf, u64> {
        let folders: Vec<PathBuf> = runs
            .iter()
            .filter_map(|run| self.below_workspace(run.artifacts_dir.as_ref()?, &run.story, &run.run_id))
            .collect();
        let sizes = move || folders.into_iter().filter_map(|folder| Some((size_of(&folder)?, folder)));
        let found = aside(move || sizes().map(|(size, folder)| (folder, size)).collect()).await;
        found.unwrap_or_default()
    }

    /// Deletes folders of artifacts. Returns those that are gone, and a sentence for each that is not.
    pub(super) async fn remove_artifacts(
        &self,
        folders: BTreeMap<PathBuf, u64>,
    ) -> Result<(BTreeMap<PathBuf, u64>, Vec<String>), DeskError> {
        blocking(move || {
            let (mut gone, mut missed) = (BTreeMap::new(), Vec::new());
            for (folder, size) in folders {
                match remove_all(&BTreeSet::new(), &BTreeSet::from([folder.clone()]), &[]) {
                    Ok(_) => drop(gone.insert(folder, size)),
                    Err(DeskError::Delete { path, detail }) => missed.push(cannot_be_deleted(&path, &detail)),
                    Err(error) => return Err(error),
                }
            }
            Ok((gone, missed))
        })
        .await
    }

    /// Deletes the files of records that are not in the memory any more, but for those that `others` share. Returns a sentence for each
    /// that is still there.
    pub(super) async fn remove_memory(&self, records: &[MemoryRecord], others: &[MemoryRecord]) -> Vec<String> {
        let kept: BTreeSet<PathBuf> = others.iter().map(|record| self.memory_file(record)).collect();
        let mut files: BTreeSet<PathBuf> = records.iter().map(|record| self.memory_file(record)).collect();
        files.retain(|file| !kept.contains(file));
        let remove = move || {
            let mut missed = Vec::new();
            for file in files {
                // Deleting fails in no other way.
                if let Err(DeskError::Delete { path, detail }) =
                    remove_all(&BTreeSet::from([file]), &BTreeSet::new(), &[])
                {
                    missed.push(cannot_be_deleted(&path, &detail));
                }
            }
            missed
        };
        aside(remove).await.unwrap_or_default()
    }

    /// The file of a record of the institutional memory.
    fn memory_file(&self, record: &MemoryRecord) -> PathBuf {
        let folder = match record {
            MemoryRecord::FactCheck(_) => &self.fact_checks,
            MemoryRecord::Evidence(_) => &self.evidence_searches,
        };
        folder.join(artifacts::memory_file(record.timestamp(), record.cache_key_hash()))
    }
}

/// Returns the canonical files of a story in every spelling of its name, each with the folder `channel/slug` of that spelling; the
/// story's own first.
fn standing(articles: &Path, story: &StoryKey) -> Vec<(PathBuf, PathBuf)> {
    let (channel, file) = (fold_name(story.channel.as_str()), fold_name(&format!("{}.json", story.slug)));
    let own = Path::new(story.channel.as_str()).join(story.slug.as_str());
    let mut found = Vec::new();
    for folder in named(articles, &channel) {
        for path in named(&folder, &file) {
            let below = path.with_extension("");
            if let Ok(below) = below.strip_prefix(articles) {
                found.push((below.to_owned(), path));
            }
        }
    }
    found.sort_by_key(|(folder, path)| (*folder != own, path.clone()));
    found
}

/// Returns the entries of a folder whose folded name is `name`.
fn named(folder: &Path, name: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let same = |entry: &std::fs::DirEntry| fold_name(&entry.file_name().to_string_lossy()) == name;
    entries.filter(same).map(|entry| entry.path()).collect()
}

/// Whether a canonical file says that its story failed. An unreadable file counts as no failure: it may have an article to lose.
fn is_failure(path: &Path) -> bool {
    let read = std::fs::read(path).ok().and_then(|bytes| serde_json::from_slice::<serde_json::Value>(&bytes).ok());
    read.is_some_and(|result| result.get("success") == Some(&serde_json::Value::Bool(false)))
}

/// The bytes of a folder's files; none if it is no folder. Entries that cannot be read count 0 bytes; deleting reports them.
fn size_of(folder: &Path) -> Option<u64> {
    let mut size = 0;
    for entry in std::fs::read_dir(folder).ok()?.flatten() {
        let inside = entry
            .metadata()
            .map(|found| if found.is_dir() { size_of(&entry.path()).unwrap_or(0) } else { found.len() });
        size += inside.unwrap_or(0);
    }
    Some(size)
}

fn cannot_be_deleted(path: &str, detail: &str) -> String {
    format!("{path} cannot be deleted: {detail}")
}

/// Returns the message about a run's folder that could not be found.
fn not_found(run: &str, folder: &Path) -> String {
    format!(
        "what run {run} was opened with cannot be read, and its files are not in {}; if they were kept elsewhere, delete them by hand",
        folder.display()
    )
}

/// Deletes `files` with their half-written copies of a crash, and `folders` whole; then the folders above, if nothing else is in
/// them.
fn remove_all(
    files: &BTreeSet<PathBuf>,
    folders: &BTreeSet<PathBuf>,
    run_ids: &[String],
) -> Result<Vec<PathBuf>, DeskError> {
    let mut gone = Vec::new();
    let mut removed = |path: &Path, result: std::io::Result<()>| match result {
        Ok(()) => {
            gone.push(path.to_owned());
            Ok(())
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(DeskError::Delete { path: path.display().to_string(), detail: error.to_string() }),
    };
    let writers: Vec<&str> = run_ids.iter().map(String::as_str).chain([""]).collect();
    for half in halves_of(files, &writers) {
        removed(&half, std::fs::remove_file(&half))?;
    }
    for file in files {
        removed(file, std::fs::remove_file(file))?;
    }
    for folder in folders {
        removed(folder, std::fs::remove_dir_all(folder))?;
    }
    // A folder that holds something else stays: removing it fails, as it should.
    for file in files {
        let _ = file.parent().map(std::fs::remove_dir);
    }
    for folder in folders {
        for above in folder.ancestors().skip(1).take(2) {
            let _ = std::fs::remove_dir(above);
        }
    }
    Ok(gone)
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, DeskError> + Send + 'static,
) -> Result<T, DeskError> {
    aside(work).await.map_err(|error| DeskError::Output { path: "a file".into(), detail: error.to_string() })?
}
