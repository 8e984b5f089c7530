//! The end of the audit log outside the database: how many events there are and the last link, in a file beside it. An attacker who cuts
//! events off the table, or makes the chain anew, has to change this file too.

use std::{
    fs::{File, OpenOptions},
    io::{self, Read as _, Seek as _, Write as _},
    path::{Path, PathBuf},
};

use super::files::beside;
use copydesk_core::desk::private;

/// The file `<database>.head`: one line of a fixed length, so that it is never half written.
pub(super) struct HeadFile {
    path: PathBuf,
}

/// The content of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum KeptHead {
    /// There is no file.
    None,
    /// The number of events, and the last link, hex.
    End(u64, String),
    /// It holds something else.
    Unreadable,
}

impl HeadFile {
    /// A database with such a file has this setting.
    pub(super) const SETTING: &str = "audit.head";

    pub(super) fn of(database: &Path) -> Self {
        Self { path: beside(database, ".head") }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn read(&self) -> KeptHead {
        match File::open(&self.path) {
            Ok(mut file) => read(&mut file),
            Err(error) if error.kind() == io::ErrorKind::NotFound => KeptHead::None,
            Err(_) => KeptHead::Unreadable,
        }
    }

    /// How many events the log once had, if there is a file that says so.
    pub(super) fn events(&self) -> Option<u64> {
        match self.read() {
            KeptHead::End(events, _) if events > 0 => Some(events),
            _ => None,
        }
    }

    /// Makes the file, if there is none.
    pub(super) fn begin(&self, end: &(u64, String)) -> io::Result<()> {
        match private(OpenOptions::new().write(true).create_new(true)).open(&self.path) {
            Ok(mut file) => file.write_all(line(end).as_bytes()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Notes a later end. A file that is not there stays away, so that the check notices that it was removed. If the disk takes nothing,
    /// the file falls behind, and the check goes only as far as the file does.
    pub(super) fn keep(&self, end: &(u64, String)) {
        let later = || -> io::Result<()> {
            let mut file = private(OpenOptions::new().read(true).write(true)).open(&self.path)?;
            // Several programs append: the later end stays.
            file.lock()?;
            if matches!(read(&mut file), KeptHead::End(events, _) if events < end.0) {
                file.rewind()?;
                file.write_all(line(end).as_bytes())?;
            }
            Ok(())
        };
        let _ = later();
    }
}

fn line((events, link): &(u64, String)) -> String {
    format!("{events:>20} {link:>64}\n")
}

fn read(file: &mut File) -> KeptHead {
    let mut text = String::new();
    let read = file.take(200).read_to_string(&mut text);
    let mut words = text.split_whitespace();
    let events = words.next().and_then(|events| events.parse().ok());
    match (read, events, words.next(), words.next()) {
        (Ok(_), Some(0), None, None) => KeptHead::End(0, String::new()),
        (Ok(_), Some(events), Some(link), None) if link.len() == 64 => KeptHead::End(events, link.to_owned()),
        _ => KeptHead::Unreadable,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_goes_forward_only_and_a_file_that_was_taken_stays_away() {
        let folder = tempfile::tempdir().unwrap();
        let head = HeadFile::of(&folder.path().join("copydesk.db"));
        let end = |events: u64| (events, format!("{events:064x}"));
        head.keep(&end(3));
        assert_eq!(head.read(), KeptHead::None);
        head.begin(&(0, String::new())).unwrap();
        assert_eq!(head.read(), KeptHead::End(0, String::new()));
        for (noted, kept) in [(3, 3), (2, 3), (12, 12)] {
            head.keep(&end(noted));
            head.begin(&end(1)).unwrap();
            assert_eq!(head.read(), KeptHead::End(kept, end(kept).1));
        }
        for spoilt in ["", "many", "12", "12 abc\n"] {
            std::fs::write(head.path(), spoilt).unwrap();
            head.keep(&end(20));
            assert_eq!(head.read(), KeptHead::Unreadable, "{spoilt:?}");
        }
    }
}
