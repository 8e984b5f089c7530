//! The terminal is given back as it was, however the screen ends: a real screen in a real pseudo-terminal.

use std::{
    io::{Read as _, Write as _},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex},
    thread,
    time::{Duration, Instant},
};

use copydesk::tui::terminal::{
    alarm::{Alarm, Stop},
    alarms::{Alarms, DEADLINE},
    error::ScreenError,
    events::Events,
    screen::TerminalScreen,
};
use crossterm::event::{Event, KeyCode, KeyEventKind};
use futures_util::StreamExt as _;
use nix::{
    sys::{
        resource::{UsageWho, getrusage},
        signal::{Signal, kill},
    },
    unistd::Pid,
};
use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, SlavePty, native_pty_system};

use crate::support::alone::ran_alone;

/// Names the scene that this executable plays when it is started in a pseudo-terminal.
const SCENE: &str = "COPYDESK_TEST_SCENE";

// The screen's side.

/// Not a test of its own: what the tests below start. Without a scene it does nothing.
#[test]
#[ignore = "is started by the other tests, in a pseudo-terminal"]
fn a_scene() {
    #[expect(clippy::disallowed_methods, reason = "the tests tell their own child what to play")]
    let Ok(scene) = std::env::var(SCENE) else { return };
    let (mut screen, mut alarms) = TerminalScreen::enter(true).expect("a screen");
    assert!(matches!(TerminalScreen::enter(false), Err(ScreenError::Open)));
    // crossterm's reader cannot be set up any more once the terminal is closed, so it comes first.
    let events = (scene == "loop").then(Events::default);
    show(&mut screen, "ready");
    match scene.as_str() {
        "end" => await_key(),
        "panic" => {
            await_key();
            screen.draw(|_| panic!("a view\u{1b}[2J\u{9b}1m broke off\nhere")).expect("a frame");
        }
        "late" => {
            drop(screen);
            let broke = thread::Builder::new().name("a\u{1b}[2J worker".into()).spawn(|| panic!("it\u{1b}c broke off"));
            assert!(broke.unwrap().join().is_err());
        }
        "worker" => {
            let broke = thread::Builder::new().name("a worker".into()).spawn(|| panic!("line one\nline\u{1b}[2J two"));
            assert!(broke.unwrap().join().is_err());
            let Some(Alarm::Panicked(message)) = alarms.raised() else { panic!("no alarm") };
            assert!(message.starts_with("line one line two (thread a worker, tests/screen/terminal.rs:"), "{message}");
            show(&mut screen, "told");
            await_key();
        }
        "caught" => {
            assert!(catch_unwind(AssertUnwindSafe(|| panic!("a task broke off"))).is_err());
            assert!(matches!(alarms.raised(), Some(Alarm::Panicked(_))));
            show(&mut screen, "again");
            await_key();
        }
        "suspend" => {
            await_key();
            screen.lend();
            show(&mut screen, "not now");
            // It leaves the line as no shell wants it.
            let script = "stty -a | grep -q -- ' icanon' && echo outside; kill -INT $PPID; sleep 0.2; stty raw -echo";
            let editor = std::process::Command::new("sh").args(["-c", script]).status();
            assert!(editor.unwrap().success());
            screen.take_back();
            assert_eq!(alarms.raised(), None, "Ctrl-C in the other program is not meant for this one");
            show(&mut screen, "inside");
            await_key();
        }
        "loop" => {
            let stop = listen(events.unwrap(), &mut alarms);
            // Nobody may be there to see it.
            let _ = screen.draw(|frame| {
                frame.render_widget("late", frame.area());
                None
            });
            drop(screen);
            std::process::exit(match stop {
                Stop::HangUp => 41,
                Stop::Terminate => 42,
                Stop::Interrupt => 43,
            });
        }
        "hang" => loop {
            // It even holds the lock that everybody needs who prints.
            let _held = std::io::stdout().lock();
            thread::sleep(Duration::from_mins(10));
        },
        other => panic!("there is no scene {other}"),
    }
}

fn show(screen: &mut TerminalScreen, text: &str) {
    let draw = |frame: &mut ratatui::Frame<'_>| {
        frame.render_widget(format!("[{text}]"), frame.area());
        None
    };
    // The window may be closed once its text is there, before the end of the frame is written. What waits for a text sees if it never comes.
    let _ = screen.draw(draw);
}

fn await_key() {
    loop {
        if let Event::Key(key) = crossterm::event::read().expect("an event")
            && key.kind == KeyEventKind::Press
            && key.code == KeyCode::Char('k')
        {
            return;
        }
    }
}

/// The screen's loop as the program has it: events and alarms on one thread.
fn listen(mut events: Events, alarms: &mut Alarms) -> Stop {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let stop = runtime.block_on(async {
        loop {
            let alarm = tokio::select! {
                biased;
                alarm = alarms.next() => alarm,
                event = events.next() => match event {
                    Some(Ok(_)) => continue,
                    // The terminal is gone; the signal is on its way.
                    _ => alarms.next().await,
                },
            };
            match alarm {
                Some(Alarm::Stop(stop)) => return stop,
                // A terminal that goes sends SIGCONT with SIGHUP, and either may be seen first.
                Some(Alarm::Continued) => {}
                other => panic!("{other:?}"),
            }
        }
    });
    runtime.shutdown_background();
    stop
}

// The terminal's side.

struct Theatre {
    master: Box<dyn MasterPty + Send>,
    /// Kept open, so that the terminal keeps its modes after the child's end.
    _slave: Box<dyn SlavePty + Send>,
    child: Box<dyn Child + Send + Sync>,
    seen: Arc<Mutex<Vec<u8>>>,
    keys: Box<dyn std::io::Write + Send>,
    modes: String,
}

const PATIENCE: Duration = Duration::from_mins(1);

fn command(scene: &str) -> CommandBuilder {
    let mut command = CommandBuilder::new(std::env::current_exe().unwrap());
    command.args(["terminal::a_scene", "--exact", "--ignored", "--nocapture", "--test-threads=1"]);
    command.env(SCENE, scene);
    command.env("TERM", "xterm-256color");
    command.env("RUST_BACKTRACE", "0");
    command
}

fn modes(master: &dyn MasterPty) -> String {
    format!("{:?}", master.get_termios().expect("modes"))
}

fn wait(child: &mut dyn Child) -> ExitStatus {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if start.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("it did not end");
        }
        thread::sleep(Duration::from_millis(10));
    }
}

impl Theatre {
    fn open(scene: &str) -> Self {
        let size = PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let modes = modes(&*pair.master);
        let child = pair.slave.spawn_command(command(scene)).unwrap();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let mut reader = pair.master.try_clone_reader().unwrap();
        let into = Arc::clone(&seen);
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count) = reader.read(&mut buffer) {
                if count == 0 {
                    break;
                }
                into.lock().unwrap().extend_from_slice(&buffer[..count]);
            }
        });
        let keys = pair.master.take_writer().unwrap();
        let theatre = Self { master: pair.master, _slave: pair.slave, child, seen, keys, modes };
        // Looks at the bytes that were sent: the scene on the screen may have gone on already.
        theatre.await_that("[ready]", || theatre.sent().contains("[ready]"));
        theatre
    }

    fn parsed(&self) -> vt100::Parser {
        let mut parser = vt100::Parser::new(24, 80, 200);
        parser.process(&self.seen.lock().unwrap());
        parser
    }

    fn sent(&self) -> String {
        String::from_utf8_lossy(&self.seen.lock().unwrap()).into_owned()
    }

    fn await_text(&self, text: &str) {
        self.await_that(text, || self.parsed().screen().contents().contains(text));
    }

    fn await_that(&self, what: &str, is_so: impl Fn() -> bool) {
        let start = Instant::now();
        while !is_so() {
            assert!(start.elapsed() < PATIENCE, "no {what}: {:?}", self.sent());
            thread::sleep(Duration::from_millis(10));
        }
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    fn signal(&self, signal: Signal) {
        kill(Pid::from_raw(self.child.process_id().unwrap().cast_signed()), signal).unwrap();
    }

    fn is_taken(&self) {
        let parser = self.parsed();
        let screen = parser.screen();
        assert!(screen.alternate_screen() && screen.bracketed_paste() && screen.hide_cursor());
        assert_ne!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
        assert_ne!(modes(&*self.master), self.modes, "raw");
    }

    /// Waits for the end, and checks that the terminal is as it was. What is on the screen then.
    fn given_back(mut self) -> (ExitStatus, String) {
        let status = wait(&mut *self.child);
        // The last bytes may still be on their way from the terminal.
        let back = |parser: &vt100::Parser| {
            let screen = parser.screen();
            !screen.alternate_screen()
                && !screen.bracketed_paste()
                && !screen.hide_cursor()
                && screen.mouse_protocol_mode() == vt100::MouseProtocolMode::None
        };
        self.await_that("restored terminal", || back(&self.parsed()));
        thread::sleep(Duration::from_millis(50));
        let parser = self.parsed();
        assert!(back(&parser), "and it stays so");
        let seen = self.sent();
        for undone in ["\x1b[?1006l", "\x1b[?2004l", "\x1b[?25h", "\x1b[?1049l"] {
            assert!(seen.contains(undone), "{undone:?} in {seen:?}");
        }
        let count = |mode| seen.matches(mode).count();
        assert!(count("\x1b[?2026h") <= count("\x1b[?2026l"), "each synchronised update is ended: {seen:?}");
        assert_eq!(modes(&*self.master), self.modes);
        (status, parser.screen().contents())
    }
}

#[test]
fn at_the_end_the_terminal_is_as_it_was() {
    let mut theatre = Theatre::open("end");
    theatre.is_taken();
    theatre.press("k");
    let (status, screen) = theatre.given_back();
    assert!(status.success() && screen.contains("test result: ok"), "{status:?} {screen}");
}

#[test]
fn a_panic_in_the_screen_restores_first_and_can_be_read() {
    let mut theatre = Theatre::open("panic");
    theatre.press("k");
    let (status, screen) = theatre.given_back();
    assert!(!status.success());
    assert!(screen.contains("a view broke off\nhere\n") && !screen.contains("[ready]"), "{screen}");
}

#[test]
fn what_a_panic_says_is_not_obeyed() {
    for (scene, told) in [("panic", "panicked at"), ("late", "thread 'a worker' panicked at")] {
        let mut theatre = Theatre::open(scene);
        if scene == "panic" {
            theatre.press("k");
        }
        let seen = Arc::clone(&theatre.seen);
        let (_, screen) = theatre.given_back();
        let seen = String::from_utf8_lossy(&seen.lock().unwrap()).into_owned();
        assert!(screen.contains(told) && screen.contains("broke off"), "{screen}");
        // The screen erases itself when it opens; what follows its end is the message.
        let (_, after) = seen.rsplit_once("\x1b[?1049l").unwrap();
        assert!(!after.contains(['\x1b', '\u{9b}']), "{after:?}");
    }
}

#[test]
fn a_panic_in_a_worker_leaves_the_screen_alone_and_is_told() {
    let mut theatre = Theatre::open("worker");
    theatre.await_text("[told]");
    theatre.is_taken();
    assert!(
        !theatre.sent().contains("line one") && !theatre.sent().contains("\x1b[?1049l"),
        "the screen was never left"
    );
    theatre.press("k");
    let (status, screen) = theatre.given_back();
    assert!(status.success(), "{screen}");
}

#[test]
fn a_panic_that_was_caught_on_the_screens_thread_opens_the_screen_again() {
    let mut theatre = Theatre::open("caught");
    theatre.await_text("[again]");
    theatre.is_taken();
    theatre.press("k");
    let (status, screen) = theatre.given_back();
    assert!(status.success() && screen.contains("a task broke off"), "{screen}");
}

#[test]
fn another_program_gets_the_terminal_and_gives_it_back() {
    let mut theatre = Theatre::open("suspend");
    theatre.press("k");
    theatre.await_text("[inside]");
    theatre.is_taken();
    assert!(!theatre.sent().contains("[not now]"), "nothing is drawn meanwhile");
    theatre.press("k");
    let (status, screen) = theatre.given_back();
    assert!(status.success() && screen.contains("outside"), "{screen}");
}

#[test]
fn a_signal_ends_the_loop_and_the_terminal_is_as_it_was() {
    for (signal, code) in [(Signal::SIGTERM, 42), (Signal::SIGHUP, 41), (Signal::SIGINT, 43)] {
        let theatre = Theatre::open("loop");
        theatre.is_taken();
        theatre.signal(signal);
        let (status, screen) = theatre.given_back();
        assert_eq!(status.exit_code(), code, "{signal}: {screen}");
        assert!(!screen.contains("late"));
    }
}

#[test]
fn a_screen_that_hangs_is_ended_at_the_deadline() {
    for signal in [Signal::SIGTERM, Signal::SIGHUP] {
        let theatre = Theatre::open("hang");
        let start = Instant::now();
        theatre.signal(signal);
        let (status, _) = theatre.given_back();
        assert!(start.elapsed() >= DEADLINE, "it had its time");
        assert!(status.signal().is_some(), "ended by the signal: {status:?}");
    }
}

#[test]
fn when_the_terminal_is_closed_the_program_ends_and_does_not_spin() {
    if ran_alone(when_the_terminal_is_closed_the_program_ends_and_does_not_spin) {
        return;
    }
    // Without a controlling terminal there is no SIGHUP.
    for (scene, ends, told) in [("loop", 41, true), ("hang", 1, true), ("loop", 41, false), ("hang", 1, false)] {
        let used = || {
            let usage = getrusage(UsageWho::RUSAGE_CHILDREN).unwrap();
            let (user, system) = (usage.user_time(), usage.system_time());
            (user.tv_sec() + system.tv_sec()) * 1000 + (user.tv_usec() + system.tv_usec()) / 1000
        };
        let before = used();
        let size = PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = command(scene);
        command.set_controlling_tty(told);
        let mut child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().unwrap();
        let mut seen = Vec::new();
        while !String::from_utf8_lossy(&seen).contains("[ready]") {
            let mut buffer = [0; 4096];
            let count = reader.read(&mut buffer).unwrap();
            seen.extend_from_slice(&buffer[..count]);
        }
        // The window is closed.
        drop(reader);
        drop(pair.master);
        let status = wait(&mut *child);
        assert_eq!(status.exit_code(), ends, "{scene} {told}: {status:?}");
        let milliseconds = used() - before;
        assert!(milliseconds < 1000, "{scene} {told}: {milliseconds} ms of processor time for nothing");
    }
}
