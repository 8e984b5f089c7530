//! `copydesk transcribe`: writes down a recording, so that a person can correct the transcript before it is a source.

use crate::cli::intake::recordings::{self, KeptTranscript};
use crate::cli::prelude::*;
use crate::cli::wiring::files;
use crate::documents::{self, DocumentKind, RECORDING_ENDINGS};
use crate::knowledge::reading;

#[derive(Debug, Args)]
pub(crate) struct TranscribeArgs {
    /// The recording (.mp3, .m4a, .wav, .mp4).
    recording: PathBuf,
    /// Also write the transcript to this file (.vtt), which must not exist.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(crate) fn transcribe(config: Option<&Path>, arguments: &TranscribeArgs) -> Result<Exit> {
    let TranscribeArgs { recording, out } = arguments;
    let shown = recording.display();
    if !documents::is_recording(&reading::name(recording)) {
        return Err(WrongUse(format!("{shown} is no recording by its name ({RECORDING_ENDINGS})")).into());
    }
    if let Some(out) = out {
        let kind = DocumentKind::by_name(&reading::name(out));
        if !matches!(kind, Some(DocumentKind::Captions | DocumentKind::Text)) {
            return Err(WrongUse(format!("--out {}: name a .vtt or .txt file", out.display())).into());
        }
        if out.exists() {
            return Err(WrongUse(format!("{} exists already, and nothing was written", out.display())).into());
        }
    }
    let settings = settings::load(config)?;
    // No server says how far it is.
    let bar = headless::Bar::of_time("transcribing");
    let KeptTranscript { path, notes } =
        recordings::kept(recording, Some(&settings), headless::message).with_context(|| shown.to_string())?;
    drop(bar);
    for note in notes {
        headless::message(&format!("{shown}: {note}"));
    }
    if let Some(out) = out {
        let unread = |error| WrongUse(format!("{} cannot be read: {error}", path.display()));
        files::write_new(out, &std::fs::read_to_string(&path).map_err(unread)?)?;
    }
    headless::data(&out.as_ref().unwrap_or(&path).display().to_string())?;
    Ok(Exit::Fine)
}
