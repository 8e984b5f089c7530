//! Who works on which story: this program, other programs, or none yet.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use crate::app::{News, Trouble};
use crate::screens::desk::StoryHolder;
use crate::worker::errands::no_story;
use crate::worker::{RequestResult, WorkerContext};
use copydesk_core::desk::{Assignment, Desk, DeskError, Ending, QueueWorker, Reached, WorkScope, WorkerNews};
use copydesk_core::ports::{QueueState, RunKey, ServerDown};
use copydesk_newsroom::StoryKey;

pub(crate) struct DutyRoster {
    context: WorkerContext,
    /// `None` while stories wait for the knowledge base: an older one could lead to wrong verdicts.
    queue_worker: Option<QueueWorker>,
    /// The stories that this program works on.
    stories: HashMap<StoryKey, InHand>,
    /// Stories that other programs work on.
    elsewhere: HashSet<StoryKey>,
    /// Stories that wait in the queue.
    queued: HashSet<StoryKey>,
    /// The resting servers, as the screen knows them.
    down: Vec<ServerDown>,
}

/// A story that this program works on, or will.
#[derive(Debug, Clone, Copy)]
struct InHand {
    run: RunKey,
    /// Whether a person began or resumed it in this program. At the end, all other stories go back to the queue.
    asked: bool,
}

impl DutyRoster {
    pub(crate) fn new(context: WorkerContext) -> Self {
        Self {
            context,
            queue_worker: None,
            stories: HashMap::new(),
            elsewhere: HashSet::new(),
            queued: HashSet::new(),
            down: Vec::new(),
        }
    }

    fn desk(&self) -> &Arc<Desk> {
        &self.context.tools.desk
    }

    fn now(&self) -> i64 {
        self.context.tools.desk.clock.now().as_millisecond()
    }

    /// Looks which stories other programs work on, and whether the database is still in its place.
    pub(crate) async fn look_around(&mut self) {
        if let Some(trouble) = self.context.missing() {
            return self.context.say(News::Trouble(trouble));
        }
        // If the records cannot be read, the look at their changes says so.
        let Ok(unfinished) = self.context.tools.desk.records.unfinished().await else {
            // It is unknown which stories still wait there.
            self.queued.clear();
            return self.tell();
        };
        let down = self.desk().queue.servers_down(self.now()).await.unwrap_or_default();
        if down != self.down {
            self.down.clone_from(&down);
            self.context.say(News::ServersDown(down));
        }
        // A story that waits for its editor has no worker.
        let others: Vec<_> = unfinished.into_iter().filter(|run| !run.waits && !self.runs(&run.story)).collect();
        let queued: HashSet<StoryKey> =
            others.iter().filter(|run| run.queued == QueueState::Waits).map(|run| run.story.clone()).collect();
        let others: Vec<StoryKey> = others.into_iter().map(|run| run.story).collect();
        let held = self.desk().locks.held(others.clone()).await;
        let held: HashSet<StoryKey> =
            others.into_iter().zip(held).filter(|(_, held)| matches!(held, Ok(true))).map(|(story, _)| story).collect();
        // Another program may have taken a story since.
        self.stories.retain(|story, ours| !held.contains(story) || is_at_work(self.queue_worker.as_ref(), ours.run));
        if held != self.elsewhere || queued != self.queued {
            self.elsewhere = held;
            self.queued = queued;
            self.tell();
        }
    }

    /// Tells the screen who works on which story.
    pub(crate) fn tell(&self) {
        let hands = |run: RunKey| if self.works_on(run) { StoryHolder::Ours } else { StoryHolder::OursSoon };
        // Of a story that is in several of them, the last counts.
        let mut known: HashMap<&StoryKey, StoryHolder> = HashMap::new();
        known.extend(self.queued.iter().map(|story| (story, StoryHolder::Queued)));
        known.extend(self.elsewhere.iter().map(|story| (story, StoryHolder::Others)));
        known.extend(self.stories.iter().map(|(story, ours)| (story, hands(ours.run))));
        let told = known.into_iter().map(|(story, hands)| (story.to_string(), hands)).collect();
        self.context.say(News::StoryHolder(told));
    }

    /// The next report of the shift. Cancel safe.
    pub(crate) async fn next_news(&mut self) -> Option<WorkerNews> {
        match &mut self.queue_worker {
            Some(queue_worker) => queue_worker.next_news().await,
            None => std::future::pending().await,
        }
    }

    fn works_on(&self, run: RunKey) -> bool {
        is_at_work(self.queue_worker.as_ref(), run)
    }

    /// Whether this program works on the story at this moment.
    pub(crate) fn runs(&self, story: &StoryKey) -> bool {
        self.stories.get(story).is_some_and(|story| self.works_on(story.run))
    }

    pub(crate) fn has(&self, story: &StoryKey) -> bool {
        self.stories.contains_key(story)
    }

    /// Whether another program works on the story, as far as was seen.
    pub(crate) fn is_elsewhere(&self, story: &StoryKey) -> bool {
        self.elsewhere.contains(story)
    }

    /// Resumes the story's current run.
    pub(crate) async fn resume(&mut self, story: &StoryKey) -> RequestResult {
        let current = self.context.tools.desk.archive.current_run(&story.to_string()).await?;
        let Some((run, listed)) = current else { return Err(no_story(story)) };
        if listed.paused {
            return Err(Trouble::new(format!("{story} is paused; unpause it first")));
        }
        if self.elsewhere.contains(story) {
            return Err(Trouble::new(format!("another copydesk is working on {story}")));
        }
        if self.has(story) {
            return Err(Trouble::new(format!("this program is already working on {story}")));
        }
        match &self.queue_worker {
            Some(queue_worker) => queue_worker.resume(run).await?,
            None => self.desk().queue.resume(run, &self.desk().pins, self.now()).await?,
        }
        self.stories.insert(story.clone(), InHand { run, asked: true });
        self.tell();
        Ok(())
    }

    /// Begins a story: its run is in the records before it waits for its turn.
    pub(crate) async fn begin(&mut self, assignment: Assignment) -> RequestResult<(StoryKey, RunKey)> {
        let story = assignment.topic.story();
        if self.has(&story) {
            return Err(Trouble::new(format!(
                "this program is already working on {story}; stop it first, or give the new story another title"
            )));
        }
        let run = match &self.queue_worker {
            Some(queue_worker) => queue_worker.begin(assignment).await?.1,
            None => self.desk().enlist(assignment).await?,
        };
        self.stories.insert(story.clone(), InHand { run, asked: true });
        self.tell();
        Ok((story, run))
    }

    /// Stops a story, also one that only waits in the queue.
    pub(crate) async fn stop(&mut self, story: &StoryKey) -> RequestResult {
        if !self.let_go(story).await {
            let run = if self.queued.contains(story) { self.context.current(story).await? } else { None };
            let Some(run) = run else { return Err(Trouble::new(format!("this program is not working on {story}"))) };
            self.desk().queue.hold(run, self.now()).await?;
            self.queued.remove(story);
        }
        self.tell();
        Ok(())
    }

    /// Cancels a story's running calls; it waits until a person resumes it. Returns once nothing of it is held any more, and whether this
    /// program had it.
    pub(crate) async fn let_go(&mut self, story: &StoryKey) -> bool {
        let Some(InHand { run, .. }) = self.stories.remove(story) else { return false };
        if let Some(queue_worker) = &self.queue_worker {
            queue_worker.stop(run).await;
        } else {
            // If it cannot be held, it begins all the same and can be stopped then.
            let _ = self.desk().queue.hold(run, self.now()).await;
        }
        true
    }

    /// Takes in a report. Returns the story, and how far it came if no work on it goes on.
    pub(crate) async fn hear(
        &mut self,
        told: WorkerNews,
    ) -> Option<(StoryKey, Option<Result<Option<Reached>, DeskError>>)> {
        match told {
            WorkerNews::Began(run) => {
                let story = match self.story_of(run) {
                    Some(story) => story,
                    // The queue had it from another program, or it is another run of a known story.
                    None => self.desk().queue.unfinished_run(run).await.ok()??.story,
                };
                let asked = self.stories.get(&story).is_some_and(|story| story.asked);
                self.stories.insert(story.clone(), InHand { run, asked });
                Some((story, None))
            }
            // A failed shift leaves nothing running, so stories that do not run now never will.
            WorkerNews::Trouble(_) => {
                self.stories.retain(|_, story| is_at_work(self.queue_worker.as_ref(), story.run));
                None
            }
            WorkerNews::Came { run, result } => {
                let story = self.story_of(run)?;
                let waits = matches!(result, Ok(Some(Reached::Later(_))));
                match self.stories.get(&story).copied().filter(|_| waits) {
                    Some(InHand { asked: true, .. }) => {
                        let run = self.context.current(&story).await.ok().flatten().unwrap_or(run);
                        self.stories.insert(story.clone(), InHand { run, asked: true });
                    }
                    // Any worker may take it next.
                    _ => drop(self.stories.remove(&story)),
                }
                Some((story, Some(result)))
            }
        }
    }

    fn story_of(&self, run: RunKey) -> Option<StoryKey> {
        self.stories.iter().find(|(_, known)| known.run == run).map(|(story, _)| story.clone())
    }

    /// Whether stories wait for the knowledge base.
    pub(crate) fn is_held(&self) -> bool {
        self.queue_worker.is_none()
    }

    /// Starts the stories once the knowledge base is read.
    pub(crate) fn start(&mut self) {
        let at_once = self.context.tools.stories_at_once;
        self.queue_worker = Some(QueueWorker::start(Arc::clone(self.desk()), "screen", at_once, WorkScope::Everything));
        self.tell();
    }

    /// Ends the shift. Stories that a person began in this program wait until they are resumed; the others go back to the queue.
    pub(crate) async fn end(&mut self) {
        if let Some(queue_worker) = &self.queue_worker {
            let held = self.stories.values().filter(|story| story.asked).map(|story| story.run).collect();
            queue_worker.end(Ending::Now, held).await;
        }
    }
}

fn is_at_work(queue_worker: Option<&QueueWorker>, run: RunKey) -> bool {
    queue_worker.is_some_and(|queue_worker| queue_worker.works_on(run))
}
