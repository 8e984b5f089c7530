//! The terminal as the screen holds it: raw mode, the alternate screen, pasting as one piece, the mouse on demand. All is
//! undone in reverse, however the screen ends: dropped, by a panic, by a signal.
//!
//! Nothing here knows what is shown. `ratatui::restore` is not enough for it: it undoes neither mouse nor paste mode.

use crate::terminal::tty::TtyFrame;
use crate::terminal::variable::variable;
use crate::terminal::{Alarms, ScreenError, Tty, alarms, clipboard, notification};
use std::{
    io::{self, IsTerminal as _},
    sync::Arc,
};

use crossterm::{
    cursor::MoveTo,
    queue,
    terminal::{BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate},
};
use ratatui::backend::{Backend as _, CrosstermBackend};
use ratatui::prelude::{Frame, Position, Rect, Size, Terminal};
use ratatui::{TerminalOptions, Viewport};

/// The open screen. Dropping it gives the terminal back as it was.
///
/// - **A panic in the screen's own thread** restores the terminal, then writes its message, cleaned, to standard error. If the panic was caught (a task of a runtime on the same thread), the next [`TerminalScreen::draw`]
///   opens the screen again.
/// - **A panic in another thread** leaves the screen alone and comes as an `Alarm`.
/// - **A signal to end** comes as an `Alarm` too, and `DEADLINE` later the process ends in any case.
pub struct TerminalScreen {
    terminal: Terminal<CrosstermBackend<TtyFrame>>,
    tty: Arc<Tty>,
    /// The next frame begins with an empty page, in the same update, so that the empty page is never seen.
    erases: bool,
}

impl TerminalScreen {
    /// Takes the terminal over for this thread, which draws. Read events (`crossterm::event`) only while it is open.
    ///
    /// # Errors
    /// [`ScreenError`]; the terminal is then as it was.
    pub fn enter(mouse: bool) -> Result<(Self, Alarms), ScreenError> {
        if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
            return Err(ScreenError::NoTerminal);
        }
        let (tty, alarms) = alarms::watch(mouse)?;
        // From here on Drop undoes what was done.
        let opened = tty.enter().and_then(|()| terminal(&tty));
        let terminal = opened.inspect_err(|_| {
            tty.leave();
            alarms::forget(&tty);
        })?;
        Ok((Self { terminal, tty, erases: false }, alarms))
    }

    /// Draws what changed, as one synchronised update. After a hang-up, and while the terminal is lent, it draws nothing and is
    /// no error. The terminal's own cursor stays hidden; it is put where `view` says, because an input method shows its text there.
    ///
    /// # Errors
    /// If the terminal cannot be written: it is gone, and its signal may be on the way. The program is to end.
    pub fn draw(&mut self, view: impl FnOnce(&mut Frame<'_>) -> Option<Position>) -> io::Result<()> {
        if self.tty.is_gone() || self.tty.is_suspended() {
            return Ok(());
        }
        if !self.tty.is_entered() {
            self.open_again()?;
        }
        self.tty.set_drawing(true);
        queue!(self.terminal.backend_mut(), BeginSynchronizedUpdate)?;
        if std::mem::take(&mut self.erases) {
            queue!(self.terminal.backend_mut(), Clear(ClearType::All))?;
        }
        let mut caret = None;
        let drawn = self.fit().and_then(|()| self.terminal.draw(|frame| caret = view(frame)).map(|_| ()));
        self.tty.set_drawing(false);
        if let Some(at) = caret {
            queue!(self.terminal.backend_mut(), MoveTo(at.x, at.y))?;
        }
        queue!(self.terminal.backend_mut(), EndSynchronizedUpdate)?;
        io::Write::flush(self.terminal.backend_mut())?;
        drawn
    }

    /// Takes in a new size of the terminal.
    fn fit(&mut self) -> io::Result<()> {
        let area = bounded(self.terminal.size()?);
        if area == self.terminal.get_frame().area() { Ok(()) } else { self.terminal.resize(area) }
    }

    /// Makes the next [`TerminalScreen::draw`] draw every cell, for a terminal that something else has written on.
    ///
    /// # Errors
    /// If the terminal cannot be asked for its size.
    pub fn forget_drawn(&mut self) -> io::Result<()> {
        self.terminal = terminal(&self.tty)?;
        self.erases = true;
        Ok(())
    }

    /// Turns the mouse on or off. While it is on, the terminal's own selection of text needs Shift.
    ///
    /// # Errors
    /// If the terminal cannot be written.
    pub fn set_mouse(&mut self, on: bool) -> io::Result<()> {
        self.tty.set_mouse(on)
    }

    /// Notes that the terminal is gone: nothing is written to it any more.
    pub fn hang_up(&mut self) {
        self.tty.hang_up();
    }

    /// Rings the terminal's bell.
    ///
    /// # Errors
    /// If the terminal cannot be written.
    pub fn bell(&mut self) -> io::Result<()> {
        self.tty.write(b"\x07")
    }

    /// Asks the terminal for a notification of the desktop.
    ///
    /// # Errors
    /// If the terminal cannot be written.
    pub fn notify(&mut self, text: &str) -> io::Result<()> {
        let named = variable("TERM").unwrap_or_default();
        match notification::sequence(text, &named, clipboard::in_tmux()) {
            Some(sequence) => self.tty.write(sequence.as_bytes()),
            None => Ok(()),
        }
    }

    /// Sends a text to the terminal's clipboard, and says how it went.
    pub fn copy(&mut self, text: &str) -> String {
        clipboard::copy(text, clipboard::in_tmux(), |bytes| self.tty.write(bytes))
    }

    /// Gives the terminal back for as long as another program has it. The caller drops its stream of events before, or it would
    /// take the keys that are meant for that program, and makes a new one after [`TerminalScreen::take_back`].
    pub fn lend(&mut self) {
        self.tty.suspend();
    }

    /// Takes the terminal over again, as it was lent; the next draw draws every cell. If that fails, the next draw tries once
    /// more and reports it: what the other program brought is not lost over it.
    pub fn take_back(&mut self) {
        self.tty.reclaim();
        // Said by the next draw.
        let _ = self.open_again();
    }

    /// Puts the terminal right after a program that was ended while it had it. If that program left the rest
    /// `in_order`, only the line is put right. The screen stays closed.
    pub fn clear_up(&mut self, in_order: bool) {
        self.tty.clear_up(in_order);
    }

    fn open_again(&mut self) -> io::Result<()> {
        self.tty.enter()?;
        if self.tty.is_gone() {
            return Ok(());
        }
        // After an error it is as it was, so that the next draw tries again.
        self.terminal = terminal(&self.tty).inspect_err(|_| self.tty.leave())?;
        Ok(())
    }
}

/// A screen with its alarms, as the program keeps it: while its settings are read anew, the last frame stands.
pub struct HeldScreen {
    pub(crate) terminal: TerminalScreen,
    pub(crate) alarms: Alarms,
}

impl HeldScreen {
    /// Takes the screen that was held, or the terminal if none was. The next draw draws every cell.
    ///
    /// # Errors
    /// [`ScreenError`]; the terminal is then as it was.
    pub(crate) fn enter_or_go_on(held: Option<Self>, mouse: bool) -> Result<Self, ScreenError> {
        let Some(mut held) = held else {
            let (terminal, alarms) = TerminalScreen::enter(mouse)?;
            return Ok(Self { terminal, alarms });
        };
        held.terminal.set_mouse(mouse)?;
        held.terminal.forget_drawn()?;
        Ok(held)
    }
}

impl Drop for TerminalScreen {
    fn drop(&mut self) {
        self.tty.leave();
        alarms::forget(&self.tty);
    }
}

fn terminal(tty: &Arc<Tty>) -> io::Result<Terminal<CrosstermBackend<TtyFrame>>> {
    let backend = CrosstermBackend::new(TtyFrame::new(Arc::clone(tty)));
    let area = bounded(backend.size()?);
    Terminal::with_options(backend, TerminalOptions { viewport: Viewport::Fixed(area) })
}

/// The part of a terminal that is drawn. A terminal may say that it has 65,535 columns and as many rows, and each cell takes memory. No
/// monitor shows more than this; a larger terminal stays empty beyond it.
fn bounded(size: Size) -> Rect {
    Rect::new(0, 0, size.width.min(1_000), size.height.min(500))
}

/// Whether the terminal convention `NO_COLOR` asks for no colour (<https://no-color.org>: set, and not empty).
pub fn no_color() -> bool {
    variable("NO_COLOR").is_some_and(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_huge_terminal_is_drawn_as_far_as_anybody_sees() {
        assert_eq!(bounded(Size::new(65_535, 65_535)), Rect::new(0, 0, 1_000, 500));
        assert_eq!(bounded(Size::new(80, 24)), Rect::new(0, 0, 80, 24));
    }
}
