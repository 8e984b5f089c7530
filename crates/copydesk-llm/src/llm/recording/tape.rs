//! A file that is being written. A disk that is full costs the recording, and no story.

use std::{
    fs::File,
    io::{self, Write as _},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use super::file::{MOST_BYTES, RecordedLine, RecordingError, begin, line};
use copydesk_core::ports::aside;

/// Says something to the person.
type Say = Box<dyn Fn(&str) + Send + Sync>;

/// A recording in the making.
pub struct Tape {
    path: PathBuf,
    /// None once it could not be written.
    file: Arc<Mutex<Option<File>>>,
    say: Say,
}

impl Tape {
    /// Begins a new file. If it can be written no more, `say` says so once.
    ///
    /// # Errors
    /// [`RecordingError`] if the file is there already, or cannot be written.
    pub fn begin(path: &Path, say: Say) -> Result<Arc<Self>, RecordingError> {
        let file = Arc::new(Mutex::new(Some(begin(path)?)));
        Ok(Arc::new(Self { path: path.to_owned(), file, say }))
    }

    pub(super) async fn write(&self, recorded: RecordedLine) {
        let file = Arc::clone(&self.file);
        // A slow disk holds up this answer alone.
        let written = aside(move || append(&file, &recorded)).await.map_err(io::Error::other);
        if let Err(error) = written.flatten() {
            let file = self.path.display();
            (self.say)(&format!(
                "the recording {file} cannot be written any more ({error}). Stories continue; what is in it can be used, and it lacks all later answers"
            ));
        }
    }
}

/// Writes an answer whole, at the end. After a failure nothing more is written: what follows a torn line could not be read.
fn append(file: &Mutex<Option<File>>, recorded: &RecordedLine) -> io::Result<()> {
    let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(open) = &mut *file else { return Ok(()) };
    let written = line(recorded).and_then(|line| {
        let before = open.metadata()?.len();
        if before.saturating_add(line.len() as u64) > MOST_BYTES {
            return Err(io::Error::other(format!("it would be larger than {} MB", MOST_BYTES >> 20)));
        }
        let written = open.write_all(line.as_bytes());
        if written.is_err() {
            // A half line goes, if the disk lets it.
            open.set_len(before)?;
        }
        written
    });
    if written.is_err() {
        *file = None;
    }
    written
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use copydesk_newsroom::ToolResult;

    #[test]
    fn after_a_full_disk_nothing_more_is_written() {
        let full = std::fs::OpenOptions::new().append(true).open("/dev/full").unwrap();
        let file = Mutex::new(Some(full));
        let recorded =
            RecordedLine::Tool { call: "d".into(), tool: "search_web".into(), result: ToolResult::failure("no") };
        append(&file, &recorded).unwrap_err();
        append(&file, &recorded).unwrap();
        let large = tempfile::tempfile().unwrap();
        large.set_len(MOST_BYTES).unwrap();
        let error = append(&Mutex::new(Some(large)), &recorded).unwrap_err();
        assert_eq!(error.to_string(), "it would be larger than 512 MB");
    }
}
