//! A real program in a terminal of its own: keys in, screen out. Nothing here knows which program it is.
//!
//! A thread keeps the screen, so that the program is never held up by who watches it. What waits, waits for text or for a
//! condition, never for a time; a deadline that passes fails with the whole screen.

pub mod glass;
pub mod keys;
pub mod shot;
pub mod svg;
mod wait;

use std::{
    ffi::OsString,
    fs::File,
    io::{Read, Write},
    ops::Range,
    os::{fd::AsFd, unix::fs::OpenOptionsExt as _},
    path::PathBuf,
    sync::{
        Arc, Condvar, Mutex, MutexGuard,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread::JoinHandle,
    time::{Duration, Instant},
};

use nix::{
    poll::{PollFd, PollFlags, PollTimeout, poll},
    sys::{
        signal::{Signal, kill},
        termios::{SetArg, SpecialCharacterIndices, tcgetattr, tcsetattr},
    },
    unistd::Pid,
};
use portable_pty::{CommandBuilder, MasterPty, PtySize, native_pty_system};

use glass::Glass;
use keys::Typed;
use shot::{Look, Shot};

/// How long anything may take before a test gives up. Generous: machines that test are slow.
pub const DEADLINE: Duration = Duration::from_secs(30);

/// What is started. The environment is `PATH`, `TERM`, a UTF-8 locale and what is given, nothing else.
pub struct Program {
    pub path: PathBuf,
    pub arguments: Vec<OsString>,
    pub folder: PathBuf,
    pub environment: Vec<(String, OsString)>,
}

/// How a program ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    Code(u32),
    /// By a signal, in the system's words.
    Signal(String),
}

struct State {
    glass: Glass,
    ended: Option<Ended>,
    /// Nothing more will be written.
    closed: bool,
    /// Nobody reads what the program writes.
    unread: bool,
    typed: Vec<String>,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    /// The terminal is about to be closed: the reader lets go of it.
    closing: AtomicBool,
}

type Sent = (Vec<u8>, mpsc::Sender<()>);

pub struct Terminal {
    shared: Arc<Shared>,
    master: Option<Box<dyn MasterPty + Send>>,
    typist: Option<mpsc::Sender<Sent>>,
    threads: Vec<JoinHandle<()>>,
    tty: PathBuf,
    pid: Pid,
    settings: String,
    pub started: Instant,
}

impl Terminal {
    /// Starts `program` in a terminal of `rows` and `cols`.
    pub fn run(program: &Program, rows: u16, cols: u16) -> Self {
        let pair = native_pty_system().openpty(size(rows, cols)).expect("a pseudo-terminal");
        let settings = settings_of(pair.master.as_ref()).expect("the terminal's settings");
        let mut command = CommandBuilder::new(&program.path);
        command.args(&program.arguments);
        command.cwd(&program.folder);
        let search = command.get_env("PATH").map(OsString::from).unwrap_or_default();
        command.env_clear();
        for (name, value) in
            [("PATH", search), ("TERM", "xterm-256color".into()), ("LANG", "C.UTF-8".into()), ("TZ", "UTC".into())]
        {
            command.env(name, value);
        }
        for (name, value) in &program.environment {
            command.env(name, value);
        }
        let state =
            State { glass: Glass::new(rows, cols), ended: None, closed: false, unread: false, typed: Vec::new() };
        let shared =
            Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new(), closing: AtomicBool::new(false) });
        let mut reader = pair.master.try_clone_reader().expect("a reader");
        let mut writer = pair.master.take_writer().expect("a writer");
        let tty = pair.master.tty_name().expect("a name");
        let started = Instant::now();
        let mut child = pair.slave.spawn_command(command).expect("the program starts");
        drop(pair.slave);
        let pid = child.process_id().and_then(|pid| i32::try_from(pid).ok()).map(Pid::from_raw).expect("a process");

        let watcher = Arc::clone(&shared);
        std::thread::spawn(move || {
            let status = child.wait().expect("the program's end");
            let ended = status.signal().map_or(Ended::Code(status.exit_code()), |name| Ended::Signal(name.to_owned()));
            watcher.state.lock().expect("state").ended = Some(ended);
            watcher.changed.notify_all();
        });
        let watcher = Arc::clone(&shared);
        let reading = std::thread::spawn(move || {
            let mut buffer = vec![0; 1 << 16];
            loop {
                let count = reader.read(&mut buffer).unwrap_or(0);
                let at = Instant::now();
                if watcher.closing.load(Ordering::SeqCst) {
                    break;
                }
                let mut state = watcher.state.lock().expect("state");
                if count == 0 {
                    state.glass.end();
                    state.closed = true;
                } else {
                    state.glass.take(&buffer[..count], at);
                }
                watcher.changed.notify_all();
                drop(watcher.changed.wait_while(state, |state| state.unread).expect("state"));
                if count == 0 {
                    break;
                }
            }
        });
        let (typist, sent) = mpsc::channel::<Sent>();
        let writing = std::thread::spawn(move || {
            for (bytes, done) in sent {
                // A program that has gone reads no keys, and who no longer waits needs no word.
                let _ = writer.write_all(&bytes);
                let _ = done.send(());
            }
        });
        let threads = vec![reading, writing];
        let (master, typist) = (Some(pair.master), Some(typist));
        Self { shared, master, typist, threads, tty, pid, settings, started }
    }

    /// Types keys: `j ctrl-p "typed text" shift-tab enter`.
    #[track_caller]
    pub fn keys(&self, keys: &str) -> &Self {
        for piece in keys::split(keys) {
            match piece {
                Typed::Text(text) => self.send(text.as_bytes(), &format!("{text:?}")),
                Typed::Key(key) => {
                    let application = self.state().glass.application_cursor();
                    self.send(&keys::bytes(&key, application), &key);
                    if key == "esc" {
                        // With what follows it would be another key.
                        self.wait_until_read();
                    }
                }
            }
        }
        self
    }

    /// Pastes text: between brackets, where the program asked for that.
    #[track_caller]
    pub fn paste(&self, text: &str) -> &Self {
        let (before, after) = if self.state().glass.bracketed_paste() { ("\x1b[200~", "\x1b[201~") } else { ("", "") };
        self.send(format!("{before}{text}{after}").as_bytes(), &format!("(paste of {} bytes)", text.len()));
        self
    }

    /// Clicks with the left button, where the program asked for the mouse. Rows and columns count from 0.
    #[track_caller]
    pub fn click(&self, row: usize, column: usize) -> &Self {
        let (x, y) = (column + 1, row + 1);
        self.send(format!("\x1b[<0;{x};{y}M\x1b[<0;{x};{y}m").as_bytes(), "(click)");
        self
    }

    /// Sends bytes as they are; returns once the terminal took them.
    #[track_caller]
    pub fn send(&self, bytes: &[u8], name: &str) {
        self.state().typed.push(name.to_owned());
        let (done, taken) = mpsc::channel();
        self.typist.as_ref().expect("the terminal is open").send((bytes.to_vec(), done)).expect("the typist is there");
        if taken.recv_timeout(DEADLINE).is_err() {
            self.fail(&format!("{name} was typed, and is not read"));
        }
    }

    /// Waits until nothing that was typed is unread (a program that reads by lines reads when a line is whole).
    #[track_caller]
    fn wait_until_read(&self) {
        let Some(slave) = self.slave() else { return };
        let began = Instant::now();
        while poll(&mut [PollFd::new(slave.as_fd(), PollFlags::POLLIN)], PollTimeout::ZERO).unwrap_or(0) > 0 {
            if self.state().ended.is_some() {
                return;
            }
            if began.elapsed() > DEADLINE {
                self.fail("what was typed is not read");
            }
            std::thread::sleep(Duration::from_micros(200));
        }
    }

    /// The program's side of the terminal, without becoming this process's own.
    fn slave(&self) -> Option<File> {
        File::options().read(true).write(true).custom_flags(nix::libc::O_NOCTTY).open(&self.tty).ok()
    }

    pub fn shot(&self) -> Shot {
        self.state().glass.shot()
    }

    /// The cell of the cursor, also of a hidden one: row and column.
    pub fn caret(&self) -> (u16, u16) {
        self.state().glass.caret()
    }

    /// The screen's text: rows without the white space at their ends, without empty rows at the end.
    pub fn screen(&self) -> String {
        self.shot().text().trim_end_matches('\n').to_owned()
    }

    /// A row's text; rows count from 0.
    pub fn row(&self, row: usize) -> String {
        self.shot().row(row)
    }

    /// How the first occurrence of `text` looks.
    #[track_caller]
    pub fn look_of(&self, text: &str) -> Look {
        self.shot().look_of(text).unwrap_or_else(|| self.fail(&format!("{text:?} is not on the screen")))
    }

    /// Row and column of the cursor, where it is shown.
    pub fn cursor(&self) -> Option<(u16, u16)> {
        self.shot().cursor
    }

    pub fn bells(&self) -> usize {
        self.state().glass.bells()
    }

    /// What the program copied last, by OSC 52.
    pub fn clipboard(&self) -> Option<String> {
        self.state().glass.copied()
    }

    pub fn title(&self) -> String {
        self.state().glass.title().to_owned()
    }

    /// All that the program wrote.
    pub fn raw(&self) -> Vec<u8> {
        self.state().glass.raw.clone()
    }

    /// Watches a part of the screen: [`Terminal::time_to_change`].
    pub fn watch(&self, rows: Range<u16>, columns: Range<u16>) {
        self.state().glass.watch(rows, columns);
    }

    /// When the last synchronised update was complete.
    pub fn updated(&self) -> Option<Instant> {
        self.state().glass.updated
    }

    /// Synchronised updates so far.
    pub fn updates(&self) -> u64 {
        self.state().glass.updates
    }

    #[track_caller]
    pub fn resize(&self, rows: u16, cols: u16) {
        self.state().glass.resize(rows, cols);
        self.master.as_ref().expect("the terminal is open").resize(size(rows, cols)).expect("a new size");
    }

    pub fn pid(&self) -> i32 {
        self.pid.as_raw()
    }

    /// Sends a signal to the program, where it still runs.
    pub fn kill(&self, signal: Signal) {
        let state = self.state();
        if state.ended.is_none() {
            kill(self.pid, signal).expect("a signal");
        }
    }

    pub fn is_running(&self) -> bool {
        self.state().ended.is_none()
    }

    /// Whether the program has let go of the terminal.
    pub fn has_closed(&self) -> bool {
        self.state().closed
    }

    /// What the program changed about the terminal and did not undo; empty where all is as it was before.
    pub fn left_behind(&self) -> Vec<String> {
        let mut left = self.state().glass.left_behind();
        let now = self.master.as_deref().and_then(settings_of).unwrap_or_default();
        if now != self.settings {
            left.push(format!("the line's settings: {now} where it was {}", self.settings));
        }
        left
    }

    /// Turns the mouse's wheel by one notch at a place.
    #[track_caller]
    pub fn wheel(&self, row: usize, column: usize, down: bool) -> &Self {
        let (x, y, button) = (column + 1, row + 1, 64 + u8::from(down));
        self.send(format!("\x1b[<{button};{x};{y}M").as_bytes(), "(wheel)");
        self
    }

    /// Lets what the program writes lie, as a terminal does that was stopped with Ctrl-S, or whose connection hangs; or reads it again.
    pub fn leave_unread(&self, unread: bool) {
        self.state().unread = unread;
        self.shared.changed.notify_all();
    }

    /// Closes the terminal as a window is closed: the program gets SIGHUP, and nothing that looks like a key.
    pub fn close(&mut self) {
        let Some(slave) = self.slave() else { return };
        // The writer ends with an end-of-file key where the terminal knows one.
        if let Ok(mut settings) = tcgetattr(&slave) {
            settings.control_chars[SpecialCharacterIndices::VEOF as usize] = 0;
            tcsetattr(&slave, SetArg::TCSANOW, &settings).expect("settings");
        }
        self.shared.closing.store(true, Ordering::SeqCst);
        self.leave_unread(false);
        // One byte more, so that the reader comes back and sees that.
        let mut byte = &slave;
        let _ = byte.write_all(&[0]);
        drop(slave);
        self.typist = None;
        for thread in self.threads.drain(..) {
            thread.join().expect("the thread ends");
        }
        self.master = None;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state.lock().expect("state")
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        if let Ok(state) = self.shared.state.lock()
            && state.ended.is_none()
        {
            // It may end in this very moment.
            let _ = kill(self.pid, Signal::SIGKILL);
        }
    }
}

fn size(rows: u16, cols: u16) -> PtySize {
    PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }
}

/// The line's settings (echo, line mode, signals …), to be compared.
fn settings_of(master: &(dyn MasterPty + Send)) -> Option<String> {
    let settings = master.get_termios()?;
    Some(format!(
        "{:?} {:?} {:?} {:?} {:?}",
        settings.input_flags,
        settings.output_flags,
        settings.control_flags,
        settings.local_flags,
        settings.control_chars
    ))
}
