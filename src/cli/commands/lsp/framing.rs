//! The editor's bytes, cut into messages that `async-lsp` can take: its main loop ends at the first one that it cannot.
//!
//! A message that breaks the protocol is answered here and goes no further. After bytes that belong to no message, reading goes on at the
//! next `Content-Length`.

use std::{
    io,
    pin::Pin,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, ready},
};

use async_lsp::ErrorCode;
use futures_util::{
    AsyncBufRead, AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, TryStreamExt as _, stream,
};
use serde_json::{Value, json};

/// Most bytes of a message: a draft that is refused for its length still gets here, and is told so.
const LONGEST_MESSAGE: usize = 64 << 20;
/// Most bytes of a header. Longer ones belong to no message.
const LONGEST_HEADER: usize = 16 << 10;
/// Bytes without a header that end the server.
const MOST_LOST: usize = LONGEST_MESSAGE;
const LENGTH: &[u8] = b"content-length:";

/// The messages of `input` that keep to the protocol. The others are answered through `output`.
///
/// `is_shut` becomes true as soon as the editor has asked for a shutdown.
pub(super) fn messages(
    input: impl AsyncRead + Unpin,
    output: SharedOutput<impl AsyncWrite + Unpin>,
    is_shut: Arc<AtomicBool>,
) -> impl AsyncBufRead {
    let greeted = Greeting::None;
    let frames = Frames { input, output, held: Vec::new(), lost: 0, is_told: false, is_over: false, greeted, is_shut };
    let passed =
        stream::try_unfold(frames, async |mut frames| Ok(frames.next().await?.map(|message| (message, frames))));
    Box::pin(passed).into_async_read()
}

/// How far the editor and the server have come in greeting each other.
#[derive(PartialEq, Eq)]
enum Greeting {
    None,
    Asked,
    Done,
}

struct Frames<R, W> {
    input: R,
    output: SharedOutput<W>,
    /// Bytes that were read and belong to no message yet.
    held: Vec<u8>,
    /// Bytes since the last message that belong to none.
    lost: usize,
    /// The editor was told that its bytes cannot be read, and none could be since.
    is_told: bool,
    is_over: bool,
    greeted: Greeting,
    is_shut: Arc<AtomicBool>,
}

/// Where the next message is.
enum Place {
    /// Its body begins at `start`; the bytes before its header are `lost`.
    Found {
        start: usize,
        length: usize,
        lost: usize,
    },
    /// Bytes that are no header.
    Lost(usize),
    More,
}

impl<R: AsyncRead + Unpin, W: AsyncWrite + Unpin> Frames<R, W> {
    /// The next message with its header; none at the end.
    async fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        loop {
            match place(&self.held) {
                Place::Found { start, length, lost } => {
                    self.lose(lost).await?;
                    self.held.drain(..start - lost);
                    self.lost = 0;
                    if let Some(message) = self.message(length).await? {
                        return Ok(Some(message));
                    }
                }
                Place::Lost(bytes) => self.lose(bytes).await?,
                Place::More if self.is_over => {
                    let rest = self.held.len();
                    self.lose(rest).await?;
                    return if self.lost == 0 { Ok(None) } else { Err(self.cannot_go_on("they end")) };
                }
                Place::More => self.read().await?,
            }
        }
    }

    async fn read(&mut self) -> io::Result<()> {
        let mut bytes = vec![0; 1 << 14];
        let read = self.input.read(&mut bytes).await?;
        self.is_over = read == 0;
        self.held.extend(bytes.iter().take(read));
        Ok(())
    }

    /// Leaves bytes out that are no message. The editor is told once.
    async fn lose(&mut self, bytes: usize) -> io::Result<()> {
        if bytes > 0 && !std::mem::replace(&mut self.is_told, true) {
            self.refuse(&Refusal::parse("a message begins with `Content-Length: ` and a number of bytes")).await?;
        }
        self.lost += bytes;
        self.held.drain(..bytes);
        if self.lost > MOST_LOST { Err(self.cannot_go_on("no message follows")) } else { Ok(()) }
    }

    fn cannot_go_on(&self, why: &str) -> io::Error {
        io::Error::new(io::ErrorKind::InvalidData, format!("{} bytes have no Content-Length, and {why}", self.lost))
    }

    /// The message of this length at the beginning of what is held, if it keeps to the protocol. An input that ends early ends it.
    async fn message(&mut self, length: usize) -> io::Result<Option<Vec<u8>>> {
        while self.held.len() < length && !self.is_over {
            self.read().await?;
        }
        let rest = self.held.split_off(length.min(self.held.len()));
        let mut body = std::mem::replace(&mut self.held, rest);
        if let Some(end) = end_before_a_header(&body) {
            // The length was too large, and the next message's header is in it.
            let taken = body.split_off(end);
            self.held.splice(..0, taken);
        }
        let judged = judged(&body);
        self.is_told = judged.as_ref().is_err_and(|refusal| refusal.code == ErrorCode::PARSE_ERROR);
        match judged {
            Ok(message) if self.is_expected(&message) => {
                let text = message.to_string();
                Ok(Some(format!("Content-Length: {}\r\n\r\n{text}", text.len()).into_bytes()))
            }
            Ok(_) => Ok(None),
            Err(refusal) => self.refuse(&refusal).await.map(|()| None),
        }
    }

    /// Whether the main loop takes a message now. This program asks the editor nothing, so an answer of it is left out; so is a second
    /// `initialized`, at which the main loop would end.
    fn is_expected(&mut self, message: &Value) -> bool {
        match message.get("method").and_then(Value::as_str) {
            Some("initialize") if self.greeted == Greeting::None => self.greeted = Greeting::Asked,
            Some("initialized") => {
                let expected = self.greeted == Greeting::Asked;
                self.greeted = if expected { Greeting::Done } else { return false };
            }
            // Before the greeting is done, the main loop refuses it.
            Some("shutdown") if self.greeted == Greeting::Done => self.is_shut.store(true, Ordering::Relaxed),
            Some(_) => {}
            None => return false,
        }
        true
    }

    async fn refuse(&mut self, refusal: &Refusal) -> io::Result<()> {
        let error = json!({ "code": refusal.code, "message": refusal.why });
        let text = json!({ "jsonrpc": "2.0", "id": refusal.id, "error": error }).to_string();
        let answer = format!("Content-Length: {}\r\n\r\n{text}", text.len());
        self.output.lock().ready.extend(answer.into_bytes());
        self.output.flush().await
    }
}

/// Finds the header of the next message: after bytes that belong to none, it begins at the last length that is named.
fn place(held: &[u8]) -> Place {
    let ends = |end: &[u8]| held.windows(end.len()).position(|bytes| bytes == end).map(|at| at + end.len());
    let Some(start) = [ends(b"\r\n\r\n"), ends(b"\n\n")].into_iter().flatten().min() else {
        // It may be the beginning of a header: kept.
        return if held.len() > LONGEST_HEADER { Place::Lost(held.len() - LONGEST_HEADER / 2) } else { Place::More };
    };
    let header = held.get(..start).unwrap_or_default();
    let length = |at: usize| {
        let line = header.get(at + LENGTH.len()..)?.split(|byte| *byte == b'\n').next()?;
        std::str::from_utf8(line).ok()?.trim().parse::<usize>().ok().filter(|length| *length <= LONGEST_MESSAGE)
    };
    let named = header.windows(LENGTH.len()).rposition(|bytes| bytes.eq_ignore_ascii_case(LENGTH));
    let Some((at, length)) = named.and_then(|at| Some((at, length(at)?))) else { return Place::Lost(start) };
    // Other lines of a header may stand before it.
    let before = header.get(..at).unwrap_or_default();
    let is_header =
        before.is_empty() || before.ends_with(b"\n") && before.to_ascii_lowercase().starts_with(b"content-type:");
    Place::Found { start, length, lost: if is_header { 0 } else { at } }
}

/// Where the first value of a body ends, if the header of another message follows it.
fn end_before_a_header(body: &[u8]) -> Option<usize> {
    let mut values = serde_json::Deserializer::from_slice(body).into_iter::<Value>();
    values.next()?.ok()?;
    let end = values.byte_offset();
    let rest = body.get(end..)?.trim_ascii_start();
    let both = rest.len().min(LENGTH.len());
    let begins = !rest.is_empty() && rest.get(..both)?.eq_ignore_ascii_case(LENGTH.get(..both)?);
    begins.then_some(end)
}

/// Why a message is not taken.
struct Refusal {
    code: ErrorCode,
    id: Value,
    why: String,
}

impl Refusal {
    fn parse(why: impl Into<String>) -> Self {
        Self { code: ErrorCode::PARSE_ERROR, id: Value::Null, why: why.into() }
    }

    fn invalid(id: Value, why: &str) -> Self {
        Self { code: ErrorCode::INVALID_REQUEST, id, why: why.to_owned() }
    }
}

/// A body as the main loop reads it.
fn judged(body: &[u8]) -> Result<Value, Refusal> {
    let message: Value =
        serde_json::from_slice(body).map_err(|error| Refusal::parse(format!("the message is no JSON: {error}")))?;
    let Value::Object(fields) = &message else {
        return Err(Refusal::invalid(Value::Null, "a message is one JSON object; batches are not taken"));
    };
    let id = fields.get("id").cloned();
    // The protocol's whole numbers have 32 bits.
    let is_known = |id: &Value| id.is_string() || id.as_i64().is_some_and(|id| i32::try_from(id).is_ok());
    let back = id.clone().filter(|id| id.is_string() || id.is_number()).unwrap_or_default();
    let is_answer = fields.contains_key("result") || fields.contains_key("error");
    match fields.get("method") {
        None if is_answer => return Ok(message),
        Some(Value::String(_)) => {}
        _ => return Err(Refusal::invalid(back, "a message names its method in words")),
    }
    if fields.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return Err(Refusal::invalid(back, "`jsonrpc` is \"2.0\""));
    }
    match id {
        Some(id) if !is_known(&id) => Err(Refusal::invalid(back, "an id is a text or a whole number of 32 bits")),
        _ => Ok(message),
    }
}

/// The server's output. The main loop and [`messages`] both write to it, each a whole message at a time.
pub(super) struct SharedOutput<W>(Arc<Mutex<Outgoing<W>>>);

struct Outgoing<W> {
    output: W,
    /// Whole messages that are to be sent.
    ready: Vec<u8>,
    /// A message of the main loop that is not flushed yet.
    begun: Vec<u8>,
}

impl<W> SharedOutput<W> {
    pub(super) fn new(output: W) -> Self {
        Self(Arc::new(Mutex::new(Outgoing { output, ready: Vec::new(), begun: Vec::new() })))
    }

    fn lock(&self) -> MutexGuard<'_, Outgoing<W>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<W> Clone for SharedOutput<W> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<W: AsyncWrite + Unpin> AsyncWrite for SharedOutput<W> {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.lock().begun.extend(bytes);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut outgoing = self.lock();
        let Outgoing { output, ready, begun } = &mut *outgoing;
        ready.append(begun);
        while !ready.is_empty() {
            let written = ready!(Pin::new(&mut *output).poll_write(context, ready))?;
            if written == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            ready.drain(..written);
        }
        Pin::new(output).poll_flush(context)
    }

    fn poll_close(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_flush(context)
    }
}
