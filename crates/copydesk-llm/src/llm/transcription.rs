//! Transcription behind any OpenAI-compatible server's `/audio/transcriptions`.

use std::{io, ops::Range, time::Duration};

use bytes::Bytes;
use futures_util::{Stream, StreamExt as _, stream as streams};
use reqwest::{
    Body,
    header::{CONTENT_LENGTH, CONTENT_TYPE},
};
use serde_json::Value;
use tokio::{fs::File, io::AsyncReadExt as _};

use super::{refusal, said, service::HttpService, slots};
use copydesk_config::{ServerSettings, Settings, TranscriptionServer};
use copydesk_core::ports::{CallError, Recording, TranscribeError, Transcription, WaitedFor};
use copydesk_documents::{Cue, LATEST, parse_cues};
use copydesk_text::sanitise;

/// The forms that a server is asked for, and what is to have a time in them; the best first. Another one is asked for only if a server
/// says that it does not know the form, or no times of words.
const FORMS: [(&str, &[&str]); 4] =
    [("verbose_json", &["segment", "word"]), ("verbose_json", &["segment"]), ("srt", &[]), ("json", &[])];
/// The field that says what is to have a time.
const GRANULARITIES: &str = "timestamp_granularities";
/// Words of a lower probability are unsure: the recogniser itself holds it likelier that they are wrong.
const SURE: f64 = 0.5;
/// A segment of a lower mean probability is unsure as a whole, if its words have none. A mean hides its worst word: nine words at 0.95 and one
/// at 0.05 have 0.71. Measured in `docs/measurements.md`, "A real model".
const SURE_ON_THE_WHOLE: f64 = 0.7;
/// Most bytes of an answer: some days of speech, with every word's time.
const MOST_ANSWER: usize = 16 << 20;
/// Bytes of a file that are in memory at once.
const PIECE: u64 = 64 << 10;

/// Sends recordings to a server.
pub struct TranscriptionClient {
    service: HttpService,
    server: TranscriptionServer,
    servers: ServerSettings,
}

impl TranscriptionClient {
    /// A client for this server, one of those in `settings`.
    pub fn new(server: TranscriptionServer, settings: &Settings) -> Self {
        let service = HttpService::new(settings.privacy.local_only, settings.secrets());
        Self { service, server, servers: settings.desk.servers.clone() }
    }

    async fn asked(&self, recording: &Recording) -> Result<Transcription, TranscribeError> {
        let mut unknown = None;
        let mut forms = FORMS.into_iter().peekable();
        while let Some((form, timed)) = forms.next() {
            if unknown == Some(form) {
                continue;
            }
            match self.ask(recording, form, timed).await {
                Err(TranscribeError::Call(CallError::Status { status: 400 | 422, message, .. }))
                    if timed.contains(&"word") && message.contains(GRANULARITIES) => {}
                Err(TranscribeError::Call(CallError::Status { status: 400 | 422, message, .. }))
                    if forms.peek().is_some() && (message.contains("response_format") || message.contains(form)) =>
                {
                    unknown = Some(form);
                }
                answer => return answer,
            }
        }
        Err(TranscribeError::Silent { host: self.host() })
    }

    async fn ask(&self, recording: &Recording, form: &str, timed: &[&str]) -> Result<Transcription, TranscribeError> {
        let host = self.host();
        let file = File::open(&recording.path).await?;
        // No file holds its own digest, so this cannot stand in it.
        let boundary = format!("copydesk-{}", recording.digest);
        let (head, tail) = self.frame(recording, (form, timed), &boundary);
        let length = (head.len() + tail.len()) as u64 + recording.bytes;
        let whole = |part: String| streams::once(std::future::ready(Ok(Bytes::from(part))));
        let body = whole(head).chain(pieces(file, recording.bytes)).chain(whole(tail));
        let build = |http: &reqwest::Client, url: &str| {
            http.post(url)
                .bearer_auth(self.server.api_key.reveal())
                .header(CONTENT_TYPE, format!("multipart/form-data; boundary={boundary}"))
                .header(CONTENT_LENGTH, length)
                .body(Body::wrap_stream(body))
        };
        let asked = self.service.bytes(&self.server.endpoint, "/audio/transcriptions", MOST_ANSWER, build).await;
        let read = String::from_utf8(asked.map_err(TranscribeError::Call)?)
            .map_err(|error| Unusable::Unreadable(error.to_string()))
            .and_then(|text| heard(&self.service.secrets.hide_in_answer(text)));
        read.map_err(|unusable| match unusable {
            Unusable::Failed(message) => {
                let message = refusal::shown(&message, &self.service.secrets);
                TranscribeError::Call(CallError::Status { host, status: 200, message, retry_after: None })
            }
            Unusable::Unreadable(detail) => TranscribeError::Call(CallError::Unreadable { host, detail }),
            Unusable::Silent => TranscribeError::Silent { host },
        })
    }

    /// The bytes before and after the recording in the body of a request (RFC 7578).
    fn frame(&self, recording: &Recording, (form, timed): (&str, &[&str]), boundary: &str) -> (String, String) {
        let granularities = format!("{GRANULARITIES}[]");
        let mut fields = vec![("model", self.server.model.as_str()), ("response_format", form)];
        fields.extend(self.server.language.as_deref().map(|language| ("language", language)));
        fields.extend(timed.iter().map(|timed| (granularities.as_str(), *timed)));
        let fields = fields.into_iter().map(|(name, value)| {
            format!("--{boundary}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
        });
        let (ending, kind) = (recording.format.ending(), recording.format.media_type());
        // The file's own name is not sent.
        let file = format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"recording.{ending}\"\r\n\
             Content-Type: {kind}\r\n\r\n"
        );
        (fields.chain([file]).collect(), format!("\r\n--{boundary}--\r\n"))
    }

    fn host(&self) -> String {
        self.server.endpoint.authority()
    }

    /// Transcribes a recording. It is sent as a whole and read from its file piece by piece. No server is asked twice for the same form.
    ///
    /// # Errors
    /// [`TranscribeError`]
    pub async fn transcribe(&self, recording: &Recording) -> Result<Transcription, TranscribeError> {
        let _slot = slots::take(&self.server.endpoint, &self.servers).await;
        let seconds = self.server.timeout_seconds;
        let limit = Duration::from_secs_f64(seconds);
        let wait = WaitedFor::WholeAnswer;
        let late = |_| Err(TranscribeError::Call(CallError::TimedOut { host: self.host(), seconds, wait }));
        tokio::time::timeout(limit, self.asked(recording)).await.unwrap_or_else(late)
    }
}

/// The first `left` bytes of a file, piece by piece.
fn pieces(file: File, left: u64) -> impl Stream<Item = io::Result<Bytes>> {
    streams::unfold(Some((file, left)), |state| async move {
        let (mut file, left) = state.filter(|(_, left)| *left > 0)?;
        let mut piece = vec![0; usize::try_from(left.min(PIECE)).unwrap_or_default()];
        let read = file.read(&mut piece).await.and_then(|read| match read {
            0 => Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the recording became shorter meanwhile")),
            read => Ok(read),
        });
        Some(match read {
            Ok(read) => {
                piece.truncate(read);
                (Ok(piece.into()), Some((file, left.saturating_sub(read as u64))))
            }
            Err(error) => (Err(error), None),
        })
    })
}

/// Why an answer is no transcript.
#[derive(Debug, PartialEq)]
enum Unusable {
    Failed(String),
    Unreadable(String),
    Silent,
}

/// Reads an answer in any of its forms: a server may use another form than the one that it was asked for.
fn heard(text: &str) -> Result<Transcription, Unusable> {
    let text = text.trim_start_matches('\u{FEFF}').trim();
    if text.starts_with('{') {
        let value: Value = serde_json::from_str(text)
            .map_err(|error| Unusable::Unreadable(format!("its answer is not JSON ({error})")))?;
        return of_json(&value);
    }
    if text.starts_with('<') {
        return Err(Unusable::Unreadable("it answered with a web page".into()));
    }
    match parse_cues(text) {
        cues if !cues.is_empty() => Ok(in_order(cues, false)),
        _ if text.starts_with("WEBVTT") || text.contains("-->") => Err(Unusable::Silent),
        _ => untimed(text),
    }
}

fn of_json(value: &Value) -> Result<Transcription, Unusable> {
    if value.get("error").is_some_and(|error| !error.is_null()) {
        return Err(Unusable::Failed(said::message(value)));
    }
    let text = value.get("text").and_then(Value::as_str);
    let segments = value.get("segments").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let all_words = value.get("words").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let mut mended = false;
    let mut time = |segment: &Value, key: &str| {
        let wanted = segment.get(key)?.as_f64()? * 1000.0;
        let possible = wanted.clamp(0.0, f64::from(LATEST));
        mended |= (possible - wanted).abs() > 0.0;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is between 0 and LATEST")]
        Some(possible.round() as u32)
    };
    let cues: Option<Vec<Cue>> = segments
        .iter()
        .map(|segment| {
            let (start, end) = (time(segment, "start")?, time(segment, "end")?);
            let voice = segment.get("speaker").and_then(Value::as_str).map(str::to_owned);
            let words = sanitise::one_line(segment.get("text")?.as_str()?);
            let unsure = unsure(segment, all_words, &words);
            Some(Cue { start, end, voice, words, unsure })
        })
        .collect();
    match (cues, text) {
        (Some(mut cues), _) if !cues.is_empty() => {
            cues.retain(|cue| !sanitise::is_blank(&cue.words));
            if cues.is_empty() { Err(Unusable::Silent) } else { Ok(in_order(cues, mended)) }
        }
        (_, Some(text)) => untimed(text),
        (_, None) => Err(Unusable::Unreadable("its answer has neither `segments` with times nor `text`".into())),
    }
}

/// The bytes of a segment's `text` that the server was unsure of, by the probabilities of its words. They stand in the segment, or all
/// together in `all`. Without any, the segment's own decides.
fn unsure(segment: &Value, all: &[Value], text: &str) -> Vec<Range<usize>> {
    let number = |value: &Value, key: &str| value.get(key).and_then(Value::as_f64);
    let own = segment.get("words").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let span = number(segment, "start").zip(number(segment, "end"));
    let inside = |word: &&Value| {
        number(word, "start").zip(span).is_some_and(|(at, (start, end))| (start..end.max(start)).contains(&at))
    };
    let words: Vec<&Value> = if own.is_empty() { all.iter().filter(inside).collect() } else { own.iter().collect() };
    if !words.iter().any(|word| number(word, "probability").is_some()) {
        let doubtful =
            number(segment, "avg_logprob").is_some_and(|mean| mean.exp() < SURE_ON_THE_WHOLE) && !text.is_empty();
        return doubtful.then_some(0..text.len()).into_iter().collect();
    }
    let mut unsure: Vec<Range<usize>> = Vec::new();
    let mut from = 0;
    for word in words {
        let said = sanitise::one_line(word.get("word").and_then(Value::as_str).unwrap_or_default());
        // Marks of a sentence are no words.
        let said = said.trim_matches(|c: char| !c.is_alphanumeric());
        let Some(at) = text.get(from..).filter(|_| !said.is_empty()).and_then(|rest| rest.find(said)) else { continue };
        let found = from + at..from + at + said.len();
        from = found.end;
        if number(word, "probability").is_none_or(|probability| probability >= SURE) {
            continue;
        }
        match unsure.last_mut() {
            Some(last) if text.get(last.end..found.start).is_some_and(|gap| gap.trim().is_empty()) => {
                last.end = found.end;
            }
            _ => unsure.push(found),
        }
    }
    unsure
}

fn untimed(text: &str) -> Result<Transcription, Unusable> {
    let text = sanitise::clean(text.trim()).into_owned();
    if sanitise::is_blank(&text) { Err(Unusable::Silent) } else { Ok(Transcription::Untimed(text)) }
}

/// Cues in the order of time; none ends before it begins.
fn in_order(mut cues: Vec<Cue>, mut mended: bool) -> Transcription {
    mended |= !cues.is_sorted_by_key(|cue| cue.start) || cues.iter().any(|cue| cue.end < cue.start);
    cues.sort_by_key(|cue| cue.start);
    for cue in &mut cues {
        cue.end = cue.end.max(cue.start);
    }
    Transcription::Timed { cues, mended }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn cue(start: u32, end: u32, words: &str) -> Cue {
        Cue { start, end, voice: None, words: words.into(), unsure: Vec::new() }
    }

    fn of(value: &Value) -> Result<Transcription, Unusable> {
        heard(&value.to_string())
    }

    #[test]
    fn every_form_of_an_answer_is_read() {
        let cues = vec![cue(0, 1500, "Good evening."), cue(61_000, 62_250, "We vote.")];
        let timed = Ok(Transcription::Timed { cues, mended: false });
        let verbose = json!({"task": "transcribe", "duration": 62.3, "text": "Good evening. We vote.", "segments": [
            {"id": 0, "start": 0.0, "end": 1.5, "text": " Good evening.", "tokens": [1]},
            {"id": 1, "start": 61.0, "end": 62.25, "text": " We vote."},
            {"id": 2, "start": 63.0, "end": 64.0, "text": " "}]});
        assert_eq!(of(&verbose), timed);
        assert_eq!(
            heard("\u{FEFF}WEBVTT\n\n00:00.000 --> 00:01.500\nGood evening.\n\n01:01.000 --> 01:02.250\nWe vote."),
            timed
        );
        assert_eq!(
            heard("1\n00:00:00,000 --> 00:00:01,500\nGood evening.\n\n2\n00:01:01,000 --> 00:01:02,250\nWe vote.\n"),
            timed
        );
        let words = Ok(Transcription::Untimed("We vote.".into()));
        assert_eq!(of(&json!({"text": " We vote.\u{7}"})), words);
        assert_eq!(
            of(&json!({"text": "We vote.", "segments": [{"start": null, "end": 1, "text": "We vote."}]})),
            words
        );
        assert_eq!(heard(" We vote.\n"), words);
    }

    /// The words that stay in doubt.
    fn doubted(value: &Value) -> Vec<String> {
        let Ok(Transcription::Timed { cues, .. }) = of(value) else { panic!("{value}") };
        cues.iter().flat_map(|cue| cue.unsure.iter().map(|range| cue.words[range.clone()].to_owned())).collect()
    }

    #[test]
    fn unsure_words_are_those_that_are_likelier_wrong() {
        let word = |at: f64, word: &str, probability: f64| json!({"word": word, "start": at, "end": at + 0.4, "probability": probability});
        let words = [
            word(10.0, " The", 0.99),
            word(10.4, " fairy", 0.41),
            word(10.8, " dog.", 0.22),
            word(14.0, " Free", 0.3),
            word(14.4, " to", 0.5),
            word(14.8, " 1.", 0.49),
        ];
        let segments = json!([
            {"start": 10.0, "end": 14.0, "text": " The fairy dog.", "avg_logprob": -0.47},
            {"start": 14.0, "end": 15.2, "text": " Free to 1.", "avg_logprob": -0.1}]);
        // A server lists them all together, or with the segments that they are of.
        let together = json!({"segments": segments, "words": words});
        assert_eq!(doubted(&together), ["fairy dog", "Free", "1"]);
        let mut inside = json!({"segments": segments});
        inside["segments"][0]["words"] = json!(words[..3]);
        inside["segments"][1]["words"] = json!(words[3..]);
        assert_eq!(doubted(&inside), ["fairy dog", "Free", "1"]);
        // Without words a segment counts as a whole; without figures nothing is in doubt.
        assert_eq!(doubted(&json!({"segments": segments})), ["The fairy dog."]);
        let bare = json!({"segments": [{"start": 0, "end": 1, "text": "A"}], "words": [{"word": "A", "start": 0}]});
        assert_eq!(doubted(&bare), [""; 0]);
    }

    #[test]
    fn impossible_times_are_put_right_and_said() {
        let answer = json!({"segments": [
            {"start": 9.0, "end": 8.0, "text": "Third."},
            {"start": -4.0, "end": 1e300, "text": "First."},
            {"start": 2.0, "end": 3.0, "text": "Second.", "speaker": "A"}]});
        let Ok(Transcription::Timed { cues, mended: true }) = of(&answer) else { panic!("{:?}", of(&answer)) };
        assert_eq!(
            cues.iter().map(|cue| (cue.start, cue.end)).collect::<Vec<_>>(),
            [(0, LATEST), (2000, 3000), (9000, 9000)]
        );
        assert_eq!(cues[1].voice.as_deref(), Some("A"));
        let late = heard("1\n00:00:09,000 --> 00:00:10,000\nB\n\n2\n00:00:01,000 --> 00:00:02,000\nA\n");
        assert_eq!(
            late,
            Ok(Transcription::Timed { cues: vec![cue(1000, 2000, "A"), cue(9000, 10_000, "B")], mended: true })
        );
    }

    #[test]
    fn what_is_no_transcript_says_why() {
        for silent in [
            json!({"text": " "}),
            json!({"text": "", "segments": []}),
            json!({"segments": [{"start": 0, "end": 1, "text": "\u{200b}"}]}),
        ] {
            assert_eq!(of(&silent), Err(Unusable::Silent), "{silent}");
        }
        assert_eq!((heard(""), heard("WEBVTT\n\n")), (Err(Unusable::Silent), Err(Unusable::Silent)));
        assert_eq!(of(&json!({"error": {"message": "no model"}})), Err(Unusable::Failed("no model".into())));
        for odd in ["<!doctype html><p>Welcome", "{\"text\": ", "{\"id\": 1}"] {
            assert!(matches!(heard(odd), Err(Unusable::Unreadable(_))), "{odd}");
        }
    }
}
