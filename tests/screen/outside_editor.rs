//! The draft in a person's own editor (`$EDITOR`): what was saved there is never lost, and the desk goes on meanwhile.

use std::path::PathBuf;

use copydesk::newsroom::Choice;
use nix::sys::signal::Signal;

use crate::support::{
    newsroom::Newsroom,
    press, script,
    server::{Latch, Reply, Server},
    terminal::Terminal,
};

const AT_GATE: &str = "Round 1 waits for you";
const HELP: &str = "Keys that work here";
const OUTSIDE: &str = "E";

/// A terminal in which a story waits at its first gate; `editor` is a shell script that gets the file as `$1`.
fn at_gate(newsroom: &Newsroom, editor: &str) -> Terminal {
    newsroom.topic();
    let terminal =
        Terminal::start_with(newsroom, &["run", "park.json"], 36, 120, &[("EDITOR", &command(newsroom, editor))]);
    terminal.wait_for(AT_GATE);
    terminal
}

fn command(newsroom: &Newsroom, editor: &str) -> String {
    let file = newsroom.write("an editor.sh", format!("#!/bin/sh\n{editor}\n").as_bytes());
    std::fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    format!("'{}'", file.display())
}

/// Waits for a file that the editor writes.
fn wait_for_file(terminal: &Terminal, newsroom: &Newsroom, name: &str) {
    let began = std::time::Instant::now();
    while !newsroom.path().join(name).exists() {
        assert!(began.elapsed() < crate::support::terminal::DEADLINE, "no {name}\n{}", terminal.screen());
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

#[test]
fn a_hand_edit_in_an_editor_of_ones_own_comes_back_to_the_screen() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    let terminal = at_gate(&newsroom, "stty -a > stty.txt; sed -i 's/begin in April/begin in May/' \"$1\"");
    terminal.keys(press::PALETTE).keys("\"edit in your\" enter").wait_for("begin in May");
    assert!(newsroom.read("stty.txt").contains(" icanon"), "the editor finds a terminal as a shell has it");
    terminal.keys(press::SAVE).wait_for("Your edit is ready; c checks it");
    let decisions = newsroom.record("park").decisions();
    let [Choice::Edit { article }] = &decisions.iter().map(|made| made.choice.clone()).collect::<Vec<_>>()[..] else {
        panic!("{decisions:?}")
    };
    assert!(article.articleBody.contains("begin in May"), "{article:?}");
    // The screen has the keyboard again.
    terminal.keys(press::HELP).wait_for(HELP);
    terminal.keys("esc").wait_gone(HELP);
    terminal.leave();
}

#[test]
fn what_an_editor_saved_before_it_failed_is_taken_and_its_failure_is_said() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    let terminal = at_gate(&newsroom, "sed -i 's/begin in April/begin in May/' \"$1\"; stty raw -echo; exit 3");
    terminal.keys(OUTSIDE).wait_for("begin in May");
    terminal.wait_for("saved is here");
    terminal.keys(press::SAVE).wait_for("Your edit is ready; c checks it");
    let decisions = newsroom.record("park").decisions();
    assert!(matches!(&decisions[0].choice, Choice::Edit { article } if article.articleBody.contains("begin in May")));
    // The line is as it was before, although the editor left it raw.
    terminal.leave();
}

#[test]
fn an_editor_gets_what_was_being_typed_before() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    let terminal = at_gate(&newsroom, "cp \"$1\" seen.md");
    terminal.keys(press::EDIT).wait_for("Edit the draft of round 1");
    terminal.keys("\"Not yet decided. \"").wait_for("saved at");
    terminal.keys("esc").wait_for("Your edit is kept, but is not in the story yet");
    terminal.keys(OUTSIDE);
    wait_for_file(&terminal, &newsroom, "seen.md");
    terminal.wait_for("This is your unfinished edit: save it");
    assert!(newsroom.read("seen.md").starts_with("Not yet decided. The council"), "{}", newsroom.read("seen.md"));
    terminal.keys("esc").wait_gone("Edit the draft of round 1");
    terminal.leave();
}

#[test]
fn the_desk_goes_on_while_an_editor_is_open_and_draws_nothing() {
    let latch = Latch::default();
    let held = latch.clone();
    let server = Server::start(move |call| match call.agent.as_str() {
        "writer" if call.user.contains("harbour") => Reply::Held(script::text(call), 120, held.clone()),
        _ => script::usual(call),
    });
    let newsroom = Newsroom::at(&server.base());
    let terminal = at_gate(&newsroom, "touch open; while ! [ -e go ]; do sleep 0.01; done");
    terminal.keys("esc").wait_for("desk/park");
    let topic = newsroom.topic_with(|topic| {
        topic["source_text"] = "The harbour reopens on Friday.".into();
        topic["source_metadata"]["topic_slug"] = "harbour".into();
    });
    std::fs::rename(topic, newsroom.path().join("harbour.json")).unwrap();
    terminal.keys(press::NEW_FROM_FILE).wait_for("New story from a file");
    terminal.keys("\"harbour.json\" enter").wait_for("A park plan passes");
    terminal.keys("esc").wait_for("desk/park");
    terminal.keys(press::WAITING).wait_for(AT_GATE);
    let bells = terminal.bells();
    terminal.keys(OUTSIDE);
    wait_for_file(&terminal, &newsroom, "open");
    // Bytes that the screen wrote before the editor began may still be on their way.
    let mut drawn = terminal.updates();
    loop {
        std::thread::sleep(std::time::Duration::from_millis(200));
        let now = terminal.updates();
        if now == drawn {
            break;
        }
        drawn = now;
    }
    latch.open();
    // The other story comes to its gate, and is heard there.
    terminal.wait_until("the bell of the other gate", |_| terminal.bells() > bells);
    assert_eq!(terminal.updates(), drawn, "the terminal is the editor's");
    newsroom.write("go", b"");
    terminal.wait_for("desk/harbour: waits for you");
    terminal.keys(press::HELP).wait_gone("desk/harbour: waits for you");
    terminal.keys("esc").wait_gone(HELP);
    terminal.keys("esc").wait_gone("Edit the draft of round 1");
    terminal.leave();
}

#[test]
fn a_program_that_is_told_to_go_while_an_editor_is_open_names_the_file_and_restores_the_terminal() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    // It leaves nothing in order, and saves once more when it is told to end.
    let editor = "stty raw -echo; printf '\\033[?1049h\\033[?25l'; echo first > \"$1\"; trap 'echo last > \"$1\"; trap - TERM; kill -TERM $$' TERM
        touch open; while :; do sleep 0.01; done";
    let terminal = at_gate(&newsroom, editor);
    terminal.keys(OUTSIDE);
    wait_for_file(&terminal, &newsroom, "open");
    terminal.kill(Signal::SIGTERM);
    assert_eq!(terminal.exit_code(), 130);
    assert_eq!(terminal.left_behind(), Vec::<String>::new());
    let screen = terminal.screen();
    let (_, file) = screen.split_once("Your unsaved text is kept in ").unwrap_or_else(|| panic!("{screen}"));
    let file = PathBuf::from(file.lines().next().unwrap().trim());
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "last\n");
    std::fs::remove_file(file).unwrap();
}
