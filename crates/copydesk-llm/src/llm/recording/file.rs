//! The file: a line of JSON that says what it is, then a line for each answer, in the order in which they came. It has answers and digests,
//! and neither prompts nor keys.

use std::{
    collections::HashMap,
    fs::{File, OpenOptions},
    io::{self, BufRead as _, BufReader, Read as _, Write as _},
    path::{Path, PathBuf},
    time::Duration,
};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use copydesk_core::{
    desk::private,
    ports::{CallError, Occasion},
};
use copydesk_newsroom::{Answer, Tool, ToolCall, ToolResult};

/// Most bytes of a recording, and of one line.
pub(super) const MOST_BYTES: u64 = 512 << 20;
const MOST_LINE: u64 = 64 << 20;

/// The number of this form.
const FORM: u32 = 1;

/// A recording that cannot be written or read. Each message says what to do.
#[derive(Debug, thiserror::Error)]
pub enum RecordingError {
    #[error("the recording {} is there already, and it is not replaced: name another file", .0.display())]
    Exists(PathBuf),
    #[error("the recording {} cannot be written: {error}", .file.display())]
    NotWritten { file: PathBuf, error: io::Error },
    #[error("the recording {} cannot be read: {error}; article_generation.recording names the file that `run --record` wrote", .file.display())]
    NotRead { file: PathBuf, error: io::Error },
    #[error("{} is no recording that `run --record` wrote; article_generation.recording names such a file", .0.display())]
    Foreign(PathBuf),
    #[error("the recording {} was written by a later version of copydesk: update this one", .0.display())]
    Newer(PathBuf),
    #[error("the recording {} is larger than {} MB and is not read", .0.display(), MOST_BYTES >> 20)]
    TooLarge(PathBuf),
    #[error("line {line} of the recording {} is cut off or damaged ({detail}): delete it to use the other answers, or record again", .file.display())]
    Damaged { file: PathBuf, line: usize, detail: String },
}

/// The first line.
#[derive(Debug, Serialize, Deserialize)]
struct Head {
    copydesk_recording: u32,
    version: String,
}

/// A line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub(super) enum RecordedLine {
    Answer {
        /// SHA-256 of the request, hex.
        request: String,
        /// For a person who reads the file.
        agent: String,
        model: String,
        /// Milliseconds until the first words came, and until the end.
        first_ms: u64,
        whole_ms: u64,
        answer: Answer,
    },
    /// An answer that came and was no use. The request was made again.
    NoUse { request: String, agent: String, model: String, first_ms: u64, whole_ms: u64, fault: AnswerFault },
    Tool {
        /// SHA-256 of the tool's name and the arguments, hex.
        call: String,
        /// For a person who reads the file.
        tool: String,
        result: ToolResult,
    },
    /// The tools that were offered to an agent.
    Tools {
        tools_of: String,
        /// Whether for a confidential story, which is offered fewer.
        #[serde(default)]
        confidential: bool,
        tools: Vec<Tool>,
    },
}

/// Why an answer that came was no use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum AnswerFault {
    NothingSaid(String),
    Unusable(String),
    EndedEarly(u64),
}

impl AnswerFault {
    /// The fault of an answer that came; none if there was no answer, which the network may give another time.
    pub(super) fn of(error: &CallError) -> Option<Self> {
        match error {
            CallError::NothingSaid { detail } => Some(Self::NothingSaid(detail.clone())),
            CallError::Unusable { detail } => Some(Self::Unusable(detail.clone())),
            CallError::EndedEarly { max_tokens } => Some(Self::EndedEarly(*max_tokens)),
            _ => None,
        }
    }
}

impl From<AnswerFault> for CallError {
    fn from(fault: AnswerFault) -> Self {
        match fault {
            AnswerFault::NothingSaid(detail) => Self::NothingSaid { detail },
            AnswerFault::Unusable(detail) => Self::Unusable { detail },
            AnswerFault::EndedEarly(max_tokens) => Self::EndedEarly { max_tokens },
        }
    }
}

/// A recorded answer with the time that it took.
#[derive(Debug, Clone)]
pub(super) struct RecordedAnswer {
    pub(super) answer: Result<Answer, AnswerFault>,
    pub(super) first: Duration,
    pub(super) whole: Duration,
}

/// The content of a recording.
#[derive(Debug, Default)]
pub(super) struct Reel {
    /// By request, in their order.
    pub(super) answers: HashMap<String, Vec<RecordedAnswer>>,
    /// By call, in their order.
    pub(super) results: HashMap<String, Vec<ToolResult>>,
    /// By agent, and whether the story is confidential.
    pub(super) tools: HashMap<(String, bool), Vec<Tool>>,
}

impl Reel {
    /// Adds an answer behind those to the same request. Times are in milliseconds.
    fn keep(&mut self, request: String, answer: Result<Answer, AnswerFault>, first: u64, whole: u64) {
        let (first, whole) = (Duration::from_millis(first), Duration::from_millis(whole));
        self.answers.entry(request).or_default().push(RecordedAnswer { answer, first, whole });
    }
}

/// Whether the current task works for a confidential story.
pub(super) fn is_confidential() -> bool {
    Occasion::now().is_some_and(|now| now.secrecy.confidential)
}

/// Hex digest of a call of a tool.
pub(super) fn call_digest(call: &ToolCall) -> String {
    let mut hash = Sha256::new();
    hash.update((call.name.len() as u64).to_be_bytes());
    hash.update(&call.name);
    hash.update(&call.arguments);
    hex::encode(hash.finalize())
}

/// Begins a file that is not there yet, for its owner alone.
pub(super) fn begin(path: &Path) -> Result<File, RecordingError> {
    let not_written = |error: io::Error| match error.kind() {
        io::ErrorKind::AlreadyExists => RecordingError::Exists(path.to_owned()),
        _ => RecordingError::NotWritten { file: path.to_owned(), error },
    };
    let mut file = private(OpenOptions::new().create_new(true).append(true)).open(path).map_err(not_written)?;
    let head = Head { copydesk_recording: FORM, version: env!("CARGO_PKG_VERSION").to_owned() };
    let line = line(&head).map_err(not_written)?;
    file.write_all(line.as_bytes()).map_err(not_written)?;
    Ok(file)
}

/// A value as one line of the file.
pub(super) fn line(value: &impl Serialize) -> io::Result<String> {
    Ok(serde_json::to_string(value).map_err(io::Error::other)? + "\n")
}

/// Reads a file whole.
pub(super) fn read(path: &Path) -> Result<Reel, RecordingError> {
    let file = path.to_owned();
    let not_read = |error| RecordingError::NotRead { file: file.clone(), error };
    let found = path.metadata().map_err(not_read)?;
    if !found.is_file() {
        return Err(RecordingError::Foreign(file));
    }
    if found.len() > MOST_BYTES {
        return Err(RecordingError::TooLarge(file));
    }
    let mut lines = BufReader::new(File::open(path).map_err(not_read)?.take(MOST_BYTES));
    let mut reel = Reel::default();
    let mut number = 0;
    let mut text = Vec::new();
    loop {
        text.clear();
        if lines.by_ref().take(MOST_LINE).read_until(b'\n', &mut text).map_err(not_read)? == 0 {
            return if number == 0 { Err(RecordingError::Foreign(file)) } else { Ok(reel) };
        }
        number += 1;
        if number == 1 {
            match serde_json::from_slice(&text) {
                Ok(Head { copydesk_recording: FORM, .. }) => continue,
                Ok(Head { copydesk_recording: form, .. }) if form > FORM => return Err(RecordingError::Newer(file)),
                Ok(_) | Err(_) => return Err(RecordingError::Foreign(file)),
            }
        }
        let damaged = |detail: String| RecordingError::Damaged { file: file.clone(), line: number, detail };
        if text.last() != Some(&b'\n') {
            return Err(damaged("it has no end".to_owned()));
        }
        match serde_json::from_slice(&text).map_err(|error| damaged(error.to_string()))? {
            RecordedLine::Answer { request, answer, first_ms, whole_ms, .. } => {
                reel.keep(request, Ok(answer), first_ms, whole_ms);
            }
            RecordedLine::NoUse { request, fault, first_ms, whole_ms, .. } => {
                reel.keep(request, Err(fault), first_ms, whole_ms);
            }
            RecordedLine::Tool { call, result, .. } => reel.results.entry(call).or_default().push(result),
            RecordedLine::Tools { tools_of, confidential, tools } => {
                drop(reel.tools.insert((tools_of, confidential), tools));
            }
        }
    }
}
