//! `copydesk transcribe`: writes down a recording, so that a person can correct the transcript before it is a source.

use crate::cli::intake::recordings::{self, KeptTranscript};
use crate::cli::prelude::*;
use crate::documents::{self, RECORDING_ENDINGS};
use crate::knowledge::reading;

#[derive(Debug, Args)]
pub(crate) struct TranscribeArgs {
    /// The recording (.mp3, .m4a, .wav, .mp4).
    recording: PathBuf,
}

pub(crate) fn transcribe(config: Option<&Path>, arguments: &TranscribeArgs) -> Result<Exit> {
    let TranscribeArgs { recording } = arguments;
    let shown = recording.display();
    if !documents::is_recording(&reading::name(recording)) {
        return Err(wrong_use(format!("{shown} is no recording by its name ({RECORDING_ENDINGS})")));
    }
    let settings = settings::load(config)?;
    // No server says how far it is.
    let bar = headless::Bar::of_time("transcribing");
    let KeptTranscript { path, notes } =
        recordings::kept(recording, Some(&settings), headless::message).with_context(|| shown.to_string())?;
    drop(bar);
    headless::messages(notes.iter().map(|note| format!("{shown}: {note}")));
    headless::data(&path.display().to_string())?;
    Ok(Exit::Fine)
}
