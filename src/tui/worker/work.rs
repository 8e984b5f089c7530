//! The stories that this program works on: as many at once as it may, as the queue has them.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use crate::desk::{Assignment, Desk, DeskError, Ending, Forked, Only, Reached, Shift, Told};
use crate::newsroom::{Priority, StoryKey};
use crate::ports::RunKey;
use crate::tui::{
    app::{news::News, ticket::Ticket},
    screens::desk::model::Hands,
    worker::room::Backroom,
};

/// Who works on what.
pub(crate) struct Work {
    desk: Arc<Desk>,
    at_once: usize,
    /// None while stories wait for the knowledge base: judged on an older one, they could be judged wrongly.
    shift: Option<Shift>,
    /// Stories that this program has in hand.
    stories: HashMap<StoryKey, InHand>,
}

/// A story that this program has in hand.
#[derive(Debug, Clone, Copy)]
struct InHand {
    run: RunKey,
    /// Whether somebody here began it or let it go on. What the queue had for whoever comes by goes back to it.
    asked: bool,
}

impl Work {
    pub(crate) fn new(desk: Arc<Desk>, at_once: usize) -> Self {
        Self { desk, at_once, shift: None, stories: HashMap::new() }
    }

    /// What the worker tells next. May be given up at any time.
    pub(crate) async fn told(&mut self) -> Option<Told> {
        match &mut self.shift {
            Some(shift) => shift.told().await,
            None => std::future::pending().await,
        }
    }

    /// Whether this program works on the story at this moment.
    pub(crate) fn runs(&self, story: &StoryKey) -> bool {
        self.stories.get(story).is_some_and(|story| self.works_on(story.run))
    }

    fn works_on(&self, run: RunKey) -> bool {
        self.shift.as_ref().is_some_and(|shift| shift.works_on(run))
    }

    /// Whether this program has the story in hand.
    fn has(&self, story: &StoryKey) -> bool {
        self.stories.contains_key(story)
    }

    /// Begins a story: its run is in the records when this returns.
    async fn begin(&mut self, assignment: Assignment) -> Result<(StoryKey, RunKey), DeskError> {
        let story = assignment.topic.story();
        let run = match &self.shift {
            Some(shift) => shift.begin(assignment).await?.1,
            None => self.desk.enlist(assignment).await?,
        };
        self.stories.insert(story.clone(), InHand { run, asked: true });
        Ok((story, run))
    }

    /// Goes on with a run, where this program does not have its story in hand.
    async fn take(&mut self, story: StoryKey, run: RunKey) -> Result<bool, DeskError> {
        if self.has(&story) {
            return Ok(false);
        }
        if let Some(shift) = &self.shift {
            shift.go_on(run).await?;
        } else {
            let now = self.desk.clock.now().as_millisecond();
            self.desk.queue.resume(run, &self.desk.pins, now).await?;
        }
        self.stories.insert(story, InHand { run, asked: true });
        Ok(true)
    }

    /// Gives a story up: calls on their way are cancelled, and nobody goes on with it until somebody says so. Returns once nothing of it
    /// is held any more, and whether this program had it.
    pub(crate) async fn stop(&mut self, story: &StoryKey) -> bool {
        let Some(InHand { run, .. }) = self.stories.remove(story) else { return false };
        if let Some(shift) = &self.shift {
            shift.stop(run).await;
        } else {
            let now = self.desk.clock.now().as_millisecond();
            // Where it cannot be held, it is begun with all the same, and can be stopped then.
            let _ = self.desk.queue.hold(run, now).await;
        }
        true
    }

    /// Takes in what the worker tells. Returns the story, and how far it came where nobody works on it any more.
    async fn hear(&mut self, told: Told) -> Option<(StoryKey, Option<Result<Option<Reached>, DeskError>>)> {
        match told {
            Told::Began(run) => {
                let known = self.story_of(run);
                let story = match known {
                    Some(story) => story,
                    // The queue had it from another program, or it is another run of a story that is in hand.
                    None => self.desk.queue.unfinished_run(run).await.ok()??.story,
                };
                let asked = self.stories.get(&story).is_some_and(|story| story.asked);
                self.stories.insert(story.clone(), InHand { run, asked });
                Some((story, None))
            }
            // What is not at work does not come to it: who leaves leaves nothing under way.
            Told::Trouble(_) => {
                let shift = self.shift.as_ref();
                self.stories.retain(|_, story| shift.is_some_and(|shift| shift.works_on(story.run)));
                None
            }
            Told::Came { run, result } => {
                let story = self.story_of(run)?;
                let waits = matches!(result, Ok(Some(Reached::Later(_))));
                match self.stories.get(&story).copied().filter(|_| waits) {
                    Some(InHand { asked: true, .. }) => {
                        let current = self.desk.archive.runs_of(&story.to_string()).await.unwrap_or_default();
                        let run = current.into_iter().find(|(_, run)| run.current).map_or(run, |(key, _)| key);
                        self.stories.insert(story.clone(), InHand { run, asked: true });
                    }
                    // Whoever comes by takes it next.
                    _ => drop(self.stories.remove(&story)),
                }
                Some((story, Some(result)))
            }
        }
    }

    fn story_of(&self, run: RunKey) -> Option<StoryKey> {
        self.stories.iter().find(|(_, known)| known.run == run).map(|(story, _)| story.clone())
    }

    /// Lets go of stories that another program has taken since.
    pub(crate) fn leave(&mut self, elsewhere: &HashSet<StoryKey>) {
        let shift = self.shift.as_ref();
        self.stories.retain(|story, in_hand| {
            !elsewhere.contains(story) || shift.is_some_and(|shift| shift.works_on(in_hand.run))
        });
    }

    /// Who has which story, as the list shows it.
    pub(crate) fn hands(&self) -> Vec<(String, Hands)> {
        let hands = |run: RunKey| if self.works_on(run) { Hands::Ours } else { Hands::OursSoon };
        self.stories.iter().map(|(story, in_hand)| (story.to_string(), hands(in_hand.run))).collect()
    }

    /// Whether stories wait for the knowledge base.
    pub(crate) fn is_held(&self) -> bool {
        self.shift.is_none()
    }

    /// The knowledge base is read: stories begin.
    pub(crate) fn let_go(&mut self) {
        self.shift = Some(Shift::start(Arc::clone(&self.desk), "screen", self.at_once, Only::Everything));
    }

    /// Ends: what somebody here wanted done waits until somebody lets it go on; the rest goes back to the queue.
    pub(crate) async fn end(&mut self) {
        if let Some(shift) = &self.shift {
            let held = self.stories.values().filter(|story| story.asked).map(|story| story.run).collect();
            shift.end(Ending::Now, held).await;
        }
    }
}

impl Backroom {
    /// Says how far a story came.
    pub(crate) async fn tell_worked(&mut self, told: Told) {
        if let Told::Trouble(error) = &told {
            self.say(News::Trouble(error.to_string()));
        }
        let Some((story, came)) = self.work.hear(told).await else { return self.tell_hands() };
        let Some(result) = came else { return self.tell_hands() };
        // Its sources, its article, or what was found outside for it.
        self.to_shelve.notify_one();
        match result {
            // The list and the story say it; what another program is at, the queue
            // offers again; a panic is told of by the terminal's hook.
            Ok(Some(Reached::End(_) | Reached::Gate(_) | Reached::Later(_)) | None)
            | Err(DeskError::Locked { .. } | DeskError::BrokeOff { .. }) => {}
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
    pub(crate) async fn go_on(&mut self, story: &StoryKey) -> Result<(), String> {
        let runs = self.tools.archive.runs_of(&story.to_string()).await.map_err(|error| error.to_string())?;
        let Some((run, listed)) = runs.into_iter().find(|(_, run)| run.current) else {
            return Err(format!("there is no story {story}"));
        };
        if listed.paused {
            return Err(format!("{story} is paused; let it go on first"));
        }
        if self.elsewhere.contains(story) {
            return Err(format!("{story} is being worked on by another copydesk"));
        }
        if !self.work.take(story.clone(), run).await.map_err(|error| error.to_string())? {
            return Err(format!("{story} is being worked on already"));
        }
        self.tell_hands();
        Ok(())
    }

    /// Begins a story: its run is in the records before it waits for its turn.
    pub(crate) async fn start(&mut self, assignment: Assignment) -> Result<(StoryKey, RunKey), String> {
        let story = assignment.topic.story();
        if self.work.has(&story) {
            return Err(format!("{story} is being worked on already; stop it first, or give the new one another slug"));
        }
        let begun = self.work.begin(assignment).await.map_err(|error| error.to_string())?;
        self.tell_hands();
        Ok(begun)
    }

    /// Shows a run that was just opened, and works on it where it does not wait.
    pub(crate) async fn take_up(
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

    pub(crate) async fn pause(&mut self, story: &StoryKey, paused: bool) -> Result<(), String> {
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

    pub(crate) async fn stop(&mut self, story: &StoryKey) -> Result<(), String> {
        if !self.work.stop(story).await {
            // What waits for whoever comes by is held, too.
            let run = if self.queued.contains(story) { self.current(story).await? } else { None };
            let Some(run) = run else { return Err(format!("this program is not at work on {story}")) };
            let now = self.tools.clock.now().as_millisecond();
            self.tools.desk.queue.hold(run, now).await.map_err(|error| error.to_string())?;
            self.queued.remove(story);
        }
        self.tell_hands();
        self.say(News::Done(format!("{story} is stopped; what is finished is kept, and it can go on")));
        // Deciding it would set the story to work again.
        self.refuse_later(story, "the story was stopped");
        Ok(())
    }

    pub(crate) async fn set_priority(&mut self, story: &StoryKey, priority: Priority) -> Result<(), String> {
        let (by, at) = (self.tools.editor.clone(), self.now());
        let known =
            self.tools.stories.set_priority(story, priority, &by, &at).await.map_err(|error| error.to_string())?;
        if !known {
            return Err(format!("there is no story {story}"));
        }
        self.look().await;
        self.say(News::Done(format!("{story}: priority {}", priority.name())));
        Ok(())
    }

    /// The current run of a story, where it has one.
    pub(crate) async fn current(&self, story: &StoryKey) -> Result<Option<RunKey>, String> {
        let runs = self.tools.archive.runs_of(&story.to_string()).await.map_err(|error| error.to_string())?;
        Ok(runs.into_iter().find(|(_, run)| run.current).map(|(key, _)| key))
    }
}
