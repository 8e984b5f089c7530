//! `copydesk run --plain` and `copydesk --plain`: the desk as lines, without taking the terminal over.

use std::{
    collections::HashMap,
    io::{BufRead as _, IsTerminal as _},
    time::Duration,
};

use crate::cli::intake::{
    choice::{self, DecideCommand, DecideRequest},
    house_style,
    topics::{ReadTopic, TopicRead},
};
use crate::cli::prelude::*;
use crate::cli::wiring::observing::Observing;
use crate::cli::work::{
    batch::{Batch, BatchEnd},
    deciding::{decide_all, mendable},
    interrupt::Interrupt,
    results::INTERRUPTED,
    worked::{WorkedStory, say_failure, write_rejection},
};
use crate::desk::{self, Assignment, Desk};
use crate::editorial::decisions;
use crate::headless::{PlainLines, RowState};
use crate::newsroom::{Journal, Wait};
use crate::ports::{Archive as _, Records as _};

/// How often the log is looked at: whoever listens hears of a step within a quarter of a second.
const LOOK: Duration = Duration::from_millis(250);

/// Works on stories one after the other and prints the events. Asks at a gate if a person is at the terminal.
pub(crate) async fn run(settings: &Settings, taken: Vec<ReadTopic>) -> Result<Exit> {
    let store = wiring::store(settings)?;
    let _observing = Observing::begin(settings, &store, Box::new(headless::message), &mut headless::message).await;
    let desk = wiring::desk(settings, &store, Arc::new(PlainLines)).await?;
    let mut seat = Seat { settings, desk: &desk, store: &store, asks: std::io::stdin().is_terminal() };
    let exit = seat.work(taken).await?;
    Ok(exit.unwrap_or_else(|| {
        headless::message(INTERRUPTED);
        Exit::Interrupted
    }))
}

/// The commands that can be typed at any gate.
const LEAVING: &str = "  quit (or exit, or Ctrl-D): stops asking; the story waits";

/// An editor's seat without a screen.
struct Seat<'d> {
    settings: &'d Settings,
    desk: &'d Arc<Desk>,
    store: &'d Store,
    /// Whether a person is there to answer.
    asks: bool,
}

impl Seat<'_> {
    /// None if a person stopped the program.
    async fn work(&mut self, taken: Vec<ReadTopic>) -> Result<Option<Exit>> {
        let mut rows = Vec::new();
        for ReadTopic { file, what, .. } in taken {
            match what {
                TopicRead::Assignment(assignment) => {
                    let Some(worked) = self.story(*assignment).await? else { return Ok(None) };
                    rows.push(worked);
                }
                TopicRead::Rejected { message, story } => {
                    let named = story.as_ref().map_or_else(|| file.clone(), ToString::to_string);
                    let message = format!("{file}: {message}");
                    let worked = WorkedStory::rejected(named, message.clone());
                    say_failure(&worked, false);
                    rows.push(worked);
                    if let Some(story) = story {
                        write_rejection(self.settings, &story, &message).await;
                    }
                }
            }
        }
        for WorkedStory { row, ended, .. } in &rows {
            if let Some(ended) = ended {
                headless::message(&format!("{}: article and report: {}", row.story, ended.canonical.display()));
            } else if row.state == RowState::Waits {
                headless::message(&format!(
                    "{0} waits for you: `copydesk show {0}` lists your choices; `copydesk decide {0} CHOICE --resume` decides.",
                    row.story
                ));
            }
        }
        let failed = rows.iter().any(WorkedStory::failed);
        Ok(Some(if failed { Exit::Failed } else { Exit::Fine }))
    }

    /// Works on a story until it ends, or waits for an editor who is not there.
    async fn story(&mut self, assignment: Assignment) -> Result<Option<WorkedStory>> {
        let story = assignment.topic.story();
        let mut interrupt = Interrupt::listen();
        let mut batch = Batch::of_story(self.desk, self.store, &story, false);
        batch.begin(assignment);
        loop {
            let BatchEnd::Through(worked) = batch.work(&mut interrupt).await? else { return Ok(None) };
            let Some(worked) = worked.into_iter().next() else { return Ok(None) };
            let Some(run) = self.gate(&story, &worked).await? else { return Ok(Some(worked)) };
            let journal = self.journal(run).await?;
            let before = if self.asks { String::new() } else { format!("copydesk decide {story} ") };
            if let Some(report) = headless::gate_report(&journal) {
                headless::data(&report)?;
                if let Some(notes) = house_style::at_gate(self.settings, &journal).await? {
                    headless::data(&notes)?;
                }
                headless::data(&headless::possible(&journal, None, &before))?;
            }
            if !self.asks {
                return Ok(Some(worked));
            }
            tokio::select! {
                left = self.left(&story, run) => if !left? {
                    return Ok(Some(worked));
                },
                () = interrupt.typed() => return Ok(None),
            }
            batch = Batch::of_story(self.desk, self.store, &story, false);
            batch.resume(story.to_string(), run).await;
        }
    }

    /// The run of a story that was worked on, if it waits for its editor.
    async fn gate(&self, story: &StoryKey, worked: &WorkedStory) -> Result<Option<RunKey>> {
        if worked.failed() || worked.row.state != RowState::Waits {
            return Ok(None);
        }
        let current = self.store.current_run(&story.to_string()).await?;
        Ok(current.filter(|(_, run)| run.waits.is_some()).map(|(run, _)| run))
    }

    /// Asks no more from now on. Returns that the gate is not left.
    fn no_more(&mut self) -> bool {
        self.asks = false;
        false
    }

    /// Asks until the gate is left. False if no more answers come.
    async fn left(&mut self, story: &StoryKey, run: RunKey) -> Result<bool> {
        loop {
            // The journal that the person sees while they decide.
            let journal = self.journal(run).await?;
            let round = decisions::waits(&journal).map_or(0, Wait::round);
            headless::question(&format!("{story}, round {round}. Your choice (help; quit leaves it waiting): "))?;
            let line = read_line().await?;
            let Some(line) = line.as_deref().map(str::trim) else {
                headless::message("");
                return Ok(self.no_more());
            };
            match line.to_ascii_lowercase().as_str() {
                "" | "help" => {
                    headless::data(&format!("{}\n{LEAVING}", headless::possible(&journal, None, "")))?;
                    continue;
                }
                "quit" | "exit" => return Ok(self.no_more()),
                _ => {}
            }
            let decided = match choice::read_line(line) {
                Ok(words) => self.decide((run, story), words, &journal).await,
                Err(error) => Err(error.into()),
            };
            if let Err(error) = decided {
                headless::message(&format!("{error:#}"));
                continue;
            }
            let journal = self.journal(run).await?;
            let Some(wait) = decisions::waits(&journal) else { return Ok(true) };
            headless::data(&desk::question(&journal, wait))?;
        }
    }

    async fn decide(&self, (run, story): (RunKey, &StoryKey), words: DecideCommand, journal: &Journal) -> Result<()> {
        match words.meant(journal, self.settings)? {
            DecideRequest::Choices(choices) => {
                decide_all(self.desk, self.store, (run, story), journal, choices, |_| ()).await
            }
            // At a gate these are refused, and say why.
            DecideRequest::AcceptFlags(reason) => self.desk.accept_flags(run, story, &reason).await.map_err(mendable),
            DecideRequest::Reopen => self.desk.reopen(run, story).await.map(|_| ()).map_err(mendable),
        }
    }

    async fn journal(&self, run: RunKey) -> Result<Journal> {
        Ok(self.store.load(run).await?.journal)
    }
}

/// The next line that a person types; none at the end of the input.
async fn read_line() -> Result<Option<String>> {
    let read = tokio::task::spawn_blocking(|| {
        let mut line = String::new();
        std::io::stdin().lock().read_line(&mut line).map(|count| (count > 0).then_some(line))
    });
    Ok(read.await??)
}

/// Prints where every story stands, then whatever any program does, until it is interrupted.
pub(crate) async fn follow(config: Option<&Path>) -> Result<Exit> {
    let (_, store) = wiring::open(config)?;
    // The log's end first: what happens between the two is told of again, not lost.
    let last = store.tail(i64::MAX).await?.last;
    let desk = store.list(false).await?;
    for (_, run) in &desk {
        headless::data(&headless::state_line(run))?;
    }
    let none = if desk.is_empty() { "There are no stories yet. " } else { "" };
    headless::message(&format!("{none}Events are printed here. Press Ctrl-C to end."));
    // A story that is deleted takes its name with it.
    let names = desk.into_iter().map(|(key, run)| (key, run.story)).collect();
    tokio::select! {
        followed = tell_on(&store, last, names) => followed.map(|()| Exit::Fine),
        _ = tokio::signal::ctrl_c() => Ok(Exit::Interrupted),
    }
}

async fn tell_on(store: &Store, mut last: i64, mut names: HashMap<RunKey, String>) -> Result<()> {
    loop {
        let tail = store.tail(last).await?;
        while last < tail.last {
            let events = store.events_after(last).await?;
            // If no events are left, they were deleted.
            last = events.last().map_or(tail.last, |logged| logged.seq);
            for mut logged in events {
                if logged.record.story.is_empty() {
                    logged.record.story = names.get(&logged.run).cloned().unwrap_or_else(|| "a story".to_owned());
                } else {
                    names.insert(logged.run, logged.record.story.clone());
                }
                headless::data(&headless::event_line(&logged.record))?;
            }
        }
        tokio::time::sleep(LOOK).await;
    }
}
