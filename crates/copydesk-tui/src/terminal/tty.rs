//! The terminal's file and its modes.

use std::{
    io::{self, Write},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    thread::{self, ThreadId},
};

use crossterm::{
    cursor::{Hide, Show},
    event::{DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture},
    queue,
    style::ResetColor,
    terminal::{
        Clear, ClearType, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode,
        enable_raw_mode,
    },
};
use tokio::sync::mpsc::UnboundedSender;

use crate::terminal::Alarm;

/// A file of our own: standard output is behind a lock, which a hanging thread may hold while another one has to restore.
#[cfg(unix)]
type Handle = std::fs::File;
#[cfg(not(unix))]
type Handle = io::Stdout;

/// The terminal, shared by the screen, the panic hook and the thread that watches signals. Every method can be called from
/// each of them at any time.
pub(crate) struct Tty {
    handle: Handle,
    owner: ThreadId,
    alarms: UnboundedSender<Alarm>,
    /// The modes are set.
    entered: AtomicBool,
    /// Another program has the terminal.
    suspended: AtomicBool,
    /// The terminal was closed: a write to it is lost, or hangs.
    gone: AtomicBool,
    mouse: AtomicBool,
    /// A frame is being put together: it is written when it is whole.
    drawing: AtomicBool,
    /// How the line was when another program got it.
    line: Mutex<Option<Line>>,
}

impl Tty {
    pub(crate) fn new(mouse: bool, alarms: UnboundedSender<Alarm>) -> io::Result<Self> {
        Ok(Self {
            handle: handle()?,
            owner: thread::current().id(),
            alarms,
            entered: AtomicBool::new(false),
            suspended: AtomicBool::new(false),
            gone: AtomicBool::new(false),
            mouse: AtomicBool::new(mouse),
            drawing: AtomicBool::new(false),
            line: Mutex::new(None),
        })
    }

    /// Sets the modes. Nothing after a hang-up.
    pub(crate) fn enter(&self) -> io::Result<()> {
        self.suspended.store(false, SeqCst);
        self.drawing.store(false, SeqCst);
        if self.is_gone() {
            return Ok(());
        }
        enable_raw_mode()?;
        self.entered.store(true, SeqCst);
        let mut modes = Vec::new();
        queue!(modes, EnterAlternateScreen, Clear(ClearType::All), Hide, EnableBracketedPaste)?;
        if self.has_mouse() {
            queue!(modes, EnableMouseCapture)?;
        }
        self.write(&modes)
    }

    /// Undoes [`Tty::enter`] in reverse; once, however many ask for it.
    pub(crate) fn leave(&self) {
        if !self.entered.swap(false, SeqCst) {
            return;
        }
        self.undo_modes();
        let _ = disable_raw_mode();
    }

    fn undo_modes(&self) {
        let mut modes = Vec::new();
        // A frame may have been half drawn. Writing into memory cannot fail.
        let _ = queue!(
            modes,
            EndSynchronizedUpdate,
            ResetColor,
            DisableMouseCapture,
            DisableBracketedPaste,
            Show,
            LeaveAlternateScreen
        );
        // A terminal that is gone needs nothing undone, and no message would be read.
        let _ = self.write(&modes);
    }

    /// Leaves the terminal to another program, and remembers how it found the line.
    pub(crate) fn suspend(&self) {
        self.suspended.store(true, SeqCst);
        self.leave();
        *self.line.lock().unwrap_or_else(PoisonError::into_inner) = Line::of(&self.handle);
    }

    /// Puts the line back as it was lent. A program that breaks off leaves the line as it needed it, and entering would
    /// take that for the state to restore at the end.
    pub(crate) fn reclaim(&self) {
        if let Some(line) = self.line.lock().unwrap_or_else(PoisonError::into_inner).take() {
            line.put_back(&self.handle);
        }
    }

    /// Puts the line right after a program that was ended while it had the terminal, and the modes where it could not do so itself.
    pub(crate) fn clear_up(&self, in_order: bool) {
        if self.is_gone() {
            return;
        }
        self.reclaim();
        if !in_order {
            self.undo_modes();
        }
    }

    pub(crate) fn set_mouse(&self, on: bool) -> io::Result<()> {
        self.mouse.store(on, SeqCst);
        let mut mode = Vec::new();
        if on {
            queue!(mode, EnableMouseCapture)?;
        } else {
            queue!(mode, DisableMouseCapture)?;
        }
        if self.is_entered() && !self.is_gone() { self.write(&mode) } else { Ok(()) }
    }

    pub(crate) fn write(&self, bytes: &[u8]) -> io::Result<()> {
        let mut handle = &self.handle;
        handle.write_all(bytes)?;
        handle.flush()
    }

    pub(crate) fn set_drawing(&self, drawing: bool) {
        self.drawing.store(drawing, SeqCst);
    }

    pub(crate) fn hang_up(&self) {
        self.gone.store(true, SeqCst);
    }

    pub(crate) fn raise(&self, alarm: Alarm) {
        // If there is no receiver any more, the screen is being dropped.
        let _ = self.alarms.send(alarm);
    }

    pub(crate) fn is_entered(&self) -> bool {
        self.entered.load(SeqCst)
    }

    pub(crate) fn is_suspended(&self) -> bool {
        self.suspended.load(SeqCst)
    }

    pub(crate) fn is_gone(&self) -> bool {
        self.gone.load(SeqCst)
    }

    pub(crate) fn has_mouse(&self) -> bool {
        self.mouse.load(SeqCst)
    }

    /// Whether the running thread is the one that draws.
    pub(crate) fn is_own_thread(&self) -> bool {
        thread::current().id() == self.owner
    }
}

#[cfg(unix)]
fn handle() -> io::Result<Handle> {
    use std::os::fd::AsFd as _;
    Ok(io::stdout().as_fd().try_clone_to_owned()?.into())
}

#[cfg(not(unix))]
fn handle() -> io::Result<Handle> {
    Ok(io::stdout())
}

/// The line's settings: echo, line mode, signals.
#[cfg(unix)]
struct Line(rustix::termios::Termios);

#[cfg(unix)]
impl Line {
    fn of(handle: &Handle) -> Option<Self> {
        rustix::termios::tcgetattr(handle).ok().map(Self)
    }

    fn put_back(&self, handle: &Handle) {
        // A terminal that is gone needs nothing put back.
        let _ = rustix::termios::tcsetattr(handle, rustix::termios::OptionalActions::Now, &self.0);
    }
}

#[cfg(not(unix))]
struct Line;

#[cfg(not(unix))]
impl Line {
    fn of(_: &Handle) -> Option<Self> {
        None
    }

    fn put_back(&self, _: &Handle) {}
}

/// Collects a frame and writes it in one piece. Unlike a `BufWriter` it writes nothing when it is dropped: after a panic, half
/// a frame must not reach the restored terminal.
pub(crate) struct TtyFrame {
    tty: Arc<Tty>,
    drawn: Vec<u8>,
}

impl TtyFrame {
    pub(crate) fn new(tty: Arc<Tty>) -> Self {
        Self { tty, drawn: Vec::new() }
    }
}

impl Write for TtyFrame {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.drawn.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.tty.drawing.load(SeqCst) {
            return Ok(());
        }
        let open = self.tty.is_entered() && !self.tty.is_gone();
        let written = if open { self.tty.write(&self.drawn) } else { Ok(()) };
        self.drawn.clear();
        written
    }
}
