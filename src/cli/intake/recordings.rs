//! Recordings as sources: each is transcribed once. Its transcript is a file that a person may edit, and from then on the file counts.

use std::{
    fs::File,
    io::{self, Read as _},
    thread,
};

use sha2::{Digest, Sha256};

use crate::cli::prelude::*;
use crate::documents::{self, Document, RECORDING_ENDINGS, RECORDING_HEAD, ReadingPurpose, RecordingFormat};
use crate::newsroom::{RecordedSource, Secrecy, UnsureWords};
use crate::ports::{Occasion, Recording, RequestBooks, Stories as _, TranscribeError, Transcription};
use crate::text::count;
use crate::{cli::wiring::files, config::TranscriptionServer};
use crate::{knowledge::reading, llm::TranscriptionClient};

/// The folder of the transcripts, beside the database.
const FOLDER: &str = "transcripts";

/// Characters of a recording's digest that name its transcript.
const NAME: usize = 32;

/// A transcript on disk.
pub(crate) struct KeptTranscript {
    pub(crate) path: PathBuf,
    /// Remarks for the reader, a sentence each.
    pub(crate) notes: Vec<String>,
}

/// Reads a recording's transcript as a source. If there is none yet, the configured server makes it, which blocks; `say` tells so before.
///
/// # Errors
/// The problem, after the recording's name and a colon.
pub(crate) fn document(path: &Path, settings: Option<&Settings>, say: fn(&str)) -> Result<Document> {
    let KeptTranscript { path: kept, mut notes } = kept(path, settings, say)?;
    let mut document = reading::document(&kept, ReadingPurpose::Source).map_err(|error| {
        let kept = kept.display();
        WrongUse(format!("its transcript {kept}: {error}. Mend that file, or delete it to have another one made"))
    })?;
    notes.append(&mut document.notes);
    Ok(Document { notes, ..document })
}

/// The transcript of a recording, made now if there is none.
///
/// # Errors
/// As [`document`].
pub(crate) fn kept(path: &Path, settings: Option<&Settings>, say: fn(&str)) -> Result<KeptTranscript> {
    let unread = |error| WrongUse(format!("it cannot be read: {error}"));
    let recording = opened(path).map_err(unread)?.ok_or_else(|| {
        WrongUse(format!("its name is a recording's, but its first bytes are not: it is none of {RECORDING_ENDINGS}"))
    })?;
    let unset = || {
        WrongUse(
            "it is a recording, and no transcription server is configured. Name one in `transcription` of the configuration \
             (docs/guide/recordings.md), or give a transcript of it (.vtt, .srt, .txt)"
                .into(),
        )
    };
    let settings = settings.ok_or_else(unset)?;
    let name: String = recording.digest.chars().take(NAME).collect();
    let folder = settings.database.folder(&settings.workspace).join(FOLDER);
    let file = |ending: &str| folder.join(format!("{name}.{ending}"));
    if let Some(there) = [file("vtt"), file("txt")].into_iter().find(|file| file.exists()) {
        let note = format!("its transcript {} was read", there.display());
        return Ok(KeptTranscript { path: there, notes: vec![note] });
    }
    let server = settings.transcription.as_ref().ok_or_else(unset)?;
    let (size, most) = (recording.bytes.div_ceil(1 << 20), server.longest_mb);
    if size > most {
        return Err(wrong_use(format!(
            "it has {size} MB, and {most} MB are sent at most (transcription.longest_mb): split it, or save it smaller, as MP3 with one channel"
        )));
    }
    let (shown, host) = (reading::name(path), server.endpoint.authority());
    say(&format!("{shown}: {host} transcribes it ({size} MB). This may take minutes."));
    let mut notes = Vec::new();
    let (made, text) = match transcribed(server, settings, &recording, wiring::books(&wiring::store(settings)?))? {
        Transcription::Timed { cues, mended } => {
            notes.push(format!("{host} transcribed it in {}", count(cues.len(), "passage")));
            if mended {
                notes.push("the server's times were impossible or out of order and were put right: check them".into());
            }
            let doubts: usize = cues.iter().map(|cue| cue.unsure.len()).sum();
            if doubts > 0 {
                let places = count(doubts, "place");
                notes.push(format!(
                    "the server was unsure of {places}, marked <c.unsure> in the transcript: listen, and take the mark out"
                ));
            }
            let comment = format!(
                "Transcript of {shown} by {} at {host}. Correct its words. Where somebody begins to speak, write the name and a colon.",
                server.model
            );
            (file("vtt"), documents::web_vtt(&comment, &cues))
        }
        Transcription::Untimed(text) => {
            notes.push(format!("{host} transcribed it without times, so no finding can name the second"));
            (file("txt"), text)
        }
    };
    files::write_new(&made, &text)?;
    notes.push(format!(
        "its transcript is {}: correct words there and write in who speaks. From now on that file is read",
        made.display()
    ));
    Ok(KeptTranscript { path: made, notes })
}

/// Asks the server.
fn transcribed(
    server: &TranscriptionServer,
    settings: &Settings,
    recording: &Recording,
    books: RequestBooks,
) -> Result<Transcription, TranscribeError> {
    let client = TranscriptionClient::new(server.clone(), settings);
    let secrecy = Occasion::now().map_or_else(Secrecy::default, |now| now.secrecy.clone());
    // A voice names its speaker, and no alias hides that.
    let secrecy = Secrecy { aliases: Vec::new(), ..secrecy };
    let occasion = Occasion { secrecy, ..Occasion::of_house("transcription", Some(books)) };
    on_a_runtime(occasion.during(client.transcribe(recording)))?
}

/// The recording at `path`; none if its bytes are no recording's.
fn opened(path: &Path) -> io::Result<Option<Recording>> {
    // Opening a pipe would wait until another program writes to it.
    if path.exists() && !path.is_file() {
        return Err(io::Error::other("it is not a file"));
    }
    let mut file = File::open(path)?;
    let mut head = Vec::with_capacity(RECORDING_HEAD);
    file.by_ref().take(RECORDING_HEAD as u64).read_to_end(&mut head)?;
    let Some(format) = RecordingFormat::of(&head) else { return Ok(None) };
    let mut digest = Sha256::new_with_prefix(&head);
    let mut bytes = head.len() as u64;
    let mut piece = vec![0; 1 << 16];
    loop {
        match file.read(&mut piece)? {
            0 => break,
            read => {
                digest.update(piece.get(..read).unwrap_or_default());
                bytes += read as u64;
            }
        }
    }
    Ok(Some(Recording { path: path.to_owned(), format, bytes, digest: hex::encode(digest.finalize()) }))
}

/// Reads sources of a story that keeps something secret: no recording of a confidential one goes to another machine.
pub(crate) fn in_confidence<T>(secrecy: &Secrecy, read: impl FnOnce() -> T) -> T {
    let secrecy = secrecy.clone();
    Occasion { secrecy, why: "transcription".to_owned(), ..Occasion::default() }.around(read)
}

/// The secrecy of a story, with the secrecy on record: a story that was confidential once stays so. The record is read only if a recording
/// could go to another machine.
///
/// # Errors
/// If the database cannot be read: the secrecy is then unknown.
pub(crate) fn with_known(settings: &Settings, said: Secrecy, story: Option<&StoryKey>) -> Result<Secrecy> {
    let is_far = settings.transcription.as_ref().is_some_and(|server| !server.endpoint.is_loopback());
    let Some(story) = story.filter(|_| is_far && wiring::is_there(&settings.database)) else { return Ok(said) };
    let records = wiring::store_to_look(settings)?;
    Ok(said.and(&on_a_runtime(async { records.secrecy(story).await })??))
}

/// Does work on a thread of its own: the caller may be inside a runtime, or not.
fn on_a_runtime<T: Send>(work: impl Future<Output = T> + Send) -> io::Result<T> {
    let done = || Ok(tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(work));
    thread::scope(|scope| scope.spawn(done).join().unwrap_or_else(|fault| std::panic::resume_unwind(fault)))
}

/// The facts of the source that was read from `path`, if that is a recording or a transcript with words that a recogniser was unsure of. A
/// player finds the recording from any folder.
pub(crate) fn recorded(source: &str, path: &Path, unsure: Vec<UnsureWords>) -> Option<RecordedSource> {
    let whole = || std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).display().to_string();
    let file = documents::is_recording(&reading::name(path)).then(whole);
    (file.is_some() || !unsure.is_empty()).then(|| RecordedSource { source: source.to_owned(), file, unsure })
}

/// A source of any kind that a person named.
///
/// # Errors
/// The problem, after its name and a colon.
pub(crate) fn source(path: &Path, settings: Option<&Settings>, say: fn(&str)) -> Result<Document> {
    if documents::is_recording(&reading::name(path)) {
        return document(path, settings, say);
    }
    Ok(reading::document(path, ReadingPurpose::Source)?)
}
