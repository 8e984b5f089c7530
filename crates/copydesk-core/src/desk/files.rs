//! A file of the desk: written under a temporary name and renamed, never through a link. Whether files can be written in a folder is asked
//! before anything is spent on their content.

use std::{
    collections::{BTreeSet, HashSet},
    fs::OpenOptions,
    io::Write as _,
    path::{Component, Path, PathBuf},
    sync::{LazyLock, Mutex, PoisonError},
};

use tempfile::NamedTempFile;

use super::DeskError;

/// The ending of temporary names.
const ENDING: &str = ".writing";

/// A new file beside `path`, under a name that no other program can guess. It is gone unless it gets its own name.
fn temporary(path: &Path, by: &str, folder: &Path) -> std::io::Result<NamedTempFile> {
    let (prefix, mut builder) = (beginning(path, by), tempfile::Builder::new());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // As the user's mask has it: temporary files are their owner's alone.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.prefix(&prefix).suffix(ENDING).tempfile_in(folder)
}

/// Returns the beginning of a file's temporary names, which all programs share.
fn beginning(path: &Path, by: &str) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    format!(".{name}{by}.")
}

/// Returns the half-written files that stopped programs left in a folder, if their temporary names are `wanted`.
pub(super) fn halves(folder: &Path, wanted: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let half = |entry: &std::fs::DirEntry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        name.starts_with('.') && name.ends_with(ENDING) && wanted(&name)
    };
    entries.filter(half).map(|entry| entry.path()).collect()
}

/// Returns the half-written copies of these files. `by` are the writers, as [`write`] was told.
pub(super) fn halves_of(files: &BTreeSet<PathBuf>, by: &[&str]) -> Vec<PathBuf> {
    let folders: BTreeSet<&Path> = files.iter().filter_map(|file| file.parent()).collect();
    let in_folder = |folder| {
        let inside: Vec<&PathBuf> = files.iter().filter(|file| file.parent() == Some(folder)).collect();
        halves(folder, |name| inside.iter().any(|file| by.iter().any(|by| name.starts_with(&beginning(file, by)))))
    };
    folders.into_iter().flat_map(in_folder).collect()
}

pub(super) fn output_error(path: &Path, error: &dyn std::error::Error) -> DeskError {
    DeskError::Output { path: path.display().to_string(), detail: error.to_string() }
}

/// Whether a name is one folder's or file's, and leads nowhere.
pub(super) fn is_name(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    matches!(parts.next(), Some(Component::Normal(part)) if part == name) && parts.next().is_none()
}

/// Refuses a path if one of its last `own` parts, which this program makes, is a symbolic link: its target is not the desk's.
pub(super) fn no_links(path: &Path, own: usize) -> Result<(), DeskError> {
    let linked = |part: &&Path| std::fs::symlink_metadata(part).is_ok_and(|found| found.file_type().is_symlink());
    match path.ancestors().take(own).find(linked) {
        None => Ok(()),
        Some(link) => Err(DeskError::Link { path: link.display().to_string() }),
    }
}

/// Lets the group read a canonical file, and go through the two folders above it.
#[cfg(unix)]
pub(super) fn open_to_group(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    for (place, bits) in path.ancestors().take(3).zip([0o040, 0o050, 0o050]) {
        let mut allowed = std::fs::metadata(place)?.permissions();
        if allowed.mode() & bits != bits {
            allowed.set_mode(allowed.mode() | bits);
            std::fs::set_permissions(place, allowed)?;
        }
    }
    Ok(())
}

#[cfg(not(unix))]
pub(super) fn open_to_group(_: &Path) -> std::io::Result<()> {
    Ok(())
}

/// Writes `bytes` to a temporary file beside `path` and renames it. The last `own` parts of the path must not be links.
///
/// The temporary name is made of the file's own, of `by`, and of a random part. [`halves_of`] finds the half-written files of a
/// crash.
pub(super) fn write(path: &Path, own: usize, bytes: &[u8], (by, synced): (&str, bool)) -> Result<(), DeskError> {
    no_links(path, own)?;
    let attempt = || -> std::io::Result<()> {
        let folder = path.parent().unwrap_or_else(|| Path::new("."));
        // The folder is there for all but a run's first file: asking costs more than failing once.
        let mut file = match temporary(path, by, folder) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                std::fs::create_dir_all(folder)?;
                temporary(path, by, folder)?
            }
            created => created?,
        };
        file.write_all(bytes)?;
        if synced {
            file.as_file().sync_all()?;
        }
        file.persist(path)?;
        if synced && let Ok(folder) = std::fs::File::open(folder) {
            // The rename itself; if a folder cannot be synced (Windows) the file is.
            let _ = folder.sync_all();
        }
        Ok(())
    };
    attempt().map_err(|error| DeskError::file(path, &error))
}

/// A file that is made so is its owner's alone, and a link in its place is not followed.
#[cfg(unix)]
pub fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    use std::os::unix::fs::OpenOptionsExt as _;
    options.mode(0o600).custom_flags(rustix::fs::OFlags::NOFOLLOW.bits().cast_signed())
}

#[cfg(not(unix))]
pub fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

/// Folders in which this program has written a file to see whether it can.
static WRITABLE: LazyLock<Mutex<HashSet<PathBuf>>> = LazyLock::new(Mutex::default);

/// Makes sure that files can be written in a folder: the first time by writing one, then by asking the system. A test
/// file for every story would slow all others: some file systems look through recent deletions before they take a new
/// file.
pub(super) fn can_be_written_in(folder: &Path) -> std::io::Result<()> {
    let known = || WRITABLE.lock().unwrap_or_else(PoisonError::into_inner);
    #[cfg(unix)]
    if known().contains(folder) {
        use rustix::fs::Access;
        return Ok(rustix::fs::access(folder, Access::WRITE_OK | Access::EXEC_OK)?);
    }
    // Without a name if the system has that: then nothing stays of it, even if the program is killed now.
    tempfile::tempfile_in(folder)?;
    known().insert(folder.to_owned());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_guesses_a_temporary_name_and_what_is_left_of_one_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("park.json");
        let planted = folder.path().join(".park.json.writing");
        std::fs::write(&planted, "planted").unwrap();
        write(&file, 1, b"{}", ("", true)).unwrap();
        assert_eq!(std::fs::read_to_string(&planted).unwrap(), "planted");
        let half = |name: &str, by| temporary(&folder.path().join(name), by, folder.path()).unwrap().keep().unwrap().1;
        let left = [half("park.json", ""), half("park.json", "R1"), planted];
        half("park.jsonl", "");
        std::fs::write(folder.path().join("park.json.writing"), "half").unwrap();
        let mut found = halves_of(&BTreeSet::from([file.clone()]), &["", "R1"]);
        found.sort();
        let mut left = left.to_vec();
        left.sort();
        assert_eq!(found, left);
        assert!(halves_of(&BTreeSet::from([file]), &["R2"]).is_empty());
    }
}

#[cfg(test)]
mod writable_tests {
    use super::*;

    #[test]
    fn a_folder_is_written_in_once_and_asked_for_again_each_time() {
        let folder = tempfile::tempdir().unwrap();
        let inside = folder.path().join("inside");
        assert!(can_be_written_in(&inside).is_err(), "it is not there yet");
        std::fs::create_dir(&inside).unwrap();
        for _ in 0..2 {
            can_be_written_in(&inside).unwrap();
            assert_eq!(std::fs::read_dir(&inside).unwrap().count(), 0, "nothing stays of it");
        }
        std::fs::remove_dir(&inside).unwrap();
        assert!(can_be_written_in(&inside).is_err(), "what was possible once need not be now");
    }
}
