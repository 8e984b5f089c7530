//! Troubles around a terminal: it is closed, the program is told to go, the database is locked, the window is never
//! still, texts are hostile. Each time the terminal is as it was, and nothing is lost.

use std::time::Duration;

use nix::sys::signal::Signal;
use serde_json::{Value, json};

use crate::support::{
    newsroom::Newsroom,
    press, script,
    server::{Latch, Reply, Server},
    terminal::{DEADLINE, Terminal},
};

const AT_GATE: &str = "Round 1 waits for you";

/// A story in the terminal, in the middle of its first draft, with the latch that holds it.
struct Midway {
    server: Server,
    newsroom: Newsroom,
    terminal: Terminal,
    latch: Latch,
}

impl Midway {
    fn at(arguments: &[&str]) -> Self {
        let latch = Latch::default();
        let server = Server::start(script::held(&latch));
        let newsroom = Newsroom::at(&server.base());
        newsroom.topic();
        let terminal = Terminal::start(&newsroom, arguments, 36, 160);
        terminal.wait_until("the writer to be asked", |_| server.count("writer") == 1);
        Self { server, newsroom, terminal, latch }
    }

    fn on_the_screen() -> Self {
        let midway = Self::at(&["run", "park.json"]);
        midway.terminal.wait_for("A park plan passes");
        midway
    }

    /// Waits until nothing is written any more: the story waits, and its files are there.
    fn has_settled(&self) {
        self.terminal.wait_until("nobody at work", |_| {
            let locks = std::fs::read_dir(self.newsroom.path().join("data/locks")).unwrap().flatten();
            let mut stories = locks.filter(|lock| !lock.file_name().to_str().unwrap().contains('.'));
            stories.all(|lock| std::fs::File::open(lock.path()).unwrap().try_lock().is_ok())
        });
    }

    /// Stories that were begun go on, and each finished call is made once.
    fn goes_on(&self) {
        self.latch.open();
        let done = self.newsroom.run(&["resume"]);
        assert_eq!(done.code, 0, "{}", done.err);
        assert_eq!(self.newsroom.canonical()["success"], json!(true));
        assert_eq!(
            (self.server.count("writer"), self.server.count("article_review")),
            (2, 2),
            "only what was in flight"
        );
    }

    /// Waits until it stands still, as after ctrl-z, and has left the terminal as it was.
    ///
    /// A shell continues a program only after it saw it stop; a signal that comes before would be lost. What the
    /// program wrote last may be read after that, so both are waited for.
    fn is_stopped(&self) {
        self.terminal.wait_until("the terminal as it was", |_| self.terminal.left_behind().is_empty());
        self.terminal.wait_until("the program to stop", |_| is_stopped(self.terminal.pid()));
    }

    /// Likewise, where an editor decides: the run waits at its gate, with the draft that was in flight.
    fn waits_again(&self) {
        self.latch.open();
        let terminal = Terminal::start(&self.newsroom, &[], 24, 80);
        terminal.wait_for("desk/park");
        terminal.keys(press::RESUME);
        terminal.wait_until("the gate", |_| self.newsroom.record("park").run.waits.as_deref() == Some("r1.gate"));
        assert_eq!(self.server.count("writer"), 2, "only what was in flight");
        terminal.leave();
    }
}

#[test]
fn a_batch_that_is_interrupted_by_a_key_leaves_the_terminal_as_it_was() {
    let midway = Midway::at(&["run", "--auto", "park.json"]);
    midway.terminal.keys("ctrl-c").wait_for("Press Ctrl-C again to stop at once");
    midway.terminal.keys("ctrl-c");
    assert_eq!(midway.terminal.exit_code(), 130);
    assert!(midway.terminal.screen().contains("Interrupted."), "{}", midway.terminal.screen());
    assert_eq!(midway.terminal.left_behind(), Vec::<String>::new());
    midway.goes_on();
}

#[test]
fn a_batch_whose_terminal_is_closed_can_be_gone_on_with() {
    let mut midway = Midway::at(&["run", "--auto", "park.json"]);
    midway.terminal.close();
    midway.terminal.ended();
    midway.goes_on();
}

#[test]
fn a_program_that_is_told_to_go_restores_the_terminal_and_loses_nothing() {
    for signal in [
        Signal::SIGTERM,
        Signal::SIGHUP,
        Signal::SIGINT,
        Signal::SIGABRT,
        Signal::SIGALRM,
        Signal::SIGUSR1,
        Signal::SIGXCPU,
    ] {
        let midway = Midway::on_the_screen();
        midway.terminal.kill(signal);
        assert_eq!(midway.terminal.exit_code(), 130, "{signal}");
        assert_eq!(midway.terminal.left_behind(), Vec::<String>::new(), "{signal}");
        assert!(midway.terminal.screen().contains("resume"), "{signal}: {}", midway.terminal.screen());
        midway.waits_again();
    }
}

#[test]
fn a_program_that_is_stopped_gives_the_terminal_back_and_draws_anew_when_it_goes_on() {
    let midway = Midway::on_the_screen();
    for _ in 0..2 {
        midway.terminal.kill(Signal::SIGTSTP);
        midway.is_stopped();
        let drawn = midway.terminal.updates();
        midway.terminal.kill(Signal::SIGCONT);
        midway
            .terminal
            .wait_until("the screen", |shot| midway.terminal.updates() > drawn && shot.contains("A park plan passes"));
    }
    midway.latch.open();
    midway.terminal.wait_for(AT_GATE);
    // ctrl-z stops it as it stops any program.
    midway.terminal.keys("ctrl-z");
    midway.is_stopped();
    let drawn = midway.terminal.updates();
    midway.terminal.kill(Signal::SIGCONT);
    midway.terminal.wait_until("the screen", |shot| midway.terminal.updates() > drawn && shot.contains(AT_GATE));
    midway.terminal.leave();
    assert_eq!(midway.terminal.left_behind(), Vec::<String>::new());
}

#[test]
fn a_program_whose_terminal_is_closed_ends_and_loses_nothing() {
    let mut midway = Midway::on_the_screen();
    midway.terminal.close();
    midway.terminal.ended();
    midway.waits_again();
}

#[test]
fn a_program_that_is_killed_loses_nothing() {
    let midway = Midway::on_the_screen();
    midway.terminal.kill(Signal::SIGKILL);
    midway.terminal.ended();
    midway.waits_again();
}

/// Whether a process is stopped, as a shell sees it after ctrl-z.
fn is_stopped(pid: i32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    status.lines().any(|line| line.starts_with("State:\tT"))
}

/// Resident memory of a process, in KiB.
fn memory_of(pid: i32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB"));
    resident.map_or(0, |resident| resident.parse().unwrap())
}

#[test]
fn a_screen_that_nobody_reads_holds_no_story_up_and_fills_no_memory() {
    // 300,000 pieces, as fast as the program takes them: far more than 10,000 a second.
    const LONG: usize = 900_000;
    let latch = Latch::default();
    let held = latch.clone();
    let server = Server::start(move |call| match call.agent.as_str() {
        "writer" => {
            // An answer that repeats itself is cut off, so each word is new.
            let more: String = (0_u32..).map(|number| format!(" {number}")).take(LONG / 7).collect();
            Reply::Held(format!("{}{more}", script::text(call)), 120, held.clone())
        }
        _ => script::usual(call),
    });
    // An answer that is far longer than it may be is cut off as well.
    let newsroom = Newsroom::at_with(&server.base(), |yaml| yaml.replace("max_tokens: 8192", "max_tokens: 1000000"));
    newsroom.topic();
    let terminal = Terminal::start(&newsroom, &["run", "park.json"], 36, 160);
    terminal.wait_for("A park plan passes");
    let before = memory_of(terminal.pid());
    terminal.leave_unread(true);
    latch.open();
    let began = std::time::Instant::now();
    let mut most = before;
    while newsroom.record("park").run.waits.as_deref() != Some("r1.gate") {
        assert!(began.elapsed() < 4 * DEADLINE, "the story stands still while nobody reads the screen");
        most = most.max(memory_of(terminal.pid()));
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(most < before + 64 * 1024, "{most} KiB in memory, {before} before");
    terminal.leave_unread(false);
    terminal.wait_for(AT_GATE);
    let calls = ["writer", "article_review", "concern_mapping"].map(|agent| server.count(agent));
    assert_eq!((calls, server.calls().len()), ([1, 1, 1], 8), "nothing is asked twice");
    terminal.leave();
}

#[test]
fn quitting_asks_where_something_would_stop() {
    let midway = Midway::on_the_screen();
    midway.terminal.keys(press::QUIT).wait_for("`copydesk resume` or open");
    midway.terminal.keys("esc").wait_gone("Quit?");
    assert!(midway.terminal.is_running());
    midway.terminal.keys(press::QUIT).wait_for("Quit?");
    midway.terminal.keys(press::YES);
    assert_eq!(midway.terminal.exit_code(), 0);
    assert_eq!(midway.terminal.left_behind(), Vec::<String>::new());
    assert!(midway.terminal.screen().contains("`copydesk resume`"), "{}", midway.terminal.screen());
    midway.waits_again();
}

#[test]
fn a_window_that_is_never_still_is_drawn_at_its_last_size() {
    let server = Server::start(|call| match call.agent.as_str() {
        "writer" => Reply::Slow(script::text(call), 2, Duration::from_millis(5)),
        _ => script::usual(call),
    });
    let newsroom = Newsroom::at(&server.base());
    newsroom.topic();
    let terminal = Terminal::start(&newsroom, &["run", "park.json"], 24, 80);
    terminal.wait_for("Copydesk ·");
    // Sizes as they come: from nothing to a wall, while the text streams in.
    let mut seed = 7_u32;
    let mut any = |least: u16, most: u16| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        least + u16::try_from(seed >> 16).unwrap() % (most - least + 1)
    };
    for step in 0..200 {
        match step % 10 {
            0 => terminal.resize(1, 1),
            5 => terminal.resize(1, any(1, 200)),
            _ => terminal.resize(any(1, 60), any(1, 200)),
        }
    }
    terminal.resize(5, 30);
    terminal.resize(36, 120);
    terminal.wait_for("Round 1 waits for you: 3 of 5 concerns open. Next: back to the writer.");
    // The page is as if it were drawn anew.
    terminal.keys(press::CONCERNS).wait_for("begin in April");
    let shot = terminal.wait_for("no matching passage");
    let drawn = terminal.updates();
    terminal.keys("ctrl-l");
    let again = terminal.wait_until("a whole new picture", |_| terminal.updates() > drawn);
    assert_eq!(again.text(), shot.text());
    terminal.leave();
}

#[test]
fn a_pasted_megabyte_becomes_a_story_or_is_refused_and_is_never_obeyed() {
    let newsroom = Newsroom::offline();
    let terminal = Terminal::start(&newsroom, &[], 36, 120);
    terminal.wait_for("Sample story");
    // `q` in it does not quit, nor does an enter send it.
    let line = "quit now, said the mayor of Eastbrook on Tuesday\r";
    terminal.paste(&line.repeat((9 << 20) / line.len() + 1));
    terminal.wait_for("the text is larger than 8 MB; save it as a file and open");
    terminal.paste(&line.repeat((2 << 20) / line.len()));
    terminal.wait_gone("the text is larger than 8 MB");
    terminal.keys(press::SAVE).wait_gone("New story from pasted text");
    terminal.wait_for("Copydesk · quit now, said the mayor");
    assert_eq!(
        newsroom.record(&newsroom.ask("SELECT slug FROM story")).journal.opening.topic.source_text.lines().count(),
        (2 << 20) / line.len()
    );
    assert!(terminal.is_running());
}

#[test]
fn pasted_text_is_no_key_where_nothing_is_typed() {
    let midway = Midway::on_the_screen();
    midway.latch.open();
    midway.terminal.wait_for(AT_GATE);
    midway.terminal.paste("qcSy\r").wait_for("You can paste text into a form, or on the desk for a new story");
    midway.terminal.keys(press::FEEDBACK).wait_for("Feedback to the writer");
    midway.terminal.paste(&"quit now\r".repeat(20_000)).keys(press::SAVE).wait_for("longer than");
    assert_eq!(midway.newsroom.record("park").decisions(), []);
    midway.terminal.keys("esc").wait_for("Discard it?");
    midway.terminal.keys(press::YES).wait_gone("Feedback to the writer");
    midway.terminal.leave();
}

#[test]
fn a_decision_waits_for_a_locked_database_and_says_so() {
    let midway = Midway::on_the_screen();
    midway.latch.open();
    midway.terminal.wait_for(AT_GATE);
    midway.has_settled();
    let mut other = rusqlite::Connection::open(midway.newsroom.path().join("data/copydesk.db")).unwrap();
    let lock = other.transaction_with_behavior(rusqlite::TransactionBehavior::Exclusive).unwrap();
    midway.terminal.keys(press::CONTINUE);
    // The screen lives meanwhile.
    midway.terminal.keys(press::CONCERNS).wait_for("begin in April");
    midway.terminal.wait_for("has been locked by another program for more than 10 s");
    midway.terminal.keys(press::HELP).wait_for("Keys that work here");
    midway.terminal.keys("esc").wait_gone("Keys that work here");
    drop(lock);
    assert_eq!(midway.newsroom.record("park").decisions(), [], "nothing is half decided");
    midway.terminal.keys(press::CONTINUE).wait_for("Round 2 waits for you");
    midway.terminal.leave();
}

#[test]
fn a_database_that_is_taken_away_is_told_of_and_nothing_goes_into_the_void() {
    let midway = Midway::on_the_screen();
    midway.latch.open();
    midway.terminal.wait_for(AT_GATE);
    midway.has_settled();
    let database = midway.newsroom.path().join("data/copydesk.db");
    let aside = midway.newsroom.path().join("data/aside.db");
    std::fs::rename(&database, &aside).unwrap();
    midway.terminal.wait_for("he database was deleted, moved or replaced; nothing is saved now");
    midway
        .terminal
        .keys(press::CONTINUE)
        .keys(press::RUNS)
        // All is done in order: where the runs are read, the decision was refused.
        .wait_for("● current");
    assert!(!database.exists(), "no empty one is made in its place");
    std::fs::rename(&aside, &database).unwrap();
    assert_eq!(midway.newsroom.record("park").decisions(), []);
    midway.terminal.keys(press::CONTINUE).wait_for("Round 2 waits for you");
    midway.terminal.leave();
}

#[test]
fn a_database_that_is_damaged_is_told_of() {
    let midway = Midway::on_the_screen();
    midway.latch.open();
    midway.terminal.wait_for(AT_GATE);
    midway.has_settled();
    let database = midway.newsroom.path().join("data/copydesk.db");
    for file in ["copydesk.db", "copydesk.db-wal"] {
        let path = midway.newsroom.path().join("data").join(file);
        let length = std::fs::metadata(&path).unwrap().len();
        let mut file = std::fs::File::options().write(true).open(path).unwrap();
        std::io::Write::write_all(&mut file, &vec![0xAA; usize::try_from(length).unwrap()]).unwrap();
    }
    midway.terminal.keys(press::CALLS).keys(press::LOG).keys(press::RUNS).keys(press::CONTINUE);
    midway.terminal.wait_for(&database.display().to_string());
    assert!(midway.terminal.is_running());
    midway.terminal.leave();
    // Nor does it begin on it.
    let terminal = Terminal::start(&midway.newsroom, &[], 24, 160);
    assert_eq!(terminal.exit_code(), 2);
    assert!(terminal.screen().contains("copydesk.db"), "{}", terminal.screen());
    assert_eq!(terminal.left_behind(), Vec::<String>::new());
}

#[test]
fn a_server_that_goes_away_in_the_middle_ends_the_story_not_the_screen() {
    let Midway { server, newsroom, terminal, latch } = Midway::on_the_screen();
    drop(server);
    terminal.wait_for("First draft: failed.");
    // It is a failed step: a human should look.
    terminal.keys("esc").wait_for("! flagged");
    terminal.leave();
    assert_eq!(newsroom.record("park").run.state.as_str(), "failed");
    assert_eq!(newsroom.canonical()["success"], json!(false));
    drop(latch);
}

const HOSTILE: &str = "\x1b]52;c;ZXZpbA==\x07\x1b[2J\x1b[?1049l\x1b[?2004l\u{9b}31mred\u{9d}0;evil\u{9c}\u{202e}\u{7} 日本語 e\u{301}\u{301} שלום \u{200b}x";

/// The sequences in what a program wrote, each once, without numbers; control characters as they are.
fn sequences(raw: &[u8]) -> std::collections::BTreeSet<String> {
    let text = std::str::from_utf8(raw).unwrap();
    let mut found = std::collections::BTreeSet::new();
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        if c == '\x1b' {
            let mut sequence = String::new();
            let kind = characters.next().unwrap_or(' ');
            sequence.push(kind);
            if kind == '[' {
                for c in characters.by_ref() {
                    if !c.is_ascii_digit() && c != ';' {
                        sequence.push(c);
                    }
                    if ('\x40'..='\x7e').contains(&c) {
                        break;
                    }
                }
            } else if kind == ']' {
                // A command of the terminal: whole, up to the bell that ends it.
                sequence.extend(characters.by_ref().take_while(|c| *c != '\x07'));
            }
            found.insert(sequence);
        } else if c.is_control() || ('\u{202a}'..='\u{202e}').contains(&c) || ('\u{2066}'..='\u{2069}').contains(&c) {
            found.insert(format!("{c:?}"));
        }
    }
    found
}

/// Cursor, colours, clearing, modes; a bell.
const OURS: [&str; 9] = ["'\\u{7}'", "[?h", "[?l", "[H", "[J", "[K", "[m", "[G", "[d"];

#[test]
fn texts_cannot_speak_to_the_terminal_nor_break_the_page() {
    let server = Server::start(move |call| {
        let text = script::text(call);
        match call.agent.as_str() {
            "writer" => {
                let mut article: Value = serde_json::from_str(&text).unwrap();
                let body = article["articleBody"].as_str().unwrap();
                article["articleBody"] = json!(format!("{HOSTILE} {body}"));
                Reply::Slow(article.to_string(), 5, Duration::from_millis(1))
            }
            "fact_check" => Reply::Text(text.replace("Rationale 1.", &json!(HOSTILE).to_string().replace('"', ""))),
            "revision" => Reply::Status(400, vec![], format!("{HOSTILE} is what the server says")),
            _ => Reply::Text(text),
        }
    });
    let newsroom = Newsroom::at(&server.base());
    let topic = newsroom.topic_with(|topic| {
        topic["source_metadata"]["topic_title"] = json!(format!("Council votes {HOSTILE}"));
        topic["source_metadata"]["source_file"] = json!(format!("{HOSTILE}.json"));
        topic["source_text"] = json!(format!("{HOSTILE} The minutes name no month."));
    });
    let name = format!("{}.json", HOSTILE.replace('/', ""));
    std::fs::rename(topic, newsroom.path().join(&name)).unwrap();
    let terminal = Terminal::start(&newsroom, &["run", &name], 30, 100);
    terminal.wait_for(AT_GATE);
    let whole = |shot: &crate::support::terminal::shot::Shot| {
        shot.rows.iter().all(|row| row.iter().map(|cell| usize::from(cell.width)).sum::<usize>() == 100)
    };
    for key in [press::CONCERNS, "enter tab tab", press::ARTICLE, press::CALLS, press::OPEN, press::LOG, press::RUNS] {
        let drawn = terminal.updates();
        terminal.keys(key);
        let shot = terminal.wait_until("another page", |_| terminal.updates() > drawn);
        assert!(whole(&shot), "{key}\n{}", shot.text());
    }
    // Into a form and its title, and what the server says of its failure.
    terminal.keys(press::EDIT).wait_for("Edit the draft of round 1");
    terminal.paste(HOSTILE).wait_for("saved at");
    terminal.keys("esc").wait_gone("Edit the draft of round 1");
    terminal.keys(press::CONTINUE).wait_for("Continue without your edit?");
    terminal.keys("enter").wait_for("is what the server says");
    assert!(whole(&terminal.shot()));
    terminal.keys("esc").wait_for("x failed");
    let left = terminal.left_behind();
    assert!(left.iter().any(|what| what.contains("the alternate screen")), "still there: {left:?}");
    assert_eq!((terminal.clipboard(), terminal.bells()), (None, 1), "the gate's own bell");
    terminal.leave();
    let (notifications, foreign): (Vec<String>, Vec<String>) = sequences(&terminal.raw())
        .into_iter()
        .filter(|sequence| !OURS.contains(&sequence.as_str()))
        .partition(|sequence| sequence.starts_with("]9;Copydesk: "));
    assert_eq!(foreign, Vec::<String>::new());
    // The desktop is told of the gate and of the failure, in words alone.
    assert!(!notifications.is_empty() && notifications.iter().all(|told| !told.contains(char::is_control)));

    // A file that cannot be used, by its name: nothing of that either.
    newsroom.write(&format!("broken {name}"), b"{");
    let terminal = Terminal::start(&newsroom, &["run", &format!("broken {name}")], 30, 100);
    assert_eq!(terminal.exit_code(), 2);
    let foreign: Vec<String> = sequences(&terminal.raw()).into_iter().collect();
    assert_eq!(foreign, ["'\\n'", "'\\r'"]);
}
