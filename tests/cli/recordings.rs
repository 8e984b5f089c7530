//! Recordings as sources: what a transcription server is sent, what is kept of its answer, and what is said of each bad day.

use std::{
    fs,
    path::PathBuf,
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::{
    Router,
    body::{Body, Bytes},
    http::{HeaderMap, StatusCode},
    response::{IntoResponse as _, Response},
    routing::post,
};
use serde_json::{Value, json};

use crate::support::newsroom::{Done, Newsroom};

const KEY: &str = "sk-recorder-0123456789";

/// One request, as the server saw it.
#[derive(Clone)]
struct Upload {
    body: Vec<u8>,
    kind: String,
    authorization: String,
}

impl Upload {
    /// The body as text, each byte a character.
    fn text(&self) -> String {
        self.body.iter().map(|byte| char::from(*byte)).collect()
    }

    fn asks_for(&self, form: &str) -> bool {
        self.text().contains(&format!("name=\"response_format\"\r\n\r\n{form}\r\n"))
    }
}

/// How the server answers: a status, a content type, a body; none if it never does.
type Answer = Option<(u16, &'static str, String)>;

struct Recorder {
    base: String,
    uploads: Arc<Mutex<Vec<Upload>>>,
    runtime: Option<tokio::runtime::Runtime>,
}

impl Recorder {
    fn start(script: impl Fn(&Upload) -> Answer + Send + Sync + Clone + 'static) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let uploads: Arc<Mutex<Vec<Upload>>> = Arc::default();
        let seen = Arc::clone(&uploads);
        let answer = move |headers: HeaderMap, body: Bytes| {
            let header = |name: &str| headers.get(name).map_or("", |value| value.to_str().unwrap()).to_owned();
            let upload =
                Upload { body: body.to_vec(), kind: header("content-type"), authorization: header("authorization") };
            seen.lock().unwrap().push(upload.clone());
            let answer = script(&upload);
            async move {
                let Some((status, kind, body)) = answer else {
                    tokio::time::sleep(Duration::from_mins(10)).await;
                    return Response::new(Body::empty());
                };
                (StatusCode::from_u16(status).unwrap(), [("content-type", kind)], body).into_response()
            }
        };
        let app = Router::new()
            .route("/v1/audio/transcriptions", post(answer))
            .layer(axum::extract::DefaultBodyLimit::disable());
        let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).unwrap();
        let base = format!("http://{}/v1", listener.local_addr().unwrap());
        runtime.spawn(async move { axum::serve(listener, app).await });
        Self { base, uploads, runtime: Some(runtime) }
    }

    /// A server that hears the council's meeting.
    fn of_the_council() -> Self {
        Self::start(|_| json_answer(&meeting()))
    }

    fn uploads(&self) -> Vec<Upload> {
        self.uploads.lock().unwrap().clone()
    }

    fn newsroom(&self) -> Newsroom {
        self.newsroom_with(|section| section)
    }

    fn newsroom_with(&self, change: impl FnOnce(String) -> String) -> Newsroom {
        let section = change(format!(
            "transcription:\n  api_base: {}\n  api_key: {KEY}\n  model: whisper-1\n  language: en\n  timeout_seconds: 20\n  longest_mb: 1",
            self.base
        ));
        Newsroom::with(|yaml| yaml.replace("transcription: null", &section))
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        self.runtime.take().unwrap().shutdown_background();
    }
}

#[expect(clippy::unnecessary_wraps, reason = "what a script answers")]
fn json_answer(value: &Value) -> Answer {
    Some((200, "application/json", value.to_string()))
}

fn meeting() -> Value {
    let said = [
        (0.0, 14.2, " Good evening to everybody in this hall."),
        (14.2, 29.0, " The council of Eastbrook voted seven to two on Tuesday to renovate Miller Park."),
        (29.0, 3661.0, " The work will cost 4.2 million dollars and it begins in April."),
        (3661.0, 3666.5, " \"I would not call it a party,\" the treasurer said."),
    ];
    let segments = said.map(|(start, end, text)| json!({"start": start, "end": end, "text": text}));
    json!({"task": "transcribe", "text": "Good evening.", "segments": segments})
}

/// A tenth of a second of silence: 16 kHz, one channel, 16 bits (RIFF WAVE).
pub fn wav() -> Vec<u8> {
    let samples = vec![0u8; 3200];
    let length = u32::try_from(samples.len()).unwrap();
    let mut wav = b"RIFF".to_vec();
    wav.extend((36 + length).to_le_bytes());
    wav.extend(b"WAVEfmt \x10\0\0\0\x01\0\x01\0");
    wav.extend(16_000u32.to_le_bytes());
    wav.extend(32_000u32.to_le_bytes());
    wav.extend(b"\x02\0\x10\0data");
    wav.extend(length.to_le_bytes());
    wav.extend(samples);
    wav
}

/// Checks a draft against the recording.
fn checked(newsroom: &Newsroom) -> Done {
    newsroom.write("council.wav", &wav());
    let draft = "# Council votes to renovate the park\n\nThe council of Eastbrook voted nine to two on Tuesday to renovate Miller Park.\n\n\
                 The work will cost 4.2 million dollars and it begins in April.\n";
    newsroom.write("draft.md", draft.as_bytes());
    newsroom.run(&["check", "draft.md", "--source", "council.wav", "--no-style", "--all"])
}

/// The transcripts that the desk has.
fn kept(newsroom: &Newsroom) -> Vec<PathBuf> {
    let folder = fs::read_dir(newsroom.path().join("data/transcripts"));
    folder.map(|entries| entries.flatten().map(|entry| entry.path()).collect()).unwrap_or_default()
}

#[test]
fn a_recording_is_transcribed_once_and_findings_name_the_second() {
    let recorder = Recorder::of_the_council();
    let newsroom = recorder.newsroom();
    let done = checked(&newsroom);
    assert_eq!(done.code, 1, "{}\n{}", done.out, done.err);
    assert!(done.out.contains("council.wav, 00:00:14"), "{}", done.out);
    assert!(done.out.contains("council.wav, 00:00:29"), "{}", done.out);
    assert!(done.err.contains(" transcribes it (1 MB). This may take minutes."), "{}", done.err);
    assert!(done.err.contains("transcribed it in 4 passages"), "{}", done.err);
    assert!(done.err.contains("correct words there and write in who speaks"), "{}", done.err);

    let uploads = recorder.uploads();
    let [upload] = uploads.as_slice() else { panic!("{} uploads", uploads.len()) };
    assert_eq!(upload.authorization, format!("Bearer {KEY}"));
    let (_, boundary) = upload.kind.split_once("multipart/form-data; boundary=").unwrap();
    let field = |name: &str, value: &str| {
        format!("--{boundary}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
    };
    let silence: String = wav().into_iter().map(char::from).collect();
    let wanted = [
        field("model", "whisper-1"),
        field("response_format", "verbose_json"),
        field("language", "en"),
        field("timestamp_granularities[]", "segment"),
        field("timestamp_granularities[]", "word"),
        format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"recording.wav\"\r\n\
             Content-Type: audio/wav\r\n\r\n{silence}\r\n--{boundary}--\r\n"
        ),
    ];
    assert_eq!(upload.text(), wanted.concat());

    // The second time nobody is asked, and what a person has mended counts.
    let transcripts = kept(&newsroom);
    let [transcript] = transcripts.as_slice() else { panic!("{transcripts:?}") };
    let vtt = fs::read_to_string(transcript).unwrap();
    assert!(vtt.starts_with("WEBVTT\n\nNOTE\nTranscript of council.wav by whisper-1 at 127.0.0.1:"), "{vtt}");
    assert!(
        vtt.contains("\n01:01:01.000 --> 01:01:06.500\n\"I would not call it a party,\" the treasurer said.\n"),
        "{vtt}"
    );
    fs::write(
        transcript,
        vtt.replace("seven to two", "nine to two").replace("The council of", "MAYOR VOSS: The council of"),
    )
    .unwrap();
    let done = checked(&newsroom);
    assert_eq!(done.code, 0, "{}\n{}", done.out, done.err);
    assert!(done.err.contains("its transcript ") && done.err.contains(" was read"), "{}", done.err);
    assert_eq!(recorder.uploads().len(), 1);

    // It counts without a server, too; one that can no longer be read says which file to mend.
    let yaml = newsroom.read("config/config.yaml");
    let section = yaml.find("\ntranscription:").unwrap();
    newsroom.write("config/config.yaml", format!("{}\ntranscription: null\n", &yaml[..section]).as_bytes());
    assert_eq!(checked(&newsroom).code, 0);
    fs::write(transcript, "WEBVTT\n").unwrap();
    let done = checked(&newsroom);
    assert_eq!(done.code, 2);
    assert!(
        done.err.contains("the source council.wav: its transcript ") && done.err.contains("it has no cue"),
        "{}",
        done.err
    );
    assert!(done.err.contains("Mend that file, or delete it to have another one made"), "{}", done.err);
}

#[test]
fn a_story_begins_from_a_recording() {
    let recorder = Recorder::of_the_council();
    let newsroom = recorder.newsroom();
    newsroom.write("council.wav", &wav());
    newsroom.write("vote.M4A", b"\0\0\0\x1CftypM4A ");
    let done = newsroom.run(&["run", "--auto", "council.wav", "--source", "vote.M4A", "--channel", "desk"]);
    assert!(done.code < 2 && done.out.contains("desk/"), "{}\n{}", done.out, done.err);
    assert_eq!(recorder.uploads().len(), 2);
    assert_eq!(kept(&newsroom).len(), 2);
    assert!(recorder.uploads().iter().any(|upload| upload.text().contains("filename=\"recording.mp4\"")));
    let list = newsroom.run(&["list"]);
    assert!(list.out.contains("good-evening") || list.out.contains("council"), "{}", list.out);
}

#[test]
fn a_transcript_is_written_to_be_corrected_first() {
    let recorder = Recorder::of_the_council();
    let newsroom = recorder.newsroom();
    newsroom.write("council.wav", &wav());
    assert!(newsroom.run(&["doctor"]).out.contains("whisper-1 at 127.0.0.1:"));
    let done = newsroom.run(&["transcribe", "council.wav"]);
    assert_eq!((done.code, PathBuf::from(done.out.trim())), (0, kept(&newsroom)[0].clone()), "{}", done.err);
    let again = newsroom.run(&["transcribe", "council.wav"]);
    assert_eq!((again.code, PathBuf::from(again.out.trim())), (0, kept(&newsroom)[0].clone()), "{}", again.err);
    assert_eq!(recorder.uploads().len(), 1);
    for (arguments, says) in [
        (["council.vtt"].as_slice(), "council.vtt is no recording by its name (.mp3, .m4a, .wav, .mp4)"),
        (&["nothing.mp3"], "nothing.mp3: it cannot be read: "),
    ] {
        let done = newsroom.run(&[&["transcribe"], arguments].concat());
        assert_eq!((done.code, done.out.as_str()), (2, ""), "{}", done.err);
        assert!(done.err.contains(says), "{}", done.err);
    }
}

/// Answers as faster-whisper's server does: each word has a probability.
#[test]
fn words_that_the_server_was_unsure_of_are_marked_in_the_transcript() {
    let word = |at: f64, word: &str, probability: f64| json!({"word": word, "start": at, "end": at + 0.4, "probability": probability});
    let recorder = Recorder::start(move |_| {
        let words =
            [word(10.0, " The", 0.98), word(10.4, " fairy", 0.41), word(10.8, " dog", 0.2), word(11.2, " burns.", 0.9)];
        json_answer(&json!({"text": "The fairy dog burns.", "words": words,
            "segments": [{"start": 10.0, "end": 12.0, "text": " The fairy dog burns.", "avg_logprob": -0.4}]}))
    });
    let newsroom = recorder.newsroom();
    newsroom.write("dock.wav", &wav());
    let done = newsroom.run(&["transcribe", "dock.wav"]);
    assert!(done.err.contains("the server was unsure of 1 place, marked <c.unsure>"), "{}", done.err);
    let vtt = fs::read_to_string(&kept(&newsroom)[0]).unwrap();
    assert!(vtt.contains("\nThe <c.unsure>fairy dog</c> burns.\n"), "{vtt}");

    // A draft that quotes them is told where to listen, whether its words match or not, from the recording or from the transcript.
    newsroom.write("dock.vtt", vtt.as_bytes());
    newsroom.write("fine.md", "# Dock\n\n“The fairy dog burns,” the clerk said.\n".as_bytes());
    newsroom.write("wrong.md", "# Dock\n\n“The fairy cat burns,” the clerk said.\n".as_bytes());
    let listen = "listen: 00:00:10 (“fairy dog”)";
    for source in ["dock.wav", "dock.vtt"] {
        let fine = newsroom.run(&["check", "fine.md", "--source", source]);
        let told = format!("  body, line 3: quotation “The fairy dog burns,”, {listen}");
        assert!(fine.out.lines().any(|line| line == told), "{}\n{}", fine.out, fine.err);
        let all = newsroom.run(&["check", "fine.md", "--source", source, "--all"]).out;
        assert!(all.contains(&format!("{source}, 00:00:10, {listen}")), "{all}");
        let wrong = newsroom.run(&["check", "wrong.md", "--source", source]).out;
        assert!(wrong.lines().any(|line| line == format!("  {listen}")), "{wrong}");
        let json = newsroom.run(&["check", "fine.md", "--source", source, "--json"]).out;
        let json: Value = serde_json::from_str(&json).unwrap();
        let rows = json["ledger"].as_array().unwrap();
        let quotation = rows.iter().find(|row| row["kind"] == "quotation").unwrap();
        assert_eq!(quotation["passage"]["unsure"], json!([{"text": "fairy dog", "listen": "00:00:10"}]));
        other_programs_are_told(&newsroom, source, listen);
    }

    // So is the editor of a story, at its gate, before the sign-off and afterwards.
    let warning = "A quotation has words that the recogniser was unsure of: “fairy dog” (listen: 00:00:10).";
    let gate = newsroom.run(&["run", "--plain", "dock.wav", "--draft", "fine.md"]).out;
    assert!(gate.contains(warning), "{gate}");
    assert!(newsroom.run(&["show", "newsroom/dock"]).out.contains(warning));
    // Nobody is at the gate of a run that goes on by itself: its result says it.
    newsroom.write("pier.wav", &[wav(), vec![0; 4]].concat());
    let result = newsroom.run(&["run", "--auto", "pier.wav", "--draft", "fine.md"]).out;
    assert!(result.contains(warning), "{result}");

    // A transcript that another program made keeps its marks, given as the topic, as a further source, or at the gate.
    for name in ["quay.vtt", "mole.vtt"] {
        newsroom.write(name, vtt.as_bytes());
    }
    newsroom.write("plain.txt", b"The harbour has a dock.\n");
    newsroom.write("berth.srt", b"1\n00:00:10,000 --> 00:00:12,000\nThe <c.unsure>fairy dog</c> burns.\n");
    let gate = newsroom.run(&["run", "--plain", "quay.vtt", "--draft", "fine.md"]).out;
    assert!(gate.contains(warning), "{gate}");
    assert!(newsroom.run(&["show", "newsroom/quay"]).out.contains(warning));
    for arguments in [["mole.vtt"].as_slice(), &["berth.srt"], &["plain.txt", "--source", "dock.vtt"]] {
        let result = newsroom.run(&[&["run", "--auto", "--draft", "fine.md"], arguments].concat()).out;
        assert!(result.contains(warning), "{arguments:?}: {result}");
    }
    newsroom.write("notes.txt", b"The harbour has a dock, and a pier.\n");
    let gate = newsroom.run(&["run", "--plain", "notes.txt", "--draft", "fine.md"]).out;
    assert!(!gate.contains(warning), "{gate}");
    let added = newsroom.run(&["decide", "newsroom/notes", "add-source", "dock.vtt", "--name", "Talk"]);
    assert_eq!(added.code, 0, "{}", added.err);
    assert!(newsroom.run(&["show", "newsroom/notes"]).out.contains(warning));
}

/// The forms for other programs say so, too: of words in order as a note, of others beside the finding.
fn other_programs_are_told(newsroom: &Newsroom, source: &str, listen: &str) {
    let passage = format!("{source}, 00:00:10, {listen}: “The fairy dog burns");
    for (draft, code, rule) in [("fine.md", 0, "recording.unsure"), ("wrong.md", 1, "quotation.altered")] {
        let printed = |form: &str| {
            let done = newsroom.run(&["check", draft, "--source", source, "--no-style", "--format", form]);
            assert_eq!(done.code, code, "{form}: {}", done.err);
            done.out
        };
        let one = |form: &str, remarks: &Value, name: &str, message: &str| {
            let of_rule = remarks.as_array().unwrap().iter().find(|remark| remark[name] == rule);
            let remark = of_rule.unwrap_or_else(|| panic!("{form}: {remarks}"));
            assert!(remark.pointer(message).and_then(Value::as_str).unwrap().contains(&passage), "{form}: {remark}");
            remark.clone()
        };
        let sarif: Value = serde_json::from_str(&printed("sarif")).unwrap();
        let result = one("sarif", &sarif["runs"][0]["results"], "ruleId", "/message/text");
        assert_eq!(result["level"] == "note", code == 0, "{result}");
        assert_eq!(result["locations"][0]["physicalLocation"]["region"]["startLine"], 3, "{result}");
        let vale: Value = serde_json::from_str(&printed("vale-json")).unwrap();
        one("vale-json", &vale[draft], "Check", "/Message");
        let github = printed("github");
        assert!(
            github.lines().any(|line| line.contains(&format!("title={rule}::")) && line.contains(&passage)),
            "{github}"
        );
        let html = printed("html");
        assert!(html.contains(&format!("{source}, 00:00:10</a>, {listen}")), "{html}");
        assert_eq!(html.contains("<h2>Resting on words that the recogniser was unsure of</h2>"), code == 0, "{html}");
    }
}

/// A server that gives no times of words is asked for those of segments.
#[test]
fn a_server_without_times_of_words_is_asked_for_segments() {
    let recorder = Recorder::start(|upload| {
        if upload.text().contains("\r\n\r\nword\r\n") {
            let refusal = json!({"error": {"message": "timestamp_granularities: word is not supported"}});
            return Some((400, "application/json", refusal.to_string()));
        }
        json_answer(&meeting())
    });
    let done = checked(&recorder.newsroom());
    assert!(done.out.contains("council.wav, 00:00:14"), "{}\n{}", done.out, done.err);
    assert_eq!(recorder.uploads().len(), 2);
}

#[test]
fn without_a_server_it_says_what_to_do() {
    let newsroom = Newsroom::offline();
    let done = checked(&newsroom);
    assert_eq!(done.code, 2);
    let says = "the source council.wav: it is a recording, and no transcription server is configured. Name one in `transcription` of \
                the configuration (docs/guide/recordings.md), or give a transcript of it (.vtt, .srt, .txt)";
    assert!(done.err.contains(says), "{}", done.err);
    assert!(newsroom.run(&["doctor"]).out.contains("off (transcription: null)"));
    let done = newsroom.run(&["run", "--auto", "council.wav"]);
    assert_eq!(done.code, 1);
    assert!(done.err.contains("no transcription server is configured"), "{}\n{}", done.out, done.err);
}

#[test]
fn a_server_that_does_not_know_a_form_is_asked_for_another() {
    let srt = "1\n00:00:04,200 --> 00:00:09,000\nThe council of Eastbrook voted seven to two on Tuesday to renovate Miller Park.\n";
    let recorder = Recorder::start(move |upload| {
        if upload.asks_for("srt") {
            return Some((200, "application/x-subrip", srt.into()));
        }
        let refusal = json!({"error": {"message": "response_format 'verbose_json' is not compatible with this model"}});
        Some((400, "application/json", refusal.to_string()))
    });
    let newsroom = recorder.newsroom();
    let done = checked(&newsroom);
    assert!(done.out.contains("council.wav, 00:00:04"), "{}\n{}", done.out, done.err);
    assert_eq!(recorder.uploads().len(), 2);
}

#[test]
fn words_without_times_are_a_source_and_that_is_said() {
    let words = "The council of Eastbrook voted seven to two on Tuesday to renovate Miller Park.";
    let recorder = Recorder::start(move |_| json_answer(&json!({"text": words})));
    let newsroom = recorder.newsroom();
    let done = checked(&newsroom);
    assert!(done.out.contains("council.wav, line 1"), "{}\n{}", done.out, done.err);
    assert!(done.err.contains("transcribed it without times, so no finding can name the second"), "{}", done.err);
    assert_eq!(kept(&newsroom)[0].extension().unwrap(), "txt");
    checked(&newsroom);
    assert_eq!(recorder.uploads().len(), 1);
}

#[test]
fn times_that_cannot_be_are_put_right_and_said() {
    let recorder = Recorder::start(|_| {
        json_answer(&json!({"segments": [
            {"start": 70.0, "end": 60.0, "text": "The council of Eastbrook voted seven to two on Tuesday to renovate Miller Park."},
            {"start": -9.0, "end": 4.0, "text": "Good evening."}]}))
    });
    let done = checked(&recorder.newsroom());
    assert!(done.out.contains("council.wav, 00:0"), "{}\n{}", done.out, done.err);
    assert!(done.err.contains("times were impossible or out of order and were put right: check them"), "{}", done.err);
}

#[test]
fn each_bad_day_of_a_server_is_told_with_what_to_do() {
    let refused = |status: u16| move |_: &Upload| Some((status, "text/plain", format!("key {KEY}\u{7} is wrong")));
    let answers = |kind: &'static str, body: &'static str| move |_: &Upload| Some((200, kind, body.to_owned()));
    let cases: Vec<(Recorder, &str)> = vec![
        (Recorder::start(refused(400)), " answered 400: key [secret] is wrong; the server may not read this format"),
        (Recorder::start(refused(401)), " answered 401: key [secret] is wrong; check transcription.api_key"),
        (Recorder::start(refused(404)), "; check transcription.api_base and model"),
        (Recorder::start(refused(413)), " answered 413: key [secret] is wrong; split the recording"),
        (Recorder::start(refused(503)), "; try again later"),
        (Recorder::start(answers("text/html", "<!doctype html><p>Welcome")), "it answered with a web page"),
        (Recorder::start(answers("application/json", "{\"text\": \" \"}")), " found no words in it"),
        (Recorder::start(answers("application/json", "{\"text\":")), "its answer is not JSON"),
        (Recorder::start(answers("application/json", "{\"error\": \"no model\"}")), " answered 200: no model"),
    ];
    for (recorder, says) in cases {
        let newsroom = recorder.newsroom();
        let done = checked(&newsroom);
        assert_eq!(done.code, 1, "{says}: {}", done.err);
        assert!(done.err.contains("the source council.wav: ") && done.err.contains(says), "{says}: {}", done.err);
        assert_eq!((recorder.uploads().len(), kept(&newsroom).len()), (1, 0), "{says}");
    }
    let hangs = Recorder::start(|_| None);
    let done = checked(&hangs.newsroom_with(|section| section.replace("_seconds: 20", "_seconds: 0.3")));
    assert!(
        done.err.contains("did not finish its answer within 0.3 s (timeout_seconds); it sends an answer as a whole"),
        "{}",
        done.err
    );
    // Nobody listens there, and no test may.
    let done = checked(&hangs.newsroom_with(|section| section.replace(&hangs.base, "http://127.0.0.1:1/v1")));
    let says = "the transcription server (transcription): no connection to 127.0.0.1:1: ";
    assert!(done.err.contains(says), "{}", done.err);
}

#[test]
fn what_is_no_recording_or_too_large_is_not_sent() {
    let recorder = Recorder::of_the_council();
    let newsroom = recorder.newsroom();
    newsroom.write("draft.md", b"# Vote\n\nThe council voted.\n");
    newsroom.write("notes.wav", b"The council voted.");
    newsroom.write("empty.mp3", b"");
    newsroom.write("council.txt", &wav());
    newsroom.write("long.wav", &[wav(), vec![0; 1 << 20]].concat());
    fs::create_dir(newsroom.path().join("folder.wav")).unwrap();
    for (source, says) in [
        ("notes.wav", "its name is a recording's, but its first bytes are not: it is none of .mp3, .m4a, .wav, .mp4"),
        ("empty.mp3", "its first bytes are not"),
        (
            "council.txt",
            "it is a recording, not text: as a source its name must end as a recording's (.mp3, .m4a, .wav, .mp4)",
        ),
        ("long.wav", "it has 2 MB, and 1 MB are sent at most (transcription.longest_mb): split it"),
        ("folder.wav", "the folder folder.wav holds no document"),
        ("gone.wav", "the source gone.wav: it cannot be read: "),
    ] {
        let done = newsroom.run(&["check", "draft.md", "--source", source, "--no-style"]);
        assert_eq!(done.code, 2, "{source}: {}", done.err);
        assert!(done.err.contains(says), "{source}: {}", done.err);
    }
    // In a folder nobody has named it.
    newsroom.write("sources/council.wav", &wav());
    newsroom.write("sources/minutes.txt", b"The council voted.");
    let done = newsroom.run(&["check", "draft.md", "--source", "sources", "--no-style"]);
    assert!(
        done.err.contains("council.wav was left out: it is a recording; name it as a --source of its own"),
        "{}",
        done.err
    );
    assert_eq!(recorder.uploads().len(), 0);
}
