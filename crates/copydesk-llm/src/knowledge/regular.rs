//! Whether a path names a file with an end. Opening a pipe waits for whoever writes to it, and a device may never end.

use std::{fs, path::Path};

/// Something that is no regular file. Each message goes on from its name and a colon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Irregular {
    #[error("it is a pipe, not a file: save what comes out of it as a file first")]
    Pipe,
    #[error("it is a device, not a file: name a file")]
    Device,
    #[error("it is a socket, not a file: name a file")]
    Socket,
    #[error("it is a special file of the system, not one that a person wrote: copy what it says into a file first")]
    System,
}

/// Refuses a path that is neither a regular file nor a folder. A missing file is left to whoever opens it.
///
/// # Errors
/// [`Irregular`].
pub fn check(path: &Path) -> Result<(), Irregular> {
    let Ok(metadata) = fs::metadata(path) else { return Ok(()) };
    let kind = metadata.file_type();
    if kind.is_dir() {
        return Ok(());
    }
    if kind.is_file() {
        // The kernel's own files say nothing of their size, and reading them may wait or never end.
        let system = ["/proc", "/sys"]
            .iter()
            .any(|root| metadata.len() == 0 && path.canonicalize().is_ok_and(|whole| whole.starts_with(root)));
        return if system { Err(Irregular::System) } else { Ok(()) };
    }
    Err(special(kind))
}

#[cfg(unix)]
fn special(kind: fs::FileType) -> Irregular {
    use std::os::unix::fs::FileTypeExt as _;
    if kind.is_fifo() {
        Irregular::Pipe
    } else if kind.is_socket() {
        Irregular::Socket
    } else {
        Irregular::Device
    }
}

#[cfg(not(unix))]
fn special(_: fs::FileType) -> Irregular {
    Irregular::Device
}

/// As [`std::fs::read_to_string`], of a regular file that has at most `most` bytes.
///
/// # Errors
/// As that has, and if it is something else or larger.
pub fn read_to_string(path: &Path, most: u64) -> std::io::Result<String> {
    use std::io::{Error, ErrorKind, Read as _};
    check(path).map_err(|error| Error::new(ErrorKind::InvalidInput, error))?;
    let mut text = String::new();
    fs::File::open(path)?.take(most + 1).read_to_string(&mut text)?;
    if text.len() as u64 > most {
        let message = format!("it has more than {} kB", most >> 10);
        return Err(Error::new(ErrorKind::FileTooLarge, message));
    }
    Ok(text)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn only_files_with_an_end_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.txt");
        fs::write(&file, "Text.").unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let link = folder.path().join("link.txt");
        std::os::unix::fs::symlink("/dev/zero", &link).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(folder.path().join("socket")).unwrap();
        assert_eq!(check(&file), Ok(()));
        assert_eq!(check(folder.path()), Ok(()));
        assert_eq!(check(&pipe), Err(Irregular::Pipe));
        assert_eq!(check(&link), Err(Irregular::Device));
        assert_eq!(check(&folder.path().join("socket")), Err(Irregular::Socket));
        assert_eq!(check(Path::new("/proc/kmsg")), Err(Irregular::System));
        assert_eq!(check(&folder.path().join("none")), Ok(()));
        assert_eq!(read_to_string(&file, 5).unwrap(), "Text.");
        assert_eq!(read_to_string(&file, 4).unwrap_err().to_string(), "it has more than 0 kB");
        assert!(read_to_string(&pipe, 4).unwrap_err().to_string().starts_with("it is a pipe"));
    }
}
