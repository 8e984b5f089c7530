//! Bad days of a busy desk: programs that are killed while others work, the power, the database, the server. Each test counts the calls and
//! compares the end with an undisturbed run: nothing lost, nothing done twice, no story stuck, and one that cannot go on says why.

use std::{
    collections::BTreeMap,
    io::{Read as _, Write as _},
    net::TcpListener,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use nix::sys::signal::Signal;
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::support::{
    many::{PATIENCE, ends, newsroom, send, topics, until},
    newsroom::{Newsroom, done, own_key},
    script,
    server::{Call, NOBODY, Reply, Server},
};

/// Calls of the usual story.
const CALLS: usize = 10;

/// Longest that stories may wait for workers that are there.
const STUCK: Duration = Duration::from_mins(2);

/// The files that as many stories leave if nothing happens.
fn undisturbed(count: usize) -> Vec<(String, String)> {
    let server = Server::start(script::usual);
    let newsroom = newsroom(&server);
    topics(&newsroom, count);
    let done = newsroom.run(&["run", "--auto", "topics"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(server.calls().len(), CALLS * count);
    newsroom.results()
}

/// The same files with the same content; a failure names the files, not all that is in them.
fn same(results: &[(String, String)], expected: &[(String, String)]) {
    let names = |files: &[(String, String)]| files.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    assert_eq!(names(results), names(expected));
    for ((name, text), (_, wanted)) in results.iter().zip(expected) {
        assert!(text == wanted, "{name} differs:\n{text}\n\nfrom\n{wanted}");
    }
}

fn database(newsroom: &Newsroom) -> Connection {
    let connection = Connection::open(newsroom.path().join("data/copydesk.db")).unwrap();
    connection.busy_timeout(Duration::from_secs(10)).unwrap();
    connection
}

fn number(newsroom: &Newsroom, sql: &str) -> usize {
    let number: i64 = database(newsroom).query_row(sql, [], |row| row.get(0)).unwrap();
    usize::try_from(number).unwrap()
}

/// Waits until so many stories are in the queue.
fn begun(newsroom: &Newsroom, stories: usize) {
    let began = Instant::now();
    let known = || -> Option<i64> {
        let file = newsroom.path().join("data/copydesk.db");
        let database = file.exists().then(|| database(newsroom))?;
        database.query_row("SELECT count(*) FROM run", [], |row| row.get(0)).ok()
    };
    while known().is_none_or(|known| usize::try_from(known).unwrap() < stories) {
        assert!(began.elapsed() < PATIENCE, "the stories are not begun");
        thread::sleep(Duration::from_millis(10));
    }
}

/// Runs that are neither over, files and all, nor replaced.
fn unfinished(newsroom: &Newsroom) -> usize {
    number(newsroom, "SELECT count(*) FROM run WHERE state = 'open' OR (files_written = 0 AND state <> 'superseded')")
}

/// Every call is recorded, each that was made twice as made twice; no step is in a journal twice; nothing is left in the queue.
fn nothing_lost_or_doubled(newsroom: &Newsroom, server: &Server, stories: usize) -> usize {
    let repeats = number(newsroom, "SELECT coalesce(sum(repeats), 0) FROM llm_call");
    let rows = number(newsroom, "SELECT count(*) FROM llm_call");
    assert_eq!(rows, CALLS * stories, "{:?}", states(newsroom));
    assert!(server.calls().len() <= rows + repeats, "{} calls, {rows} known, {repeats} repeated", server.calls().len());
    assert_eq!(number(newsroom, "SELECT count(*) FROM message"), 0);
    assert_eq!(number(newsroom, "SELECT count(*) FROM run WHERE state = 'success'"), stories);
    let twice = "SELECT count(*) FROM (SELECT 1 FROM journal GROUP BY run, step HAVING count(*) > 1)";
    assert_eq!(number(newsroom, twice), 0);
    repeats
}

/// How many runs stand how, and why.
fn states(newsroom: &Newsroom) -> Vec<(String, Option<String>, i64)> {
    let database = database(newsroom);
    let mut rows = database.prepare("SELECT state, error, count(*) FROM run GROUP BY state, error").unwrap();
    rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap().map(Result::unwrap).collect()
}

/// The queue: run, step, state, worker, milliseconds since the last change.
fn messages(newsroom: &Newsroom) -> Vec<String> {
    let database = database(newsroom);
    let mut rows = database
        .prepare("SELECT format('%d %s %s %s %s %s', run, step, state, worker, until, error) FROM message")
        .unwrap();
    rows.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

/// A sequence that is as good as random and always the same.
struct Dice(u64);

impl Dice {
    fn up_to(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }
}

#[test]
fn one_of_two_workers_is_killed_two_hundred_times_and_no_story_notices() {
    const STORIES: usize = 60;
    const KILLS: u32 = 200;
    let expected = undisturbed(STORIES);
    let server =
        Server::start(|call| Reply::Late(Duration::from_millis(60), Box::new(Reply::Whole(script::text(call)))));
    let newsroom = newsroom(&server);
    topics(&newsroom, STORIES);
    let work = |arguments: &[&str]| {
        let mut command = newsroom.command(arguments);
        command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
        command.spawn().unwrap()
    };
    // Everything is in the queue before the first is killed.
    let mut workers =
        [work(&["run", "--auto", "--concurrency", "2", "topics"]), work(&["worker", "--concurrency", "2"])];
    begun(&newsroom, STORIES);
    let mut dice = Dice(7);
    let mut killed = 0;
    while killed < KILLS && unfinished(&newsroom) > 0 {
        thread::sleep(Duration::from_millis(dice.up_to(120)));
        let one = usize::try_from(dice.up_to(2)).unwrap();
        workers[one].kill().unwrap();
        workers[one].wait().unwrap();
        killed += 1;
        workers[one] = work(&["worker", "--concurrency", "2"]);
    }
    // Whatever is left is done by a third while the two go on.
    let last = work(&["worker", "--until-empty"]);
    ends(last, "the last worker");
    let began = Instant::now();
    while unfinished(&newsroom) > 0 {
        assert!(began.elapsed() < STUCK, "{} stories are stuck: {:?}", unfinished(&newsroom), messages(&newsroom));
        thread::sleep(Duration::from_millis(50));
    }
    for worker in &mut workers {
        let _ = worker.kill();
        let _ = worker.wait();
    }
    let repeats = nothing_lost_or_doubled(&newsroom, &server, STORIES);
    assert!(
        repeats <= 2 * usize::try_from(killed).unwrap(),
        "{repeats} calls repeated after {killed} kills of two calls each"
    );
    same(&newsroom.results(), &expected);
    assert!(killed > KILLS / 2, "only {killed} were killed before all was done: the test is too easy");
}

/// Whether no thread of a program runs any more, or there is none. A signal needs a while on a busy machine.
fn stands_still(process: u32) -> bool {
    let Ok(threads) = std::fs::read_dir(format!("/proc/{process}/task")) else { return true };
    let stat = |thread: std::fs::DirEntry| std::fs::read_to_string(thread.path().join("stat")).unwrap_or_default();
    let state = |stat: String| stat.rsplit_once(") ").map(|(_, rest)| rest.chars().next());
    threads.flatten().map(stat).filter_map(state).all(|state| matches!(state, Some('T' | 't' | 'Z' | 'X')))
}

#[test]
fn the_database_as_a_power_cut_leaves_it_opens_and_goes_on() {
    const STORIES: usize = 4;
    let expected = undisturbed(STORIES);
    let server =
        Server::start(|call| Reply::Late(Duration::from_millis(30), Box::new(Reply::Whole(script::text(call)))));
    let newsroom = newsroom(&server);
    topics(&newsroom, STORIES);
    let mut child = newsroom.start(&["run", "--auto", "topics"]);
    begun(&newsroom, 1);
    let mut copies = Vec::new();
    let mut dice = Dice(11);
    while child.try_wait().unwrap().is_none() && copies.len() < 12 {
        thread::sleep(Duration::from_millis(20 + dice.up_to(60)));
        // All files at one instant, as a cut leaves them; what other programs share in memory is gone.
        send(&child, Signal::SIGSTOP);
        until("the program stands still", || stands_still(child.id()));
        let copy = self::newsroom(&server);
        for (name, bytes) in newsroom.files() {
            let is_memory = name.ends_with("-shm") || name.starts_with("data/locks");
            if name.starts_with("data/") && !is_memory {
                copy.write(&name, &bytes);
            }
        }
        send(&child, Signal::SIGCONT);
        if copy.path().join("data/copydesk.db").exists() {
            copies.push(copy);
        }
    }
    assert!(ends(child, "the batch").success());
    assert!(copies.len() > 3, "only {} copies", copies.len());
    for (place, copy) in copies.iter().enumerate() {
        let there = number(copy, "SELECT count(*) FROM run");
        server.forget();
        let known = number(copy, "SELECT count(*) FROM llm_call WHERE state = 'answered'");
        let done = copy.run(&["resume"]);
        assert_eq!(done.code, 0, "copy {place}: {}", done.err);
        assert_eq!(unfinished(copy), 0, "copy {place}");
        // Only what was on its way is asked for again, and no answer that is known.
        assert_eq!(server.calls().len(), CALLS * there - known, "copy {place}");
        // The stories that had not begun when the power went are begun anew.
        let rest = copy_topics(copy, there, STORIES);
        if rest {
            assert_eq!(copy.run(&["run", "--auto", "rest"]).code, 0, "copy {place}");
        }
        same(&copy.results(), &expected);
    }
}

/// The topics whose stories a copy does not know.
fn copy_topics(copy: &Newsroom, there: usize, stories: usize) -> bool {
    let known: Vec<String> = {
        let database = database(copy);
        let mut rows = database.prepare("SELECT slug FROM story").unwrap();
        rows.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    topics(copy, stories);
    for number in 0..stories {
        if !known.contains(&format!("park-{number}")) {
            let topic = copy.read(&format!("topics/{number:03}.json"));
            copy.write(&format!("rest/{number:03}.json"), topic.as_bytes());
        }
    }
    there < stories
}

#[test]
fn a_database_that_another_program_keeps_for_seconds_is_waited_for() {
    let expected = undisturbed(2);
    let server =
        Server::start(|call| Reply::Late(Duration::from_millis(30), Box::new(Reply::Whole(script::text(call)))));
    let newsroom = newsroom(&server);
    topics(&newsroom, 2);
    assert_eq!(newsroom.run(&["list"]).code, 0);
    let child = newsroom.start(&["run", "--auto", "topics"]);
    for _ in 0..3 {
        thread::sleep(Duration::from_millis(150));
        let other = database(&newsroom);
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        thread::sleep(Duration::from_secs(1));
        other.execute_batch("ROLLBACK").unwrap();
    }
    let done = done(child.wait_with_output().unwrap());
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(nothing_lost_or_doubled(&newsroom, &server, 2), 0);
    same(&newsroom.results(), &expected);
}

/// The calls of each step as they came, by what they asked.
fn fingerprints(server: &Server) -> BTreeMap<String, usize> {
    let mut seen = BTreeMap::new();
    for call in server.calls() {
        *seen.entry(call.body["messages"].to_string()).or_default() += 1;
    }
    seen
}

#[test]
fn a_server_that_is_down_for_a_while_parks_its_stories_and_says_so() {
    const STORIES: usize = 6;
    let expected = undisturbed(STORIES);
    let down = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&down);
    let began = Arc::new(std::sync::Mutex::new(None::<Instant>));
    let since = Arc::clone(&began);
    let server = Server::start(move |call| {
        let mut began = since.lock().unwrap();
        let so_far = began.get_or_insert_with(Instant::now).elapsed();
        if so_far > Duration::from_millis(300) && so_far < Duration::from_secs(4) {
            counted.fetch_add(1, Ordering::Relaxed);
            return Reply::Status(503, vec![], "loading".into());
        }
        Reply::Late(Duration::from_millis(40), Box::new(Reply::Whole(script::text(call))))
    });
    let newsroom = newsroom(&server);
    topics(&newsroom, STORIES);
    let done = newsroom.run(&["run", "--auto", "--json", "topics"]);
    assert_eq!(done.code, 0, "{}\n{}", done.out, done.err);
    let events: Vec<Value> = done.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |name: &str| events.iter().filter(|event| event["event"] == name).count();
    assert!(of("server_down") >= 1, "{}", done.out);
    assert!(of("server_back") >= 1, "{}", done.out);
    assert!(of("step_parked") >= 1, "{}", done.out);
    assert_eq!(of("step_dead"), 0);
    // Four seconds of six stories: a probe now and then, not a storm.
    let failed = down.load(Ordering::Relaxed);
    assert!(failed <= 40, "{failed} calls of a server that was down");
    assert_eq!(server.calls().len(), CALLS * STORIES + failed);
    same(&newsroom.results(), &expected);
}

#[test]
fn a_server_that_stays_down_leaves_its_stories_in_the_queue_and_the_program_says_why() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at_with(&format!("http://{NOBODY}/v1"), |yaml| {
        yaml.replace("max_redeliveries: 0", "max_redeliveries: 3")
            .replace("    backoff_seconds: 5\n", "    backoff_seconds: 0.05\n")
            .replace("    rest_seconds: 5\n", "    rest_seconds: 0.2\n")
            .replace("    longest_rest_seconds: 60\n", "    longest_rest_seconds: 0.5\n")
            .replace("give_up_after_minutes: 10", "give_up_after_minutes: 0")
    });
    topics(&newsroom, 2);
    let done = newsroom.run(&["run", "--auto", "topics"]);
    assert_eq!(done.code, 1, "{}\n{}", done.out, done.err);
    let said = format!("{NOBODY} is down");
    assert!(done.err.contains(&said) && done.err.contains("`copydesk resume` resumes it"), "{}", done.err);
    assert!(done.out.contains("WAITS"), "{}", done.out);
    assert_eq!(unfinished(&newsroom), 2, "nothing has failed");
    // The server moves to another port, and everything goes on.
    let yaml = newsroom.read("config/config.yaml").replace(&format!("http://{NOBODY}/v1"), &server.base());
    newsroom.write("config/config.yaml", yaml.as_bytes());
    assert_eq!(newsroom.run(&["resume"]).code, 0);
    assert_eq!(server.calls().len(), 2 * CALLS);
    same(&newsroom.results(), &undisturbed(2));
}

#[test]
fn a_server_that_flaps_costs_calls_and_no_story() {
    const STORIES: usize = 3;
    let expected = undisturbed(STORIES);
    let turn = AtomicUsize::new(0);
    let server = Server::start(move |call| {
        if turn.fetch_add(1, Ordering::Relaxed) % 3 == 1 {
            Reply::Status(500, vec![], "out of memory".into())
        } else {
            Reply::Whole(script::text(call))
        }
    });
    let newsroom = newsroom(&server);
    topics(&newsroom, STORIES);
    let done = newsroom.run(&["run", "--auto", "topics"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let failed = number(&newsroom, "SELECT count(*) FROM llm_call WHERE state = 'rejected'");
    assert_eq!(server.calls().len(), CALLS * STORIES + failed);
    assert_eq!(number(&newsroom, "SELECT count(*) FROM llm_call WHERE state = 'answered'"), CALLS * STORIES);
    same(&newsroom.results(), &expected);
}

#[test]
fn a_step_that_fails_for_now_is_delivered_again_and_in_the_end_given_up() {
    let server = Server::start(script::but("concern_mapping", 99, Reply::Status(503, vec![], "busy".into())));
    let newsroom = Newsroom::at_with(&server.base(), |yaml| {
        yaml.replace("max_redeliveries: 0", "max_redeliveries: 2")
            .replace("    backoff_seconds: 5\n", "    backoff_seconds: 0.05\n")
            .replace("down_after_failures: 3", "down_after_failures: 0")
    });
    topics(&newsroom, 1);
    let done = newsroom.run(&["run", "--auto", "--json", "topics"]);
    assert_eq!(done.code, 1, "{}", done.err);
    // Two attempts a delivery, three deliveries.
    assert_eq!(server.count("concern_mapping"), 6);
    let events: Vec<Value> = done.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |name: &str| events.iter().filter(|event| event["event"] == name).cloned().collect::<Vec<_>>();
    let again: Vec<Value> = of("step_redelivered").iter().map(|event| event["redelivery"].clone()).collect();
    assert_eq!(again, [json!(1), json!(2)]);
    assert_eq!(of("step_dead").len(), 1);
    let dead = "SELECT count(*) FROM message WHERE state = 'dead' AND step = 'r1.map' AND redeliveries = 2";
    assert_eq!(number(&newsroom, dead), 1);
    let canonical: Value = newsroom.json("data/output/articles/desk/park-0.json");
    assert_eq!(canonical["success"], false);
    assert!(canonical["error"].as_str().unwrap().contains("503"), "{canonical}");
}

#[test]
fn a_story_that_was_delivered_again_tells_its_whole_time_and_that_nobody_resumed_it() {
    const PAUSE: f64 = 1.5;
    let server = Server::start(script::but("concern_mapping", 2, Reply::Status(503, vec![], "busy".into())));
    let newsroom = Newsroom::at_with(&server.base(), |yaml| {
        yaml.replace("max_redeliveries: 0", "max_redeliveries: 1")
            .replace("    backoff_seconds: 5\n", &format!("    backoff_seconds: {PAUSE}\n"))
            .replace("down_after_failures: 3", "down_after_failures: 0")
    });
    topics(&newsroom, 1);
    let done = newsroom.run(&["run", "--auto", "topics"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let row: Vec<&str> = done.out.lines().last().unwrap().split_whitespace().collect();
    let seconds = row.iter().position(|word| *word == "s").and_then(|at| row[at - 1].parse::<f64>().ok());
    // Jitter makes a pause shorter by at most half.
    assert!(seconds.is_some_and(|seconds| seconds >= PAUSE / 2.0), "{}", done.out);
    assert_eq!(server.count("concern_mapping"), 3, "two attempts, and one of the next delivery");
    let log = newsroom.ran(&["log", "park-0", "--json"]).out;
    assert!(log.contains("step_redelivered") && !log.contains("run_resumed"), "{log}");
    assert!(!done.err.contains("Resumed after"), "{}", done.err);
}

/// A server that sends each answer twice over the connection.
fn twice() -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}/v1", listener.local_addr().unwrap());
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&calls);
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (mut stream, counted) = (stream.unwrap(), Arc::clone(&counted));
            thread::spawn(move || {
                let mut received = Vec::new();
                let mut buffer = vec![0; 65_536];
                while let Ok(count) = stream.read(&mut buffer) {
                    if count == 0 {
                        return;
                    }
                    received.extend_from_slice(&buffer[..count]);
                    while let Some((call, rest)) = request(&received) {
                        counted.fetch_add(1, Ordering::Relaxed);
                        let text = json!({"choices": [{"message": {"content": script::text(&call)}, "finish_reason": "stop"}]}).to_string();
                        let answer = format!(
                            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{text}",
                            text.len()
                        );
                        let _ = stream.write_all(answer.repeat(2).as_bytes());
                        received = rest;
                    }
                }
            });
        }
    });
    (base, calls)
}

/// The first whole request of what was received, and what comes after it.
fn request(received: &[u8]) -> Option<(Call, Vec<u8>)> {
    let head = received.windows(4).position(|four| four == b"\r\n\r\n")? + 4;
    let text = String::from_utf8_lossy(&received[..head]).to_lowercase();
    let length: usize = text.split("content-length: ").nth(1)?.split("\r\n").next()?.parse().ok()?;
    let body = received.get(head..head + length)?;
    let body: Value = serde_json::from_slice(body).unwrap();
    Some((crate::support::server::call_of(body), received[head + length..].to_vec()))
}

#[test]
fn a_server_that_answers_each_call_twice_is_heard_once() {
    let (base, calls) = twice();
    let newsroom = Newsroom::at_with(&base, |yaml| {
        yaml.replace("max_redeliveries: 0", "max_redeliveries: 3")
            .replace("    backoff_seconds: 5\n", "    backoff_seconds: 0.05\n")
    });
    topics(&newsroom, 2);
    let done = newsroom.run(&["run", "--auto", "topics"]);
    assert_eq!(done.code, 0, "{}", done.err);
    same(&newsroom.results(), &undisturbed(2));
    let failed = number(&newsroom, "SELECT count(*) FROM llm_call WHERE state = 'rejected'");
    assert_eq!(calls.load(Ordering::Relaxed), 2 * CALLS + failed);
    assert_eq!(number(&newsroom, "SELECT count(*) FROM llm_call WHERE state = 'answered'"), 2 * CALLS);
}

#[test]
fn a_server_that_is_slow_is_given_its_time_and_then_asked_again() {
    let expected = undisturbed(1);
    let server = Server::start(|call| {
        let whole = Box::new(Reply::Whole(script::text(call)));
        if call.agent == "concern_mapping" && call.before < 2 {
            Reply::Late(Duration::from_secs(3), whole)
        } else {
            *whole
        }
    });
    let newsroom = Newsroom::at_with(&server.base(), |yaml| {
        own_key(&yaml, "concern_mapping", "timeout_seconds: 1")
            .replace("max_redeliveries: 0", "max_redeliveries: 3")
            .replace("    backoff_seconds: 5\n", "    backoff_seconds: 0.05\n")
    });
    topics(&newsroom, 1);
    let done = newsroom.run(&["run", "--auto", "topics"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(server.count("concern_mapping"), 3, "two attempts of the first delivery, one of the second");
    assert_eq!(fingerprints(&server).values().filter(|count| **count > 1).count(), 1, "only that call is made again");
    same(&newsroom.results(), &expected);
}

#[test]
fn a_story_that_is_raised_overtakes_those_that_came_before() {
    let server =
        Server::start(|call| Reply::Late(Duration::from_millis(40), Box::new(Reply::Whole(script::text(call)))));
    let newsroom = newsroom(&server);
    topics(&newsroom, 8);
    let child = newsroom.start(&["run", "--auto", "--concurrency", "1", "topics"]);
    begun(&newsroom, 8);
    assert_eq!(newsroom.run(&["set", "park-7", "--priority", "high"]).code, 0);
    assert_eq!(done(child.wait_with_output().unwrap()).code, 0);
    let order: Vec<String> = {
        let database = database(&newsroom);
        let mut rows = database
            .prepare("SELECT slug FROM run JOIN story ON story.id = run.story ORDER BY (SELECT max(seq) FROM event WHERE event.run = run.id)")
            .unwrap();
        rows.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    let place = order.iter().position(|slug| slug == "park-7").unwrap();
    assert!(place <= 1, "at most the story that was almost done ended before it: {order:?}");
    assert_eq!(
        order.iter().filter(|slug| *slug != "park-7").collect::<Vec<_>>(),
        (0..7).map(|n| format!("park-{n}")).collect::<Vec<_>>().iter().collect::<Vec<_>>()
    );
}

/// Everything that the queue remembers was written by a clock that was a day ahead.
fn set_the_clock_back(newsroom: &Newsroom) {
    const DAY: i64 = 86_400_000;
    let database = database(newsroom);
    for (table, column) in [
        ("message", "arrived"),
        ("message", "since"),
        ("message", "not_before"),
        ("message", "until"),
        ("server", "down_since"),
        ("server", "down_until"),
        ("server", "busy_until"),
        ("server_use", "at"),
    ] {
        database.execute(&format!("UPDATE {table} SET {column} = {column} + {DAY}"), []).unwrap();
    }
    for column in ["opened_at", "updated_at"] {
        let later = format!("UPDATE run SET {column} = strftime('%Y-%m-%dT%H:%M:%fZ', {column}, '+1 day')");
        database.execute(&later, []).unwrap();
    }
}

#[test]
fn a_clock_that_is_set_back_while_stories_wait_for_their_time_holds_none_up() {
    const STORIES: usize = 6;
    let expected = undisturbed(STORIES);
    let down = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let answered = Arc::new(AtomicUsize::new(0));
    let (is_down, counted) = (Arc::clone(&down), Arc::clone(&answered));
    let server = Server::start(move |call| {
        if is_down.load(Ordering::SeqCst) {
            return Reply::Status(503, Vec::new(), "overloaded".into());
        }
        counted.fetch_add(1, Ordering::SeqCst);
        Reply::Late(Duration::from_millis(40), Box::new(Reply::Whole(script::text(call))))
    });
    let newsroom = Newsroom::at_with(&server.base(), |yaml| {
        // Times that are long for a test: only a clock that is believed would wait for them.
        yaml.replace("max_redeliveries: 0", "max_redeliveries: 3")
            .replace("    requests_per_minute: null", "    requests_per_minute: 100000")
            .replace("    backoff_seconds: 5\n", "    backoff_seconds: 0.05\n")
            .replace("    longest_backoff_seconds: 300\n", "    longest_backoff_seconds: 1\n")
            .replace("    rest_seconds: 5\n", "    rest_seconds: 0.05\n")
            .replace("    longest_rest_seconds: 60\n", "    longest_rest_seconds: 1\n")
    });
    topics(&newsroom, STORIES);
    let mut child = newsroom.start(&["run", "--auto", "--concurrency", "3", "topics"]);
    begun(&newsroom, STORIES);
    let began = Instant::now();
    while server.calls().len() < 15 {
        assert!(began.elapsed() < PATIENCE);
        thread::sleep(Duration::from_millis(5));
    }
    down.store(true, Ordering::SeqCst);
    while number(&newsroom, "SELECT count(*) FROM server WHERE down_since IS NOT NULL") == 0 {
        assert!(began.elapsed() < PATIENCE, "nobody notices that the server is down");
        thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    set_the_clock_back(&newsroom);
    down.store(false, Ordering::SeqCst);
    let worker = newsroom.start(&["worker", "--until-empty"]);
    let status = ends(worker, "the worker whose clock was set back");
    assert_eq!(
        (status.code(), unfinished(&newsroom)),
        (Some(0), 0),
        "{:?} {:?}",
        states(&newsroom),
        messages(&newsroom)
    );
    same(&newsroom.results(), &expected);
    let twice = "SELECT count(*) FROM (SELECT 1 FROM journal GROUP BY run, step HAVING count(*) > 1)";
    assert_eq!(number(&newsroom, twice), 0);
    let recorded = "SELECT count(*) FROM llm_call WHERE state = 'answered'";
    assert_eq!(number(&newsroom, recorded), CALLS * STORIES);
    let answered = answered.load(Ordering::SeqCst);
    assert!(answered <= CALLS * STORIES + 3, "{answered} answers: more than those in flight were asked for again");
}
