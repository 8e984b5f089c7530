//! Who answers for models and tools: they themselves, a recording, or they themselves while it is written down.

use crate::cli::prelude::*;
use crate::config::Engine;
use crate::llm::{AnswerFile, Client, Player, Recorder, RecordingError, Tape, ToolPlayer, ToolRecorder};
use crate::ports::{ModelClient, Toolbox};
use crate::text::count;

/// Who is asked.
pub(crate) struct Answering {
    pub(crate) model: Arc<dyn ModelClient>,
    pub(crate) toolbox: Arc<dyn Toolbox>,
}

/// Who is asked, the tools being those of `toolbox`.
///
/// # Errors
/// A recording cannot be written, or cannot be read.
pub(crate) fn answering(settings: &Settings, toolbox: Arc<dyn Toolbox>) -> Result<Answering> {
    let client = Client::new(settings);
    let generation = &settings.article_generation;
    let wrong = |error: RecordingError| WrongUse(error.to_string());
    Ok(match (generation.engine, &generation.recording, &generation.record_to) {
        (Engine::Llm, _, Some(file)) => {
            let tape = Tape::begin(file, Box::new(headless::message)).map_err(wrong)?;
            let toolbox = Arc::new(ToolRecorder::new(toolbox, Arc::clone(&tape)));
            Answering { model: Arc::new(Recorder { client, tape }), toolbox }
        }
        (engine, _, Some(_)) => {
            let engine = engine.name();
            let why =
                format!("engine: {engine} asks no model, so there is nothing to record; --record is for engine: llm");
            return Err(wrong_use(why));
        }
        (Engine::Recorded, Some(file), None) => {
            let recording = AnswerFile::open(file).map_err(wrong)?;
            let toolbox = Arc::new(ToolPlayer(Arc::clone(&recording)));
            let watched = generation.watched.clone();
            Answering { model: Arc::new(Player { client, recording, watched }), toolbox }
        }
        (Engine::Offline | Engine::Llm | Engine::Recorded, _, None) => Answering { model: Arc::new(client), toolbox },
    })
}

/// The content of the configured recording, in a few words.
///
/// # Errors
/// [`RecordingError`].
pub(crate) fn recording(settings: &Settings) -> Result<String, RecordingError> {
    let Some(file) = &settings.article_generation.recording else { return Ok("no recording".to_owned()) };
    let recording = AnswerFile::open(file)?;
    Ok(format!("{} in {}; no server is asked", count(recording.count(), "recorded answer"), file.display()))
}
