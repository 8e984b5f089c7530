//! Who answers for models: their servers, a recording, or servers whose answers are written down.

use std::sync::Arc;

use anyhow::Result;

use crate::{
    cli::exit::WrongUse,
    config::{Engine, Settings},
    headless,
    llm::{Client, Player, Recorder, RecordingError},
    ports::ModelClient,
    text::count,
};

/// Who is asked.
///
/// # Errors
/// A recording cannot be written, or cannot be read.
pub(crate) fn client(settings: &Settings) -> Result<Arc<dyn ModelClient>> {
    let client = Client::new(settings);
    let generation = &settings.article_generation;
    let wrong = |error: RecordingError| WrongUse(error.to_string());
    Ok(match (generation.engine, &generation.recording, &generation.record_to) {
        (Engine::Llm, _, Some(file)) => {
            Arc::new(Recorder::new(client, file, Box::new(headless::message)).map_err(wrong)?)
        }
        (engine, _, Some(_)) => {
            let why = match engine {
                Engine::Recorded => "engine: recorded asks no model, so there is nothing to record",
                _ => "engine: offline asks no model, so there is nothing to record; --record is for engine: llm",
            };
            return Err(WrongUse(why.to_owned()).into());
        }
        (Engine::Recorded, Some(file), None) => Arc::new(Player::open(client, file).map_err(wrong)?),
        (Engine::Offline | Engine::Llm | Engine::Recorded, _, None) => Arc::new(client),
    })
}

/// What the configured recording has, in a few words.
///
/// # Errors
/// [`RecordingError`].
pub(crate) fn recording(settings: &Settings) -> Result<String, RecordingError> {
    let Some(file) = &settings.article_generation.recording else { return Ok("no recording".to_owned()) };
    let player = Player::open(Client::new(settings), file)?;
    Ok(format!("{} in {}; no server is asked", count(player.count(), "recorded answer"), file.display()))
}
