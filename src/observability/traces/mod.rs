//! Sends a span for each story, step and call that has ended to a collector. It reads the log of events from the place
//! at which it stopped, so it shows the work of every program on the desk. Work that ended while no collector was there
//! is sent when one is.
//!
//! One program sends at a time, the one that holds the lock on the file with that place. No story waits for a collector.

mod spans;

use std::{
    collections::BTreeMap,
    fs::{File, OpenOptions},
    io::{self, Read as _, Seek as _, Write as _},
    path::PathBuf,
    thread::JoinHandle,
    time::Duration,
};

use opentelemetry_proto::tonic::trace::v1::Span;
use tokio::sync::oneshot;

use crate::{
    llm::TraceCollector,
    newsroom::{Event, EventRecord, Step},
    ports::{Archive as _, CallText, Logged, Occasion, StoreError, TraceFault, TracedRun, TracedStep, aside},
    store::Store,
};

/// How often the log is looked at.
const LOOKS: Duration = Duration::from_secs(1);

/// The longest pause after a collector did not answer.
const LONGEST_PAUSE: Duration = Duration::from_mins(1);

/// Spans of a request; those with texts are large.
const AT_ONCE: usize = 256;
const AT_ONCE_WITH_TEXTS: usize = 32;

/// How long the last spans may take when the program ends. Those that it does not send the next program does.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// Sends spans.
pub struct TraceExporter {
    pub store: Store,
    pub sink: TraceCollector,
    /// The file with the place in the log; spans up to there were sent.
    pub place: PathBuf,
    /// The end of the log when the program began: the place, if there is none yet.
    pub end: i64,
    /// Whether prompts and answers are sent, too.
    pub content: bool,
    /// Says something to the person.
    pub say: Box<dyn Fn(&str) + Send + Sync>,
}

/// Why spans could not be made or sent.
enum Trouble {
    /// Another program sends them.
    Elsewhere,
    File(io::Error),
    Store(StoreError),
    Sink(TraceFault),
}

/// The messages that were given already.
#[derive(Default)]
struct WarningsGiven {
    late: bool,
    refused: bool,
}

/// Whose turn it is to send, and from where.
struct Turn {
    file: File,
    sent: i64,
}

/// Spans are sent as long as this lives, by a thread of its own.
pub struct Tracing {
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Tracing {
    /// Begins, on `occasion`.
    ///
    /// # Errors
    /// If there can be no such thread.
    pub fn begin(exporter: TraceExporter, occasion: Occasion) -> io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (stop, stopped) = oneshot::channel();
        let work = move || runtime.block_on(occasion.during(exporter.work(stopped)));
        let thread = std::thread::Builder::new().name("traces".into()).spawn(work)?;
        Ok(Self { stop: Some(stop), thread: Some(thread) })
    }
}

impl Drop for Tracing {
    fn drop(&mut self) {
        self.stop = None;
        // It ends soon: its last words are bounded. If it panicked, there is nothing left to be sent.
        let _ended = self.thread.take().map(JoinHandle::join);
    }
}

impl TraceExporter {
    /// Sends what ends until it is told to stop, then what has ended by then.
    async fn work(self, mut stop: oneshot::Receiver<()>) {
        let mut turn = None;
        let mut said = WarningsGiven::default();
        let mut pause = LOOKS;
        loop {
            // If it is stopped meanwhile, the place in the log is where it was, so nothing is lost.
            let looked = tokio::select! {
                looked = self.send_ended(&mut turn) => looked,
                _ = &mut stop => break,
            };
            // A program that waits for its turn takes it soon after the other has ended.
            pause = match looked {
                Ok(()) | Err(Trouble::Elsewhere) => LOOKS,
                Err(_) => pause.saturating_mul(2).min(LONGEST_PAUSE),
            };
            self.say_once(looked, &mut said);
            tokio::select! {
                () = tokio::time::sleep(pause) => {}
                _ = &mut stop => break,
            }
        }
        if let Ok(looked) = tokio::time::timeout(LAST_WORDS, self.send_ended(&mut turn)).await {
            self.say_once(looked, &mut said);
        }
    }

    /// Says what is wrong, each kind once: spans that are lost must be said although others were only late.
    fn say_once(&self, looked: Result<(), Trouble>, said: &mut WarningsGiven) {
        const WITHOUT: &str = "Stories go on without them (observability.traces)";
        let (before, what) = match looked {
            Ok(()) | Err(Trouble::Elsewhere) => return,
            Err(Trouble::File(error)) => {
                (&mut said.late, format!("{} cannot be used ({error}). {WITHOUT}", self.place.display()))
            }
            Err(Trouble::Store(error)) => (&mut said.late, format!("{error}. {WITHOUT}")),
            Err(Trouble::Sink(TraceFault::NotNow(why))) => (
                &mut said.late,
                format!("{why} (observability.traces). Stories go on, and spans are sent when it answers"),
            ),
            Err(Trouble::Sink(TraceFault::Refused(why))) => (
                &mut said.refused,
                format!("{why} (observability.traces). Stories go on; the spans that it does not take are lost"),
            ),
        };
        if !std::mem::replace(before, true) {
            (self.say)(&format!("traces: {what}"));
        }
    }

    /// Sends what has ended since the last time.
    async fn send_ended(&self, turn: &mut Option<Turn>) -> Result<(), Trouble> {
        let turn = match turn {
            Some(turn) => turn,
            None => turn.insert(self.take_turn().await?),
        };
        let mut refused = None;
        loop {
            let events = self.store.events_after(turn.sent).await.map_err(Trouble::Store)?;
            let Some(last) = events.last().map(|event| event.seq) else { break };
            refused = self.send_events(events).await?.or(refused);
            turn.advance(last).await.map_err(Trouble::File)?;
        }
        refused.map_or(Ok(()), |why| Err(Trouble::Sink(TraceFault::Refused(why))))
    }

    /// Takes the turn, if no other program has it.
    async fn take_turn(&self) -> Result<Turn, Trouble> {
        let place = self.place.clone();
        let opened = aside(move || open(&place)).await.map_err(|error| Trouble::File(io::Error::other(error)))?;
        let Some((file, sent)) = opened.map_err(Trouble::File)? else { return Err(Trouble::Elsewhere) };
        let last = self.store.tail(i64::MAX).await.map_err(Trouble::Store)?.last;
        // A log that ends before that place is another database's.
        let sent = sent.filter(|sent| *sent <= last);
        let mut turn = Turn { file, sent: sent.unwrap_or(self.end) };
        if sent.is_none() {
            turn.advance(self.end).await.map_err(Trouble::File)?;
        }
        Ok(turn)
    }

    /// Sends the spans of what the events end; why the collector refused some, if it did.
    async fn send_events(&self, events: Vec<Logged>) -> Result<Option<String>, Trouble> {
        let mut runs: BTreeMap<String, (String, Vec<Step>, Vec<EventRecord>)> = BTreeMap::new();
        for Logged { record, .. } in events {
            // The story was deleted since.
            if record.run.is_empty() {
                continue;
            }
            let (story, steps, closed) = runs.entry(record.run.clone()).or_default();
            story.clone_from(&record.story);
            match record.event {
                Event::StepDone { step, .. } | Event::StepDead { step, .. } => steps.push(step),
                Event::RunClosed { .. } => closed.push(record),
                _ => {}
            }
        }
        let at_once = if self.content { AT_ONCE_WITH_TEXTS } else { AT_ONCE };
        let (mut spans, mut refused) = (Vec::new(), None);
        for (name, (story, steps, closed)) in runs {
            if steps.is_empty() && closed.is_empty() {
                continue;
            }
            let Some(run) = self.store.traced(&name, &steps).await.map_err(Trouble::Store)? else { continue };
            if !run.secrecy.is_none() && !self.sink.is_here() {
                continue;
            }
            for step in &run.steps {
                let texts = self.texts(&run, step).await.map_err(Trouble::Store)?;
                spans.extend(spans::of_step(&name, &story, step, &texts));
                // Texts are large, so they do not wait for the other steps.
                if spans.len() >= at_once {
                    refused = self.send(&mut spans).await?.or(refused);
                }
            }
            spans.extend(closed.iter().filter_map(|closed| spans::of_run(&run, closed)));
        }
        Ok(self.send(&mut spans).await?.or(refused))
    }

    /// Sends spans, if there are any.
    async fn send(&self, spans: &mut Vec<Span>) -> Result<Option<String>, Trouble> {
        if spans.is_empty() {
            return Ok(None);
        }
        match self.sink.send(spans::request(std::mem::take(spans))).await {
            Ok(()) => Ok(None),
            Err(TraceFault::Refused(why)) => Ok(Some(why)),
            Err(fault) => Err(Trouble::Sink(fault)),
        }
    }

    /// The texts of a step's calls, by attempt, if they are sent.
    async fn texts(&self, run: &TracedRun, step: &TracedStep) -> Result<Vec<(u32, CallText)>, StoreError> {
        let mut texts = Vec::new();
        if !self.content || !run.secrecy.is_none() {
            return Ok(texts);
        }
        for call in &step.calls {
            if let Some(text) = self.store.call_text(run.key, step.step, call.attempt).await? {
                texts.push((call.attempt, text));
            }
        }
        Ok(texts)
    }
}

impl Turn {
    /// Notes that everything up to a place in the log was sent.
    async fn advance(&mut self, sent: i64) -> io::Result<()> {
        let mut file = self.file.try_clone()?;
        aside(move || {
            file.rewind()?;
            // All numbers are of one length, so that no moment leaves a wrong one.
            let line = format!("{sent:020}\n");
            file.write_all(line.as_bytes())?;
            file.set_len(line.len() as u64)
        })
        .await
        .map_err(io::Error::other)
        .flatten()?;
        self.sent = sent;
        Ok(())
    }
}

/// The file with the place, and the place, if no other program has it.
fn open(place: &PathBuf) -> io::Result<Option<(File, Option<i64>)>> {
    if let Some(folder) = place.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(place)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(std::fs::TryLockError::WouldBlock) => return Ok(None),
        Err(std::fs::TryLockError::Error(error)) => return Err(error),
    }
    let mut text = String::new();
    io::Read::by_ref(&mut file).take(32).read_to_string(&mut text)?;
    Ok(Some((file, text.trim().parse().ok())))
}
