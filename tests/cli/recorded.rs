//! Answers that are recorded and given again: `run --record` and `engine: recorded`.

use std::{
    fs,
    io::{Cursor, Write as _},
    path::{Path, PathBuf},
    time::Instant,
};

use serde_json::{Value, json};

use crate::support::{
    newsroom::{Done, Newsroom},
    script,
    server::{Call, Reply, Server},
};

/// A usual story with its answers recorded, the first draft of the writer being useless.
struct Taped {
    file: PathBuf,
    text: String,
    canonical: Value,
    base: String,
    newsroom: Newsroom,
}

fn taped() -> Taped {
    let server = Server::start(|call: &Call| match (call.agent.as_str(), call.before) {
        ("writer", 0) => Reply::Text("Sorry, I cannot.".into()),
        _ => script::usual(call),
    });
    let newsroom = Newsroom::at(&server.base());
    let topic = newsroom.topic();
    let done = newsroom.run(&["run", "--auto", "--record", "tape.jsonl", topic.to_str().unwrap()]);
    assert_eq!(done.code, 0, "{}", done.err);
    // Two drafts, a review, a map, five specialists, a revision, a review; the line that says what it is.
    let text = newsroom.read("tape.jsonl");
    assert_eq!(text.lines().count(), server.calls().len() + 1);
    let file = newsroom.path().join("tape.jsonl");
    Taped { file, text, canonical: newsroom.canonical(), base: server.base(), newsroom }
}

/// A newsroom that answers from a recording. Its servers are not there any more.
fn player(taped: &Taped, recording: &str) -> Newsroom {
    let newsroom = Newsroom::at_with(&taped.base, |yaml| {
        yaml.replace("engine: llm", "engine: recorded").replacen(
            "  recording: null",
            &format!("  recording: {}", json!(recording)),
            1,
        )
    });
    newsroom.write("tape.jsonl", taped.text.as_bytes());
    newsroom
}

#[track_caller]
fn refused(done: &Done, why: &str) {
    assert_eq!(done.code, 2, "{}{}", done.out, done.err);
    assert!(done.err.contains(why), "{why}: {}", done.err);
}

#[test]
fn a_recorded_run_is_run_again_without_its_server() {
    let taped = taped();
    let newsroom = player(&taped, "tape.jsonl");
    let done = newsroom.auto(&newsroom.topic());
    assert_eq!(done.code, 0, "{}", done.err);
    let mut again = newsroom.canonical();
    again["metadata"]["generated_at"] = taped.canonical["metadata"]["generated_at"].clone();
    // The name of the folder has the time in it.
    again["artifacts_dir"] = taped.canonical["artifacts_dir"].clone();
    assert_eq!(again, taped.canonical);
    let shown: Value = serde_json::from_str(&newsroom.ran(&["show", "park", "--json"]).out).unwrap();
    let drafts: Vec<&str> = shown["calls"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|call| call["step"] == "draft")
        .map(|call| call["state"].as_str().unwrap())
        .collect();
    assert_eq!(drafts, ["rejected", "answered"], "the useless answer comes first, as it came");
    assert_eq!(shown["calls"][0]["host"], json!("recorded"));
    let replayed = newsroom.run(&["replay", "park"]);
    assert_eq!(replayed.code, 0, "{}{}", replayed.out, replayed.err);
    let doctor = newsroom.run(&["doctor"]);
    assert!(doctor.out.contains("11 recorded answers in "), "{}", doctor.out);

    assert!(
        ["Eastbrook voted seven to two on Tuesday to renovate", "You are the", "lm-studio", "Bearer"]
            .iter()
            .all(|text| !taped.text.contains(text)),
        "neither prompts nor keys: {}",
        taped.text
    );
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(fs::metadata(&taped.file).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[test]
fn an_answer_that_was_cut_is_recorded_as_one_that_was_no_use() {
    let server = Server::start(|call: &Call| match (call.agent.as_str(), call.before) {
        ("writer", 0) => {
            Reply::Text("The council voted on the park, and on the park the council voted then. ".repeat(40))
        }
        ("article_review", 0) => Reply::Text(String::new()),
        _ => script::usual(call),
    });
    let newsroom = Newsroom::at(&server.base());
    let done = newsroom.run(&["run", "--auto", "--record", "tape.jsonl", newsroom.topic().to_str().unwrap()]);
    assert_eq!(done.code, 0, "{}", done.err);
    let text = newsroom.read("tape.jsonl");
    let faults: Vec<Value> =
        text.lines().filter_map(|line| serde_json::from_str::<Value>(line).unwrap().get("fault").cloned()).collect();
    assert!(faults[0].get("unusable").is_some() && faults[1].get("nothing_said").is_some(), "{faults:?}");
    let taped =
        Taped { file: newsroom.path().join("tape.jsonl"), text, canonical: Value::Null, base: server.base(), newsroom };
    let again = player(&taped, "tape.jsonl");
    let done = again.auto(&again.topic());
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(again.canonical()["article"], taped.newsroom.canonical()["article"]);
}

#[test]
fn gates_resumes_and_forks_work_on_recorded_answers() {
    let taped = taped();
    let newsroom = player(&taped, "tape.jsonl");
    let waits = newsroom.run(&["run", "--plain", newsroom.topic().to_str().unwrap()]);
    assert!(waits.out.contains("desk/park") && newsroom.runs().len() == 1, "{}{}", waits.out, waits.err);
    let decided = newsroom.run(&["decide", "park", "continue", "--resume"]);
    let shown: Value = serde_json::from_str(&newsroom.ran(&["show", "park", "--json"]).out).unwrap();
    assert_eq!(shown["run"]["rounds"], json!(2), "{}{}", decided.out, decided.err);
    let forked = newsroom.run(&["fork", "park", "--at", "r1.review"]);
    assert_eq!(forked.code, 0, "{}{}", forked.out, forked.err);
}

#[test]
fn a_run_that_models_began_goes_on_with_their_recorded_answers() {
    let taped = taped();
    let server = Server::start(|call: &Call| match call.agent.as_str() {
        "concern_mapping" => Reply::Hang,
        _ => script::usual(call),
    });
    let newsroom = Newsroom::at(&server.base());
    newsroom.write("tape.jsonl", taped.text.as_bytes());
    let mut begun = newsroom.start(&["run", "--auto", newsroom.topic().to_str().unwrap()]);
    while server.count("concern_mapping") == 0 {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    begun.kill().unwrap();
    begun.wait().unwrap();
    let yaml = newsroom.read("config/config.yaml");
    let yaml =
        yaml.replace("engine: llm", "engine: recorded").replacen("  recording: null", "  recording: tape.jsonl", 1);
    newsroom.write("config/config.yaml", yaml.as_bytes());
    let asked = server.calls().len();
    let done = newsroom.run(&["resume"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(server.calls().len(), asked);
    assert_eq!(newsroom.runs().len(), 1, "the same run");
    assert_eq!(newsroom.canonical()["success"], json!(true));
}

#[test]
fn a_request_that_nobody_recorded_is_an_error_that_says_whose_it_is() {
    let taped = taped();
    let newsroom = player(&taped, "tape.jsonl");
    let topic = newsroom.topic_with(|topic| topic["source_text"] = json!("The council rejected the park."));
    let done = newsroom.auto(&topic);
    assert_eq!(done.code, 1, "{}", done.err);
    let error = newsroom.canonical()["error"].as_str().unwrap().to_owned();
    assert!(
        error.contains("draft") && error.contains("has no answer to this request of writer: its prompt"),
        "{error}"
    );
    assert!(error.ends_with("Restore them, or set engine: llm"), "{error}");
}

#[test]
fn a_recording_that_is_torn_foreign_or_missing_is_refused_with_what_to_do() {
    let taped = taped();
    let run = |recording: &str, bytes: Option<&[u8]>| {
        let newsroom = player(&taped, recording);
        if let Some(bytes) = bytes {
            newsroom.write("tape.jsonl", bytes);
        }
        newsroom.auto(&newsroom.topic())
    };
    let torn = &taped.text.as_bytes()[..taped.text.len() - 20];
    refused(&run("tape.jsonl", Some(torn)), "line 12 of the recording");
    refused(&run("tape.jsonl", Some(torn)), "delete it to use the other answers");
    let odd = taped.text.replacen("\"answer\":", "\"surprise\":1,\"answer\":", 1);
    refused(&run("tape.jsonl", Some(odd.as_bytes())), "line 2 of the recording");
    for foreign in [&b"{\"topic\": 1}\n"[..], b"", b"\xFF\xFE\x00", b"[]\n"] {
        refused(&run("tape.jsonl", Some(foreign)), "is no recording that `run --record` wrote");
    }
    let later = taped.text.replacen("\"copydesk_recording\":1", "\"copydesk_recording\":2", 1);
    refused(&run("tape.jsonl", Some(later.as_bytes())), "was written by a later version");
    refused(&run("nowhere.jsonl", None), "nowhere.jsonl cannot be read");
    refused(&run("config", None), "is no recording");
    let none = Newsroom::with(|yaml| yaml.replace("engine: offline", "engine: recorded"));
    refused(&none.auto(&none.topic()), "article_generation.recording: must be the file that `run --record` wrote");
}

#[test]
fn a_recording_replaces_no_file_and_needs_models() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    newsroom.write("mine.txt", b"mine");
    let topic = newsroom.topic();
    let run =
        |newsroom: &Newsroom, file: &str| newsroom.run(&["run", "--auto", "--record", file, topic.to_str().unwrap()]);
    refused(&run(&newsroom, "mine.txt"), "mine.txt is there already, and it is not replaced: name another file");
    assert_eq!(newsroom.read("mine.txt"), "mine");
    refused(&run(&newsroom, "nowhere/tape.jsonl"), "nowhere/tape.jsonl cannot be written");
    assert_eq!(server.calls().len(), 0, "nothing was begun");
    let offline = Newsroom::offline();
    refused(&run(&offline, "tape.jsonl"), "engine: offline asks no model, so there is nothing to record");
}

#[test]
fn what_tools_found_is_recorded_too() {
    let works = b"---\ntitle: Public works plan\ndate: 2026-09-30\n---\nThe park plan passes in stages: work on the paths will begin in \
                  April, and lighting is a fifth of the budget.\n";
    let triages = |yaml: String| yaml.replace("  triage: false", "  triage: true");
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at_with(&server.base(), triages);
    newsroom.write("data/knowledgebase/works.md", works);
    let topic = newsroom.topic();
    let done = newsroom.run(&["run", "--auto", "--record", "tape.jsonl", topic.to_str().unwrap()]);
    assert_eq!(done.code, 0, "{}", done.err);
    let tape = newsroom.read("tape.jsonl");
    assert!(
        tape.contains("\"tool\":\"search_knowledge_base\"") && tape.contains("\"tools_of\":\"reporter\""),
        "{tape}"
    );

    let again = Newsroom::at_with(&server.base(), |yaml| {
        triages(yaml).replace("engine: llm", "engine: recorded").replacen(
            "  recording: null",
            "  recording: tape.jsonl",
            1,
        )
    });
    again.write("data/knowledgebase/works.md", works);
    again.write("tape.jsonl", tape.as_bytes());
    server.forget();
    let played = again.auto(&again.topic());
    assert_eq!(played.code, 0, "{}", played.err);
    assert_eq!(again.canonical()["article"], newsroom.canonical()["article"]);
    assert_eq!(server.calls().len(), 0);
}

/// Packs a taped story as `.ci/record-story` does, with something in it changed.
fn packed(taped: &Taped, change: impl Fn(&str, String) -> String) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let mut add = |name: &str, text: String| {
        archive.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(change(name, text).as_bytes()).unwrap();
    };
    add("about.json", json!({"model": "Scripted 1B", "recorded_on": "2026-11-27"}).to_string());
    add("tape.jsonl", taped.text.clone());
    add("topic.json", taped.newsroom.read("park.json"));
    let yaml = taped.newsroom.read("config/config.yaml");
    let lines = yaml.lines().map(|line| match line.trim_start() {
        rest if rest.starts_with("workspace: ") => "workspace: .".to_owned(),
        rest if rest.starts_with("root_dir: ") => line.replace(rest, "root_dir: ./prompts/article_editor"),
        _ => line.to_owned(),
    });
    add("config/config.yaml", lines.collect::<Vec<_>>().join("\n"));
    archive.finish().unwrap().into_inner()
}

/// Plays a story in a folder where nothing is configured, and with its temporary files below that folder.
fn watch(folder: &Path, arguments: &[&str]) -> Done {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_copydesk"));
    command.current_dir(folder).env("HOME", folder.join("home")).env("TMPDIR", folder).args(arguments);
    command.env_remove("XDG_CONFIG_HOME").env_remove("XDG_STATE_HOME").stdin(std::process::Stdio::null());
    crate::support::newsroom::done(command.output().unwrap())
}

#[test]
fn a_recorded_story_is_played_without_a_server_and_leaves_nothing() {
    let taped = taped();
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("park.zip"), packed(&taped, |_, text| text)).unwrap();
    let done = watch(folder.path(), &["run", "--recorded", "park.zip", "--auto"]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    assert!(
        done.err.contains("A recorded story: Scripted 1B answered on 2026-11-27. No server is asked"),
        "{}",
        done.err
    );
    assert!(done.out.contains("desk/park") && done.out.contains("SUCCESS"), "{}", done.out);
    assert!(!done.err.contains("Article and report"), "its files are gone: {}", done.err);
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(left, ["park.zip"], "no desk, no configuration, no scratch folder");
}

#[test]
fn a_recorded_story_takes_its_time_if_it_is_asked_to() {
    let taped = taped();
    let slow = |name: &str, text: String| match name {
        "tape.jsonl" => {
            let lines = text.lines().map(|line| match serde_json::from_str::<Value>(line).unwrap() {
                Value::Object(mut fields) if fields.contains_key("whole_ms") => {
                    (fields["first_ms"], fields["whole_ms"]) = (json!(1_000), json!(4_000));
                    Value::Object(fields).to_string()
                }
                _ => line.to_owned(),
            });
            lines.collect::<Vec<_>>().join("\n") + "\n"
        }
        _ => text,
    };
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("park.zip"), packed(&taped, slow)).unwrap();
    let begun = Instant::now();
    let done = watch(folder.path(), &["run", "--recorded", "park.zip", "--auto", "--speed", "20"]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    // Eleven answers, one after another, of a fifth of a second each.
    assert!(begun.elapsed().as_millis() >= 2_200, "{:?}", begun.elapsed());
}

#[test]
fn a_recording_says_that_it_ends_where_a_request_was_not_recorded() {
    let taped = taped();
    let folder = tempfile::tempdir().unwrap();
    // As after a decision that leads another way.
    let other = |name: &str, text: String| match name {
        "tape.jsonl" => {
            let revised = |line: &&str| line.contains("(draft 2)");
            text.lines().filter(|line| !revised(line)).collect::<Vec<_>>().join("\n") + "\n"
        }
        _ => text,
    };
    fs::write(folder.path().join("park.zip"), packed(&taped, other)).unwrap();
    let done = watch(folder.path(), &["run", "--recorded", "park.zip", "--auto"]);
    assert_eq!(done.code, 1, "{}{}", done.out, done.err);
    assert!(format!("{}{}", done.out, done.err).contains("The recording ends here."), "{}{}", done.out, done.err);
}

#[test]
fn what_is_no_recorded_story_is_refused_and_a_newer_key_is_added() {
    let taped = taped();
    let folder = tempfile::tempdir().unwrap();
    let play = |bytes: &[u8]| {
        fs::write(folder.path().join("park.zip"), bytes).unwrap();
        watch(folder.path(), &["run", "--recorded", "park.zip", "--auto"])
    };
    refused(&watch(folder.path(), &["run", "--recorded", "nowhere", "--auto"]), "The program has miller-park");
    refused(&play(b"no zip"), "it is no zip file");
    refused(&play(&packed(&taped, |name, text| if name == "about.json" { "{}".into() } else { text })), "about.json");
    refused(&watch(folder.path(), &["run", "--recorded", "park.zip"]), "there is no terminal here");
    refused(&watch(folder.path(), &["run", "--recorded", "park.zip", "--auto", "--speed", "0"]), "0.1 to 1000");
    let older = packed(&taped, |name, text| match name {
        "config/config.yaml" => {
            text.lines().filter(|line| !line.starts_with("editor: ")).collect::<Vec<_>>().join("\n")
        }
        _ => text,
    });
    assert_eq!(play(&older).code, 0);
}

#[test]
fn the_story_that_comes_with_the_program_plays_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let done = watch(folder.path(), &["run", "--recorded", "--auto"]);
    let said = format!("{}{}", done.out, done.err);
    // Whether it passed is the model's doing; if a request is missing, `.ci/record-story` makes it anew.
    assert!(done.code <= 1 && !said.contains("The recording ends here"), "{said}");
    assert!(said.contains("miller-park-renovation"), "{said}");
}

#[test]
fn stories_that_a_real_model_told_play_to_their_end() {
    let stories = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recorded");
    let files: Vec<PathBuf> = fs::read_dir(stories).unwrap().map(|entry| entry.unwrap().path()).collect();
    let zips: Vec<&PathBuf> = files.iter().filter(|file| file.extension().is_some_and(|end| end == "zip")).collect();
    assert!(!zips.is_empty(), "{files:?}");
    for zip in zips {
        let folder = tempfile::tempdir().unwrap();
        let done = watch(folder.path(), &["run", "--recorded", zip.to_str().unwrap(), "--auto"]);
        let said = format!("{}{}", done.out, done.err);
        assert!(done.code <= 1 && !said.contains("The recording ends here"), "{}: {said}", zip.display());
        assert!(said.contains("SUCCESS") || said.contains("rounds (editor_max_rounds) are used up"), "{said}");
    }
}
