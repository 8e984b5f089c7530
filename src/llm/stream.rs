//! Reading a body to its end, bounded.
//!
//! Server-sent events are split here rather than by a crate. The maintained one (eventsource-stream 0.2) panics at a
//! byte order mark and searches a long line from its beginning at every packet. Of the format (WHATWG HTML, section
//! 9.2) only `data` matters: these servers send neither names nor ids that mean anything.

use bytes::Bytes;
use futures_util::{FutureExt as _, Stream, StreamExt};
use reqwest::Response;
use serde_json::Value;

use super::{
    answer::{Failed, PartialAnswer},
    tool_calls::PartialCalls,
};
use crate::ports::{CallError, Heard};

/// Most bytes of an answer's text, and of one line of a stream. No article comes near it.
pub(super) const MOST_TEXT: usize = 2 << 20;
/// Most bytes of a body: the envelope of a stream is many times its text.
const MOST_BODY: usize = 64 << 20;
/// Most bytes of an error's body.
const MOST_ERROR: usize = 64 << 10;

/// Why an answer could not be read.
pub(super) enum Broken {
    /// The connection ended before the answer.
    CutOff,
    /// Too large.
    TooLarge,
    /// It is not in the format of such a server.
    Unreadable(String),
    /// It ends in the middle of a message, though the connection was closed in good order.
    Closed(String),
    /// Nothing at all.
    Empty,
    /// Its calls of tools break their form.
    Unusable(String),
    /// The server said that it failed.
    Failed(Failed),
}

impl Broken {
    pub(super) fn into_error(self, host: String, hide: impl Fn(&str) -> String) -> CallError {
        match self {
            Self::CutOff => CallError::CutOff { host },
            Self::TooLarge => CallError::AnswerTooLarge { host, limit_mb: MOST_TEXT >> 20 },
            Self::Unreadable(detail) => CallError::Unreadable { host, detail: hide(&detail) },
            Self::Closed(detail) => CallError::Closed { host, detail: hide(&detail) },
            Self::Empty => CallError::Closed {
                host,
                detail:
                    "it sent an empty stream, as some servers do if the prompt is longer than their context: check \
                         context_window"
                        .to_owned(),
            },
            Self::Unusable(detail) => CallError::Unusable { detail },
            Self::Failed(Failed { status, message }) => {
                CallError::Status { host, status, message: hide(&message), retry_after: None }
            }
        }
    }
}

/// Splits bytes into lines, reading each byte once.
#[derive(Default)]
struct Lines {
    /// The bytes of the line that has not ended yet.
    open: Vec<u8>,
    /// Whether a line was read already. The first one may begin with a byte order mark.
    begun: bool,
}

impl Lines {
    /// The lines that `packet` completes, without their line ends (LF or CR LF).
    fn take(&mut self, packet: &[u8]) -> Result<Vec<Vec<u8>>, Broken> {
        let mut lines = Vec::new();
        let mut rest = packet;
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            let (line, after) = rest.split_at(end);
            self.open.extend_from_slice(line);
            lines.push(self.close());
            rest = after.get(1..).unwrap_or_default();
        }
        self.open.extend_from_slice(rest);
        if self.open.len() > MOST_TEXT { Err(Broken::TooLarge) } else { Ok(lines) }
    }

    fn close(&mut self) -> Vec<u8> {
        let mut line = std::mem::take(&mut self.open);
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        if !std::mem::replace(&mut self.begun, true) && line.starts_with(b"\xEF\xBB\xBF") {
            line.drain(..3);
        }
        line
    }
}

/// Reads a stream of server-sent events.
/// With `calls`, the model may call tools.
pub(super) async fn events(response: Response, calls: bool, heard: Heard<'_>) -> Result<PartialAnswer, Broken> {
    events_of(bounded(response, MOST_BODY), calls, heard).await
}

/// The text of the events of `body`, which comes in packets of seven bytes, or why there is none: for the fuzzer.
///
/// # Errors
/// As a call has them.
#[doc(hidden)]
pub fn answer_in(body: &[u8], calls: bool) -> Result<String, CallError> {
    let packets = futures_util::stream::iter(body.chunks(7).map(|packet| Ok(Bytes::copy_from_slice(packet))));
    let read = events_of(packets, calls, &|_| {}).now_or_never().unwrap_or(Err(Broken::CutOff));
    read.map(|answer| answer.text).map_err(|broken| broken.into_error(String::new(), str::to_owned))
}

async fn events_of(
    packets: impl Stream<Item = Result<Bytes, Broken>>,
    calls: bool,
    heard: Heard<'_>,
) -> Result<PartialAnswer, Broken> {
    let mut draft = PartialAnswer::new(calls);
    let mut any = false;
    let mut lines = Lines::default();
    let mut packets = Box::pin(packets);
    while let Some(packet) = packets.next().await {
        for line in lines.take(&packet?)? {
            let Some(data) = line.strip_prefix(b"data:") else { continue };
            any = true;
            if data.trim_ascii() == b"[DONE]" {
                draft.ended = true;
                return spoken(draft);
            }
            let chunk: Value = serde_json::from_slice(data).map_err(|error| not_json("a chunk", &error))?;
            let text = draft.add(&chunk).map_err(Broken::Failed)?;
            if draft.text.len() > MOST_TEXT {
                return Err(Broken::TooLarge);
            }
            if let Some(flaw) = draft.calls.as_ref().and_then(PartialCalls::flaw) {
                return Err(Broken::Unusable(flaw.to_owned()));
            }
            if !text.is_empty() {
                heard(&text);
            }
        }
    }
    // Some servers send no [DONE]; a finish reason will do. Without both, the stream was cut off.
    match (draft.ended, any) {
        (true, _) => spoken(draft),
        (false, true) => Err(Broken::CutOff),
        // Within the first event.
        (false, false) if !lines.open.is_empty() => Err(Broken::CutOff),
        (false, false) => Err(Broken::Empty),
    }
}

/// JSON that ends too early may be whole the next time; any other text would come again.
fn not_json(what: &str, error: &serde_json::Error) -> Broken {
    let detail = format!("{what} is not JSON: {error}");
    if error.is_eof() { Broken::Closed(detail) } else { Broken::Unreadable(detail) }
}

/// Reads a whole body.
pub(super) async fn whole(response: Response, calls: bool, heard: Heard<'_>) -> Result<PartialAnswer, Broken> {
    let bytes = collect(response, MOST_TEXT).await?;
    let body: Value = serde_json::from_slice(&bytes).map_err(|error| not_json("the body", &error))?;
    if body.get("error").is_none() && body.get("choices").and_then(Value::as_array).is_none_or(Vec::is_empty) {
        return Err(Broken::Unreadable("the body has no choices".to_owned()));
    }
    let mut draft = PartialAnswer::new(calls);
    let text = draft.add(&body).map_err(Broken::Failed)?;
    draft.ended = true;
    let draft = spoken(draft)?;
    // Empty content is an empty answer; a body without any content or call is not an answer.
    if !draft.spoke && draft.calls.as_ref().is_none_or(PartialCalls::is_empty) {
        return Err(Broken::Unreadable("its answer has no message with content".to_owned()));
    }
    heard(&text);
    Ok(draft)
}

/// Rejects a refusal, or a call where no tool was offered, which must not pass for an empty answer.
fn spoken(draft: PartialAnswer) -> Result<PartialAnswer, Broken> {
    if draft.declined {
        return Err(Broken::Unreadable("the model refused, or called a tool, instead of answering".to_owned()));
    }
    Ok(draft)
}

/// The beginning of an error's body; empty if it cannot be read.
pub(super) async fn error_body(response: Response) -> Vec<u8> {
    beginning(response, MOST_ERROR).await
}

/// A body as far as it can be read, and at most so many bytes of it.
pub(super) async fn beginning(response: Response, most: usize) -> Vec<u8> {
    let mut body = Vec::new();
    let mut packets = Box::pin(response.bytes_stream());
    while let Some(Ok(packet)) = packets.next().await {
        body.extend_from_slice(&packet);
        if body.len() > most {
            body.truncate(most);
            break;
        }
    }
    body
}

/// All bytes of a body that is not too large.
pub(super) async fn collect(response: Response, most: usize) -> Result<Vec<u8>, Broken> {
    let mut body = Vec::new();
    let mut packets = Box::pin(bounded(response, most));
    while let Some(packet) = packets.next().await {
        body.extend_from_slice(&packet?);
    }
    Ok(body)
}

fn bounded(response: Response, most: usize) -> impl Stream<Item = Result<Bytes, Broken>> {
    let mut read = 0usize;
    response.bytes_stream().map(move |packet| {
        let packet = packet.map_err(|_| Broken::CutOff)?;
        read = read.saturating_add(packet.len());
        if read > most { Err(Broken::TooLarge) } else { Ok(packet) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(packets: &[&[u8]]) -> Vec<String> {
        let mut lines = Lines::default();
        let taken = packets.iter().flat_map(|packet| lines.take(packet).unwrap_or_default());
        taken.map(|line| String::from_utf8(line).unwrap()).collect()
    }

    #[test]
    fn a_line_is_put_together_from_its_packets() {
        assert_eq!(lines(&[b"da", b"ta: \xE2\x80", b"\x94\r", b"\n\nx\n"]), ["data: \u{2014}", "", "x"]);
        assert_eq!(lines(&[b"\xEF\xBB", b"\xBFdata: 1\n\xEF\xBB\xBFx\n"]), ["data: 1", "\u{FEFF}x"]);
    }

    #[test]
    fn a_line_without_end_is_refused() {
        let mut lines = Lines::default();
        assert!(lines.take(&vec![b'x'; MOST_TEXT]).is_ok());
        assert!(matches!(lines.take(b"x"), Err(Broken::TooLarge)));
    }
}
