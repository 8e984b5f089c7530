//! A recording that is written down: what is asked, what comes back, and why nothing does.

use std::path::PathBuf;

use super::CallError;
use copydesk_documents::{Cue, RecordingFormat};

/// A file that is to be transcribed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recording {
    pub path: PathBuf,
    pub format: RecordingFormat,
    /// Its length in bytes.
    pub bytes: u64,
    /// SHA-256 of its bytes, hex.
    pub digest: String,
}

/// The transcript that a server made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Transcription {
    /// With times.
    Timed {
        /// In the order of time, at least one.
        cues: Vec<Cue>,
        /// Whether the server's times were out of order or impossible, and were put right.
        mended: bool,
    },
    /// Words without times, never blank.
    Untimed(String),
}

/// Why there is no transcript. Each message says what to do.
#[derive(Debug, thiserror::Error)]
pub enum TranscribeError {
    #[error("it cannot be read: {0}")]
    Unopened(#[from] std::io::Error),
    #[error("the transcription server (transcription): {0}{advice}", advice = advice(.0))]
    Call(CallError),
    #[error("the transcription server at {host} found no words in it; listen whether anybody speaks")]
    Silent { host: String },
}

/// The advice about a call that failed.
fn advice(error: &CallError) -> &'static str {
    match error {
        CallError::Unreadable { .. } => "; check transcription.api_base",
        CallError::AnswerTooLarge { .. } => "; split the recording",
        CallError::Status { status, .. } => match status {
            401 | 403 => "; check transcription.api_key",
            404 | 405 => {
                "; check transcription.api_base and model (whisper.cpp's server needs --inference-path /v1/audio/transcriptions)"
            }
            413 => "; split the recording, or save it smaller, as MP3 with one channel",
            400 | 415 | 422 => "; the server may not read this format: save the recording as WAV, 16 kHz, one channel",
            _ => "; try again later; the server's own log may say why",
        },
        _ => "",
    }
}
