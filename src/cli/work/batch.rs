//! One story or many without a screen. Each is in the queue; this program works on some of them at once, others may work on them, too. A
//! topic that fails touches no other.

use std::{
    collections::{HashMap, HashSet, VecDeque},
    time::Duration,
};

use futures_util::FutureExt as _;

use crate::cli::prelude::*;
use crate::cli::work::{
    interrupt::Interrupt,
    patience::{NoRoom, ServerPatience},
    worked::{WorkedStory, say_failure},
};
use crate::desk::{Assignment, Desk, DeskError, Ending, QueueWorker, Reached, WorkScope, WorkerNews};
use crate::headless::{ProgressLines, RowState};
use crate::ports::{Archive as _, QueueState, Records as _, StoreError, Unfinished};

/// The message about a story that was not begun.
const NOT_BEGUN: &str = "this story was not started: run its topic again";

/// How often it is looked what other programs have finished.
const LOOK: Duration = Duration::from_secs(1);

/// How a batch went.
pub enum BatchEnd {
    /// To its end: what became of each story, in the order in which they were given.
    Through(Vec<WorkedStory>),
    /// A person stopped the program.
    Interrupted {
        /// The results of the stories that were begun.
        rows: Vec<WorkedStory>,
        /// Those that were not, by their place.
        not_begun: Vec<usize>,
    },
}

/// Stories that are worked on together.
pub struct Batch<'b> {
    desk: &'b Arc<Desk>,
    store: &'b Store,
    queue_worker: QueueWorker,
    json: bool,
    /// Whether it says of a story that waits what to do.
    says_waits: bool,
    progress: Option<Arc<ProgressLines>>,
    /// Name and outcome of each story, in the order in which they were given.
    stories: Vec<(String, Option<WorkedStory>)>,
    to_begin: VecDeque<(usize, Assignment)>,
    /// Runs that are not over and do not wait for an editor, each with its story's place.
    open: HashMap<RunKey, usize>,
    /// Those of them that this program works on at this moment.
    at_work: HashSet<RunKey>,
    /// Why the records could not be read the last time.
    trouble: Option<String>,
    no_room: NoRoom,
}

impl<'b> Batch<'b> {
    /// Stories for `desk`, so many at once. With `json` each failure is one JSON line; `progress` shows how far they are.
    pub fn new(
        desk: &'b Arc<Desk>,
        store: &'b Store,
        concurrency: usize,
        json: bool,
        progress: Option<Arc<ProgressLines>>,
    ) -> Self {
        Self::working(
            QueueWorker::start(Arc::clone(desk), "batch", concurrency, WorkScope::Everything),
            desk,
            store,
            json,
            progress,
        )
    }

    /// For one story: other stories that are queued are left to others.
    pub(crate) fn of_story(desk: &'b Arc<Desk>, store: &'b Store, only: &StoryKey, json: bool) -> Self {
        let queue_worker = QueueWorker::start(Arc::clone(desk), "command", 1, WorkScope::Story(only.clone()));
        Self::working(queue_worker, desk, store, json, None)
    }

    fn working(
        queue_worker: QueueWorker,
        desk: &'b Arc<Desk>,
        store: &'b Store,
        json: bool,
        progress: Option<Arc<ProgressLines>>,
    ) -> Self {
        Self {
            desk,
            store,
            queue_worker,
            json,
            says_waits: true,
            progress,
            stories: Vec::new(),
            to_begin: VecDeque::new(),
            open: HashMap::new(),
            at_work: HashSet::new(),
            trouble: None,
            no_room: NoRoom::default(),
        }
    }

    /// For stories whose desk is thrown away: those that wait cannot be resumed, so the caller reports them.
    #[must_use]
    pub fn without_waits(self) -> Self {
        Self { says_waits: false, ..self }
    }

    /// A story to be begun.
    pub fn begin(&mut self, assignment: Assignment) {
        let story = assignment.topic.story().to_string();
        self.to_begin.push_back((self.stories.len(), assignment));
        self.stories.push((story, None));
    }

    /// A topic that cannot be worked on.
    pub fn reject(&mut self, worked: WorkedStory) {
        say_failure(&worked, self.json);
        self.stories.push((worked.row.story.clone(), Some(worked)));
    }

    /// Resumes a run.
    pub(crate) async fn resume(&mut self, story: String, run: RunKey) {
        let place = self.stories.len();
        self.stories.push((story, None));
        match self.queue_worker.resume(run).await {
            Ok(()) => {
                self.open.insert(run, place);
            }
            Err(error) => self.ends(place, Err(error)),
        }
    }

    /// Works until every story is over, waits for an editor, or cannot continue for now.
    ///
    /// # Errors
    /// If the records cannot be read or written.
    pub async fn work(mut self, interrupt: &mut Interrupt) -> Result<BatchEnd> {
        let patience = ServerPatience::new(self.desk);
        let mut look = tokio::time::interval(LOOK);
        look.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        self.show();
        while !(self.to_begin.is_empty() && self.open.is_empty()) {
            if let Some(why) = self.no_room.ends(self.at_work.is_empty()) {
                let why = why.to_owned();
                self.give_up(&why).await;
                break;
            }
            tokio::select! {
                biased;
                () = interrupt.typed() => return Ok(self.interrupted(interrupt).await),
                Some(told) = self.queue_worker.next_news() => self.hear(told).await,
                // One at a time, in order; those before are worked on meanwhile.
                () = std::future::ready(()), if !self.to_begin.is_empty() && !self.no_room.is_noticed() => {
                    self.begin_next().await;
                }
                _ = look.tick() => self.note_finished().await,
                () = patience.is_lost(), if self.at_work.is_empty() => {
                    let why = patience.why().await;
                    self.give_up(&why).await;
                }
            }
        }
        self.queue_worker.end(Ending::AfterTheStep, Vec::new()).await;
        if let Some(progress) = &self.progress {
            progress.end();
        }
        Ok(BatchEnd::Through(self.stories.into_iter().filter_map(|(_, worked)| worked).collect()))
    }

    /// Gives up the unfinished runs. No person stopped them, so any worker may resume them.
    async fn give_up(&mut self, why: &str) {
        self.queue_worker.end(Ending::Now, Vec::new()).await;
        for place in self.left_open().await {
            self.settle(place, |story| WorkedStory::waits(story, why.to_owned()));
        }
        while let Some((place, _)) = self.to_begin.pop_front() {
            self.settle(place, |story| WorkedStory::waits(story, format!("{why}; {NOT_BEGUN}")));
        }
    }

    /// Takes in the results that came meanwhile. Returns the places of the stories that are open still.
    async fn left_open(&mut self) -> Vec<usize> {
        while let Some(Some(told)) = self.queue_worker.next_news().now_or_never() {
            self.hear(told).await;
        }
        self.open.drain().map(|(_, place)| place).collect()
    }

    async fn begin_next(&mut self) {
        let Some((place, assignment)) = self.to_begin.pop_front() else { return };
        let story = assignment.topic.story();
        let begun = match self.desk.unfinished_of(&assignment).await {
            // The same command again, while the first one runs or after it was stopped: no call is paid for twice.
            Ok(Some(run)) => {
                headless::message(&format!(
                    "{story}: Resuming the unfinished run of this topic. To start again: `copydesk fork {story} --at draft --again`"
                ));
                self.queue_worker.resume(run).await.map(|()| run)
            }
            Ok(None) => self.queue_worker.begin(assignment).await.map(|(_, run)| run),
            Err(error) => Err(error),
        };
        match begun {
            Ok(run) => {
                self.open.insert(run, place);
            }
            Err(error) if error.passes() => {
                self.no_room.notice(&error);
                self.settle(place, |story| WorkedStory::waits(story, format!("{error}; {NOT_BEGUN}")));
            }
            Err(error) => self.ends(place, Err(error)),
        }
    }

    /// Takes in the worker's news. A record that cannot be read now is looked for again.
    async fn hear(&mut self, told: WorkerNews) {
        match told {
            WorkerNews::Began(run) => {
                self.at_work.insert(run);
            }
            WorkerNews::Trouble(error) => {
                self.no_room.notice(&error);
                headless::message(&error.to_string());
            }
            WorkerNews::Came { run, result } => {
                self.at_work.remove(&run);
                match result {
                    // It waits for its turn or its time, in the place of this run perhaps another one of the story.
                    Ok(Some(Reached::Later(story))) => {
                        if let Ok(Some((current, _))) = self.store.current_run(&story.to_string()).await
                            && let Some(place) = self.open.remove(&run)
                        {
                            self.open.insert(current, place);
                        }
                    }
                    Ok(Some(reached)) => {
                        if let Some(place) = self.open.remove(&run) {
                            self.ends(place, Ok(reached));
                        }
                    }
                    // Another program has the story; its result appears in the records.
                    Ok(None) | Err(DeskError::Locked { .. }) => {}
                    Err(error) if error.is_elsewhere() => headless::message(&error.to_string()),
                    Err(error) => {
                        self.no_room.notice(&error);
                        if let Some(place) = self.open.remove(&run) {
                            self.ends(place, Err(error));
                        }
                    }
                }
            }
        }
    }

    /// Looks what other programs have finished, or stopped.
    async fn note_finished(&mut self) {
        // A database that is busy for long is no reason to give hundreds of stories up.
        if let Err(error) = self.look_elsewhere().await
            && self.trouble.replace(error.to_string()) != Some(error.to_string())
        {
            headless::message(&format!("The work of other programs cannot be read: {error}. Retrying"));
        }
    }

    async fn look_elsewhere(&mut self) -> Result<(), StoreError> {
        let elsewhere: Vec<RunKey> = self.open.keys().filter(|run| !self.at_work.contains(run)).copied().collect();
        if elsewhere.is_empty() {
            return Ok(());
        }
        let unfinished: HashMap<RunKey, Unfinished> =
            self.store.unfinished().await?.into_iter().map(|run| (run.key, run)).collect();
        let over = |run: &RunKey| {
            unfinished.get(run).is_none_or(|run| run.waits || run.paused || run.queued == QueueState::Held)
        };
        let over: Vec<RunKey> = elsewhere.into_iter().filter(over).collect();
        let listed = self.store.listed(&over).await?;
        // The news of this program's own work is heard first.
        if self.queue_worker.has_told() {
            return Ok(());
        }
        for (run, listed) in listed {
            let held = unfinished.get(&run).is_some_and(|run| run.queued == QueueState::Held);
            if let Some(place) = self.open.remove(&run) {
                self.settle(place, |_| WorkedStory::elsewhere(&listed, held));
            }
        }
        // A story that was deleted.
        for run in over {
            if let Some(place) = self.open.remove(&run) {
                self.settle(place, |story| WorkedStory::rejected(story, "The story was deleted meanwhile".to_owned()));
            }
        }
        Ok(())
    }

    fn ends(&mut self, place: usize, result: Result<Reached, DeskError>) {
        self.settle(place, |story| WorkedStory::of(story, result));
    }

    fn settle(&mut self, place: usize, worked: impl FnOnce(String) -> WorkedStory) {
        if let Some((story, outcome)) = self.stories.get_mut(place) {
            let worked = worked(story.clone());
            if self.says_waits || worked.row.state != RowState::Waits {
                say_failure(&worked, self.json);
            }
            *outcome = Some(worked);
        }
        self.show();
    }

    fn show(&self) {
        if let Some(progress) = &self.progress {
            let over = self.stories.iter().filter(|(_, worked)| worked.is_some()).count();
            progress.at(over, self.stories.len());
        }
    }

    /// Stops after the steps that are being done, or at once where a person says so again.
    async fn interrupted(mut self, interrupt: &mut Interrupt) -> BatchEnd {
        if let Some(progress) = &self.progress {
            progress.end();
        }
        if !self.at_work.is_empty() {
            headless::message("Stopping after the current steps. Press Ctrl-C again to stop at once.");
        }
        let open: Vec<RunKey> = self.open.keys().copied().collect();
        tokio::select! {
            () = self.queue_worker.end(Ending::AfterTheStep, open.clone()) => {}
            () = interrupt.typed() => self.queue_worker.end(Ending::Now, open).await,
        }
        for place in self.left_open().await {
            self.settle(place, WorkedStory::stopped);
        }
        BatchEnd::Interrupted {
            not_begun: self.to_begin.iter().map(|(place, _)| *place).collect(),
            rows: self.stories.into_iter().filter_map(|(_, worked)| worked).collect(),
        }
    }
}
