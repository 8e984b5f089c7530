//! Answers of models and results of tools in a file. `run --record` writes them down as they come. With `engine: recorded` they are given
//! again, without any server or tool. An answer is found by the digest of its request as it would be sent. So a prompt, a model or a
//! setting that differs is a request without a recording.

mod file;
mod player;
mod recorder;
mod tape;

pub use file::RecordingError;
pub use player::{AnswerFile, Player, ToolPlayer};
pub use recorder::{Recorder, ToolRecorder};
pub use tape::Tape;
