//! Reading a body to its end, bounded.

use bytes::Bytes;
use eventsource_stream::Eventsource;
use futures_util::{Stream, StreamExt};
use reqwest::Response;
use serde_json::Value;

use super::answer::{Draft, Failed};
use crate::ports::{CallError, Heard};

/// Most bytes of an answer's text that are read. No article comes near it.
pub(super) const MOST_TEXT: usize = 2 << 20;
/// Most bytes of a body: the envelope of a stream is many times its text.
const MOST_BODY: usize = 64 << 20;
/// Most bytes of an error's body.
const MOST_ERROR: usize = 64 << 10;

/// Why reading stopped.
pub(super) enum Broken {
    /// The connection ended before the answer.
    CutOff,
    /// Too large.
    TooLarge,
    /// Not what a server of this kind sends.
    Unreadable(String),
    /// Nothing at all.
    Empty,
    /// The server said that it failed.
    Failed(Failed),
}

impl Broken {
    pub(super) fn into_error(self, host: String, hide: impl Fn(&str) -> String) -> CallError {
        match self {
            Self::CutOff => CallError::CutOff { host },
            Self::TooLarge => CallError::AnswerTooLarge { host, limit_mb: MOST_TEXT >> 20 },
            Self::Unreadable(detail) => CallError::Unreadable { host, detail: hide(&detail) },
            Self::Empty => CallError::Unreadable {
                host,
                detail: "it sent an empty stream, as some servers do where the prompt is beyond their context: check \
                         context_window"
                    .to_owned(),
            },
            Self::Failed(Failed { status, message }) => {
                CallError::Status { host, status, message: hide(&message), retry_after: None }
            }
        }
    }
}

/// Reads a stream of server-sent events.
pub(super) async fn events(response: Response, heard: Heard<'_>) -> Result<Draft, Broken> {
    let mut draft = Draft::default();
    let mut any = false;
    let mut events = Box::pin(bounded(response, MOST_BODY).eventsource());
    while let Some(event) = events.next().await {
        let data = match event {
            Ok(event) => event.data,
            Err(eventsource_stream::EventStreamError::Transport(broken)) => return Err(broken),
            Err(_) => return Err(Broken::Unreadable("its stream is not one of server-sent events in UTF-8".into())),
        };
        any = true;
        if data.trim() == "[DONE]" {
            draft.ended = true;
            return Ok(draft);
        }
        let chunk: Value =
            serde_json::from_str(&data).map_err(|error| Broken::Unreadable(format!("a chunk is not JSON: {error}")))?;
        let text = draft.add(&chunk).map_err(Broken::Failed)?;
        if draft.text.len() > MOST_TEXT {
            return Err(Broken::TooLarge);
        }
        if !text.is_empty() {
            heard(&text);
        }
    }
    // Some servers send no [DONE]; a reason will do. With neither, the stream was cut.
    match (draft.ended, any) {
        (true, _) => Ok(draft),
        (false, true) => Err(Broken::CutOff),
        (false, false) => Err(Broken::Empty),
    }
}

/// Reads a whole body.
pub(super) async fn whole(response: Response, heard: Heard<'_>) -> Result<Draft, Broken> {
    let bytes = collect(response, MOST_TEXT).await?;
    let body: Value =
        serde_json::from_slice(&bytes).map_err(|error| Broken::Unreadable(format!("the body is not JSON: {error}")))?;
    let mut draft = Draft::default();
    let text = draft.add(&body).map_err(Broken::Failed)?;
    if body.get("choices").and_then(Value::as_array).is_none_or(Vec::is_empty) {
        return Err(Broken::Unreadable("the body has no choices".into()));
    }
    draft.ended = true;
    heard(&text);
    Ok(draft)
}

/// The beginning of an error's body; empty where it cannot be read.
pub(super) async fn error_body(response: Response) -> Vec<u8> {
    let mut body = Vec::new();
    let mut chunks = Box::pin(response.bytes_stream());
    while let Some(Ok(chunk)) = chunks.next().await {
        body.extend_from_slice(&chunk);
        if body.len() > MOST_ERROR {
            body.truncate(MOST_ERROR);
            break;
        }
    }
    body
}

/// All bytes of a body that is not too large.
pub(super) async fn collect(response: Response, most: usize) -> Result<Vec<u8>, Broken> {
    let mut body = Vec::new();
    let mut chunks = Box::pin(bounded(response, most));
    while let Some(chunk) = chunks.next().await {
        body.extend_from_slice(&chunk?);
    }
    Ok(body)
}

fn bounded(response: Response, most: usize) -> impl Stream<Item = Result<Bytes, Broken>> {
    let mut read = 0usize;
    response.bytes_stream().map(move |chunk| {
        let chunk = chunk.map_err(|_| Broken::CutOff)?;
        read = read.saturating_add(chunk.len());
        if read > most { Err(Broken::TooLarge) } else { Ok(chunk) }
    })
}
