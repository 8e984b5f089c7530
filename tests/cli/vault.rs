//! A desk that somebody tampered with, one that lost a byte, and a backup that a stranger made (docs/measurements.md has the figures).

use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use copydesk::{
    ports::{Archive as _, Audit, Flaw},
    store::Store,
};
use rusqlite::{Connection, params, types::Value as Cell};
use sha2::{Digest as _, Sha256};

use crate::support::{newsroom::Newsroom, script, server::Server};

const DATABASE: &str = "data/copydesk.db";

/// A desk with a story that was signed off.
fn signed() -> Newsroom {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    let topic = newsroom.topic();
    for words in [
        &["run", "--plain", topic.to_str().unwrap()][..],
        &["decide", "park", "stet", "--reason", "The clerk said April.", "--resume"],
        &["decide", "park", "sign-off", "--resume"],
    ] {
        let done = newsroom.run(words);
        assert_eq!(done.code, 0, "{words:?}: {}", done.err);
    }
    // All of it in one file.
    let database = Connection::open(newsroom.path().join(DATABASE)).unwrap();
    database.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    newsroom
}

/// A copy of the desk's database, with the file that holds the end of its log.
fn copied(newsroom: &Newsroom, name: &str) -> PathBuf {
    let folder = newsroom.path().join(name);
    fs::create_dir_all(&folder).unwrap();
    let copy = folder.join("copydesk.db");
    for ending in ["", ".head"] {
        fs::copy(newsroom.path().join(format!("{DATABASE}{ending}")), folder.join(format!("copydesk.db{ending}")))
            .unwrap();
    }
    copy
}

fn audited(database: &Path) -> Option<Audit> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async { Store::open(database).ok()?.audit(Vec::new()).await.ok() })
}

/// Makes the chain of the log anew, as somebody does who knows how it is made.
fn chain_anew(database: &Connection) {
    type Row = (i64, i64, String, Option<String>, Vec<u8>);
    let mut rows = database.prepare("SELECT seq, run, at, payload, digest FROM event ORDER BY seq").unwrap();
    let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?));
    let events: Vec<Row> = rows.query_map([], read).unwrap().map(Result::unwrap).collect();
    let mut before = Vec::new();
    for (seq, run, at, payload, digest) in events {
        let digest = payload.map_or(digest, |payload| Sha256::digest(payload).to_vec());
        let mut link = Sha256::new();
        link.update(&before);
        link.update(run.to_be_bytes());
        link.update(at.as_bytes());
        link.update(&digest);
        before = link.finalize().to_vec();
        let sql = "UPDATE event SET digest = ?2, chain = ?3 WHERE seq = ?1";
        database.execute(sql, params![seq, digest, before]).unwrap();
    }
}

/// Puts another text in the place of one, with the digest that it must have.
fn put_text(database: &Connection, id: i64, change: impl FnOnce(String) -> String) {
    let (size, packed, body): (u32, bool, Vec<u8>) = database
        .query_row("SELECT size, packed, body FROM blob WHERE id = ?1", [id], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        })
        .unwrap();
    let text = if packed { zstd::bulk::decompress(&body, size as usize).unwrap() } else { body };
    let text = change(String::from_utf8(text).unwrap());
    let sql = "UPDATE blob SET digest = ?2, size = ?3, packed = 0, body = ?4 WHERE id = ?1";
    let digest = Sha256::digest(&text).to_vec();
    database.execute(sql, params![id, digest, i64::try_from(text.len()).unwrap(), text.as_bytes()]).unwrap();
}

#[test]
fn each_of_ten_ways_to_tamper_is_noticed() {
    type Way = Box<dyn Fn(&Connection)>;
    let newsroom = signed();
    let whole = newsroom.run(&["doctor"]);
    assert!(whole.out.contains("fine   audit log: "), "{}", whole.out);
    assert_eq!(audited(&copied(&newsroom, "whole")).unwrap().flaws, []);
    let verified = newsroom.run(&["audit", "verify"]);
    assert!(verified.code == 0 && verified.out.contains("of 1 story are as they were written"), "{}", verified.out);
    let exported = newsroom.run(&["audit", "export"]);
    let lines: Vec<serde_json::Value> = exported.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (end, events) = lines.split_last().unwrap();
    let numbers: Vec<u64> = events.iter().map(|event| event["seq"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (1..=events.len() as u64).collect::<Vec<_>>());
    assert!(
        events.iter().any(|event| event["event"] == "decided" && event["story"] == "desk/park"),
        "{}",
        exported.out
    );
    assert!(end["head"].as_str().is_some_and(|head| head.len() == 64) && end["whole"] == true, "{end}");

    let event = |what: &str| format!("(SELECT max(seq) FROM event WHERE payload LIKE '%\"{what}\"%')");
    let sql = |sql: String| move |database: &Connection| database.execute_batch(&sql).unwrap();
    let decided = event("decided");
    let ways: Vec<(&str, Way)> = vec![
        ("the last events are cut off", Box::new(sql("DELETE FROM event WHERE seq > 5".into()))),
        (
            "all are, and SQLite's count with them",
            Box::new(sql("DELETE FROM event; DELETE FROM sqlite_sequence WHERE name = 'event'".into())),
        ),
        (
            "the text of an event is gone",
            Box::new(sql(format!("UPDATE event SET payload = NULL WHERE seq = {decided}"))),
        ),
        (
            "another editor decided, and the chain is made anew",
            Box::new(move |database| {
                let change = "UPDATE event SET payload = replace(payload, 'The editor', 'Mallory')";
                database.execute(change, []).unwrap();
                chain_anew(database);
            }),
        ),
        (
            "the end is cut off, and the chain made anew",
            Box::new(|database| {
                let cut = "DELETE FROM event WHERE seq = (SELECT max(seq) FROM event);
                     UPDATE sqlite_sequence SET seq = seq - 1 WHERE name = 'event'";
                database.execute_batch(cut).unwrap();
                chain_anew(database);
            }),
        ),
        ("a signature by hand", Box::new(sql("UPDATE run SET signed_by = 'Mallory'".into()))),
        (
            "a trigger",
            Box::new(sql(
                "CREATE TRIGGER planted AFTER INSERT ON event BEGIN UPDATE run SET signed_by = 'M'; END".into()
            )),
        ),
        (
            "another article, with its digest",
            Box::new(|database| {
                let sql = "SELECT outcome FROM journal WHERE step = 'draft'";
                let draft = database.query_row(sql, [], |row| row.get(0)).unwrap();
                put_text(database, draft, |text| text.replace("council", "mayor"));
            }),
        ),
        (
            "another source, with its digest",
            Box::new(|database| {
                let source = database.query_row("SELECT opening FROM run", [], |row| row.get(0)).unwrap();
                put_text(database, source, |text| text.replace("seven to two", "nine to none"));
            }),
        ),
        (
            "another result",
            Box::new(sql("UPDATE run SET flags = '[]', error = NULL, open_concerns = 0, rounds = 9".into())),
        ),
    ];
    for (number, (way, tamper)) in ways.iter().enumerate() {
        let copy = copied(&newsroom, &format!("way-{number}"));
        tamper(&Connection::open(&copy).unwrap());
        let flaws = audited(&copy).map(|audit| audit.flaws);
        assert!(flaws.as_ref().is_none_or(|flaws| !flaws.is_empty()), "{way} went unnoticed");
    }
    // The file beside the database is not enough to hide it, nor is it enough to take it away.
    let copy = copied(&newsroom, "no-head");
    fs::remove_file(copy.with_file_name("copydesk.db.head")).unwrap();
    assert!(matches!(audited(&copy).unwrap().flaws.as_slice(), [Flaw::HeadGone(_)]));

    // A signature that is only in the artifacts any more; and what `doctor` and `backup` say of it.
    let database = Connection::open(newsroom.path().join(DATABASE)).unwrap();
    let signing = "step = (SELECT max(step) FROM journal WHERE step GLOB 'r*.d*')";
    database.execute_batch(&format!("DELETE FROM journal WHERE {signing}; UPDATE run SET signed_by = NULL")).unwrap();
    drop(database);
    let done = newsroom.run(&["doctor"]);
    assert_eq!(done.code, 1, "{}", done.out);
    assert!(done.out.contains("was signed off by The editor, as its artifacts say"), "{}", done.out);
    let done = newsroom.run(&["audit", "verify", "--json"]);
    let told: serde_json::Value = serde_json::from_str(&done.out).unwrap();
    assert!(
        done.code == 1 && told["whole"] == false && told["flaws"].as_array().is_some_and(|flaws| !flaws.is_empty())
    );
    let done = newsroom.run(&["backup", "tampered.backup"]);
    assert!(done.code == 1 && done.err.contains("The database is not as it was written"), "{}", done.err);
}

/// Everything that a person can read in a database; none if it cannot be read.
fn contents(database: &Path) -> Option<Vec<Vec<Cell>>> {
    const TABLES: [&str; 12] = [
        "blob",
        "story",
        "run",
        "journal",
        "llm_call",
        "event",
        "memory",
        "scratch",
        "prompt_part",
        "document",
        "passage",
        "setting",
    ];
    let database = Connection::open(database).ok()?;
    let mut all = Vec::new();
    for table in TABLES {
        let mut rows = database.prepare(&format!("SELECT * FROM {table} NOT INDEXED")).ok()?;
        let columns = rows.column_count();
        let mut rows = rows.query([]).ok()?;
        while let Some(row) = rows.next().ok()? {
            all.push((0..columns).map(|column| row.get(column)).collect::<Result<_, _>>().ok()?);
        }
    }
    Some(all)
}

#[test]
fn each_of_sixty_flipped_bytes_is_noticed_or_changes_nothing() {
    let newsroom = signed();
    let whole = fs::read(newsroom.path().join(DATABASE)).unwrap();
    let before = contents(&copied(&newsroom, "before")).unwrap();
    let (mut seed, mut harmless, mut missed) = (0x5EED_u64, 0, Vec::new());
    let copy = copied(&newsroom, "flipped");
    for number in 0..60 {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let place = usize::try_from(seed >> 20).unwrap() % whole.len();
        let mut bytes = whole.clone();
        bytes[place] ^= 1 << (number % 8);
        for ending in ["-wal", "-shm"] {
            let _ = fs::remove_file(copy.with_file_name(format!("copydesk.db{ending}")));
        }
        fs::write(&copy, &bytes).unwrap();
        let noticed = audited(&copy).is_none_or(|audit| !audit.flaws.is_empty());
        if !noticed {
            fs::write(&copy, &bytes).unwrap();
            if contents(&copy).as_ref() == Some(&before) {
                harmless += 1;
            } else {
                missed.push(place);
            }
        }
    }
    println!("60 flips: {harmless} change nothing, {} are noticed", 60 - harmless - missed.len());
    assert_eq!(missed, [0usize; 0], "bytes whose change nobody noticed");
}

/// Changes that a stranger may make to a backup, each with the message about it; no message if the backup comes in without the change.
fn hostile() -> Vec<(&'static str, &'static str, &'static str)> {
    vec![
        (
            "a trigger that rewrites signatures",
            "CREATE TRIGGER a AFTER INSERT ON event BEGIN UPDATE run SET signed_by = 'Mallory'; END",
            "",
        ),
        (
            "a trigger that loads an extension",
            "CREATE TRIGGER a AFTER INSERT ON event BEGIN SELECT load_extension('/tmp/evil.so'); END",
            "",
        ),
        (
            "a trigger that never ends",
            "CREATE TRIGGER a AFTER UPDATE ON run BEGIN INSERT INTO setting SELECT hex(zeroblob(x)), '' FROM
                 (WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n); END",
            "",
        ),
        ("a view without end", "CREATE VIEW v AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n) SELECT * FROM n", ""),
        (
            "an index on an expression that fills the memory",
            "CREATE INDEX i ON event (abs(seq)); PRAGMA writable_schema = ON;
             UPDATE sqlite_schema SET sql = 'CREATE INDEX i ON event (length(hex(zeroblob(900000000 + seq))))' WHERE name = 'i'",
            "",
        ),
        (
            "a view in a table's place",
            "ALTER TABLE scratch RENAME TO other; CREATE VIEW scratch AS SELECT * FROM other",
            "its table scratch is not one of Copydesk",
        ),
        (
            "a column that computes",
            "DROP TABLE setting; CREATE TABLE setting (key TEXT, value TEXT AS (hex(zeroblob(900000000))))",
            "its table setting is not one of Copydesk",
        ),
        ("a text of an impossible size", "UPDATE blob SET size = 4611686018427387904", "its texts are too long"),
        (
            "a text that says it is shorter than it is",
            "UPDATE blob SET size = 10 WHERE packed = 1",
            "are not as they were stored",
        ),
        ("a log without its end", "DELETE FROM event WHERE seq > 5", "somebody cut off its end"),
    ]
}

#[test]
fn nothing_of_a_strangers_backup_runs_and_what_does_not_fit_is_refused() {
    let newsroom = signed();
    assert_eq!(newsroom.run(&["backup", "good.backup"]).code, 0);
    let good = newsroom.path().join("good.backup");
    for (number, (name, sql, says)) in hostile().into_iter().enumerate() {
        let bad = newsroom.path().join(format!("{number}.backup"));
        fs::copy(&good, &bad).unwrap();
        let database = Connection::open(&bad).unwrap();
        database.execute_batch(sql).unwrap_or_else(|error| panic!("{name}: {error}"));
        drop(database);
        let began = Instant::now();
        let done = newsroom.run(&["restore", bad.to_str().unwrap()]);
        assert!(began.elapsed() < Duration::from_secs(20), "{name}");
        if says.is_empty() {
            assert_eq!(done.code, 0, "{name}: {}", done.err);
            let database = Connection::open(newsroom.path().join(DATABASE)).unwrap();
            let planted: i64 = database
                .query_row("SELECT count(*) FROM sqlite_schema WHERE name IN ('a', 'v', 'i')", [], |row| row.get(0))
                .unwrap();
            assert_eq!(planted, 0, "{name}");
            // The next restore puts this one aside under the second's name.
            std::thread::sleep(Duration::from_millis(1_100));
        } else {
            assert_eq!(done.code, 2, "{name}: {}", done.err);
            assert!(done.err.contains(says) && done.err.contains("nothing was changed"), "{name}: {}", done.err);
        }
    }
    // The good one comes back whole, with what can be searched.
    let done = newsroom.run(&["restore", "good.backup"]);
    assert!(done.code == 0 && done.err.contains("Stories: 1."), "{}", done.err);
    let done = newsroom.run(&["doctor"]);
    assert!(done.out.contains("fine   audit log: "), "{}", done.out);
    assert!(newsroom.run(&["replay", "park"]).code == 0);
}

#[test]
fn what_a_text_of_the_database_holds_does_not_reach_the_terminal() {
    let newsroom = signed();
    let database = Connection::open(newsroom.path().join(DATABASE)).unwrap();
    let evil = "x\u{1b}]52;c;ZXZpbA==\u{7}\u{1b}[2J\u{9b}2J\u{202e}y";
    for column in ["title", "desk", "signed_by", "waits", "error"] {
        database.execute(&format!("UPDATE run SET {column} = ?1"), [evil]).unwrap();
    }
    database.execute("UPDATE run SET flags = json_array(?1)", [evil]).unwrap();
    let sql = "SELECT DISTINCT outcome FROM journal";
    let mut rows = database.prepare(sql).unwrap();
    let outcomes: Vec<i64> = rows.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    for outcome in outcomes {
        put_text(&database, outcome, |text| text.replace("park", "p\\u001b[2J\\u009b2J\\u202eark"));
    }
    database
        .execute("UPDATE event SET payload = replace(payload, 'concern', 'c\\u001b]52;c;Zm9v\\u0007')", [])
        .unwrap();
    drop(rows);
    drop(database);
    for words in [
        &["list"][..],
        &["list", "--all"],
        &["show", "park"],
        &["log", "park"],
        &["export", "park", "--format", "markdown"],
    ] {
        let done = newsroom.run(words);
        for said in [done.out, done.err] {
            assert_eq!(said.chars().find(|c| steers(*c)), None, "{words:?}: {said:?}");
        }
    }
}

/// Whether a character can steer a terminal.
fn steers(c: char) -> bool {
    (c.is_control() && c != '\n' && c != '\t') || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[test]
fn no_column_of_a_run_or_a_story_reaches_the_terminal_as_it_is() {
    let newsroom = signed();
    let database = Connection::open(newsroom.path().join(DATABASE)).unwrap();
    let evil = "x\u{1b}]52;c;ZXZpbA==\u{7}\u{1b}[2J\u{9b}2J\u{202e}y";
    for table in ["run", "story"] {
        let sql = format!("SELECT name FROM pragma_table_info('{table}') WHERE type = 'TEXT'");
        let mut rows = database.prepare(&sql).unwrap();
        let columns: Vec<String> = rows.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
        for column in columns {
            let before: Option<String> =
                database.query_row(&format!("SELECT {column} FROM {table}"), [], |row| row.get(0)).unwrap();
            let put = format!("UPDATE OR IGNORE {table} SET {column} = ?1");
            for planted in [evil.to_owned(), serde_json::json!([evil]).to_string()] {
                database.execute(&put, [&planted]).unwrap();
                for words in [&["list"][..], &["list", "--all"], &["show", "park"], &["show", "x"]] {
                    let done = newsroom.run(words);
                    for said in [done.out, done.err] {
                        assert_eq!(said.chars().find(|c| steers(*c)), None, "{table}.{column}, {words:?}: {said:?}");
                    }
                }
            }
            database.execute(&put, [&before]).unwrap();
        }
    }
}

#[test]
fn a_database_that_another_program_holds_is_waited_for_and_no_answer_is_lost() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    let topic = newsroom.topic();
    assert_eq!(newsroom.run(&["list"]).code, 0);
    let usual = {
        let server = Server::start(script::usual);
        let other = Newsroom::at(&server.base());
        let topic = other.topic();
        other.run(&["run", "--auto", topic.to_str().unwrap()]);
        server.calls().len()
    };
    let child = newsroom.start(&["run", "--auto", topic.to_str().unwrap()]);
    while server.calls().is_empty() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let other = Connection::open(newsroom.path().join(DATABASE)).unwrap();
    other.busy_timeout(Duration::from_secs(5)).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    std::thread::sleep(Duration::from_secs(13));
    other.execute_batch("ROLLBACK").unwrap();
    let done = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&done.stdout).into_owned() + &String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{said}");
    assert_eq!(server.calls().len(), usual, "nothing is asked twice: {said}");
}

#[cfg(unix)]
mod files {
    use std::{
        os::unix::fs::{PermissionsExt as _, symlink},
        process::Command,
    };

    use super::*;

    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            if entry.file_type().unwrap().is_dir() {
                walk(&entry.path(), found);
            }
            found.push(entry.path());
        }
    }

    /// Runs the program as somebody does whose umask hides nothing.
    fn unmasked(newsroom: &Newsroom, words: &str) {
        let program = env!("CARGO_BIN_EXE_copydesk");
        let script = format!("umask 000; exec '{program}' {words}");
        let done = Command::new("sh").args(["-c", &script]).current_dir(newsroom.path()).output().unwrap();
        assert!(done.status.success(), "{words}: {}", String::from_utf8_lossy(&done.stderr));
    }

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn what_the_program_writes_is_its_owners_alone_and_what_is_given_away_is_not() {
        let newsroom = Newsroom::offline();
        newsroom.topic();
        // A folder of locks as an earlier version left it.
        fs::create_dir_all(newsroom.path().join("data/locks")).unwrap();
        fs::set_permissions(newsroom.path().join("data/locks"), fs::Permissions::from_mode(0o777)).unwrap();
        unmasked(&newsroom, "run --auto park.json");
        let mut found = Vec::new();
        walk(&newsroom.path().join("data"), &mut found);
        assert!(found.len() > 12, "{found:?}");
        for path in found {
            let expected = if path.is_dir() { 0o700 } else { 0o600 };
            assert_eq!(mode(&path), expected, "{}", path.display());
        }
        unmasked(&newsroom, "export park --format markdown --out park.md");
        assert_eq!(mode(&newsroom.path().join("park.md")), 0o666);

        let open = Newsroom::with(|yaml| yaml.replace("group_readable: false", "group_readable: true"));
        open.topic();
        unmasked(&open, "run --auto park.json");
        assert_eq!(mode(&open.path().join("data/output/articles/desk/park.json")), 0o640);
        assert_eq!(mode(&open.path().join("data/output/articles/desk")), 0o750);
    }

    #[test]
    fn a_link_in_a_files_place_is_not_followed() {
        let newsroom = Newsroom::offline();
        let topic = newsroom.topic();
        let victim = newsroom.write("victim.txt", b"mine");
        let articles = newsroom.path().join("data/output/articles/desk");
        fs::create_dir_all(&articles).unwrap();
        symlink(&victim, articles.join(".park.json.writing")).unwrap();
        let done = newsroom.run(&["run", "--auto", topic.to_str().unwrap()]);
        assert_eq!(fs::read(&victim).unwrap(), b"mine", "{}", done.err);
        assert!(articles.join("park.json").is_file());

        for linked in ["data/output/articles/desk/park.json", "data/output/article_editor_runs/desk/park"] {
            let newsroom = Newsroom::offline();
            let topic = newsroom.topic();
            let elsewhere = newsroom.path().join("elsewhere");
            fs::create_dir_all(&elsewhere).unwrap();
            let link = newsroom.path().join(linked);
            fs::create_dir_all(link.parent().unwrap()).unwrap();
            symlink(&elsewhere, &link).unwrap();
            let done = newsroom.run(&["run", "--auto", topic.to_str().unwrap()]);
            assert_eq!(done.code, 1, "{}", done.err);
            let said = format!("{}{}", done.out, done.err);
            assert!(said.contains("is a symbolic link"), "{linked}: {said}");
            assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0, "{linked}");
        }
    }

    #[test]
    fn a_desk_on_read_only_media_is_read_and_says_why_it_takes_nothing() {
        let newsroom = signed();
        let program = env!("CARGO_BIN_EXE_copydesk");
        let run = |words: &str| {
            let script = format!("mount --bind data data && mount -o remount,bind,ro data && exec '{program}' {words}");
            let mut shell = Command::new("unshare");
            shell.args(["-m", "sh", "-c", &script]).current_dir(newsroom.path()).stdin(std::process::Stdio::null());
            let done = shell.output().unwrap();
            let said = format!("{}{}", String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
            (done.status.code(), said)
        };
        if run("list").1.contains("mount: ") || Command::new("unshare").args(["-m", "true"]).status().is_err() {
            eprintln!("skipped: this user may not mount a disk");
            return;
        }
        for (words, says) in [
            ("list", "desk/park"),
            ("show park", "Miller Park"),
            ("log park", "sign"),
            ("export park --format markdown", "# "),
            ("audit verify", "of 1 story are as they were written"),
            ("replay park", "files are identical"),
        ] {
            let (code, said) = run(words);
            assert!(code == Some(0) && said.contains(says), "{words}: {code:?} {said}");
        }
        let (code, said) = run("run --auto park.json");
        assert!(code == Some(2) && said.contains("cannot be opened"), "{code:?} {said}");
        // A program that was killed there left work in the write-ahead log.
        fs::write(newsroom.path().join(format!("{DATABASE}-wal")), b"what was not folded in").unwrap();
        let (code, said) = run("list");
        assert!(code == Some(2) && said.contains("copy its folder to another disk"), "{code:?} {said}");
    }

    #[test]
    fn names_that_differ_in_how_accents_are_composed_are_one_story() {
        let newsroom = Newsroom::offline();
        for slug in ["caf\u{e9}", "cafe\u{301}"] {
            let topic = newsroom.topic_with(|topic| topic["source_metadata"]["topic_slug"] = slug.into());
            let done = newsroom.run(&["run", "--auto", topic.to_str().unwrap()]);
            assert_eq!(done.code, 0, "{}", done.err);
            let listed = newsroom.run(&["list", "--json"]);
            let stories: serde_json::Value = serde_json::from_str(&listed.out).unwrap();
            assert_eq!(stories.as_array().map(Vec::len), Some(1), "{}", listed.out);
            for asked in ["caf\u{e9}", "desk/cafe\u{301}", "CAF\u{c9}"] {
                assert_eq!(newsroom.run(&["show", asked]).code, 0, "{asked:?}");
            }
        }
        assert_eq!(newsroom.run(&["audit", "verify"]).code, 0);
        assert_eq!(newsroom.run(&["delete", "cafe\u{301}", "--yes"]).code, 0);
        assert_eq!(newsroom.run(&["list", "--json"]).out.trim(), "[]");
    }

    #[test]
    fn a_database_that_was_emptied_is_no_empty_desk() {
        let newsroom = Newsroom::offline();
        let topic = newsroom.topic();
        newsroom.run(&["run", "--auto", topic.to_str().unwrap()]);
        fs::write(newsroom.path().join(DATABASE), b"").unwrap();
        let done = newsroom.run(&["list"]);
        assert!(done.code != 0 && done.err.contains("is empty, and its audit log once had"), "{}", done.err);
    }
}
