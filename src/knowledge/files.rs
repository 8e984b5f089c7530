//! Bringing the index up to date with the folder.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

use sha2::{Digest, Sha256};
use text_splitter::{ChunkConfig, TextSplitter};

use crate::{
    config::KnowledgeBase,
    ports::{KnowledgeFile, NewPassage, Shelf, StoreError},
    text::{sanitise, tokens},
};

/// The largest file that is read, in bytes.
const MOST_BYTES: u64 = 64 << 20;

/// What a refresh did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Refreshed {
    /// Files that are indexed now.
    pub files: usize,
    /// Files that could not be read, each with the reason; the others are indexed all the same.
    pub problems: Vec<String>,
}

/// Indexes what changed in the folder since the last time, one transaction a file. A folder that does not exist is an
/// empty one. Unchanged files (same size and time) are not read, so that this costs nothing at start.
///
/// # Errors
/// [`StoreError`] where the database fails; files indexed before stay so.
pub async fn refresh(shelf: &dyn Shelf, base: &KnowledgeBase, encoding: &str) -> Result<Refreshed, StoreError> {
    let folder = base.data_dir.path.clone();
    let listed = blocking(move || list(&folder)).await.unwrap_or_else(|problem| Listed {
        problems: vec![problem],
        files: Vec::new(),
        unreadable: true,
    });
    if listed.unreadable {
        // A folder that cannot be listed is not an empty one: what is indexed stays.
        return Ok(Refreshed { problems: listed.problems, ..Refreshed::default() });
    }
    let chunking = format!("{encoding} {} {}", base.chunk_size_tokens, base.chunk_overlap_tokens);
    let mut known: HashMap<String, KnowledgeFile> = HashMap::new();
    if shelf.chunking().await?.as_deref() == Some(chunking.as_str()) {
        known.extend(shelf.indexed_files().await?.into_iter().map(|file| (file.path.clone(), file)));
    } else {
        shelf.set_chunking(&chunking).await?;
    }
    let mut done = Refreshed { problems: listed.problems, files: listed.files.len() };
    for (file, path) in listed.files {
        let before = known.remove(&file.path);
        if before.as_ref().is_some_and(|before| before.size == file.size && before.modified == file.modified) {
            continue;
        }
        let (size, overlap, encoding) = (base.chunk_size_tokens, base.chunk_overlap_tokens, encoding.to_owned());
        let name = file.path.clone();
        match blocking(move || read(file, &path, size, overlap, &encoding)).await.flatten() {
            Ok((file, passages)) => {
                shelf.index_file(file, passages).await?;
            }
            Err(problem) => {
                // What was indexed of it earlier is no longer what the folder holds.
                if before.is_some() {
                    shelf.forget_file(&name).await?;
                }
                done.files -= 1;
                done.problems.push(format!("{name}: {problem}"));
            }
        }
    }
    for gone in known.into_keys() {
        shelf.forget_file(&gone).await?;
    }
    Ok(done)
}

/// Off the thread that serves stories; a reader that breaks off is a problem of its file.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, String> {
    tokio::task::spawn_blocking(work).await.map_err(|error| format!("reading it broke off ({error})"))
}

#[derive(Default)]
struct Listed {
    files: Vec<(KnowledgeFile, PathBuf)>,
    problems: Vec<String>,
    unreadable: bool,
}

/// The folder's `*.txt` and `*.md` (seed 002, section 7.4), by name.
fn list(folder: &Path) -> Listed {
    let mut listed = Listed::default();
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return listed,
        Err(error) => {
            listed.problems.push(format!("{}: {error}", folder.display()));
            listed.unreadable = true;
            return listed;
        }
    };
    for entry in entries.flatten() {
        let path = entry.path();
        let wanted = path
            .extension()
            .is_some_and(|ending| ending.eq_ignore_ascii_case("txt") || ending.eq_ignore_ascii_case("md"));
        // Follows links: a newsroom may keep its files elsewhere.
        let Ok(metadata) = std::fs::metadata(&path) else { continue };
        if !wanted || !metadata.is_file() {
            continue;
        }
        let name = entry.file_name().to_string_lossy().into_owned();
        if metadata.len() > MOST_BYTES {
            let size = metadata.len() >> 20;
            listed.problems.push(format!("{name}: it is {size} MB; {} MB at most: split it", MOST_BYTES >> 20));
            continue;
        }
        let modified = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let modified = modified.and_then(|time| i64::try_from(time.as_nanos()).ok()).unwrap_or(0);
        listed.files.push((KnowledgeFile { path: name, size: metadata.len(), modified, digest: String::new() }, path));
    }
    listed.files.sort_by(|(a, _), (b, _)| a.path.cmp(&b.path));
    listed
}

fn read(
    mut file: KnowledgeFile,
    path: &Path,
    size: usize,
    overlap: usize,
    encoding: &str,
) -> Result<(KnowledgeFile, Vec<NewPassage>), String> {
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    file.digest = hex::encode(Sha256::digest(&bytes));
    let text = String::from_utf8(bytes)
        .map_err(|error| format!("it is not UTF-8 (offset {})", error.utf8_error().valid_up_to()))?;
    let text = sanitise::clean(&text);
    Ok((file, passages(&text, size, overlap, encoding)?))
}

/// Cuts a text into passages of at most `size` tokens that share `overlap`, on the largest boundaries that fit. Offsets
/// are bytes of the cleaned text.
fn passages(text: &str, size: usize, overlap: usize, encoding: &str) -> Result<Vec<NewPassage>, String> {
    let sizer = tokens::table(encoding).ok_or_else(|| format!("{encoding} is no encoding"))?;
    let config = ChunkConfig::new(size).with_sizer(sizer).with_overlap(overlap).map_err(|error| error.to_string())?;
    let splitter = TextSplitter::new(config);
    Ok(splitter
        .chunk_indices(text)
        .map(|(start, chunk)| NewPassage { start: start as u64, text: chunk.to_owned() })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passages_keep_their_place_in_the_text() {
        let text = "The council met. It voted seven to two.\n\n".repeat(40);
        let cut = passages(&text, 64, 8, "o200k_base").unwrap();
        assert!(cut.len() > 5);
        for passage in &cut {
            let start = usize::try_from(passage.start).unwrap();
            assert_eq!(&text[start..start + passage.text.len()], passage.text);
        }
    }
}
