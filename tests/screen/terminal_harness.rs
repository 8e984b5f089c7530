//! The terminal of the tests is tested with real programs before anything is tested with it.

#[path = "../../benches/fixture/mod.rs"]
mod fixture;

use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use vt100::Color;

use crate::support::{
    newsroom::Newsroom,
    script,
    server::{Reply, Server},
    terminal::{
        Ended, Program, Terminal,
        glass::Glass,
        keys::{self, Typed},
        shot::Look,
        svg::to_svg,
    },
};

fn shell(script: &str) -> Terminal {
    let arguments = vec!["-c".into(), script.into()];
    let folder = std::env::temp_dir();
    Terminal::run(&Program { path: "/bin/sh".into(), arguments, folder, environment: Vec::new() }, 24, 80)
}

fn glass(written: &str) -> Glass {
    let mut glass = Glass::new(4, 20);
    glass.take(written.as_bytes(), Instant::now());
    glass
}

#[test]
fn a_line_of_keys_is_split_as_it_reads() {
    let key = |name: &str| Typed::Key(name.into());
    assert_eq!(
        keys::split(r#"j  ctrl-p "two words \"and\" a \\" shift-tab - " "#),
        [key("j"), key("ctrl-p"), Typed::Text(r#"two words "and" a \"#.into()), key("shift-tab"), key("-"), key("\""),]
    );
}

#[test]
fn keys_are_what_an_xterm_sends() {
    for (key, bytes) in [
        ("j", "j"),
        ("S", "S"),
        ("?", "?"),
        ("-", "-"),
        ("é", "é"),
        ("ctrl-p", "\x10"),
        ("ctrl-s", "\x13"),
        ("alt-x", "\x1bx"),
        ("enter", "\r"),
        ("esc", "\x1b"),
        ("tab", "\t"),
        ("shift-tab", "\x1b[Z"),
        ("backspace", "\x7f"),
        ("space", " "),
        ("ctrl-space", "\0"),
        ("up", "\x1b[A"),
        ("shift-down", "\x1b[1;2B"),
        ("ctrl-right", "\x1b[1;5C"),
        ("home", "\x1b[H"),
        ("delete", "\x1b[3~"),
        ("pgdn", "\x1b[6~"),
        ("f1", "\x1bOP"),
        ("f5", "\x1b[15~"),
        ("ctrl-f12", "\x1b[24;5~"),
    ] {
        assert_eq!(keys::bytes(key, false), bytes.as_bytes(), "{key}");
    }
    assert_eq!(keys::bytes("up", true), b"\x1bOA");
}

#[test]
#[should_panic(expected = "ctrl-é: no terminal sends that")]
fn a_key_that_no_terminal_sends_is_refused() {
    keys::bytes("ctrl-é", false);
}

#[test]
fn what_a_program_writes_is_seen_and_its_code_is_known() {
    let terminal = shell("printf 'one\\ntwo \\033[1;31mred\\033[0m\\n'; exit 3");
    assert_eq!(terminal.exit_code(), 3);
    assert_eq!(terminal.screen(), "one\ntwo red");
    assert_eq!(terminal.row(1), "two red");
    let look = Look { bold: true, fg: Color::Idx(1), ..Look::default() };
    assert_eq!((terminal.look_of("red"), terminal.look_of("two")), (look, Look::default()));
    assert_eq!(terminal.cursor(), Some((2, 0)));
    assert!(terminal.shot().styled().starts_with("one\ntwo {bold fg=1|red}\n"), "{}", terminal.shot().styled());
    assert_eq!(terminal.left_behind(), Vec::<String>::new());
}

#[test]
fn keys_reach_the_program_one_by_one() {
    // Each read is written as octal bytes: an escape key that came with its neighbour would stand with it on one line.
    let terminal = shell(
        "stty raw -echo; printf 'ready\\r\\n'; for n in 1 2 3; do dd bs=99 count=1 2>/dev/null | od -An -c; printf '\\r'; done",
    );
    terminal.wait_for("ready");
    terminal.keys("esc").keys("j");
    terminal.wait_until("j on a row of its own", |shot| (0..24).any(|row| shot.row(row).trim() == "j"));
    assert!((0..24).any(|row| terminal.row(row).trim() == "033"), "{}", terminal.screen());
    terminal.keys("ctrl-p");
    assert_eq!(terminal.exit_code(), 0);
    assert!(terminal.screen().contains("020"), "{}", terminal.screen());
}

#[test]
fn typed_and_pasted_text_arrives_as_it_is() {
    let terminal = shell("cat");
    terminal.keys("\"naïve, 日本\" enter");
    terminal.wait_until("the line twice", |shot| shot.row(0) == "naïve, 日本" && shot.row(1) == "naïve, 日本");
    let shot = terminal.shot();
    assert_eq!(shot.find("本"), Some((0, 9)));
    terminal.keys("ctrl-d");
    assert_eq!(terminal.exit_code(), 0);

    let terminal = shell(
        "printf '\\033[?2004hready'; stty raw -echo; dd bs=99 count=1 2>/dev/null | od -An -c; printf '\\033[?2004l'",
    );
    terminal.wait_for("ready");
    terminal.paste("ab");
    assert_eq!(terminal.exit_code(), 0);
    assert!(
        terminal.screen().contains("033   [   2   0   0   ~   a   b 033   [   2   0   1   ~"),
        "{}",
        terminal.screen()
    );
}

#[test]
fn a_pasted_megabyte_arrives_whole() {
    let terminal = shell("stty raw -echo; printf ready; head -c 1000000 | wc -c");
    terminal.wait_for("ready");
    terminal.paste(&"x".repeat(1_000_000));
    terminal.wait_for("1000000");
    assert_eq!(terminal.exit_code(), 0);
    assert!(terminal.left_behind()[0].starts_with("the line's settings"), "the shell left its terminal raw");
}

#[test]
fn a_new_size_is_known_to_the_program() {
    let terminal = shell("trap 'stty size' WINCH; stty size; while :; do sleep 0.05; done");
    terminal.wait_for("24 80");
    terminal.resize(15, 60);
    terminal.wait_for("15 60");
    assert_eq!(terminal.shot().size(), (15, 60));
    terminal.kill(Signal::SIGTERM);
    assert!(matches!(terminal.ended(), Ended::Signal(name) if name.contains("Terminated")));
}

#[test]
fn a_closed_terminal_is_a_hang_up_and_no_key() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("seen");
    let file = file.to_str().unwrap();
    let mut terminal = shell(&format!(
        "trap 'echo hung up >> {file}; exit 7' HUP; stty raw -echo; printf ready; dd bs=99 count=1 2>/dev/null >> {file}; sleep 9"
    ));
    terminal.wait_for("ready");
    terminal.close();
    assert_eq!(terminal.exit_code(), 7);
    assert_eq!(std::fs::read_to_string(file).unwrap(), "hung up\n");
}

#[test]
#[should_panic(expected = "waited for \"never\" to appear; the program closed its screen")]
fn a_program_that_ended_is_waited_for_no_longer() {
    shell("echo gone").wait_for("never");
}

#[test]
fn bells_copies_and_titles_are_noticed() {
    let terminal = shell("printf '\\007\\007\\033]52;c;aGVsbG8gd29ybGQ=\\007\\033]2;Desk\\007'");
    assert_eq!(terminal.exit_code(), 0);
    assert_eq!((terminal.bells(), terminal.clipboard().as_deref()), (2, Some("hello world")));
    assert_eq!(terminal.title(), "Desk");
}

#[test]
fn what_is_not_undone_is_named() {
    let set = "\x1b[?1049h\x1b[?25l\x1b[?2004h\x1b[?1000h\x1b[?1006h\x1b[>1u\x1b[6 q\x1b[31m";
    assert_eq!(
        glass(set).left_behind(),
        [
            "the mouse (mode 1000)",
            "the mouse (mode 1006)",
            "the alternate screen (mode 1049)",
            "bracketed paste (mode 2004)",
            "the cursor is hidden",
            "the cursor's shape",
            "the keyboard's protocol",
            "the colours and marks of text",
        ]
    );
    let undone = "\x1b[0m\x1b[0 q\x1b[<1u\x1b[?1006l\x1b[?1000l\x1b[?2004l\x1b[?25h\x1b[?1049l";
    assert_eq!(glass(&format!("{set}{undone}")).left_behind(), Vec::<String>::new());
}

#[test]
fn only_whole_updates_are_seen() {
    let mut glass = glass("old");
    glass.take(b"\x1b[?2026h\r\x1b[Knew", Instant::now());
    assert_eq!((glass.shot().row(0), glass.updates), ("old".into(), 0));
    // The end comes in two pieces.
    glass.take(b" text\x1b[?20", Instant::now());
    assert_eq!(glass.shot().row(0), "old");
    glass.take(b"26l", Instant::now());
    assert_eq!((glass.shot().row(0), glass.updates), ("new text".into(), 1));
    glass.take(b"\x1b[?2026h\rlost", Instant::now());
    glass.end();
    assert_eq!(glass.shot().row(0), "losttext");
    assert_eq!(glass.left_behind(), ["a synchronised update that has no end"]);
}

#[test]
fn a_key_is_timed_to_the_update_that_shows_it() {
    // An update elsewhere comes first, and one that changes nothing; the third is the answer.
    let update = |text: &str| format!("printf '\\033[?2026h\\033[{text}\\033[?2026l'; sleep 0.05;");
    let [elsewhere, same, answer] = ["1;1Hclock", "5;1Hold", "5;1Hnew"].map(update);
    let terminal = shell(&format!("stty raw -echo; {same} head -c 1 >/dev/null; {elsewhere} {same} {answer}"));
    terminal.wait_for("old");
    terminal.watch(4..5, 0..80);
    let took = terminal.time_to_change("j");
    assert!(took >= Duration::from_millis(100), "both updates before it take 50 ms each: {took:?}");
    assert_eq!((terminal.exit_code(), terminal.updates()), (0, 4));
}

#[test]
fn struck_text_and_coloured_underlines_are_told_apart() {
    let shot = glass("\x1b[9;3mboth\x1b[23mstruck\x1b[29mplain\x1b[58;5;1;4mline\x1b[59;0mx").shot();
    let plain = Look::default();
    assert_eq!(shot.look_of("both"), Some(Look { struck: true, italic: true, ..plain }));
    assert_eq!(shot.look_of("struck"), Some(Look { struck: true, ..plain }));
    assert_eq!(shot.look_of("plain"), Some(plain));
    assert_eq!(shot.look_of("line"), Some(Look { underline: true, ..plain }));
    assert_eq!(shot.look_of("x"), Some(plain));
}

#[test]
fn a_screen_becomes_a_picture() {
    let mut glass = Glass::new(4, 24);
    glass.take(
        "\x1b[?25la <b> & \x1b[1;32mgreen\x1b[0m \x1b[9mold\x1b[0m\r\n\x1b[7m sel \x1b[0m 日本 \x1b[48;2;1;2;3mx\x1b[0m\r\n╭──╮\r\n╰──╯"
            .as_bytes(),
        Instant::now(),
    );
    let svg = to_svg(&glass.shot(), "A & B");
    assert_eq!(svg, to_svg(&glass.shot(), "A & B"), "the same screen, the same bytes");
    insta::assert_snapshot!(svg);
}

#[test]
fn the_real_program_runs_in_its_newsroom() {
    let newsroom = Newsroom::offline();
    let terminal = Terminal::start(&newsroom, &["list"], 24, 80);
    assert_eq!(terminal.exit_code(), 0);
    assert!(terminal.screen().starts_with("There are no stories yet."), "{}", terminal.screen());
    assert_eq!(terminal.left_behind(), Vec::<String>::new());
    assert!(newsroom.path().join("data/copydesk.db").exists(), "it worked in its own folder");
}

#[test]
fn a_record_holds_what_a_run_left() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    assert_eq!(newsroom.auto(&newsroom.topic()).code, 0);
    let record = newsroom.record("park");
    assert_eq!((record.run.state.as_str(), record.run.story.as_str()), ("success", "desk/park"));
    assert_eq!(record.decisions(), [], "nobody decided anything");
    assert_eq!(record.steps().last().map(String::as_str), Some("publish"));
    assert_eq!(record.effective(1), record.verdicts(1));
    assert_eq!(record.events_of("run_closed").len(), 1);
    assert_eq!(newsroom.ask("SELECT count(*) FROM run"), "1");
}

#[test]
fn the_fixtures_of_the_bench_are_what_the_desk_reads() {
    let server = Server::start(|_| Reply::Status(500, vec![], "nobody should ask".into()));
    let newsroom = Newsroom::at(&server.base());
    let size = fixture::Size { source_bytes: 50_000, drafts: 3, concerns: 40, events: 500 };
    let story = fixture::with_store(&newsroom.path().join("data/copydesk.db"), async |store| {
        fixture::desk(&store, 25).await;
        fixture::large_story(&store, "large", size).await
    });
    let record = newsroom.record(&story);
    assert_eq!((record.run.waits.as_deref(), record.run.open_concerns), (Some("r3.gate"), 40));
    assert_eq!((record.log.len(), record.verdicts(3).len(), record.decisions().len()), (500, 40, 6));
    assert_eq!(
        newsroom.ask("SELECT count(*) FROM llm_call WHERE state = 'answered'"),
        "59",
        "3 drafts, reviews, mappings; 50 verdicts"
    );
    let terminal = Terminal::start(&newsroom, &["list"], 60, 200);
    assert_eq!(terminal.exit_code(), 0);
    assert!(terminal.shot().contains("Council votes on item 24 of the long list"), "{}", terminal.screen());
    // It waits for its editor: whoever goes on with the desk asks no model and changes nothing.
    let done = newsroom.run(&["resume"]);
    assert_eq!((server.calls().len(), newsroom.record(&story).log.len()), (0, 500), "{}{}", done.out, done.err);
}

#[test]
fn a_slow_answer_takes_its_time_and_is_whole() {
    let slow = |call: &crate::support::server::Call| Reply::Slow(script::text(call), 40, Duration::from_millis(5));
    let server = Server::start(slow);
    let newsroom = Newsroom::at(&server.base());
    let began = Instant::now();
    let done = newsroom.auto(&newsroom.topic());
    assert_eq!(done.code, 0, "{}", done.err);
    // Two drafts alone are more than fourteen pieces of forty characters; the first of each comes at once.
    assert!(began.elapsed() > Duration::from_millis(2 * 6 * 5), "{:?}", began.elapsed());
    assert_eq!(newsroom.canonical()["article"]["headline"], "A park plan passes (draft 2)");
}
