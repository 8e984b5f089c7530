//! Who works on which story: this program, other programs, or none yet.

use std::{collections::HashSet, sync::Arc};

use crate::{
    app::news::News,
    screens::desk::model::StoryHolder,
    worker::{
        context::WorkerContext,
        errands::{RequestError, RequestResult},
        work::Work,
    },
};
use copydesk_core::desk::{Assignment, is_held};
use copydesk_core::ports::{QueueState, RunKey, ServerDown};
use copydesk_newsroom::StoryKey;

pub(crate) struct DutyRoster {
    pub(crate) work: Work,
    /// Stories that other programs work on.
    elsewhere: HashSet<StoryKey>,
    /// Stories that wait in the queue.
    queued: HashSet<StoryKey>,
    /// The resting servers, as the screen knows them.
    down: Vec<ServerDown>,
}

impl DutyRoster {
    pub(crate) fn new(work: Work) -> Self {
        Self { work, elsewhere: HashSet::new(), queued: HashSet::new(), down: Vec::new() }
    }

    /// Looks which stories other programs work on, and whether the database is still in its place.
    pub(crate) async fn look_around(&mut self, context: &WorkerContext) {
        if let Some(trouble) = context.missing() {
            return context.say(News::Trouble(trouble));
        }
        // If the records cannot be read, the look at their changes says so.
        let Ok(unfinished) = context.tools.records.unfinished().await else {
            // It is unknown which stories still wait there.
            self.queued.clear();
            return self.tell(context);
        };
        let now = context.tools.clock.now().as_millisecond();
        let down = context.tools.desk.queue.servers_down(now).await.unwrap_or_default();
        if down != self.down {
            self.down.clone_from(&down);
            context.say(News::ServersDown(down));
        }
        // A story that waits for its editor has no worker.
        let others: Vec<_> = unfinished.into_iter().filter(|run| !run.waits && !self.work.runs(&run.story)).collect();
        let queued: HashSet<StoryKey> =
            others.iter().filter(|run| run.queued == QueueState::Waits).map(|run| run.story.clone()).collect();
        let desk = Arc::clone(&context.tools.desk);
        let held = tokio::task::spawn_blocking(move || {
            let held = |story: &StoryKey| is_held(&desk.locks, story).unwrap_or(false);
            others.into_iter().map(|run| run.story).filter(held).collect::<HashSet<StoryKey>>()
        });
        let Ok(held) = held.await else { return };
        self.work.leave(&held);
        if held != self.elsewhere || queued != self.queued {
            self.elsewhere = held;
            self.queued = queued;
            self.tell(context);
        }
    }

    /// Tells the screen who works on which story.
    pub(crate) fn tell(&self, context: &WorkerContext) {
        let mut known = self.work.hands();
        for (stories, hands) in [(&self.elsewhere, StoryHolder::Others), (&self.queued, StoryHolder::Queued)] {
            let more =
                stories.iter().map(StoryKey::to_string).filter(|story| known.iter().all(|(other, _)| other != story));
            let more: Vec<_> = more.map(|story| (story, hands)).collect();
            known.extend(more);
        }
        context.say(News::StoryHolder(known));
    }

    /// Resumes the story's current run.
    pub(crate) async fn resume(&mut self, context: &WorkerContext, story: &StoryKey) -> RequestResult {
        let runs = context.tools.archive.runs_of(&story.to_string()).await?;
        let Some((run, listed)) = runs.into_iter().find(|(_, run)| run.current) else {
            return Err(RequestError::NoStory(story.clone()).into());
        };
        if listed.paused {
            return Err(RequestError::Paused(story.clone()).into());
        }
        if self.elsewhere.contains(story) {
            return Err(RequestError::AtWorkElsewhere(story.clone()).into());
        }
        if !self.work.take(story.clone(), run).await? {
            return Err(RequestError::AtWork(story.clone()).into());
        }
        self.tell(context);
        Ok(())
    }

    /// Begins a story: its run is in the records before it waits for its turn.
    pub(crate) async fn begin(
        &mut self,
        context: &WorkerContext,
        assignment: Assignment,
    ) -> RequestResult<(StoryKey, RunKey)> {
        let story = assignment.topic.story();
        if self.work.has(&story) {
            return Err(RequestError::SlugAtWork(story).into());
        }
        let begun = self.work.begin(assignment).await?;
        self.tell(context);
        Ok(begun)
    }

    /// Stops a story, also one that only waits in the queue.
    pub(crate) async fn stop(&mut self, context: &WorkerContext, story: &StoryKey) -> RequestResult {
        if !self.work.stop(story).await {
            let run = if self.queued.contains(story) { context.current(story).await? } else { None };
            let Some(run) = run else { return Err(RequestError::NotAtWork(story.clone()).into()) };
            let now = context.tools.clock.now().as_millisecond();
            context.tools.desk.queue.hold(run, now).await?;
            self.queued.remove(story);
        }
        self.tell(context);
        Ok(())
    }
}
