//! The stories that this program works on.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use crate::screens::desk::model::StoryHolder;
use copydesk_core::desk::{Assignment, Desk, DeskError, Ending, QueueWorker, Reached, WorkScope, WorkerNews};
use copydesk_core::ports::RunKey;
use copydesk_newsroom::StoryKey;

pub(crate) struct Work {
    desk: Arc<Desk>,
    at_once: usize,
    /// `None` while stories wait for the knowledge base: an older one could lead to wrong verdicts.
    queue_worker: Option<QueueWorker>,
    stories: HashMap<StoryKey, InHand>,
}

/// A story that this program works on, or will.
#[derive(Debug, Clone, Copy)]
struct InHand {
    run: RunKey,
    /// Whether a person began or resumed it in this program. At the end, all other stories go back to the queue.
    asked: bool,
}

impl Work {
    pub(crate) fn new(desk: Arc<Desk>, at_once: usize) -> Self {
        Self { desk, at_once, queue_worker: None, stories: HashMap::new() }
    }

    /// The next report of the shift. Cancel safe.
    pub(crate) async fn told(&mut self) -> Option<WorkerNews> {
        match &mut self.queue_worker {
            Some(queue_worker) => queue_worker.told().await,
            None => std::future::pending().await,
        }
    }

    /// Whether this program works on the story at this moment.
    pub(crate) fn runs(&self, story: &StoryKey) -> bool {
        self.stories.get(story).is_some_and(|story| self.works_on(story.run))
    }

    fn works_on(&self, run: RunKey) -> bool {
        self.queue_worker.as_ref().is_some_and(|queue_worker| queue_worker.works_on(run))
    }

    pub(crate) fn has(&self, story: &StoryKey) -> bool {
        self.stories.contains_key(story)
    }

    /// Begins a story: its run is in the records when this returns.
    pub(crate) async fn begin(&mut self, assignment: Assignment) -> Result<(StoryKey, RunKey), DeskError> {
        let story = assignment.topic.story();
        let run = match &self.queue_worker {
            Some(queue_worker) => queue_worker.begin(assignment).await?.1,
            None => self.desk.enlist(assignment).await?,
        };
        self.stories.insert(story.clone(), InHand { run, asked: true });
        Ok((story, run))
    }

    /// Resumes a run; false if this program has its story already.
    pub(crate) async fn take(&mut self, story: StoryKey, run: RunKey) -> Result<bool, DeskError> {
        if self.has(&story) {
            return Ok(false);
        }
        if let Some(queue_worker) = &self.queue_worker {
            queue_worker.resume(run).await?;
        } else {
            let now = self.desk.clock.now().as_millisecond();
            self.desk.queue.resume(run, &self.desk.pins, now).await?;
        }
        self.stories.insert(story, InHand { run, asked: true });
        Ok(true)
    }

    /// Stops a story: its running calls are cancelled, and it waits until a person resumes it. Returns once nothing of it is held any more,
    /// and whether this program had it.
    pub(crate) async fn stop(&mut self, story: &StoryKey) -> bool {
        let Some(InHand { run, .. }) = self.stories.remove(story) else { return false };
        if let Some(queue_worker) = &self.queue_worker {
            queue_worker.stop(run).await;
        } else {
            let now = self.desk.clock.now().as_millisecond();
            // If it cannot be held, it begins all the same and can be stopped then.
            let _ = self.desk.queue.hold(run, now).await;
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
                let known = self.story_of(run);
                let story = match known {
                    Some(story) => story,
                    // The queue had it from another program, or it is another run of a known story.
                    None => self.desk.queue.unfinished_run(run).await.ok()??.story,
                };
                let asked = self.stories.get(&story).is_some_and(|story| story.asked);
                self.stories.insert(story.clone(), InHand { run, asked });
                Some((story, None))
            }
            // A failed shift leaves nothing running, so stories that do not run now never will.
            WorkerNews::Trouble(_) => {
                let queue_worker = self.queue_worker.as_ref();
                self.stories
                    .retain(|_, story| queue_worker.is_some_and(|queue_worker| queue_worker.works_on(story.run)));
                None
            }
            WorkerNews::Came { run, result } => {
                let story = self.story_of(run)?;
                let waits = matches!(result, Ok(Some(Reached::Later(_))));
                match self.stories.get(&story).copied().filter(|_| waits) {
                    Some(InHand { asked: true, .. }) => {
                        let current = self.desk.archive.runs_of(&story.to_string()).await.unwrap_or_default();
                        let run = current.into_iter().find(|(_, run)| run.current).map_or(run, |(key, _)| key);
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

    /// Forgets the stories that another program has taken since.
    pub(crate) fn leave(&mut self, elsewhere: &HashSet<StoryKey>) {
        let queue_worker = self.queue_worker.as_ref();
        self.stories.retain(|story, in_hand| {
            !elsewhere.contains(story) || queue_worker.is_some_and(|queue_worker| queue_worker.works_on(in_hand.run))
        });
    }

    /// Which stories this program has, as the list shows it.
    pub(crate) fn hands(&self) -> Vec<(String, StoryHolder)> {
        let hands = |run: RunKey| if self.works_on(run) { StoryHolder::Ours } else { StoryHolder::OursSoon };
        self.stories.iter().map(|(story, in_hand)| (story.to_string(), hands(in_hand.run))).collect()
    }

    /// Whether stories wait for the knowledge base.
    pub(crate) fn is_held(&self) -> bool {
        self.queue_worker.is_none()
    }

    /// Starts the stories once the knowledge base is read.
    pub(crate) fn start(&mut self) {
        self.queue_worker =
            Some(QueueWorker::start(Arc::clone(&self.desk), "screen", self.at_once, WorkScope::Everything));
    }

    /// Ends the shift. Stories that a person began in this program wait until they are resumed; the others go back to the queue.
    pub(crate) async fn end(&mut self) {
        if let Some(queue_worker) = &self.queue_worker {
            let held = self.stories.values().filter(|story| story.asked).map(|story| story.run).collect();
            queue_worker.end(Ending::Now, held).await;
        }
    }
}
