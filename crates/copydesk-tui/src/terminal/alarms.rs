//! Alarms from outside the screen's loop: panics of other threads and signals to end.
//!
//! Signals are watched by a plain thread (signal-hook), not by the runtime: the runtime shares the screen's thread, and if that thread
//! hangs, another one must end the process. A SIGHUP that is handled without ending it would let crossterm's reader spin on the closed
//! terminal for ever.

use crate::terminal::{Alarm, ScreenError, Stop, Tty};
use std::{
    backtrace::{Backtrace, BacktraceStatus},
    io::{self, Write as _},
    panic::{self, PanicHookInfo},
    sync::{
        Arc, Mutex, Once, PoisonError,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    thread,
    time::Duration,
};

use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use copydesk_text::sanitise;

/// Time after which a signal ends the process, even if its threads hang.
pub const DEADLINE: Duration = Duration::from_secs(3);

/// How long the terminal may take to be restored at the deadline: a terminal without a reader takes nothing.
const GRACE: Duration = Duration::from_millis(500);

/// The alarms of an open screen.
pub struct Alarms(UnboundedReceiver<Alarm>);

impl Alarms {
    /// The next alarm; none once the screen is closed. Can be dropped while it waits without losing one.
    pub async fn next(&mut self) -> Option<Alarm> {
        self.0.recv().await
    }

    /// An alarm that has been raised already.
    pub fn raised(&mut self) -> Option<Alarm> {
        self.0.try_recv().ok()
    }
}

/// The open screen's terminal. The lock is held for a glance only, never while something is written.
static OPEN: Mutex<Option<Arc<Tty>>> = Mutex::new(None);

static HOOK: Once = Once::new();

/// The process was told to end, and has [`DEADLINE`] for it.
static ENDING: AtomicBool = AtomicBool::new(false);

fn open() -> Option<Arc<Tty>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Makes the terminal known to the panic hook and to the thread that watches signals; both are set up once a process.
pub(crate) fn watch(mouse: bool) -> Result<(Arc<Tty>, Alarms), ScreenError> {
    let (sender, receiver) = unbounded_channel();
    let tty = Arc::new(Tty::new(mouse, sender)?);
    {
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        if open.is_some() {
            return Err(ScreenError::Open);
        }
        *open = Some(Arc::clone(&tty));
    }
    HOOK.call_once(|| panic::set_hook(Box::new(panicked)));
    watch_signals().inspect_err(|_| forget(&tty))?;
    Ok((tty, Alarms(receiver)))
}

/// Restores the earlier handling of panics and signals when the screen closes.
pub(crate) fn forget(tty: &Arc<Tty>) {
    let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    if open.as_ref().is_some_and(|known| Arc::ptr_eq(known, tty)) {
        *open = None;
    }
}

fn panicked(info: &PanicHookInfo<'_>) {
    let Some(tty) = open() else { return tell(info) };
    // Under a living screen another thread's message would land in the middle of it.
    if tty.is_own_thread() {
        tty.leave();
        let _ = io::stderr().write_all(b"The screen failed. The database is safe; please report this:\n");
        tell(info);
    }
    let thread = thread::current();
    let place = info.location().map_or_else(String::new, |place| format!(", {}:{}", place.file(), place.line()));
    let name = thread.name().unwrap_or("unnamed");
    tty.raise(Alarm::Panicked(sanitise::one_line(&format!("{} (thread {name}{place})", message(info)))));
}

fn message<'i>(info: &'i PanicHookInfo<'_>) -> &'i str {
    info.payload_as_str().unwrap_or("no message")
}

/// Writes to standard error what the hook of the standard library writes, without anything that the terminal would obey: a message
/// may quote a text from anywhere.
fn tell(info: &PanicHookInfo<'_>) {
    let thread = thread::current();
    let name = thread.name().unwrap_or("unnamed");
    let place = info.location().map(|place| format!(" at {place}")).unwrap_or_default();
    let mut said = sanitise::clean(&format!("thread '{name}' panicked{place}:\n{}\n", message(info))).into_owned();
    let trace = Backtrace::capture();
    if trace.status() == BacktraceStatus::Captured {
        said.push_str(&trace.to_string());
    }
    // If it cannot be written there is no other place for it.
    let _ = io::stderr().write_all(said.as_bytes());
}

#[cfg(unix)]
fn watch_signals() -> io::Result<()> {
    use signal_hook::{
        consts::{
            SIGABRT, SIGALRM, SIGCONT, SIGHUP, SIGINT, SIGPROF, SIGQUIT, SIGSYS, SIGTERM, SIGTRAP, SIGTSTP, SIGUSR1,
            SIGUSR2, SIGVTALRM, SIGXCPU, SIGXFSZ,
        },
        iterator::Signals,
    };

    static WATCHED: Mutex<bool> = Mutex::new(false);
    let mut watched = WATCHED.lock().unwrap_or_else(PoisonError::into_inner);
    if *watched {
        return Ok(());
    }
    thread::Builder::new().name("terminal".into()).spawn(watch_terminal)?;
    let mut signals = Signals::new([
        SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGABRT, SIGALRM, SIGPROF, SIGSYS, SIGTRAP, SIGUSR1, SIGUSR2, SIGVTALRM,
        SIGXCPU, SIGXFSZ, SIGTSTP, SIGCONT,
    ])?;
    thread::Builder::new().name("signals".into()).spawn(move || {
        let mut told_to_continue = false;
        for signal in signals.forever() {
            let Some(tty) = open() else {
                // It is ending already, by the signal before: a terminal that goes sends more than one.
                if ENDING.load(SeqCst) {
                    continue;
                }
                // No screen: what the signal does to any program. It fails for none of these.
                let _ = signal_hook::low_level::emulate_default_handler(signal);
                continue;
            };
            if signal == SIGTSTP {
                told_to_continue = stopped(&tty);
                continue;
            }
            if signal == SIGCONT {
                // Something else stopped the program, so that the terminal may have been anybody's since.
                if !std::mem::take(&mut told_to_continue) && tty.is_entered() {
                    tty.suspend();
                    come_back(&tty);
                }
                continue;
            }
            let stop = match signal {
                // The keyboard of the program that has the terminal; not meant for this one.
                SIGINT | SIGQUIT if tty.is_suspended() => continue,
                SIGINT | SIGQUIT => Stop::Interrupt,
                SIGHUP => Stop::HangUp,
                _ => Stop::Terminate,
            };
            tell_to_end(&tty, stop, signal);
        }
    })?;
    *watched = true;
    Ok(())
}

/// Ends the screen when its terminal is closed, also where no SIGHUP comes: a program without a controlling terminal gets none. Crossterm's
/// reader would read nothing from the closed terminal for ever.
#[cfg(unix)]
fn watch_terminal() {
    use rustix::event::{PollFd, PollFlags, poll};

    let stdin = io::stdin();
    loop {
        // Waits only for the events that are always reported: that the terminal was closed.
        let mut terminal = [PollFd::new(&stdin, PollFlags::empty())];
        match poll(&mut terminal, None) {
            Ok(_) => break,
            Err(rustix::io::Errno::INTR) => {}
            // If the terminal cannot be watched, its signal still tells.
            Err(_) => return,
        }
    }
    if let Some(tty) = open() {
        tell_to_end(&tty, Stop::HangUp, signal_hook::consts::SIGHUP);
    }
}

/// Tells the screen to end, and ends the process by `signal` if that takes too long.
#[cfg(unix)]
fn tell_to_end(tty: &Tty, stop: Stop, signal: i32) {
    if stop == Stop::HangUp {
        tty.hang_up();
    }
    let first = !ENDING.swap(true, SeqCst);
    tty.raise(Alarm::Stop(stop));
    if first {
        let ends = thread::Builder::new().name("deadline".into()).spawn(move || {
            thread::sleep(DEADLINE);
            end(signal);
        });
        if ends.is_err() {
            end(signal);
        }
    }
}

/// Gives the terminal back, stops the process, and takes the terminal again once it continues. Returns whether the screen had it.
#[cfg(unix)]
fn stopped(tty: &Tty) -> bool {
    // Another program has the terminal: it is stopped with this one, and knows what to do.
    let ours = tty.is_entered() && !tty.is_suspended();
    if ours {
        tty.suspend();
    }
    // Returns once the process is continued.
    let _ = signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP);
    if ours {
        come_back(tty);
    }
    ours
}

#[cfg(unix)]
fn come_back(tty: &Tty) {
    tty.reclaim();
    // If the terminal is gone meanwhile, the next draw says so.
    let _ = tty.enter();
    tty.raise(Alarm::Continued);
}

#[cfg(not(unix))]
fn watch_signals() -> io::Result<()> {
    Ok(())
}

/// Restores the terminal as far as that is possible in time, and ends the process as the signal would have.
#[cfg(unix)]
fn end(signal: i32) {
    if let Some(tty) = open() {
        let (sender, restored) = std::sync::mpsc::channel();
        let helper = thread::Builder::new().spawn(move || {
            tty.leave();
            let _nobody_waits_any_more = sender.send(());
        });
        if helper.is_ok() {
            // Late or not, the process ends.
            let _ = restored.recv_timeout(GRACE);
        }
        // If the writing hangs, the modes of the line can still be given back.
        let _ = crossterm::terminal::disable_raw_mode();
    }
    let _ = signal_hook::low_level::emulate_default_handler(signal);
    signal_hook::low_level::exit(128 + signal);
}
