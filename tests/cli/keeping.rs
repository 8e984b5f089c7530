//! An editor's work on a story as a whole, with the real program: set aside, made urgent, deleted without a trace; the desk
//! backed up while it is at work, and restored.

use std::{
    collections::{BTreeSet, HashSet},
    fs::{self, File},
    io::{BufRead as _, BufReader, Read as _, Write as _},
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use copydesk::{
    ports::{Archive as _, Records as _},
    store::Store,
};
use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use rusqlite::Connection;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::support::{
    newsroom::Newsroom,
    script,
    server::{Reply, Server},
};

/// A source that no other story has, and that no compression makes small.
fn secret() -> String {
    let numbers: Vec<String> =
        (0..1200).map(|n: u32| format!("{}", n.wrapping_mul(2_654_435_761).rotate_left(n % 31))).collect();
    format!("The informant met the council on Tuesday. Amounts: {}.", numbers.join(" "))
}

fn topic(newsroom: &Newsroom, slug: &str, source: &str) -> String {
    let topic = json!({
        "source_text": source,
        "source_metadata": {
            "source_file": format!("{slug}.json"), "channel_name": "desk", "video_id": "m1", "video_title": format!("Minutes of {slug}"),
            "publish_date": "2026-10-06", "topic_slug": slug, "topic_title": format!("Council votes on {slug}")
        },
        "target_length_words": "10-120"
    });
    newsroom.write(&format!("topics/{slug}.json"), topic.to_string().as_bytes()).to_str().unwrap().to_owned()
}

/// Pieces of texts, 20 bytes long, to be looked for in files.
struct Pieces<'t> {
    pieces: HashSet<&'t [u8]>,
    /// By their first two bytes: most places of a file are not looked at any further.
    begin: Vec<bool>,
}

impl<'t> Pieces<'t> {
    /// At every multiple of 700 of `texts`, but for those that stand in one of the `common` ones, too.
    fn of(texts: &'t [Vec<u8>], common: &BTreeSet<Vec<u8>>) -> Self {
        let pieces: HashSet<&[u8]> =
            texts.iter().flat_map(|text| text.chunks(700).filter_map(|chunk| chunk.get(..20))).collect();
        let mut found = Self { begin: vec![false; 1 << 16], pieces };
        for piece in &found.pieces {
            found.begin[beginning(piece)] = true;
        }
        for text in common {
            for window in text.windows(20) {
                found.pieces.remove(window);
            }
        }
        found
    }

    fn find<'b>(&self, bytes: &'b [u8]) -> Option<&'b [u8]> {
        bytes.windows(20).find(|window| self.begin[beginning(window)] && self.pieces.contains(window))
    }
}

fn beginning(piece: &[u8]) -> usize {
    usize::from(piece[0]) << 8 | usize::from(piece[1])
}

/// The files below `data` in which one of `pieces` stands, with the piece.
fn traces(newsroom: &Newsroom, pieces: &Pieces<'_>) -> BTreeSet<(String, String)> {
    let files = newsroom.files().into_iter().filter(|(name, _)| name.starts_with("data"));
    files.filter_map(|(name, bytes)| Some((name, String::from_utf8_lossy(pieces.find(&bytes)?).into_owned()))).collect()
}

#[test]
fn a_deleted_story_leaves_no_trace_of_its_source() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    let (park, mill) =
        (topic(&newsroom, "park", &secret()), topic(&newsroom, "mill", "The council voted on the mill."));
    assert_eq!(newsroom.run(&["run", "--auto", &mill]).code, 0);
    let before = newsroom.bodies();
    let others: Vec<String> = newsroom.files().into_iter().map(|(name, _)| name).collect();
    assert_eq!(newsroom.run(&["run", "--auto", &park]).code, 0);
    assert_eq!(newsroom.run(&["run", "--auto", &park]).code, 0);
    // The words as they are, and the forms in which the database has what only this story has.
    let mut texts: Vec<Vec<u8>> = newsroom.bodies().difference(&before).cloned().collect();
    texts.push(secret().into_bytes());
    let pieces = Pieces::of(&texts, &before);
    let found = traces(&newsroom, &pieces);
    assert!(found.iter().any(|(name, _)| name == "data/copydesk.db"), "{found:?}");
    let remembered = || {
        newsroom
            .files()
            .into_iter()
            .any(|(name, _)| name.starts_with("data/institutional_memory") && !others.contains(&name))
    };
    assert!(remembered());

    let refused = newsroom.run(&["delete", "park"]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("--yes (nothing was deleted)"), "{}", refused.err);
    let deleted = newsroom.run(&["delete", "park", "--yes"]);
    assert_eq!(deleted.code, 0, "{}", deleted.err);
    assert!(deleted.err.contains("Deleted desk/park: 2 runs"), "{}", deleted.err);
    assert_eq!(traces(&newsroom, &pieces), BTreeSet::new());
    assert_eq!(newsroom.bodies(), before);
    assert!(!remembered());

    // Nothing else is gone, and nothing of it is left over but empty locks.
    let left: Vec<String> = newsroom.files().into_iter().map(|(name, _)| name).collect();
    let extra: Vec<&String> = left.iter().filter(|name| !others.contains(name)).collect();
    assert!(extra.iter().all(|name| name.starts_with("data/locks/") || *name == "topics/park.json"), "{extra:?}");
    assert!(others.iter().all(|name| left.contains(name)));
    assert!(!newsroom.path().join("data/output/article_editor_runs/desk/park").exists());
    let listed: Value = serde_json::from_str(&newsroom.run(&["list", "--all", "--json"]).out).unwrap();
    assert_eq!(listed.as_array().unwrap().len(), 1);
    assert_eq!(newsroom.run(&["delete", "park", "--yes"]).code, 2, "it is not there any more");
    // The name is free again, and the story begins anew.
    server.forget();
    assert_eq!(newsroom.run(&["run", "--auto", &park]).code, 0);
    assert_eq!(server.count("writer"), 1);
}

#[test]
fn two_stories_of_one_source_share_texts_and_one_of_them_can_go() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    for slug in ["park", "mill"] {
        assert_eq!(newsroom.run(&["run", "--auto", &topic(&newsroom, slug, &secret())]).code, 0);
    }
    let whole = |name: &str| {
        let shown = newsroom.run(&["show", name]);
        assert_eq!(shown.code, 0, "{}", shown.err);
        shown.out
    };
    let before = whole("mill");
    assert_eq!(newsroom.run(&["delete", "desk/park", "--yes"]).code, 0);
    // The cost of the deleted story's check, which spared this one a call, is not known any more.
    let spared = "1 call not made (141 tokens).";
    assert!(before.contains(spared), "{before}");
    assert_eq!(whole("mill"), before.replace(spared, "1 call not made (tokens unknown)."));
    let database = newsroom.database();
    assert!(!database.prepare("PRAGMA foreign_key_check").unwrap().exists([]).unwrap());
    // Each part that a prompt names is there.
    let mut prompts =
        database.prepare("SELECT body, packed FROM blob WHERE id IN (SELECT prompt FROM llm_call)").unwrap();
    let mut rows = prompts.query([]).unwrap();
    let mut parts = 0;
    while let Some(row) = rows.next().unwrap() {
        let body: Vec<u8> = row.get(0).unwrap();
        let text = if row.get(1).unwrap() { zstd::decode_all(body.as_slice()).unwrap() } else { body };
        let prompt: Value = serde_json::from_slice(&text).unwrap();
        for part in prompt.as_array().unwrap().iter().flat_map(|message| message["parts"].as_array().unwrap()) {
            if let Some(blob) = part.get("blob").and_then(Value::as_i64) {
                assert!(database.prepare("SELECT 1 FROM blob WHERE id = ?1").unwrap().exists([blob]).unwrap());
                parts += 1;
            }
        }
    }
    assert!(parts > 10, "{parts}");
    // The memory's files for both stories are still on the disk for the one that is left.
    let (records, files): (i64, usize) = (
        database.query_row("SELECT count(DISTINCT cache_key_hash) FROM memory", [], |row| row.get(0)).unwrap(),
        newsroom.files().iter().filter(|(name, _)| name.starts_with("data/institutional_memory")).count(),
    );
    assert_eq!(usize::try_from(records), Ok(files));
}

#[test]
fn a_story_whose_opening_cannot_be_read_is_deleted_and_what_was_not_found_is_said() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    let park = topic(&newsroom, "park", "The council voted on the park.");
    for _ in 0..2 {
        assert_eq!(newsroom.run(&["run", "--auto", &park]).code, 0);
    }
    let runs = newsroom.runs();
    newsroom
        .database()
        .execute("UPDATE blob SET packed = 1, body = x'00' WHERE id IN (SELECT opening FROM run)", [])
        .unwrap();
    // One run's files are where runs have theirs, the other's were moved away.
    let elsewhere = newsroom.path().join("elsewhere");
    fs::rename(&runs[0], &elsewhere).unwrap();
    let deleted = newsroom.run(&["delete", "park", "--yes"]);
    assert_eq!(deleted.code, 0, "{}", deleted.err);
    assert!(deleted.err.contains("Deleted desk/park: 2 runs"), "{}", deleted.err);
    let said: Vec<&str> = deleted.err.lines().filter(|line| line.starts_with("Not found: ")).collect();
    let run = runs[0].file_name().unwrap().to_str().unwrap();
    assert!(said.len() == 1 && said[0].contains(&format!("what run {run} was opened with cannot be read")), "{said:?}");
    assert!(!runs[1].exists() && elsewhere.exists());
    assert!(!newsroom.path().join("data/output/articles/desk/park.json").exists());
    assert_eq!(newsroom.run(&["delete", "park", "--yes"]).code, 2, "it is not there any more");
}

#[test]
fn a_story_at_work_is_not_deleted() {
    let server = Server::start(script::but("writer", 9, Reply::Hang));
    let newsroom = Newsroom::at(&server.base());
    let topic = newsroom.topic();
    let mut child = newsroom.start(&["run", "--auto", "--json", topic.to_str().unwrap()]);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    lines.next().unwrap().unwrap();
    let refused = newsroom.run(&["delete", "park", "--yes"]);
    let restore = newsroom.run(&["restore", topic.to_str().unwrap()]);
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(refused.code, 1);
    assert!(refused.err.contains("desk/park is being worked on by another copydesk"), "{}", refused.err);
    assert!(restore.err.contains("is open in another program"), "{}", restore.err);
    assert_eq!(newsroom.run(&["delete", "park", "--yes"]).code, 0, "the lock went with the program");
}

#[test]
fn a_paused_story_is_left_alone_and_an_urgent_one_comes_first() {
    let silent = Arc::new(AtomicBool::new(true));
    let is_silent = Arc::clone(&silent);
    let server =
        Server::start(move |call| if is_silent.load(Ordering::SeqCst) { Reply::Hang } else { script::usual(call) });
    let newsroom = Newsroom::at(&server.base());
    for slug in ["park", "mill", "pool"] {
        let topic = topic(&newsroom, slug, "The council voted.");
        let mut child = newsroom.start(&["run", "--auto", "--json", &topic]);
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        // The program may go on with an earlier story first, whose program was killed.
        let own = format!("\"story\":\"desk/{slug}\"");
        while !lines.next().unwrap().unwrap().contains(&own) {}
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let paused = newsroom.run(&["set", "park", "--pause"]).err;
    assert!(paused.contains("desk/park is paused"), "{paused}");
    let raised = newsroom.run(&["set", "pool", "--priority", "high"]).err;
    assert!(raised.contains("now has high priority"), "{raised}");
    assert_eq!(newsroom.run(&["set", "pool", "--priority", "urgent"]).code, 2);
    let listed = newsroom.run(&["list"]).out;
    assert!(listed.contains("paused") && listed.contains("high"), "{listed}");
    let log = newsroom.run(&["log", "park"]).out;
    assert!(log.contains("Paused by "), "{log}");

    silent.store(false, Ordering::SeqCst);
    let resumed = newsroom.run(&["resume"]);
    assert_eq!(resumed.code, 0, "{}", resumed.err);
    assert!(
        resumed.err.contains("desk/park: Paused. `copydesk set desk/park --unpause` ends the pause"),
        "{}",
        resumed.err
    );
    let place = |slug: &str| resumed.out.find(slug).unwrap_or_else(|| panic!("{slug} in {}", resumed.out));
    assert!(place("desk/pool") < place("desk/mill"));
    assert!(!resumed.out.contains("desk/park"));
    assert!(newsroom.run(&["resume"]).err.contains("Nothing else to resume"));
    newsroom.run(&["set", "park", "--unpause"]);
    assert_eq!(newsroom.run(&["resume"]).code, 0);
    assert!(newsroom.path().join("data/output/articles/desk/park.json").exists());
}

#[test]
fn the_desk_is_backed_up_while_a_run_is_at_work_and_restored() {
    let server = Server::start(|call| Reply::Late(Duration::from_millis(60), Box::new(script::usual(call))));
    let newsroom = Newsroom::at(&server.base());
    let topic = newsroom.topic();
    let mut child = newsroom.start(&["run", "--auto", "--json", topic.to_str().unwrap()]);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    for _ in 0..6 {
        lines.next().unwrap().unwrap();
    }
    let backed_up = newsroom.run(&["backup", "monday.copydesk"]);
    assert_eq!(backed_up.code, 0, "{}", backed_up.err);
    assert!(child.try_wait().unwrap().is_none(), "the run was at work all the time");
    assert_eq!(lines.map(Result::unwrap).filter(|line| line.contains("\"run_closed\"")).count(), 1);
    assert!(child.wait().unwrap().success());
    let again = newsroom.run(&["backup", "monday.copydesk"]);
    assert_eq!(again.code, 2);
    assert!(again.err.contains("the file monday.copydesk already exists"), "{}", again.err);

    let finished = newsroom.canonical();
    let restored = newsroom.run(&["restore", "monday.copydesk"]);
    assert_eq!(restored.code, 0, "{}", restored.err);
    assert!(restored.err.contains("is kept as") && restored.err.contains(".before-restore-"), "{}", restored.err);
    let state = || {
        let listed: Value = serde_json::from_str(&newsroom.run(&["list", "--json"]).out).unwrap();
        listed[0]["state"].clone()
    };
    assert_eq!(state(), json!("open"), "as it was in the middle of its run");
    // It goes on from there and comes to the same end; what was answered by then is not asked again.
    server.forget();
    let resumed = newsroom.run(&["resume"]);
    assert_eq!(resumed.code, 0, "{}", resumed.err);
    assert_eq!(newsroom.canonical()["article"], finished["article"]);
    assert_eq!(server.count("writer"), 0);
    assert_eq!(state(), json!("success"));
}

#[test]
fn what_is_no_backup_is_not_restored() {
    let newsroom = Newsroom::offline();
    assert_eq!(newsroom.auto(&newsroom.topic()).code, 0);
    assert_eq!(newsroom.run(&["backup", "good"]).code, 0);
    let digest = |path: &Path| Sha256::digest(fs::read(path).unwrap());
    let file = newsroom.path().join("data/copydesk.db");
    let before = digest(&file);
    newsroom.write("junk", b"Dear editor, ");
    let other = newsroom.path().join("other");
    Connection::open(&other).unwrap().execute_batch("CREATE TABLE track (id); PRAGMA user_version = 1").unwrap();
    fs::copy(newsroom.path().join("good"), newsroom.path().join("newer")).unwrap();
    Connection::open(newsroom.path().join("newer")).unwrap().execute_batch("PRAGMA user_version = 77").unwrap();
    for (from, why) in [
        ("junk", "is not a SQLite database"),
        ("other", "the database of another program"),
        ("newer", "a newer version of copydesk"),
        ("nothing", "No such file"),
        ("data/copydesk.db", "it is the database itself"),
    ] {
        let refused = newsroom.run(&["restore", from]);
        assert_eq!(refused.code, 2, "{from}");
        assert!(refused.err.contains(why) && refused.err.contains("nothing was changed"), "{from}: {}", refused.err);
        assert_eq!(digest(&file), before, "{from}");
    }
    let leftovers: Vec<String> =
        newsroom.files().into_iter().map(|(name, _)| name).filter(|name| name.contains("restore")).collect();
    assert!(leftovers.is_empty(), "{leftovers:?}");
    File::open(newsroom.path().join("good")).unwrap();
}

#[test]
fn a_screen_sees_what_another_process_commits() {
    let server = Server::start(|call| Reply::Late(Duration::from_millis(80), Box::new(script::usual(call))));
    let newsroom = Newsroom::at(&server.base());
    let topic = newsroom.topic();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let store = Store::open(&newsroom.path().join("data/copydesk.db")).unwrap();
    let mut child = newsroom.start(&["run", "--auto", "--json", topic.to_str().unwrap()]);
    // As a screen does: the tail, and what is new of the run that it names.
    let (mut last, mut looks, mut seen, mut entries) = (0, 0, 0, Vec::new());
    runtime.block_on(async {
        loop {
            let tail = store.tail(last).await.unwrap();
            if tail.last > last {
                looks += 1;
                last = tail.last;
                let listed = store.listed(&tail.runs).await.unwrap();
                let (run, row) = &listed[0];
                for (seq, entry) in store.entries_after(*run, seen).await.unwrap() {
                    seen = seq;
                    entries.push(entry);
                }
                if row.state.as_str() != "open" {
                    assert_eq!(store.load(*run).await.unwrap().journal.entries(), entries);
                    break;
                }
            }
            assert!(child.try_wait().unwrap().is_none_or(|status| status.success()));
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    assert!(looks >= 5, "seen while it was at work: {looks}");
    drop(child.stdout.take());
    child.wait().unwrap();
}

/// Runs `delete park` in a terminal, answers its question, and returns all that it said.
fn answered(newsroom: &Newsroom, answer: &str) -> String {
    let pair = native_pty_system().openpty(PtySize { rows: 24, cols: 100, pixel_width: 0, pixel_height: 0 }).unwrap();
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_copydesk"));
    command.args(["delete", "park"]);
    command.cwd(newsroom.path());
    command.env("HOME", newsroom.path().join("home"));
    let mut child = pair.slave.spawn_command(command).unwrap();
    drop(pair.slave);
    let mut reader = pair.master.try_clone_reader().unwrap();
    let mut writer = pair.master.take_writer().unwrap();
    let mut said = Vec::new();
    let mut bytes = [0; 1024];
    while !String::from_utf8_lossy(&said).contains("Type yes: ") {
        let count = reader.read(&mut bytes).unwrap();
        assert!(count > 0, "{}", String::from_utf8_lossy(&said));
        said.extend_from_slice(&bytes[..count]);
    }
    writer.write_all(answer.as_bytes()).unwrap();
    // On Linux a terminal that nobody holds any more ends with an error.
    while let Ok(count) = reader.read(&mut bytes)
        && count > 0
    {
        said.extend_from_slice(&bytes[..count]);
    }
    assert!(child.wait().unwrap().success());
    String::from_utf8(said).unwrap()
}

#[test]
fn at_a_terminal_an_editor_is_asked_before_a_story_goes() {
    let newsroom = Newsroom::offline();
    newsroom.auto(&newsroom.topic());
    let said = answered(&newsroom, "\n");
    assert!(said.contains("This cannot be undone.") && said.contains("Nothing was deleted."), "{said}");
    assert_eq!(newsroom.run(&["show", "park"]).code, 0);
    let said = answered(&newsroom, "yes\n");
    assert!(said.contains("Deleted desk/park: 1 run,"), "{said}");
    assert_eq!(newsroom.run(&["show", "park"]).code, 2);
}
