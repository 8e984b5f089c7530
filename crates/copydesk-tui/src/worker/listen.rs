//! Plays a place of a recording with the program that the configuration names.

use std::{path::Path, process::Stdio, time::Duration};

use copydesk_core::ports::RunKey;
use copydesk_newsroom::{ExaminedObject, Wait, clock_of};
use tokio::process::Command;

use crate::app::{News, Trouble};
use crate::worker::{RequestResult, WorkerContext};

/// Seconds that are played before the words.
const BEFORE: u32 = 3;
/// Seconds that are played in all.
const LENGTH: u32 = 10;
/// A player that plays on after its time is ended.
const LONGEST: Duration = Duration::from_mins(1);

/// Plays `file` around `seconds`, and notes at `at` that `heard` was listened to. Nothing is noted if the player fails.
pub(crate) async fn play(
    context: WorkerContext,
    at: (RunKey, Option<Wait>),
    heard: ExaminedObject,
    file: String,
    seconds: u32,
) -> RequestResult {
    let Some(player) = &context.tools.player else {
        return Err(Trouble::new(
            "no player is configured: name one in the configuration (transcription.player), such as mpv or ffplay",
        ));
    };
    if !Path::new(&file).is_file() {
        return Err(Trouble::new(format!("the recording is not there any more: {file}")));
    }
    let start = seconds.saturating_sub(BEFORE);
    let call = player(&file, start, LENGTH);
    let Some((program, arguments)) = call.split_first() else { return Ok(()) };
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
    let mut playing = command
        .spawn()
        .map_err(|error| Trouble::new(format!("{program} (transcription.player) cannot be started: {error}")))?;
    context.say(News::Done(format!("Playing the recording from {}", clock_of(start))));
    if let Ok(Ok(ended)) = tokio::time::timeout(LONGEST, playing.wait()).await
        && !ended.success()
    {
        return Err(Trouble::new(format!(
            "the player {program} (transcription.player) failed ({ended}). Try it by hand: is there a sound device?"
        )));
    }
    // Who heard nothing did not listen.
    Ok(context.tools.desk.note_examined(at.0, at.1, heard).await?)
}
