//! The stream of terminal events.

use std::{io, pin::Pin, task::Context, task::Poll};

use crossterm::event::{Event, EventStream};
use futures_util::Stream;

/// The typed keys. Ends when the terminal is closed, because crossterm's reader would then read nothing for ever on the polling thread.
#[derive(Debug, Default)]
pub struct Events(EventStream);

impl Stream for Events {
    type Item = io::Result<Event>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if is_closed() {
            return Poll::Ready(None);
        }
        Pin::new(&mut self.0).poll_next(context)
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
