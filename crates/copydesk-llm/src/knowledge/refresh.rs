//! Brings the index up to date with the folder. It removes files that are gone and reads files that changed, each in its own transaction.

use std::{
    collections::{HashMap, HashSet},
    fs::File,
    path::{Path, PathBuf},
    sync::Arc,
};

use futures_util::{StreamExt as _, stream};
use tokio::sync::Semaphore;

use super::{
    chunking::Chunking,
    file::{self, How, NotIndexed},
    folder::{self, Listed},
    reading::NotRead,
};
use copydesk_config::KnowledgeBase;
use copydesk_core::ports::{KnowledgeFile, NewDocument, Shelf, StoppedFile, StoreError, WorkProgress};
use copydesk_newsroom::HiddenText;
use copydesk_text::{count, sanitise};

/// Files that are read or written at once. Files that wait to be written share a commit, each in its own savepoint.
const AT_ONCE: usize = 32;

/// Files that are removed in one transaction.
const FORGOTTEN_AT_ONCE: usize = 200;

/// Bytes of files that are read at once; a larger file is read alone. Reading a file takes several times its size.
const BYTES_AT_ONCE: u32 = 128 << 20;

/// Raise this number if this program reads or cuts the same file differently than before.
const READER: u32 = 4;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Refreshed {
    /// Files that are indexed now.
    pub files: usize,
    /// Of them, those that were read because they are new or changed.
    pub read: usize,
    /// Files that were removed: they are gone from the folder, or can no longer be read.
    pub forgotten: usize,
    /// Files that could not be read, each with the reason and what happens to it. The others are indexed.
    pub problems: Vec<String>,
    /// Whether the folder does not exist. Nothing was done then.
    pub missing: bool,
}

/// Indexes what changed in the folder since the last time. A file with the same size and time is not read, so that this costs nothing at
/// start; a file with the same bytes is not cut again. `progress` hears how many files are looked at or removed. If this is interrupted,
/// the next time continues with what is not indexed yet.
///
/// A folder that does not exist is not an error, and does not count as empty: the drive may not be mounted, or the desk
/// may be a restored copy. Files that are indexed stay in the index and are reported as a problem.
///
/// # Errors
/// [`StoreError`] if the database fails; files indexed before stay so.
pub async fn refresh(
    shelf: &dyn Shelf,
    base: &KnowledgeBase,
    encoding: &str,
    progress: &WorkProgress,
) -> Result<Refreshed, StoreError> {
    let listed = listed(base).await;
    let mut done = Refreshed { problems: listed.problems, missing: listed.missing, ..Refreshed::default() };
    if listed.unreadable || listed.missing {
        // A folder that cannot be listed does not count as empty.
        done.files = shelf.indexed_files().await?.len();
        done.problems.extend(absence(&base.data_dir.path, done.files).filter(|_| listed.missing));
        return Ok(done);
    }
    let how = Arc::new(How {
        chunking: Chunking {
            encoding: encoding.to_owned(),
            size: base.chunk_size_tokens,
            overlap: base.chunk_overlap_tokens,
        },
        default_credibility: base.default_credibility,
    });
    let cut = format!(
        "{READER} {encoding} {} {} {}",
        base.chunk_size_tokens, base.chunk_overlap_tokens, base.default_credibility
    );
    if shelf.chunking().await?.as_deref() != Some(cut.as_str()) {
        shelf.set_chunking(&cut).await?;
    }
    let stopped: HashMap<String, String> = shelf
        .stopped_files()
        .await?
        .into_iter()
        .filter(StoppedFile::counts)
        .map(|file| (file.digest, file.why))
        .collect();
    let stopped = Arc::new(stopped);
    let mut known: HashMap<String, KnowledgeFile> =
        shelf.indexed_files().await?.into_iter().map(|file| (file.path.clone(), file)).collect();
    let all = listed.files.len();
    let mut work = Vec::new();
    for (file, path) in listed.files {
        let before = known.remove(&file.path);
        if before.as_ref().is_some_and(|before| before.size == file.size && before.modified == file.modified) {
            done.files += 1;
        } else {
            work.push((file, path, before));
        }
    }
    let is_listed = |gone: &String| !listed.unlisted.iter().any(|folder| gone.starts_with(folder.as_str()));
    let mut gone: Vec<String> = known.into_keys().filter(is_listed).collect();
    gone.sort();
    let all = all + gone.len();
    let mut looked = all - work.len() - gone.len();
    progress.at(looked as u64, all as u64);
    while let Some(some) = gone.get(done.forgotten..).filter(|left| !left.is_empty()) {
        let some = some.iter().take(FORGOTTEN_AT_ONCE).cloned().collect();
        let forgotten = shelf.forget_files(some).await?;
        done.forgotten += forgotten;
        looked += forgotten;
        progress.at(looked as u64, all as u64);
    }
    let room = Semaphore::new(BYTES_AT_ONCE as usize);
    let mut ends =
        stream::iter(work.into_iter().map(|work| one(shelf, Arc::clone(&how), Arc::clone(&stopped), &room, work)))
            .buffer_unordered(AT_ONCE);
    while let Some(end) = ends.next().await {
        match end? {
            End::Same => done.files += 1,
            End::Read => {
                done.files += 1;
                done.read += 1;
            }
            End::Unread { problem, forgotten } => {
                done.problems.push(problem);
                done.forgotten += usize::from(forgotten);
            }
        }
        looked += 1;
        progress.at(looked as u64, all as u64);
    }
    done.problems.sort();
    Ok(done)
}

/// The message if the folder does not exist but `files` of its files are indexed. If no file is indexed, the folder counts as empty.
pub fn absence(folder: &Path, files: usize) -> Option<String> {
    let shown = sanitise::one_line(&folder.display().to_string());
    (files > 0).then(|| {
        format!(
            "the folder {shown} does not exist, but its files are still in the index ({}). Bring it back or change knowledge_base.data_dir. To empty the index, \
             create an empty folder there and run `copydesk kb index`",
            count(files, "file")
        )
    })
}

enum End {
    Same,
    Read,
    Unread { problem: String, forgotten: bool },
}

async fn one(
    shelf: &dyn Shelf,
    how: Arc<How>,
    stopped: Arc<HashMap<String, String>>,
    room: &Semaphore,
    (file, path, before): (KnowledgeFile, PathBuf, Option<KnowledgeFile>),
) -> Result<End, StoreError> {
    // The semaphore is never closed, so this always succeeds in the end.
    let _room = room.acquire_many(u32::try_from(file.size).unwrap_or(u32::MAX).min(BYTES_AT_ONCE)).await;
    let name = file.path.clone();
    let known = before.as_ref().map(|before| before.digest.clone());
    let same = file.clone();
    let looked = blocking(move || {
        let mut file = file;
        let looked = changed_content(&mut file, &path, known.as_deref(), &stopped, &how);
        (file, looked)
    })
    .await;
    let (file, looked) = looked.unwrap_or_else(|panicked| (same, Err(panicked)));
    if let Err(NotIndexed::NotRead(NotRead::Fault(fault))) = &looked
        && fault.is_hostile()
        && !file.digest.is_empty()
    {
        let (digest, name, why) = (file.digest.clone(), sanitise::visible(&name), fault.to_string());
        shelf.note_stopped(StoppedFile { digest, name, why, reader: StoppedFile::READER.to_owned() }).await?;
    }
    Ok(match looked {
        Ok(None) => {
            shelf.touch_file(file).await?;
            End::Same
        }
        Ok(Some(document)) => {
            shelf.index_file(file, document).await?;
            End::Read
        }
        Err(problem) => {
            // Its passages in the index are out of date.
            if before.is_some() {
                shelf.forget_files(vec![name.clone()]).await?;
            }
            let problem = format!("{}: {problem} (left out)", sanitise::visible(&name));
            End::Unread { problem, forgotten: before.is_some() }
        }
    })
}

/// Gives the file its digest. Returns its content if that is not indexed already.
fn changed_content(
    file: &mut KnowledgeFile,
    path: &Path,
    known: Option<&str>,
    stopped: &HashMap<String, String>,
    how: &How,
) -> Result<Option<NewDocument>, NotIndexed> {
    let most = copydesk_documents::most_bytes(&file.path) as u64;
    // A file that is too large is reported without being read for its digest.
    if file.size <= most {
        file.digest = file::digest(File::open(path)?)?;
        if known == Some(file.digest.as_str()) {
            return Ok(None);
        }
        if let Some(why) = stopped.get(&file.digest) {
            return Err(NotIndexed::Stopped(why.clone()));
        }
    }
    file::read(file, path, how).map(Some)
}

/// The folder compared with the index.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FolderStatus {
    pub missing: bool,
    pub files: usize,
    /// Documents that are not indexed: they are new, or could not be read.
    pub not_indexed: usize,
    /// Files and folders that could not be read, each with the reason.
    pub problems: Vec<String>,
    /// Files that are not read, because they stopped their reader.
    pub stopped: Vec<StoppedFile>,
    /// Files that are indexed and hold text that no reader sees.
    pub hidden: Vec<(String, Vec<HiddenText>)>,
}

/// Lists the folder and compares it with what is indexed. It does not check whether an indexed file has changed.
///
/// # Errors
/// [`StoreError`] if the database fails.
pub async fn standing(shelf: &dyn Shelf, base: &KnowledgeBase) -> Result<FolderStatus, StoreError> {
    let listed = listed(base).await;
    let indexed: HashSet<String> = shelf.indexed_files().await?.into_iter().map(|file| file.path).collect();
    Ok(FolderStatus {
        missing: listed.missing,
        files: listed.files.len(),
        not_indexed: listed.files.iter().filter(|(file, _)| !indexed.contains(&file.path)).count(),
        problems: listed.problems,
        stopped: shelf.stopped_files().await?.into_iter().filter(StoppedFile::counts).collect(),
        hidden: shelf.hidden_in_files().await?,
    })
}

async fn listed(base: &KnowledgeBase) -> Listed {
    let (path, links_out) = (base.data_dir.path.clone(), base.links_out_of_folder);
    blocking(move || folder::list(&path, links_out)).await.unwrap_or_else(|problem| Listed {
        problems: vec![problem.to_string()],
        unreadable: true,
        ..Listed::default()
    })
}

/// Runs work on a thread that serves no stories. If a reader panics, only its file is affected.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, NotIndexed> {
    Ok(tokio::task::spawn_blocking(work).await?)
}
