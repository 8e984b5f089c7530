//! `--plain`: the desk as lines, for screen readers and for logs.

use std::{
    io::{BufRead as _, BufReader},
    process::Child,
    sync::mpsc,
    thread,
    time::Duration,
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use regex::Regex;
use serde_json::json;

use crate::support::{
    newsroom::Newsroom,
    script,
    server::{Reply, Server},
    terminal::Terminal,
};

/// Lines as another program prints them.
struct Listener {
    child: Child,
    lines: mpsc::Receiver<String>,
}

impl Listener {
    fn start(newsroom: &Newsroom) -> Self {
        let mut child = newsroom.start(&["--plain"]);
        let out = BufReader::new(child.stdout.take().unwrap());
        let (tell, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in out.lines().map_while(Result::ok) {
                let _ = tell.send(line);
            }
        });
        Self { child, lines }
    }

    /// Everything up to the first line that ends with `text`.
    fn heard(&self, text: &str) -> Vec<String> {
        let mut heard = Vec::new();
        loop {
            match self.lines.recv_timeout(Duration::from_secs(30)) {
                Ok(line) => heard.push(line),
                Err(error) => panic!("no {text} ({error}): {heard:#?}"),
            }
            if heard.last().unwrap().ends_with(text) {
                return heard;
            }
        }
    }

    fn interrupt(mut self) -> Option<i32> {
        kill(Pid::from_raw(self.child.id().cast_signed()), Signal::SIGINT).unwrap();
        self.child.wait().unwrap().code()
    }
}

/// Without its time.
fn untimed(lines: &[String]) -> Vec<String> {
    let time = Regex::new(r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d  ").unwrap();
    lines
        .iter()
        .map(|line| {
            assert!(time.is_match(line), "{line}");
            time.replace(line, "").into_owned()
        })
        .collect()
}

#[test]
fn whoever_follows_the_desk_hears_how_it_stands_and_what_any_program_does() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    let topic = newsroom.topic();
    assert_eq!(newsroom.run(&["run", "--plain", topic.to_str().unwrap()]).code, 0);
    Terminal::start(&newsroom, &["--plain"], 24, 100).wait_for("Events are printed here. Press Ctrl-C to end.");
    let listener = Listener::start(&newsroom);
    assert_eq!(
        untimed(&listener.heard("3 open concerns")),
        [
            "desk/park  Council votes to renovate park: open; waiting for your decision, round 1 (`copydesk show desk/park`); \
             round 1 of 3; 3 open concerns"
        ]
    );
    let newer = newsroom.topic_with(|topic| topic["source_metadata"]["topic_slug"] = json!("newer"));
    assert_eq!(newsroom.auto(&newer).code, 0);
    let heard = untimed(&listener.heard("Passed after 2 rounds"));
    assert_eq!(heard.first().unwrap(), "desk/newer  Opened: Council votes to renovate park (llm, up to 3 rounds)");
    let logged = newsroom.run(&["log", "newer", "--json"]).out;
    assert_eq!(heard.len(), logged.lines().count(), "each event once");
    for line in [
        "desk/newer  Round 1, concern 3: REWRITE for “A park plan passes”",
        "desk/newer  Round 1: back to the writer",
        "desk/newer  Round 2, review: no objections",
    ] {
        assert!(heard.iter().any(|heard| heard == line), "{line}\n{heard:#?}");
    }
    assert_eq!(newsroom.run(&["decide", "park", "overrule", "1", "keep", "--reason", "So it is."]).code, 0);
    assert_eq!(newsroom.run(&["delete", "newer", "--yes"]).code, 0);
    assert_eq!(
        untimed(&listener.heard("Deleted by The editor (1 run, 9 calls)")),
        [
            "desk/park  Round 1: The editor decided: verdict overruled, concern 1: KEEP: So it is.",
            "desk/newer  Deleted by The editor (1 run, 9 calls)"
        ]
    );
    assert_eq!(listener.interrupt(), Some(130));
}

#[test]
fn a_story_is_decided_line_by_line_in_a_terminal() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    let topic = newsroom.topic();
    let terminal = Terminal::start(&newsroom, &["run", "--plain", "--replace", topic.to_str().unwrap()], 50, 160);
    // An answer typed before its question would stand on a line of its own.
    let say = |line: &str| {
        terminal.wait_until("the question, with the cursor behind it", |shot| {
            shot.cursor
                .is_some_and(|(row, _)| shot.row(row.into()).trim_end().ends_with("(help; quit leaves it waiting):"))
        });
        terminal.send(format!("{line}\n").as_bytes(), line);
    };
    terminal.wait_for("desk/park, round 1. Your choice (help; quit leaves it waiting):");
    say("overturn 1");
    terminal.wait_for("unrecognized subcommand 'overturn'");
    say("stet --reason don't");
    terminal.wait_for("a quotation mark is not closed");
    say("sign-off");
    terminal.wait_for("This story waits for your decision, round 1. Decide on the round first");
    say("overrule 1 keep --reason \"It's in the minutes.\"");
    terminal.wait_for("decided: verdict overruled, concern 1: KEEP: It's in the minutes.");
    terminal.wait_for("Round 1: 2 concerns open.");
    for asked in ["", "help"] {
        say(asked);
        terminal.wait_for("undo [NUMBER]: undoes decision 1");
        terminal.wait_for("quit (or exit, or Ctrl-D): stops asking");
    }
    // Somebody else decides while this person still reads.
    assert_eq!(newsroom.run(&["decide", "park", "overrule", "2", "keep", "--reason", "So it is."]).code, 0);
    say("continue");
    terminal.wait_for("The editor decided at ");
    terminal.wait_for("on this story in the meantime. Nothing was changed");
    say("feedback Don't name the mayor.");
    terminal.wait_for("decided: feedback: Don't name the mayor.");
    say("undo");
    terminal.wait_for("decided: undo: decision 3");
    say("continue");
    terminal.wait_for("desk/park, round 2. Your choice (help; quit leaves it waiting):");
    say("continue");
    terminal.wait_for("# A park plan passes (draft 2)");
    say("sign-off");
    assert_eq!(terminal.exit_code(), 0);
    assert_eq!(terminal.left_behind(), Vec::<String>::new());
    assert!(!terminal.raw().contains(&0x1b), "no cursor is moved: {}", String::from_utf8_lossy(&terminal.raw()));
    assert_eq!(server.calls().len(), 10);
    assert_eq!(newsroom.canonical()["success"], true);
    assert_eq!(newsroom.record("park").run.signed_by.as_deref(), Some("The editor"));
}

#[test]
fn who_stops_answering_leaves_the_story_waiting() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    let topic = newsroom.topic();
    let terminal = Terminal::start(&newsroom, &["--plain", "run", topic.to_str().unwrap()], 50, 160);
    terminal.wait_for("Your choice (");
    terminal.keys("ctrl-d");
    terminal.wait_for("`copydesk decide desk/park CHOICE --resume` decides");
    assert_eq!(terminal.exit_code(), 0);
    let again = ["run", "--plain", "--replace", topic.to_str().unwrap()];
    for word in ["quit\n", " Exit \n"] {
        let terminal = Terminal::start(&newsroom, &again, 50, 160);
        terminal.wait_for("Your choice (");
        terminal.send(word.as_bytes(), word);
        terminal.wait_for("`copydesk decide desk/park CHOICE --resume` decides");
        assert_eq!(terminal.exit_code(), 0);
        assert_eq!(newsroom.record("park").run.waits.as_deref(), Some("r1.gate"));
    }
    let terminal = Terminal::start(&newsroom, &again, 50, 160);
    terminal.wait_for("Your choice (");
    terminal.keys("ctrl-c");
    terminal.wait_for("`copydesk resume` continues from there");
    assert_eq!(terminal.exit_code(), 130);
    assert_eq!(newsroom.record("park").run.waits.as_deref(), Some("r1.gate"));
}

#[test]
fn one_story_that_cannot_be_worked_on_does_not_stop_the_next() {
    let server = Server::start(|call| match call.agent.as_str() {
        "writer" if call.user.contains("Westbrook") => {
            Reply::Status(400, vec![], "\u{1b}[2Jcontext\u{202e} too large".into())
        }
        _ => script::usual(call),
    });
    let newsroom = Newsroom::at(&server.base());
    newsroom.topic_with(|topic| topic["source_text"] = json!("The council of Westbrook met."));
    std::fs::rename(newsroom.path().join("park.json"), newsroom.path().join("a.json")).unwrap();
    newsroom.topic_with(|topic| topic["source_metadata"]["topic_slug"] = json!("mill"));
    std::fs::rename(newsroom.path().join("park.json"), newsroom.path().join("b.json")).unwrap();
    newsroom.write("c.json", b"{}");
    let done = newsroom.run(&["run", "--plain", "a.json", "b.json", "c.json"]);
    assert_eq!(done.code, 1, "{}", done.err);
    assert!(!done.out.contains(['\u{1b}', '\u{202e}']), "{:?}", done.out);
    assert!(done.out.lines().any(|line| line.contains("desk/park  Failed after 0 rounds; draft: ")), "{}", done.out);
    assert!(
        done.out.contains("desk/mill  Waiting for your decision, round 1: Round 1: 3 concerns open."),
        "{}",
        done.out
    );
    assert!(done.err.contains("c.json: ") && done.err.contains("desk/mill waits"), "{}", done.err);
}

#[test]
fn without_gates_the_lines_go_through_to_the_end() {
    let newsroom = Newsroom::offline();
    let root = env!("CARGO_MANIFEST_DIR");
    let topic = format!("{root}/assets/topics/miller-park-renovation.json");
    let draft = format!("{root}/assets/drafts/miller-park-renovation.md");
    let done = newsroom.run(&["run", "--auto", "--plain", &topic, "--draft", &draft]);
    assert_eq!(done.code, 0, "{}", done.err);
    let lines: Vec<String> = done.out.lines().map(str::to_owned).collect();
    assert!(untimed(&lines).last().unwrap().ends_with("Passed after 2 rounds"), "{}", done.out);
}
