//! The stream of terminal events.

use std::{
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, Wake, Waker},
};

use crossterm::event::{Event, EventStream};
use futures_util::{Stream, task::AtomicWaker};

/// The typed keys. Ends when the terminal is closed, because crossterm's reader would then read nothing for ever on the polling thread.
#[derive(Debug, Default)]
pub struct Events {
    stream: EventStream,
    arrival: Arc<EventArrival>,
}

/// Whether the stream was woken since it was found empty.
///
/// While it is empty, crossterm's own thread holds the lock of the reader. Each attempt to take it spins, and gives this thread's core to
/// others ten times over. So the stream is asked only if that thread has read something.
#[derive(Debug)]
struct EventArrival {
    is_due: AtomicBool,
    reader: AtomicWaker,
}

impl Default for EventArrival {
    fn default() -> Self {
        Self { is_due: AtomicBool::new(true), reader: AtomicWaker::new() }
    }
}

impl Wake for EventArrival {
    fn wake(self: Arc<Self>) {
        self.is_due.store(true, Ordering::SeqCst);
        self.reader.wake();
    }
}

impl Stream for Events {
    type Item = io::Result<Event>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if is_closed() {
            return Poll::Ready(None);
        }
        self.arrival.reader.register(context.waker());
        if !self.arrival.is_due.swap(false, Ordering::SeqCst) {
            return Poll::Pending;
        }
        let waker = Waker::from(Arc::clone(&self.arrival));
        let event = Pin::new(&mut self.stream).poll_next(&mut Context::from_waker(&waker));
        if event.is_ready() {
            // More may have been read at once.
            self.arrival.is_due.store(true, Ordering::SeqCst);
        }
        event
    }
}

/// Whether the terminal on standard input was closed.
#[cfg(unix)]
fn is_closed() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    let stdin = io::stdin();
    let mut terminal = [PollFd::new(&stdin, PollFlags::empty())];
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    let asked = poll(&mut terminal, Some(&now));
    asked.is_ok() && terminal.iter().any(|terminal| terminal.revents().contains(PollFlags::HUP))
}

#[cfg(not(unix))]
fn is_closed() -> bool {
    false
}
