//! Reading a body to its end, bounded.
//!
//! The form of a body is read from its lines, not from its announced type: servers announce streams as `text/plain` or JSON, and whole
//! bodies as streams. It may be server-sent events (WHATWG HTML, section 9.2), lines of JSON (Ollama's), or one body of JSON. Only the
//! `data` of the events matters, and the event `error`.

use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use reqwest::{Response, header::CONTENT_ENCODING};
use serde_json::Value;

use super::{
    answer::{AnswerEnding, Failed, PartialAnswer},
    broken::{Broken, MOST_TEXT},
    length::Length,
    lines::LineSplitter,
    overflow,
    patience::{BodyState, Patience},
    repeats::Repeats,
};
use copydesk_core::ports::{CallError, Heard};
use copydesk_text::sanitise;

/// Most bytes of a body: the envelope of a stream is many times its text.
const MOST_BODY: usize = 64 << 20;
/// Most bytes of an error's body.
pub(super) const MOST_ERROR: usize = 64 << 10;
/// Most characters of something that is no answer, for a message.
const MOST_QUOTED: usize = 200;

/// How an answer is read.
pub(super) struct Reading<'a> {
    /// Whether the model may call tools.
    pub(super) calls: bool,
    /// Most tokens that were asked for; none if the request set no limit.
    pub(super) max_tokens: Option<u64>,
    pub(super) patience: &'a Patience,
    pub(super) heard: Heard<'a>,
}

/// Reads an answer, whatever form it has.
pub(super) async fn answer(response: Response, reading: &Reading<'_>) -> Result<PartialAnswer, Broken> {
    if let Some(encoding) = response.headers().get(CONTENT_ENCODING).filter(|encoding| *encoding != "identity") {
        let encoding = sanitise::excerpt(&String::from_utf8_lossy(encoding.as_bytes()), 40);
        return Err(Broken::Unreadable(format!("it is compressed ({encoding}), though that was not asked for")));
    }
    answer_of(bounded(response, MOST_BODY), reading).await
}

/// The text of the events of `body`, which comes in packets of seven bytes, or why there is none: for the fuzzer.
///
/// # Errors
/// As a call has them.
#[doc(hidden)]
pub fn answer_in(body: &[u8], calls: bool) -> Result<String, CallError> {
    let read = read_at_once(body.chunks(7), calls);
    read.map(|answer| answer.text).map_err(|broken| broken.into_error(String::new(), str::to_owned))
}

/// Reads packets that are all there. Time cannot run out, so no clock is needed.
fn read_at_once(packets: impl Iterator<Item: AsRef<[u8]>>, calls: bool) -> Result<PartialAnswer, Broken> {
    let mut answer = AnswerReader::new(calls, None);
    for packet in packets {
        if answer.take(packet.as_ref(), &|_| {})? {
            break;
        }
    }
    answer.finish(&|_| {})
}

async fn answer_of(
    packets: impl Stream<Item = Result<Bytes, Broken>>,
    reading: &Reading<'_>,
) -> Result<PartialAnswer, Broken> {
    let mut answer = AnswerReader::new(reading.calls, reading.max_tokens);
    let mut packets = Box::pin(packets);
    loop {
        match reading.patience.wait(answer.state(), packets.next()).await {
            Ok(Some(Ok(packet))) => {
                if answer.take(&packet, reading.heard)? {
                    break;
                }
            }
            Ok(None) => break,
            // The answer is whole, whatever happens behind it.
            Ok(Some(Err(_))) | Err(_) if answer.draft.has_ended() => break,
            Ok(Some(Err(broken))) => return Err(broken),
            Err(late) => return Err(Broken::Late(late)),
        }
    }
    answer.finish(reading.heard)
}

/// Puts an answer together from the lines of a body.
#[derive(Default)]
struct AnswerReader {
    lines: LineSplitter,
    draft: PartialAnswer,
    repeats: [Repeats; 2],
    length: Length,
    /// The name of the event that is read.
    event: Vec<u8>,
    /// The data of an event that spans several lines.
    data: Vec<u8>,
    /// A body of JSON that spans several lines.
    body: Vec<u8>,
    /// The first line that is of no known form.
    odd: Option<String>,
    /// Whether any byte came.
    begun: bool,
    /// Whether there was a message of the protocol.
    any: bool,
}

impl AnswerReader {
    fn new(calls: bool, max_tokens: Option<u64>) -> Self {
        Self { draft: PartialAnswer::new(calls), length: Length::new(max_tokens), ..Self::default() }
    }

    fn state(&self) -> BodyState {
        let is_whole = !self.body.is_empty() || !self.any && matches!(self.lines.begins_with(), Some(b'{' | b'['));
        match (self.draft.has_ended(), self.begun) {
            (true, _) => BodyState::Ended,
            (false, false) => BodyState::Nothing,
            (false, true) if is_whole => BodyState::Whole,
            (false, true) => BodyState::Pieces,
        }
    }

    /// Reads the lines that a packet completes. True at the mark of the end.
    fn take(&mut self, packet: &[u8], heard: Heard<'_>) -> Result<bool, Broken> {
        self.begun |= !packet.is_empty();
        for line in self.lines.take(packet)? {
            if self.line(&line, heard)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn line(&mut self, line: &[u8], heard: Heard<'_>) -> Result<bool, Broken> {
        if !self.body.is_empty() {
            self.body.extend_from_slice(line);
            self.body.push(b'\n');
            return if self.body.len() > MOST_TEXT { Err(Broken::TooLarge) } else { Ok(false) };
        }
        let line = line.trim_ascii();
        let (field, value) = match line.iter().position(|byte| *byte == b':') {
            Some(colon) => {
                (line.get(..colon).unwrap_or_default(), line.get(colon + 1..).unwrap_or_default().trim_ascii())
            }
            None => (line, &b""[..]),
        };
        match (line.first(), field) {
            // The end of an event.
            (None, _) => {
                self.close_event(heard)?;
                self.event.clear();
            }
            (Some(b'{' | b'['), _) if is_done(line) => return Ok(self.end()),
            (Some(b'{' | b'['), _) => self.json(line, heard)?,
            (_, b"data") if is_done(value) => return Ok(self.end()),
            (_, b"data") => self.data(value, heard)?,
            // llama.cpp has sent errors so.
            (_, b"error") => return Err(failure(value)),
            (_, b"event") => self.event = value.to_vec(),
            // A comment, or a field that means nothing here.
            (_, b"" | b"id" | b"retry") => {}
            _ => {
                let quoted = || sanitise::excerpt(&String::from_utf8_lossy(line), MOST_QUOTED);
                self.odd.get_or_insert_with(quoted);
            }
        }
        Ok(false)
    }

    fn end(&mut self) -> bool {
        self.any = true;
        self.draft.end_if(true);
        true
    }

    /// A line of data: an event, as all servers send it, or a part of one.
    fn data(&mut self, value: &[u8], heard: Heard<'_>) -> Result<(), Broken> {
        if value.is_empty() {
            return Ok(());
        }
        if self.event.eq_ignore_ascii_case(b"error") {
            return Err(failure(value));
        }
        if !self.data.is_empty() {
            self.data.push(b'\n');
            self.data.extend_from_slice(value);
            return if self.data.len() > MOST_TEXT { Err(Broken::TooLarge) } else { Ok(()) };
        }
        match serde_json::from_slice::<Value>(value) {
            Ok(message) => self.message(&message, heard),
            Err(error) if error.is_eof() => {
                self.data.extend_from_slice(value);
                Ok(())
            }
            Err(error) => Err(not_json("a chunk", &error)),
        }
    }

    /// An event that spans several lines is over.
    fn close_event(&mut self, heard: Heard<'_>) -> Result<(), Broken> {
        let data = std::mem::take(&mut self.data);
        if data.is_empty() {
            return Ok(());
        }
        let message: Value = serde_json::from_slice(&data).map_err(|error| not_json("a chunk", &error))?;
        self.message(&message, heard)
    }

    /// A line of JSON: a message of its own, or the beginning of a body.
    fn json(&mut self, line: &[u8], heard: Heard<'_>) -> Result<(), Broken> {
        match serde_json::from_slice::<Value>(line) {
            Ok(message) => self.whole(&message, heard),
            Err(error) if error.is_eof() => {
                self.body.extend_from_slice(line);
                self.body.push(b'\n');
                Ok(())
            }
            Err(error) => Err(not_json("the body", &error)),
        }
    }

    /// A body of JSON: if it is an answer, then a whole one.
    fn whole(&mut self, body: &Value, heard: Heard<'_>) -> Result<(), Broken> {
        self.message(body, heard)?;
        let choice = body.pointer("/choices/0");
        self.draft.end_if(choice.is_some_and(|choice| choice.get("delta").is_none()));
        Ok(())
    }

    fn message(&mut self, message: &Value, heard: Heard<'_>) -> Result<(), Broken> {
        if let Value::Array(messages) = message {
            return messages.iter().try_for_each(|message| self.message(message, heard));
        }
        self.any = true;
        let thought = self.draft.thinking.len();
        let text = self.draft.add(message).map_err(Broken::Failed)?;
        if self.draft.text.len().max(self.draft.thinking.len()) > MOST_TEXT {
            return Err(Broken::TooLarge);
        }
        if let Some(flaw) = self.draft.calls.as_ref().and_then(|calls| calls.flaw.clone()) {
            return Err(Broken::Unusable(flaw));
        }
        if !text.is_empty() {
            heard(&text);
        }
        let thoughts = self.draft.thinking.get(thought..).unwrap_or_default();
        let [of_text, of_thinking] = &mut self.repeats;
        for (repeats, piece) in [(of_text, text.as_str()), (of_thinking, thoughts)] {
            if repeats.take(piece) {
                let said = sanitise::excerpt(&repeats.repeated(), MOST_QUOTED);
                return Err(Broken::Unusable(format!("{}, so it was cut off: “{said}”", CallError::REPEATS)));
            }
        }
        // An answer that has ended is not cut at a limit of length.
        if self.draft.has_ended() { Ok(()) } else { self.length.check(&self.draft.text, &self.draft.thinking) }
    }

    /// The answer, if it is one.
    fn finish(mut self, heard: Heard<'_>) -> Result<PartialAnswer, Broken> {
        if !self.draft.has_ended() {
            self.read_rest(heard)?;
        }
        // Some servers send no [DONE]; a finish reason will do. Without both, the stream was cut off.
        match (self.draft.ending != AnswerEnding::Open, self.any, self.odd.take()) {
            // A refusal, or a call where no tool was offered, must not pass for an empty answer.
            (true, ..) if self.draft.declined => {
                Err(Broken::Unreadable("the model refused, or called a tool, instead of answering".to_owned()))
            }
            (true, ..) => Ok(self.draft),
            // Within an event.
            _ if !self.data.is_empty() => Err(Broken::CutOff),
            (false, true, _) if self.draft.chosen => Err(Broken::CutOff),
            (false, true, _) => Err(Broken::Unreadable("the body has no choices".to_owned())),
            (false, false, Some(odd)) => Err(match overflow::in_words(200, &odd.to_lowercase()) {
                Some(overflow) => Broken::Failed(Failed { status: 200, message: odd, overflow: Some(overflow) }),
                None => Broken::Unreadable(format!("the body is not JSON: {odd}")),
            }),
            (false, false, None) => Err(Broken::Empty),
        }
    }

    /// Reads what stands behind the last line end, and a body of several lines.
    fn read_rest(&mut self, heard: Heard<'_>) -> Result<(), Broken> {
        let rest = self.lines.close();
        let is_json = matches!(rest.trim_ascii().first(), Some(b'{' | b'['));
        if self.body.is_empty() && !is_json {
            let value = rest.trim_ascii().strip_prefix(b"data:").map(<[u8]>::trim_ascii);
            // The beginning of a line is none.
            if value.is_some_and(|value| !is_done(value) && serde_json::from_slice::<Value>(value).is_err()) {
                return Err(Broken::CutOff);
            }
            return self.line(&rest, heard).map(drop);
        }
        self.body.extend_from_slice(&rest);
        let body = std::mem::take(&mut self.body);
        if is_done(&body) {
            self.end();
            return Ok(());
        }
        for message in serde_json::Deserializer::from_slice(&body).into_iter::<Value>() {
            self.whole(&message.map_err(|error| not_json("the body", &error))?, heard)?;
        }
        Ok(())
    }
}

/// The mark of the end, in the ways that servers write it.
fn is_done(value: &[u8]) -> bool {
    let value = value.trim_ascii();
    let value = value.strip_prefix(b"\"").and_then(|value| value.strip_suffix(b"\"")).unwrap_or(value);
    value.eq_ignore_ascii_case(b"[DONE]")
}

/// The failure that an event of the name `error` tells, in JSON or in words.
fn failure(value: &[u8]) -> Broken {
    if let Ok(error) = serde_json::from_slice::<Value>(value) {
        return Broken::Failed(Failed::of(&error));
    }
    let message = sanitise::one_line(&String::from_utf8_lossy(value));
    Broken::Failed(Failed { status: 500, overflow: overflow::in_words(500, &message.to_lowercase()), message })
}

/// JSON that ends too early may be whole the next time; any other text would come again.
fn not_json(what: &str, error: &serde_json::Error) -> Broken {
    let detail = format!("{what} is not JSON: {error}");
    if error.is_eof() { Broken::Closed(detail) } else { Broken::Unreadable(detail) }
}

/// A body as far as it can be read, and at most so many bytes of it.
pub(crate) async fn beginning(response: Response, most: usize) -> Vec<u8> {
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
    use serde_json::json;

    use super::{super::overflow::Overflow, *};

    fn read(body: impl AsRef<[u8]>) -> Result<PartialAnswer, Broken> {
        read_at_once(body.as_ref().chunks(5), false)
    }

    fn text(body: impl AsRef<[u8]>) -> String {
        read(body).unwrap().text
    }

    fn chunk(text: &str) -> String {
        json!({"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": null}]}).to_string()
    }

    fn last() -> String {
        json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}).to_string()
    }

    #[test]
    fn events_are_read_however_a_server_writes_them() {
        let (one, two, last) = (chunk("Good "), chunk("news"), last());
        for (name, body) in [
            ("as most", format!("data: {one}\n\ndata: {two}\n\ndata: {last}\n\ndata: [DONE]\n\n")),
            ("no space", format!("data:{one}\n\ndata:{two}\n\ndata:{last}\n\ndata:[DONE]\n\n")),
            ("CR LF", format!("data: {one}\r\n\r\ndata: {two}\r\n\r\ndata: [DONE]\r\n\r\n")),
            ("CR", format!("data: {one}\r\rdata: {two}\r\rdata: [DONE]\r\r")),
            ("no empty lines", format!("data: {one}\ndata: {two}\ndata: [DONE]\n")),
            (
                "comments",
                format!(": OPENROUTER PROCESSING\n\n:\ndata: {one}\n\n: ping\n\ndata: {two}\n\ndata: [DONE]\n\n"),
            ),
            (
                "names and ids",
                format!(
                    "event: message\nid: 7\nretry: 10\ndata: {one}\n\nevent: completion\ndata: {two}\n\ndata: [DONE]\n\n"
                ),
            ),
            (
                "empty data",
                format!(
                    "data:\n\ndata: {one}\n\ndata: \n\ndata: {{}}\n\ndata: null\n\ndata: {two}\n\ndata: [DONE]\n\n"
                ),
            ),
            ("no [DONE]", format!("data: {one}\n\ndata: {two}\n\ndata: {last}\n\n")),
            ("no line end", format!("data: {one}\n\ndata: {two}\n\ndata: {last}")),
            ("a done without line end", format!("data: {one}\n\ndata: {two}\n\ndata: [DONE]")),
            ("no reason", format!("data: {one}\n\ndata: {two}\n\ndata: [DONE]\n\n")),
            (
                "usage alone at the end",
                format!(
                    "data: {one}\n\ndata: {two}\n\ndata: {}\n\n",
                    json!({"choices": [], "usage": {"prompt_tokens": 1, "completion_tokens": 2}})
                ),
            ),
            (
                "several lines",
                format!("data: {}\n\ndata: {two}\n\ndata: [DONE]\n\n", one.replacen(":[", ":\ndata: [", 1)),
            ),
            ("a mark and blanks before", format!("\u{feff}\n\n  data: {one}\n\ndata: {two}\n\ndata: \"[DONE]\"\n\n")),
            ("lines of JSON", format!("{one}\n{two}\n{last}\n")),
            ("lines of JSON with a done", format!("{one}\n{two}\n[DONE]\n")),
            (
                "a whole answer as an event",
                format!("data: {}\n\n", json!({"choices": [{"message": {"content": "Good news"}}]})),
            ),
            ("a list", format!("[{one},\n{two},\n{last}]")),
        ] {
            assert_eq!(text(&body), "Good news", "{name}");
        }
    }

    #[test]
    fn a_whole_body_is_read_in_one_line_or_many_and_so_are_ollamas_lines() {
        let body = json!({"choices": [{"message": {"content": "Good\nnews"}, "finish_reason": null}], "usage": {"prompt_tokens": 3, "completion_tokens": 2}});
        for body in [body.to_string(), format!("\n\n{body}\n"), serde_json::to_string_pretty(&body).unwrap()] {
            let answer = read(&body).unwrap();
            assert_eq!((answer.text.as_str(), answer.usage.prompt_tokens), ("Good\nnews", Some(3)), "{body}");
        }
        let piece =
            |text: &str| json!({"model": "m", "message": {"role": "assistant", "content": text}, "done": false});
        let done = json!({"model": "m", "message": {"role": "assistant", "content": ""}, "done": true, "done_reason": "stop", "prompt_eval_count": 26, "eval_count": 2});
        let answer = read(format!("{}\n{}\n{done}\n", piece("Good "), piece("news"))).unwrap();
        assert_eq!(
            (answer.text.as_str(), answer.usage.prompt_tokens, answer.usage.completion_tokens),
            ("Good news", Some(26), Some(2))
        );
        assert_eq!(read(format!("{}\n", piece("Good "))).unwrap_err(), Broken::CutOff);
        let cut = done.to_string().replace("\"stop\"", "\"length\"");
        assert_eq!(read(cut).unwrap().finished(), super::super::finish::Finish::Cut);
    }

    #[test]
    fn a_failure_is_found_in_each_form() {
        let overflow = |sent, window| Some(Overflow { sent: Some(sent), window: Some(window) });
        let error = json!({"error": {"code": 400, "message": "request (9800 tokens) exceeds the available context size (4096 tokens)", "type": "exceed_context_size_error", "n_prompt_tokens": 9800, "n_ctx": 4096}});
        for body in [
            error.to_string(),
            serde_json::to_string_pretty(&error).unwrap(),
            format!("data: {error}\n\n"),
            format!("data: {}\n\ndata: {error}\n\n", chunk("Go")),
            format!("event: error\ndata: {}\n\n", error["error"]),
            format!("error: {}\n\n", error["error"]),
            "event: error\ndata: request (9800 tokens) exceeds the available context size (4096 tokens)\n\n".to_owned(),
            "request (9800 tokens) exceeds the available context size (4096 tokens)".to_owned(),
        ] {
            let Err(Broken::Failed(failed)) = read(&body) else { panic!("{body}") };
            assert_eq!(failed.overflow, overflow(9800, 4096), "{body}");
        }
        let Err(Broken::Failed(failed)) = read("event: error\ndata: out of memory\n\n") else { panic!() };
        assert_eq!((failed.status, failed.message.as_str(), failed.overflow), (500, "out of memory", None));
    }

    #[test]
    fn what_breaks_off_is_told_from_what_is_no_answer() {
        assert_eq!(read("").unwrap_err(), Broken::Empty);
        assert_eq!(read(": ping\n\n").unwrap_err(), Broken::Empty);
        assert_eq!(read(format!("data: {}\n\n", chunk("Go"))).unwrap_err(), Broken::CutOff);
        assert_eq!(read("data: {\"choices\":[{\"del").unwrap_err(), Broken::CutOff);
        assert!(
            matches!(read("data: {\"choices\n\n"), Err(Broken::Closed(why)) if why.starts_with("a chunk is not JSON"))
        );
        assert!(
            matches!(read("data: {a}\n\n"), Err(Broken::Unreadable(why)) if why.starts_with("a chunk is not JSON"))
        );
        assert!(
            matches!(read("{\"choices\": [{\"mess"), Err(Broken::Closed(why)) if why.starts_with("the body is not JSON"))
        );
        assert!(matches!(read("<html>Log in</html>"), Err(Broken::Unreadable(why)) if why.contains("<html>Log in")));
        assert_eq!(read("{\"choices\": []}").unwrap_err(), Broken::Unreadable("the body has no choices".into()));
        assert_eq!(text("data: [DONE]\n\n"), "");
        assert_eq!(text("{\"choices\": [{\"text\": \"of an older protocol\"}]}"), "of an older protocol");
    }

    #[test]
    fn an_answer_that_repeats_itself_is_cut_off_while_it_streams() {
        let bullet =
            "- “The council voted seven to two on Tuesday” unsupported_fact: the source does not say so at all.\n";
        let pieces = std::cell::Cell::new(0);
        let endless =
            std::iter::repeat_n(format!("data: {}\n\n", chunk(bullet)), 5000).inspect(|_| pieces.set(pieces.get() + 1));
        let Err(Broken::Unusable(why)) = read_at_once(endless, false) else { panic!() };
        assert!(why.starts_with("it says the same again and again, so it was cut off: “"), "{why}");
        assert!(why.contains("council voted seven"), "{why}");
        assert!(pieces.get() < 10, "{}", pieces.get());
        let thought = json!({"choices": [{"delta": {"reasoning_content": "Wait, let me check the vote once more. "}}]});
        let body = format!("data: {thought}\n\n").repeat(400);
        assert!(matches!(super::tests::read(body), Err(Broken::Unusable(_))), "thinking too");
    }

    #[test]
    fn a_server_that_ignores_max_tokens_is_cut_off() {
        let mut answer = AnswerReader::new(false, Some(100));
        let mut taken = 0;
        let broken = (0..10_000).find_map(|n| {
            taken += 1;
            let piece = format!("data: {}\n\n", chunk(&format!("word{n} and another ")));
            answer.take(piece.as_bytes(), &|_| {}).err()
        });
        assert_eq!(broken, Some(Broken::TooLong { max_tokens: 100 }));
        assert!((40..400).contains(&taken), "{taken}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_server_that_keeps_the_connection_open_behind_its_answer_is_not_waited_for() {
        let patience = Patience::new(60.0, Some(100));
        let said = format!("data: {}\n\ndata: {}\n\n", chunk("Good news"), last());
        let open = futures_util::stream::iter([Ok(Bytes::from(said))]).chain(futures_util::stream::pending());
        let reading = Reading { calls: false, max_tokens: Some(100), patience: &patience, heard: &|_| {} };
        let began = tokio::time::Instant::now();
        assert_eq!(answer_of(open, &reading).await.unwrap().text, "Good news");
        assert!(began.elapsed().as_secs() <= 5);
    }
}
