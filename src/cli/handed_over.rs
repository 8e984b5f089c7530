//! Files of this program are its owner's alone. Files that it writes to be given away have the rights that the person's umask gives to any
//! new file.

use std::{io, io::Write as _, path::Path, sync::OnceLock};

use tempfile::NamedTempFile;

/// The umask with which the program was started.
static UMASK: OnceLock<u32> = OnceLock::new();

/// From now on every new file is its owner's alone, and nothing of this process, which holds keys, gets into a core dump.
#[cfg(unix)]
pub(super) fn keep_private() {
    use rustix::{
        fs::Mode,
        process::{Resource, Rlimit, setrlimit, umask},
    };
    let _ = UMASK.set(umask(Mode::from_raw_mode(0o077)).as_raw_mode());
    // If the system refuses, as some containers do, the umask still holds.
    let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable);
}

#[cfg(not(unix))]
pub(super) fn keep_private() {}

/// Gives a file or folder the rights of any new one.
///
/// # Errors
/// If the system refuses.
#[cfg(unix)]
pub(crate) fn give_away(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    // Without a start of the program (in unit tests) nothing was made private.
    let umask = UMASK.get().copied().unwrap_or(0o077);
    let all = if path.is_dir() { 0o777 } else { 0o666 };
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(all & !umask))
}

#[cfg(not(unix))]
pub(crate) fn give_away(_: &Path) -> io::Result<()> {
    Ok(())
}

/// The folder of a file.
pub(crate) fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."))
}

/// A text under a temporary name beside a file, to be renamed to it. It is its owner's alone.
///
/// # Errors
/// If it cannot be written.
pub(crate) fn temporary(file: &Path, text: &[u8]) -> io::Result<NamedTempFile> {
    let mut new = NamedTempFile::new_in(folder_of(file))?;
    new.write_all(text)?;
    Ok(new)
}

/// Writes a text to a file whole or not at all, to be given away. Something else than a file, such as `/dev/null` or a pipe, is written to
/// and never replaced.
///
/// # Errors
/// `AlreadyExists` if there is a file and it may not be replaced; otherwise if it cannot be written.
pub fn write(path: &Path, text: &[u8], replace: bool) -> io::Result<()> {
    if path.metadata().is_ok_and(|found| !found.is_file()) {
        return std::fs::OpenOptions::new().write(true).open(path)?.write_all(text);
    }
    let file = temporary(path, text)?;
    give_away(file.path())?;
    // The check and the step are one, so that no other program's file is lost between them.
    let done = if replace { file.persist(path) } else { file.persist_noclobber(path) };
    done.map(drop).map_err(|error| error.error)
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::FileTypeExt as _;

    use super::*;

    /// Making files private changes the whole process, so the test runs in a process of its own.
    #[test]
    fn nothing_of_the_program_gets_into_a_core_dump() {
        let ran = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "cli::handed_over::tests::kept_private", "--ignored"])
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&ran.stdout);
        assert!(ran.status.success() && said.contains("1 passed"), "{said}");
    }

    #[test]
    #[ignore = "changes its process: the test above runs it"]
    fn kept_private() {
        use rustix::process::{Resource, getrlimit};
        keep_private();
        let cores = getrlimit(Resource::Core);
        assert_eq!((cores.current, cores.maximum), (Some(0), Some(0)));
        #[cfg(target_os = "linux")]
        assert_eq!(
            rustix::process::dumpable_behavior().unwrap(),
            rustix::process::DumpableBehavior::NotDumpable,
            "no other program of the person's can attach to it"
        );
        let file = tempfile::tempdir().unwrap().keep().join("article.md");
        std::fs::write(&file, "unsigned").unwrap();
        assert_eq!(std::os::unix::fs::PermissionsExt::mode(&file.metadata().unwrap().permissions()) & 0o777, 0o600);
        std::fs::remove_dir_all(file.parent().unwrap()).unwrap();
    }

    #[test]
    fn a_device_is_written_to_and_stays_one() {
        write(Path::new("/dev/null"), b"page", true).unwrap();
        assert!(std::fs::metadata("/dev/null").unwrap().file_type().is_char_device());
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("page.html");
        write(&file, b"one", false).unwrap();
        assert_eq!(write(&file, b"two", false).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        write(&file, b"two", true).unwrap();
        assert_eq!(std::fs::read(&file).unwrap(), b"two");
    }
}
