//! The loop: takes in what arrives, draws what changed, passes on what is asked. Nothing here waits for anything but the next
//! thing to arrive.

use std::{
    io,
    path::PathBuf,
    process::ExitStatus,
    task::Poll,
    time::{Duration, Instant},
};

use crossterm::event::Event;
use futures_util::{StreamExt, future::OptionFuture, poll};
use tokio::{sync::mpsc::UnboundedSender, time::Instant as Deadline};

use crate::app::update::Arrival;
use crate::app::{self, Effect, Hearing, Model, Request, Ticket};
use crate::terminal::events::Events;
use crate::terminal::outside::{Edited, OpenText, OutsideEditor};
use crate::terminal::{Alarm, HeldScreen, ScreenError, Stop};
use copydesk_core::ports::Clock;

/// Least time between two frames that no key asked for.
const FRAME: Duration = Duration::from_millis(16);

/// How often the time on the screen moves on while something runs.
const SECOND: Duration = Duration::from_secs(1);

/// How often it does otherwise: ages are in minutes.
const MINUTE: Duration = Duration::from_mins(1);

/// Most things that are taken in before the next frame.
const AT_ONCE: usize = 512;

/// How the screen ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Left {
    /// The person left it.
    Quit,
    /// New settings are to be used: it opens again.
    Again,
    /// The recorded story is to be watched on a desk of its own.
    ForRecorded,
    /// A signal, or the terminal was closed. `outside` is the file that was open in the person's own editor.
    Told { stop: Stop, outside: Option<PathBuf> },
}

/// Shows the desk until the person leaves. `requests` goes to the worker, `news` comes from it. A screen that opens again stays in `held`
/// meanwhile, so that the shell is not seen.
///
/// # Errors
/// [`ScreenError`] if the terminal cannot be taken over, or breaks.
pub async fn run(
    model: &mut Model,
    requests: &UnboundedSender<(Option<Ticket>, Request)>,
    news: &mut Hearing,
    clock: &dyn Clock,
    held: &mut Option<HeldScreen>,
) -> Result<Left, ScreenError> {
    let screen = HeldScreen::enter_or_go_on(held.take(), model.mouse)?;
    let events = Some(Events::default());
    let asked = Vec::new();
    let mut desk = Desk { screen, requests, asked, events, outside: None, drawn: None, wanted: true, urgent: true };
    desk.asked.push((None, Request::ReadDesk));
    let left = desk.work(model, news, clock).await?;
    let opens_again = match left {
        Left::Again | Left::ForRecorded => true,
        // The person's own desk lies below a recorded story.
        Left::Quit => model.house.recorded.is_some(),
        Left::Told { .. } => false,
    };
    *held = opens_again.then_some(desk.screen);
    Ok(left)
}

struct Desk<'d> {
    screen: HeldScreen,
    requests: &'d UnboundedSender<(Option<Ticket>, Request)>,
    /// Sent once the frame is drawn. The threads that it wakes, the proof and the store, would hold the frame up on a machine of few cores.
    asked: Vec<(Option<Ticket>, Request)>,
    /// Dropped while another program has the terminal.
    events: Option<Events>,
    /// The text that an outside editor edits. Meanwhile the loop takes in news and draws nothing.
    outside: Option<OpenText>,
    /// When the last frame was drawn.
    drawn: Option<Instant>,
    /// Whether something has changed since.
    wanted: bool,
    /// Whether a key waits for its frame.
    urgent: bool,
}

impl Desk<'_> {
    async fn work(&mut self, model: &mut Model, news: &mut Hearing, clock: &dyn Clock) -> Result<Left, ScreenError> {
        let mut gone = false;
        let mut ticked = Deadline::now();
        loop {
            let due = self.drawn.is_none_or(|drawn| drawn.elapsed() >= FRAME);
            let here = self.outside.is_none();
            let drawn = if here && self.wanted && (self.urgent || due) { self.draw(model) } else { Ok(()) };
            for asked in self.asked.drain(..) {
                // If the worker has stopped, the end of `news` tells it once.
                let _ = self.requests.send(asked);
            }
            drawn?;
            if model.leaving {
                return Ok(Left::Quit);
            }
            // Nothing that is typed, and no call, is lost for it.
            if model.has_new_settings && here && model.overlays.is_empty() && model.desk.at_work() == 0 {
                return Ok(Left::Again);
            }
            if model.wants_recorded && here && model.overlays.is_empty() && model.desk.at_work() == 0 {
                return Ok(Left::ForRecorded);
            }
            let frame = Deadline::now() + FRAME;
            let tick = ticked + if app::hints::moves(model) { SECOND } else { MINUTE };
            tokio::select! {
                biased;
                alarm = self.screen.alarms.next() => match alarm {
                    Some(Alarm::Stop(stop)) => return Ok(Left::Told { stop, outside: self.abandon_outside().await }),
                    Some(Alarm::Continued) => {
                        if here {
                            self.perform(model, Effect::Redraw);
                        }
                        (self.wanted, self.urgent) = (true, true);
                    }
                    Some(Alarm::Panicked(message)) => {
                        model.warn(format!("A part of the program failed ({message}). The database is safe; please report this"));
                        self.wanted = true;
                    }
                    None => {}
                },
                // Neither comes while there is none: one of the two has the terminal.
                Some(status) = OptionFuture::from(self.outside.as_mut().map(OpenText::ended)) => {
                    self.come_back(model, status, clock);
                }
                Some(event) = OptionFuture::from(self.events.as_mut().map(StreamExt::next)) => {
                    let Some(Ok(event)) = event else {
                        // The terminal is gone. Its signal may be on the way, or there is none, as for a program without a session.
                        self.screen.terminal.hang_up();
                        return Ok(Left::Told { stop: Stop::HangUp, outside: None });
                    };
                    self.event(model, event, clock);
                    self.events_at_hand(model, clock).await;
                },
                heard = news.recv(), if !gone => {
                    gone = heard.is_none();
                    let Some(heard) = heard else {
                        model.warn("A part of the program has stopped. The database is safe; quit and start the program again");
                        self.wanted = true;
                        continue;
                    };
                    // The time of the news is now, even if no key was pressed for long.
                    model.now = clock.now();
                    self.take_in(model, Arrival::News(Box::new(heard)));
                    for _ in 0..AT_ONCE {
                        let Ok(heard) = news.try_recv() else { break };
                        self.take_in(model, Arrival::News(Box::new(heard)));
                    }
                },
                () = tokio::time::sleep_until(frame), if here && self.wanted => {}
                () = tokio::time::sleep_until(tick), if here => {
                    ticked = Deadline::now();
                    self.take_in(model, Arrival::Tick(clock.now()));
                }
            }
        }
    }

    fn draw(&mut self, model: &mut Model) -> Result<(), ScreenError> {
        app::hints::before_frame(model);
        let ways = app::offer::offer(model);
        self.screen.terminal.draw(|frame| {
            let area = frame.area();
            model.drawn.height = area.height;
            app::view::view(model, &ways, area, frame.buffer_mut());
            model.drawn.caret
        })?;
        self.drawn = Some(Instant::now());
        self.wanted = false;
        self.urgent = false;
        Ok(())
    }

    fn event(&mut self, model: &mut Model, event: Event, clock: &dyn Clock) {
        model.now = clock.now();
        self.urgent = true;
        match event {
            Event::Key(key) => self.take_in(model, Arrival::Key(key)),
            Event::Paste(text) => self.take_in(model, Arrival::Paste(text)),
            Event::Mouse(mouse) => self.take_in(model, Arrival::Mouse(mouse)),
            // Many come at once while a window is dragged: they wait for the next frame's turn.
            Event::Resize(..) => {
                self.urgent = false;
                self.wanted = true;
            }
            Event::FocusGained | Event::FocusLost => {}
        }
    }

    /// Events that are there already are taken in before the frame: a held key must not leave a queue behind.
    async fn events_at_hand(&mut self, model: &mut Model, clock: &dyn Clock) {
        for _ in 0..AT_ONCE {
            let Some(events) = &mut self.events else { return };
            // Polls with this task's own waker: only the last one that polled is woken.
            let Poll::Ready(Some(Ok(event))) = poll!(events.next()) else { return };
            self.event(model, event, clock);
            if model.leaving {
                return;
            }
        }
    }

    fn take_in(&mut self, model: &mut Model, input: Arrival) {
        self.wanted = true;
        for effect in app::update::update(model, input) {
            self.perform(model, effect);
        }
    }

    fn perform(&mut self, model: &mut Model, effect: Effect) {
        match effect {
            Effect::Ask(request) => self.asked.push((None, request)),
            Effect::AskFor(ticket, request) => self.asked.push((Some(ticket), request)),
            Effect::Copy { text, what } => model.say(format!("{what}: {}", self.screen.terminal.copy(&text))),
            // A bell that cannot be rung is no reason to stop.
            Effect::Bell => drop(self.screen.terminal.bell()),
            // Nor is a notification that cannot be sent.
            Effect::Notify(text) => drop(self.screen.terminal.notify(&text)),
            Effect::Mouse(on) => {
                if let Err(error) = self.screen.terminal.set_mouse(on) {
                    model.warn(format!("The mouse cannot be switched: {error}"));
                }
            }
            Effect::Redraw => {
                if let Err(error) = self.screen.terminal.forget_drawn() {
                    model.warn(format!("The screen cannot be drawn again: {error}"));
                }
            }
            #[cfg(unix)]
            Effect::Suspend => {
                let group = rustix::process::kill_current_process_group(rustix::process::Signal::TSTP);
                if let Err(error) = group {
                    model.warn(format!("The program cannot be suspended: {error}"));
                }
            }
            #[cfg(not(unix))]
            Effect::Suspend => model.warn("This system cannot suspend a program"),
            Effect::EditOutside(text) => self.go_outside(model, &text),
        }
    }

    /// Hands a text and the terminal to the person's own editor.
    fn go_outside(&mut self, model: &mut Model, text: &str) {
        let editor = match OutsideEditor::named() {
            Ok(editor) => editor,
            // The screen was not left.
            Err(error) => {
                return self.take_in(model, Arrival::EditedOutside { text: None, problem: Some(error.to_string()) });
            }
        };
        // Keys are the other program's now.
        self.events = None;
        self.screen.terminal.lend();
        match editor.open(text) {
            Ok(open) => self.outside = Some(open),
            Err(error) => self.be_back(model, None, Some(error.to_string())),
        }
    }

    fn come_back(&mut self, model: &mut Model, ended: io::Result<ExitStatus>, clock: &dyn Clock) {
        let Some(open) = self.outside.take() else { return };
        model.now = clock.now();
        match open.taken(ended) {
            Ok(Edited { text, remark }) => self.be_back(model, text, remark),
            Err(error) => self.be_back(model, None, Some(error.to_string())),
        }
    }

    fn be_back(&mut self, model: &mut Model, text: Option<String>, problem: Option<String>) {
        self.screen.terminal.take_back();
        self.events = Some(Events::default());
        self.urgent = true;
        self.take_in(model, Arrival::EditedOutside { text, problem });
    }

    /// Ends the person's own editor with this program. The file that was open there stays.
    async fn abandon_outside(&mut self) -> Option<PathBuf> {
        let (file, in_order) = self.outside.take()?.abandon().await;
        self.screen.terminal.clear_up(in_order);
        Some(file)
    }
}
