//! Days on which the desk itself has trouble: a full disk, a folder that is none, somebody else's database, two programs
//! at one story, Ctrl-C, a reader who has gone. Nothing is lost, and the message says what to do.

use std::{
    fs,
    io::BufRead as _,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::support::{
    many::{topics, until},
    newsroom::{Done, Newsroom, done},
    script,
    server::{Reply, Server},
};

const BINARY: &str = env!("CARGO_BIN_EXE_copydesk");

fn signal(child: &Child, signal: Signal) {
    kill(Pid::from_raw(i32::try_from(child.id()).unwrap()), signal).unwrap();
}

/// The article of the usual story where nothing goes wrong.
fn undisturbed(server: &Server) -> Value {
    let newsroom = Newsroom::at(&server.base());
    assert_eq!(newsroom.auto(&newsroom.topic()).code, 0);
    newsroom.canonical()["article"].clone()
}

/// Files that an interrupted writer left.
fn halves(newsroom: &Newsroom) -> Vec<String> {
    let files = newsroom.files().into_iter().filter(|(name, _)| name.starts_with("data/output"));
    files
        .filter(|(name, bytes)| name.contains("/.") || bytes.is_empty() && !name.ends_with("_raw.md"))
        .map(|(name, _)| name)
        .collect()
}

/// Goes on after the disk has room again: `resume`, or `run` where the run had not been opened. Returns whether it had.
fn goes_on(newsroom: &Newsroom, article: &Value, stopped: &Done, what: &str) -> bool {
    assert_eq!(stopped.code, 1, "{what}: {}", stopped.err);
    let resumed = newsroom.run(&["resume"]);
    assert_eq!(resumed.code, 0, "{what}: {}", resumed.err);
    let opened = !newsroom.runs().is_empty() || resumed.out.contains("SUCCESS");
    if !opened {
        assert_eq!(newsroom.auto(&newsroom.topic()).code, 0, "{what}");
    }
    assert_eq!(newsroom.canonical()["article"], *article, "{what}");
    assert_eq!(halves(newsroom), Vec::<String>::new(), "{what}");
    opened
}

#[test]
fn a_disk_that_is_full_at_any_moment_loses_nothing() {
    let mounts = Command::new("unshare").args(["-m", "mount", "-t", "tmpfs", "none", "/mnt"]).status();
    if !mounts.is_ok_and(|status| status.success()) {
        eprintln!("skipped: this user may not mount a small disk");
        return;
    }
    let server = Server::start(script::usual);
    let article = undisturbed(&server);
    let mut stopped_midway = 0;
    let mut silent = Vec::new();
    // The empty database alone has some 400 kB.
    for kilobytes in (24..760).step_by(40) {
        let newsroom = Newsroom::at(&server.base());
        let topic = newsroom.topic();
        fs::create_dir(newsroom.path().join("data")).unwrap();
        // The small disk is gone with the shell; what it held is then on the large one.
        let script = format!(
            "mount -t tmpfs -o size={kilobytes}k none data && {BINARY} run --auto {}; code=$?; cp -a data saved; exit $code",
            topic.display()
        );
        let mut shell = Command::new("unshare");
        shell.args(["-m", "sh", "-c", &script]).current_dir(newsroom.path()).stdin(Stdio::null());
        let stopped = done(shell.output().unwrap());
        fs::remove_dir(newsroom.path().join("data")).unwrap();
        fs::rename(newsroom.path().join("saved"), newsroom.path().join("data")).unwrap();
        if stopped.code == 0 {
            break;
        }
        stopped_midway += usize::from(goes_on(&newsroom, &article, &stopped, &format!("{kilobytes} kB")));
        if !stopped.err.contains("copydesk resume") {
            silent.push(format!("{kilobytes} kB: {}", stopped.err.lines().last().unwrap_or_default()));
        }
    }
    assert!(stopped_midway > 2, "{stopped_midway}");
    assert!(silent.is_empty(), "{}", silent.join("\n"));
}

/// How many sizes of a disk are tried: `COPYDESK_DISKS=200 cargo test --test faults -- bad_days::a_batch`.
#[expect(clippy::disallowed_methods, reason = "it says how much is tried, and is no setting of the program")]
fn disks() -> usize {
    std::env::var("COPYDESK_DISKS").ok().and_then(|count| count.parse().ok()).unwrap_or(3)
}

#[test]
fn a_batch_on_a_full_disk_ends_soon_and_what_its_table_says_is_true() {
    const STORIES: usize = 4;
    const KILOBYTES: std::ops::Range<usize> = 300..1_400;
    let mounts = Command::new("unshare").args(["-m", "mount", "-t", "tmpfs", "none", "/mnt"]).status();
    if !mounts.is_ok_and(|status| status.success()) {
        eprintln!("skipped: this user may not mount a small disk");
        return;
    }
    let server = Server::start(script::usual);
    let expected = {
        let newsroom = Newsroom::at(&server.base());
        topics(&newsroom, STORIES);
        newsroom.ran(&["run", "--auto", "topics"]);
        newsroom.results()
    };
    let (mut stopped, mut longest) = (0, Duration::ZERO);
    for disk in 0..disks() {
        let kilobytes = KILOBYTES.start + disk * KILOBYTES.len() / disks();
        let newsroom = Newsroom::at(&server.base());
        topics(&newsroom, STORIES);
        fs::create_dir(newsroom.path().join("data")).unwrap();
        let script = format!(
            "mount -t tmpfs -o size={kilobytes}k none data && timeout 60 {BINARY} run --auto --concurrency 2 topics; \
             code=$?; cp -a data saved; exit $code"
        );
        let mut shell = Command::new("unshare");
        shell.args(["-m", "sh", "-c", &script]).current_dir(newsroom.path()).stdin(Stdio::null());
        let began = Instant::now();
        let batch = done(shell.output().unwrap());
        let said = format!("{kilobytes} kB, {:?}:\n{}\n{}", began.elapsed(), batch.out, batch.err);
        longest = longest.max(began.elapsed());
        assert_ne!(batch.code, 124, "it waits for ever: {said}");
        fs::remove_dir(newsroom.path().join("data")).unwrap();
        fs::rename(newsroom.path().join("saved"), newsroom.path().join("data")).unwrap();
        // On the smallest disks not even the database has room, which is found before any story is begun.
        let nothing_begun = batch.code == 1 && batch.out.is_empty();
        if nothing_begun {
            assert!(batch.err.contains("is full; free some space"), "{said}");
            assert!(!newsroom.path().join("data/output").exists(), "{said}");
        } else if batch.code != 0 {
            stopped += 1;
            assert_eq!(batch.code, 1, "{said}");
            assert_eq!(batch.out.matches("\n desk/park-").count(), STORIES, "{said}");
            assert!(!batch.out.contains("FAILED"), "{said}");
        }
        let resumed = newsroom.run(&["resume"]);
        assert_eq!(resumed.code, 0, "{said}\n{}", resumed.err);
        for number in 0..STORIES {
            let article = newsroom.path().join(format!("data/output/articles/desk/park-{number}.json"));
            if !article.exists() {
                let is_known = nothing_begun || batch.err.contains("this story was not started");
                assert!(is_known, "{said}\n{}\n{}", resumed.out, resumed.err);
                newsroom.ran(&["run", "--auto", &format!("topics/{number:03}.json")]);
            }
        }
        let names = |files: &[(String, String)]| files.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        let results = newsroom.results();
        assert_eq!(names(&results), names(&expected), "{said}");
        assert!(results == expected, "{said}");
        assert_eq!(halves(&newsroom), Vec::<String>::new(), "{said}");
    }
    println!("{} disks, {stopped} of them full in a batch; the longest took {longest:?}", disks());
    assert!(stopped * 2 > disks(), "{stopped} of {} were full", disks());
}

#[test]
fn a_worker_on_a_full_disk_ends_and_leaves_the_stories_to_resume() {
    const STORIES: usize = 4;
    let server = Server::start(script::usual);
    let (mut ended_full, mut sizes) = (0, Vec::new());
    for kilobytes in [500, 650, 800] {
        let newsroom = Newsroom::at(&server.base());
        topics(&newsroom, STORIES);
        fs::create_dir(newsroom.path().join("data")).unwrap();
        // The batch is killed early, so that the worker finds stories; other programs' files then take the rest of the disk but a little.
        let script = format!(
            "mount -t tmpfs -o size={kilobytes}k none data || exit 99; timeout -s KILL 0.5 {BINARY} run --auto topics; \
             free=$(df --output=avail -k data | tail -1); head -c $(( free * 1024 * 3 / 4 )) /dev/zero > data/other; \
             timeout 60 {BINARY} worker --until-empty; code=$?; rm data/other; cp -a data saved; exit $code"
        );
        let mut shell = Command::new("unshare");
        shell.args(["-m", "sh", "-c", &script]).current_dir(newsroom.path()).stdin(Stdio::null());
        let began = Instant::now();
        let worker = done(shell.output().unwrap());
        let said = format!("{kilobytes} kB, {:?}:\n{}\n{}", began.elapsed(), worker.out, worker.err);
        if worker.code == 99 || worker.err.starts_with("unshare") {
            eprintln!("skipped: this user may not mount a small disk");
            return;
        }
        assert!(worker.code == 0 || worker.code == 1, "{said}");
        sizes.push(kilobytes);
        if worker.code == 1 && worker.err.contains("free some space") {
            ended_full += 1;
        }
        fs::remove_dir(newsroom.path().join("data")).unwrap();
        fs::rename(newsroom.path().join("saved"), newsroom.path().join("data")).unwrap();
        let resumed = newsroom.run(&["resume"]);
        assert_eq!(resumed.code, 0, "{said}\n{}", resumed.err);
        assert_eq!(halves(&newsroom), Vec::<String>::new(), "{said}");
    }
    assert!(ended_full > 0, "no disk of {sizes:?} kB was full");
}

#[test]
fn a_file_that_may_not_grow_says_what_to_do_and_loses_nothing() {
    let server = Server::start(script::usual);
    let article = undisturbed(&server);
    let mut stopped_midway = 0;
    let mut silent = Vec::new();
    for blocks in (16..1600).step_by(144) {
        let newsroom = Newsroom::at(&server.base());
        let topic = newsroom.topic();
        // As under a quota: writing fails, but not with "no space left on device".
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec {BINARY} run --auto {}", topic.display());
        let stopped = done(Command::new("sh").args(["-c", &script]).current_dir(newsroom.path()).output().unwrap());
        if stopped.code == 0 {
            break;
        }
        stopped_midway += usize::from(goes_on(&newsroom, &article, &stopped, &format!("{blocks} blocks")));
        if !stopped.err.contains("copydesk resume") {
            silent.push(format!("{blocks} blocks: {}", stopped.err.lines().last().unwrap_or_default()));
        }
    }
    assert!(stopped_midway > 2, "{stopped_midway}");
    assert!(silent.is_empty(), "{}", silent.join("\n"));
}

/// Puts a file where a folder should be, runs, takes it away, and has the story after all. Returns the message and the calls
/// that were made in vain.
fn blocked(server: &Server, folder: &str) -> (Done, usize) {
    server.forget();
    let newsroom = Newsroom::at(&server.base());
    newsroom.write(folder, b"in the way");
    let done = newsroom.auto(&newsroom.topic());
    let asked = server.calls().len();
    assert_eq!(newsroom.read(folder), "in the way");
    fs::remove_file(newsroom.path().join(folder)).unwrap();
    newsroom.run(&["resume"]);
    if newsroom.runs().is_empty() {
        assert_eq!(newsroom.auto(&newsroom.topic()).code, 0);
    }
    assert_eq!(newsroom.canonical()["success"], json!(true), "{folder}");
    (done, asked)
}

#[test]
fn a_file_where_a_folder_should_be_is_found_before_anything_is_spent() {
    let server = Server::start(script::usual);
    for folder in ["data/output/articles", "data/output/articles/desk", "data/output/article_editor_runs", "data/locks"]
    {
        let (done, asked) = blocked(&server, folder);
        assert!(done.code == 1 && done.err.contains(folder), "{folder}: {}", done.err);
        assert!(done.err.contains(" cannot be used: "), "{}", done.err);
        assert!(done.err.contains("nothing was started"), "{}", done.err);
        assert_eq!(asked, 0, "{folder}");
    }
    let newsroom = Newsroom::at(&server.base());
    newsroom.write("data", b"in the way");
    let done = newsroom.auto(&newsroom.topic());
    assert!(done.code == 2 && done.err.contains("cannot be opened: "), "{}", done.err);
    assert!(done.err.contains("the key `database`"), "{}", done.err);
}

#[test]
fn a_file_where_a_deeper_folder_should_be_is_found_before_anything_is_spent() {
    let server = Server::start(script::usual);
    for folder in ["data/output/article_editor_runs/desk", "data/institutional_memory"] {
        let (done, asked) = blocked(&server, folder);
        assert!(done.code == 1 && done.err.contains(folder), "{folder}: {}", done.err);
        assert_eq!(asked, 0, "{folder}: calls were paid for");
    }
}

#[test]
fn a_database_of_a_newer_version_is_left_as_it_is() {
    for journal in ["wal", "delete"] {
        let newsroom = Newsroom::offline();
        assert_eq!(newsroom.run(&["list"]).code, 0);
        let file = newsroom.path().join("data/copydesk.db");
        let database = Connection::open(&file).unwrap();
        database.pragma_update(None, "user_version", 99).unwrap();
        database.pragma_update_and_check(None, "journal_mode", journal, |_| Ok(())).unwrap();
        database.close().unwrap();
        let before = fs::read(&file).unwrap();
        for command in
            [&["list"][..], &["resume"], &["show", "park"], &["run", "--auto", newsroom.topic().to_str().unwrap()]]
        {
            let done = newsroom.run(command);
            assert_eq!((done.code, done.out.as_str()), (2, ""), "{command:?}: {}", done.err);
            assert!(
                done.err.contains("was written by a newer version of copydesk; update this one (nothing was changed)")
            );
            assert!(fs::read(&file).unwrap() == before, "{journal}: {command:?} changed the file");
        }
        assert!(newsroom.runs().is_empty() && !newsroom.path().join("data/output").exists());
    }
}

#[test]
fn what_is_no_database_of_ours_is_left_as_it_is() {
    let newsroom = Newsroom::offline();
    newsroom.write("data/copydesk.db", b"Dear diary, this is no database at all, but it is longer than one hundred bytes, so that SQLite looks at all of it.");
    let done = newsroom.run(&["list"]);
    assert!(done.code == 2 && done.err.contains("it is not a SQLite database"), "{}", done.err);
    assert!(newsroom.read("data/copydesk.db").starts_with("Dear diary"));
    for table in ["notes", "story"] {
        let newsroom = Newsroom::offline();
        fs::create_dir(newsroom.path().join("data")).unwrap();
        let file = newsroom.path().join("data/copydesk.db");
        Connection::open(&file).unwrap().execute_batch(&format!("CREATE TABLE {table} (text)")).unwrap();
        let before = fs::read(&file).unwrap();
        let done = newsroom.run(&["list"]);
        assert!(done.code == 2 && done.err.lines().count() == 1, "{table}: {}: {}", done.code, done.err);
        assert!(fs::read(&file).unwrap() == before, "{table}");
    }
}

#[test]
fn two_programs_do_not_work_on_one_story() {
    let hold = Reply::Late(Duration::from_secs(5), Box::new(Reply::Text(script::article(1))));
    let server = Server::start(script::but("writer", 1, hold));
    let newsroom = Newsroom::at(&server.base());
    let topic = newsroom.topic();
    let first = newsroom.start(&["run", "--auto", topic.to_str().unwrap()]);
    until("the first program asks", || server.count("writer") == 1);
    // The same topic once more: what is paid for is not asked for again.
    let second = newsroom.start(&["run", "--auto", topic.to_str().unwrap()]);
    let resumed = newsroom.run(&["resume"]);
    assert!(resumed.err.contains("desk/park: Another copydesk works on it. Skipped"), "{}", resumed.err);
    // Another topic of that name.
    let mut other = newsroom.json("park.json");
    other["source_text"] = json!("The council voted to close the park.");
    let other = newsroom.auto(&newsroom.write("other.json", other.to_string().as_bytes()));
    assert_eq!(other.code, 1, "{}", other.err);
    assert!(
        other.err.contains("desk/park is being worked on by another copydesk: wait for it, or stop it there"),
        "{}",
        other.err
    );
    assert!(
        !newsroom.path().join("data/output/articles/desk/park.json").exists(),
        "the story is the first one's to publish"
    );
    let second = done(second.wait_with_output().unwrap());
    assert!(second.err.contains("Resuming the unfinished run of this topic"), "{}", second.err);
    assert!(second.code == 0 && second.out.contains("SUCCESS"), "{}\n{}", second.out, second.err);
    let first = done(first.wait_with_output().unwrap());
    assert_eq!((first.code, server.calls().len()), (0, 10), "{}", first.err);
    assert_eq!((newsroom.canonical()["success"].clone(), newsroom.runs().len()), (json!(true), 1));
}

#[test]
fn programs_on_different_stories_of_one_channel_do_not_disturb_each_other() {
    let newsroom = Newsroom::offline();
    assert_eq!(newsroom.run(&["list"]).code, 0);
    for round in 0..4 {
        let children = (0..8).map(|number| {
            let name = format!("park-{round}-{number}");
            let topic = newsroom.topic_with(|topic| topic["source_metadata"]["topic_slug"] = json!(name));
            let own = newsroom.path().join(format!("{name}.json"));
            fs::rename(topic, &own).unwrap();
            newsroom.start(&["run", "--auto", own.to_str().unwrap()])
        });
        for child in children.collect::<Vec<_>>() {
            let done = done(child.wait_with_output().unwrap());
            assert_eq!(done.code, 0, "{}", done.err);
        }
    }
}

#[test]
fn ctrl_c_ends_with_130_and_resume_finishes() {
    let server = Server::start(script::but("opinion", 1, Reply::Hang));
    let article = undisturbed(&Server::start(script::usual));
    let newsroom = Newsroom::at(&server.base());
    let topic = newsroom.topic();
    let child = newsroom.start(&["run", "--auto", topic.to_str().unwrap()]);
    until("the specialist is asked", || server.count("opinion") == 1);
    // The first lets the step be finished, which never is; the second stops at once.
    signal(&child, Signal::SIGINT);
    std::thread::sleep(Duration::from_millis(300));
    signal(&child, Signal::SIGINT);
    let stopped = done(child.wait_with_output().unwrap());
    let first = "Stopping after the current steps. Press Ctrl-C again to stop at once.";
    assert!(stopped.err.contains(first), "{}", stopped.err);
    assert_eq!((stopped.code, stopped.out.as_str()), (130, ""), "{}", stopped.err);
    assert!(
        stopped.err.contains("Interrupted. Finished steps are saved; `copydesk resume` continues"),
        "{}",
        stopped.err
    );
    let resumed = newsroom.run(&["resume"]);
    assert_eq!(resumed.code, 0, "{}", resumed.err);
    assert_eq!((&newsroom.canonical()["article"], server.count("writer"), server.count("opinion")), (&article, 1, 2));
}

#[test]
fn ctrl_c_in_a_batch_finishes_the_steps_that_are_being_done_and_resume_does_the_rest() {
    let slow = Reply::Late(Duration::from_secs(1), Box::new(Reply::Text(script::article(1))));
    let server = Server::start(script::but("writer", 2, slow));
    let newsroom = Newsroom::at(&server.base());
    for slug in ["a", "b", "c"] {
        let topic = newsroom.topic_with(|topic| {
            topic["source_metadata"]["topic_slug"] = json!(slug);
            topic["source_text"] = json!(format!("Minutes {slug}. The council voted."));
        });
        fs::create_dir_all(newsroom.path().join("in")).unwrap();
        fs::rename(topic, newsroom.path().join(format!("in/{slug}.json"))).unwrap();
    }
    let child = newsroom.start(&["run", "--auto", "--concurrency", "2", "in"]);
    until("two writers are asked", || server.count("writer") == 2);
    signal(&child, Signal::SIGINT);
    let stopped = done(child.wait_with_output().unwrap());
    assert_eq!(stopped.code, 130, "{}", stopped.err);
    assert_eq!(server.calls().len(), 2, "both drafts came, and nothing else was asked");
    // Whoever stopped it says when it goes on: a worker that comes by leaves it alone.
    assert_eq!(newsroom.run(&["worker", "--until-empty"]).code, 0);
    assert_eq!(server.calls().len(), 2);
    let resumed = newsroom.run(&["resume"]);
    assert_eq!(resumed.code, 0, "{}", resumed.err);
    assert_eq!((server.calls().len(), server.count("writer")), (30, 3), "no draft was written twice");
}

#[test]
fn a_reader_who_has_gone_is_no_error() {
    let newsroom = Newsroom::offline();
    assert_eq!(newsroom.auto(&newsroom.topic()).code, 0);
    for arguments in [&["list"][..], &["list", "--json"], &["show", "park"], &["log", "park"], &["--help"]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let done = done(newsroom.command(arguments).stdout(writer).output().unwrap());
        assert_eq!((done.code, done.err.as_str()), (0, ""), "{arguments:?}");
    }
}

#[test]
fn a_story_goes_on_when_the_reader_of_its_events_has_gone() {
    let hold = Reply::Late(Duration::from_millis(300), Box::new(Reply::Text(script::article(1))));
    let server = Server::start(script::but("writer", 1, hold));
    let newsroom = Newsroom::at(&server.base());
    let topic = newsroom.topic();
    let (reader, writer) = std::io::pipe().unwrap();
    let mut child =
        newsroom.command(&["run", "--auto", "--json", topic.to_str().unwrap()]).stdout(writer).spawn().unwrap();
    let mut first = String::new();
    std::io::BufReader::with_capacity(1, reader).read_line(&mut first).unwrap();
    assert!(first.contains("run_opened"), "{first}");
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(newsroom.canonical()["success"], json!(true));
    // A failure stays one, read or not.
    newsroom.write("empty.txt", b"");
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    assert_eq!(newsroom.command(&["run", "--auto", "empty.txt"]).stdout(writer).status().unwrap().code(), Some(1));
}

#[test]
fn data_that_cannot_be_written_is_an_error() {
    let newsroom = Newsroom::offline();
    assert_eq!(newsroom.auto(&newsroom.topic()).code, 0);
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let done = done(newsroom.command(&["list", "--json"]).stdout(full).output().unwrap());
    assert!(done.code == 1 && done.err.contains("No space left"), "{}: {}", done.code, done.err);
}
