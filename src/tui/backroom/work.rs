//! The stories that this program works on: some at once, the most urgent first; the others wait for a place.

use std::{collections::HashMap, panic::AssertUnwindSafe, sync::Arc};

use futures_util::FutureExt as _;
use tokio::{sync::mpsc, task::JoinHandle};

use super::Backroom;
use crate::{
    desk::{Assignment, Desk, DeskError, Forked, Reached},
    newsroom::{Priority, StoryKey},
    ports::RunKey,
    tui::{
        model::desk::Hands,
        msg::{News, Ticket},
    },
};

struct Waiting {
    story: StoryKey,
    priority: Priority,
    order: u64,
}

/// A story that nobody works on any more.
pub(super) struct Finished {
    story: StoryKey,
    /// None where another program has taken or ended it, or the work broke off.
    result: Result<Option<Reached>, DeskError>,
}

/// Who works on what.
pub(super) struct Work {
    desk: Arc<Desk>,
    at_once: usize,
    /// Whether stories wait for the knowledge base: judged on an older one, they could be judged wrongly.
    held: bool,
    running: HashMap<StoryKey, JoinHandle<()>>,
    waiting: Vec<Waiting>,
    order: u64,
    done: mpsc::UnboundedSender<Finished>,
    finished: mpsc::UnboundedReceiver<Finished>,
}

impl Work {
    pub(super) fn new(desk: Arc<Desk>, at_once: usize) -> Self {
        let (done, finished) = mpsc::unbounded_channel();
        Self { desk, at_once, held: true, running: HashMap::new(), waiting: Vec::new(), order: 0, done, finished }
    }

    /// The next story that is finished with.
    pub(super) async fn finished(&mut self) -> Option<Finished> {
        let finished = self.finished.recv().await?;
        // It may have been taken on again already.
        if !self.runs(&finished.story) {
            self.running.remove(&finished.story);
        }
        self.fill();
        Some(finished)
    }

    /// Whether this program works on the story at this moment; what has just ended and is not told of yet does not count.
    pub(super) fn runs(&self, story: &StoryKey) -> bool {
        self.running.get(story).is_some_and(|task| !task.is_finished())
    }

    /// Whether this program has the story in hand.
    fn has(&self, story: &StoryKey) -> bool {
        self.runs(story) || self.waiting.iter().any(|waiting| waiting.story == *story)
    }

    /// Takes a story on, where this program does not have it in hand.
    pub(super) fn take(&mut self, story: StoryKey, priority: Priority) -> bool {
        if self.has(&story) {
            return false;
        }
        self.order += 1;
        self.waiting.push(Waiting { story, priority, order: self.order });
        self.fill();
        true
    }

    /// Gives a story up: calls on their way are cancelled. Returns once nothing of it is held any more.
    pub(super) async fn stop(&mut self, story: &StoryKey) -> bool {
        let had = self.has(story);
        self.waiting.retain(|waiting| waiting.story != *story);
        if let Some(task) = self.running.remove(story) {
            task.abort();
            // How it ended is no news.
            let _ = task.await;
        }
        self.fill();
        had
    }

    /// A story that waits for a place waits by its new priority.
    pub(super) fn set_priority(&mut self, story: &StoryKey, priority: Priority) {
        for waiting in self.waiting.iter_mut().filter(|waiting| waiting.story == *story) {
            waiting.priority = priority;
        }
    }

    /// Who has which story, as the list shows it.
    pub(super) fn hands(&self) -> Vec<(String, Hands)> {
        let running = self.running.keys().map(|story| (story.to_string(), Hands::Ours));
        running.chain(self.waiting.iter().map(|waiting| (waiting.story.to_string(), Hands::OursSoon))).collect()
    }

    /// Whether stories wait for the knowledge base.
    pub(super) fn is_held(&self) -> bool {
        self.held
    }

    /// The knowledge base is read: stories begin.
    pub(super) fn let_go(&mut self) {
        self.held = false;
        self.fill();
    }

    /// Begins with what waits, as far as there are places.
    fn fill(&mut self) {
        while !self.held && self.running.len() < self.at_once {
            let next = self
                .waiting
                .iter()
                .enumerate()
                .min_by_key(|(_, waiting)| (std::cmp::Reverse(waiting.priority), waiting.order))
                .map(|(place, _)| place);
            let Some(place) = next else { return };
            let Waiting { story, .. } = self.waiting.swap_remove(place);
            let (desk, done, of) = (Arc::clone(&self.desk), self.done.clone(), story.clone());
            let task = tokio::spawn(async move {
                let work = go_on(&desk, &of);
                // A panic is told of by the terminal's hook; here it only means that nobody works on the story any more.
                let result = AssertUnwindSafe(work).catch_unwind().await.unwrap_or(Ok(None));
                // The back room keeps the other end as long as it lives.
                let _ = done.send(Finished { story: of, result });
            });
            self.running.insert(story, task);
        }
    }
}

async fn go_on(desk: &Desk, story: &StoryKey) -> Result<Option<Reached>, DeskError> {
    let unfinished = desk.records.unfinished().await?;
    match unfinished.iter().find(|run| run.story.folded() == story.folded()) {
        Some(run) => desk.go_on(run).await,
        None => Ok(None),
    }
}

impl Backroom {
    /// Says how far a story came.
    pub(super) async fn tell_finished(&mut self, finished: Finished) {
        let Finished { story, result } = finished;
        // Its sources, its article, or what was found outside for it.
        self.to_shelve.notify_one();
        match result {
            // The list and the story say it.
            Ok(Some(Reached::End(_) | Reached::Gate(_)) | None) => {}
            // It may have been let go on while it was stopping.
            Ok(Some(Reached::Paused(_))) => {
                if self.go_on(&story).await.is_err() {
                    self.say(News::Done(format!("{story} is paused")));
                }
            }
            Err(error) => self.say(News::Trouble(format!("{story}: {error}"))),
        }
        self.tell_hands();
        self.look().await;
        self.decide_later(&story).await;
    }

    /// Goes on with the story's current run.
    pub(super) async fn go_on(&mut self, story: &StoryKey) -> Result<(), String> {
        let runs = self.tools.archive.runs_of(&story.to_string()).await.map_err(|error| error.to_string())?;
        let current = runs.iter().find(|(_, run)| run.current).map(|(_, run)| run);
        if current.is_some_and(|run| run.paused) {
            return Err(format!("{story} is paused; let it go on first"));
        }
        let priority = current.map(|run| run.priority).unwrap_or_default();
        if !self.work.take(story.clone(), priority) {
            return Err(format!("{story} is being worked on already"));
        }
        self.tell_hands();
        Ok(())
    }

    /// Begins a story: its run is in the records before it waits for its turn.
    pub(super) async fn start(&mut self, assignment: Assignment) -> Result<(StoryKey, RunKey), String> {
        let story = assignment.topic.story();
        if self.work.has(&story) {
            return Err(format!("{story} is being worked on already; stop it first, or give the new one another slug"));
        }
        let run = self.tools.desk.enlist(assignment).await.map_err(|error| error.to_string())?;
        self.work.take(story.clone(), Priority::Normal);
        self.tell_hands();
        Ok((story, run))
    }

    /// Shows a run that was just opened, and works on it where it does not wait.
    pub(super) async fn take_up(
        &mut self,
        story: StoryKey,
        forked: Result<Forked, DeskError>,
        ticket: Option<Ticket>,
    ) -> Result<(), String> {
        let forked = forked.map_err(|error| error.to_string())?;
        self.open(forked.key, ticket).await?;
        let note = forked.kept.map_or_else(String::new, |kept| format!("; {}", kept.note()));
        self.say(News::Done(format!("a new run: {}{note}", forked.run_id)));
        if forked.waits.is_none() {
            self.go_on(&story).await?;
        }
        Ok(())
    }

    pub(super) async fn pause(&mut self, story: &StoryKey, paused: bool) -> Result<(), String> {
        let (by, at) = (self.tools.editor.clone(), self.now());
        let known = self.tools.stories.set_paused(story, paused, &by, &at).await.map_err(|error| error.to_string())?;
        if !known {
            return Err(format!("there is no story {story}"));
        }
        self.look().await;
        if paused {
            let how = if self.work.has(story) { "stops after the call that is running" } else { "is paused" };
            self.say(News::Done(format!("{story} {how}")));
        } else {
            self.say(News::Done(format!("{story} goes on")));
            if !self.work.has(story) {
                self.go_on(story).await?;
            }
        }
        Ok(())
    }

    pub(super) async fn stop(&mut self, story: &StoryKey) -> Result<(), String> {
        if !self.work.stop(story).await {
            return Err(format!("this program is not at work on {story}"));
        }
        self.tell_hands();
        self.say(News::Done(format!("{story} is stopped; what is finished is kept, and it can go on")));
        // Deciding it would set the story to work again.
        self.refuse_later(story, "the story was stopped");
        Ok(())
    }

    pub(super) async fn set_priority(&mut self, story: &StoryKey, priority: Priority) -> Result<(), String> {
        let (by, at) = (self.tools.editor.clone(), self.now());
        let known =
            self.tools.stories.set_priority(story, priority, &by, &at).await.map_err(|error| error.to_string())?;
        if !known {
            return Err(format!("there is no story {story}"));
        }
        self.work.set_priority(story, priority);
        self.look().await;
        self.say(News::Done(format!("{story}: priority {}", priority.name())));
        Ok(())
    }

    /// The current run of a story, where it has one.
    pub(super) async fn current(&self, story: &StoryKey) -> Result<Option<RunKey>, String> {
        let runs = self.tools.archive.runs_of(&story.to_string()).await.map_err(|error| error.to_string())?;
        Ok(runs.into_iter().find(|(_, run)| run.current).map(|(key, _)| key))
    }
}
