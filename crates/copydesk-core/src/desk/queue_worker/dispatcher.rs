//! The worker of a shift, its orders and its news.

use std::{
    collections::{HashMap, HashSet},
    panic::AssertUnwindSafe,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use futures_util::FutureExt as _;
use tokio::{
    sync::{
        mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
        oneshot,
    },
    task::JoinHandle,
    time::{Instant as Moment, sleep_until},
};

use crate::{
    desk::{
        Assignment, Desk, DeskError, Reached,
        in_hand::{Handed, WorkerLink},
        pools::{Pools, SlotRequest},
        run::{Begun, ResumedBy},
    },
    ports::{Leased, RunKey, Slots, StoreError},
};
use copydesk_newsroom::StoryKey;

/// The time after which a worker with slots looks into the queue for steps of others.
const LOOK: Duration = Duration::from_millis(200);

/// How often it looks whether the workers that have other steps are still there.
const LOOK_AROUND: Duration = Duration::from_secs(1);

/// The least time between two looks.
const SOONEST: Duration = Duration::from_millis(5);

/// The time that a taken step may be on its way to the driver of its run, in milliseconds.
const ON_ITS_WAY: i64 = 200;

/// How long a story that another program holds is left to it.
const LEFT_ALONE: Duration = Duration::from_secs(1);

/// A story at work.
struct AtWork {
    inbox: UnboundedSender<Handed>,
    task: JoinHandle<()>,
    /// Taken for it while it was ending.
    next: Vec<Handed>,
}

/// A story's task that is over.
struct Over {
    run: RunKey,
    result: Result<Option<Reached>, DeskError>,
    /// The steps that it was handed and did not see.
    left: Vec<Handed>,
}

/// Takes steps from the queue as far as there are slots, starts a driver for each story on demand, and tells how far each came.
pub(super) struct Dispatcher {
    desk: Arc<Desk>,
    worker_link: WorkerLink,
    handed: UnboundedReceiver<Handed>,
    over: UnboundedSender<Over>,
    overs: UnboundedReceiver<Over>,
    tell: UnboundedSender<WorkerNews>,
    stories: HashMap<RunKey, AtWork>,
    /// Runs that a person has resumed and that it has not taken yet.
    asked: HashSet<RunKey>,
    /// The runs of these stories, for other threads.
    at_work: AtThisMoment,
    /// When it looks into the queue again.
    next_look: Moment,
    /// The number of commits that were announced before the last look; none if the next look must not be left out.
    heard: Option<u64>,
    /// When the next step is due, at the last look.
    due: Option<i64>,
    /// Whether the last look into the queue failed.
    troubled: bool,
    looked_around: Option<Moment>,
    renewed: Moment,
    /// Leases of other workers that have run out although their stories are held: the end of each, and how often it was seen so.
    overdue: HashMap<(RunKey, String), (i64, u64)>,
    /// For each lease of another worker whose story no program holds: how many looks in a row found it so.
    seen_free: HashMap<(RunKey, String), u64>,
    /// Whether it was looked for runs that have no message.
    mended: bool,
    /// Nothing new is begun.
    ending: bool,
}

impl Dispatcher {
    pub(super) fn new(
        desk: Arc<Desk>,
        pools: Arc<Pools>,
        tell: UnboundedSender<WorkerNews>,
        at_work: AtThisMoment,
    ) -> Self {
        let (others, handed) = unbounded_channel();
        let (over, overs) = unbounded_channel();
        Self {
            desk,
            worker_link: WorkerLink { pools, others },
            handed,
            over,
            overs,
            tell,
            stories: HashMap::new(),
            asked: HashSet::new(),
            at_work,
            next_look: Moment::now(),
            heard: None,
            due: None,
            troubled: false,
            looked_around: None,
            renewed: Moment::now(),
            overdue: HashMap::new(),
            seen_free: HashMap::new(),
            mended: false,
            ending: false,
        }
    }

    pub(super) async fn work(mut self, mut orders: UnboundedReceiver<WorkerOrder>) {
        loop {
            // In this order, so that a simulation can be played again.
            tokio::select! {
                biased;
                order = orders.recv() => match order {
                    Some(WorkerOrder::End(ending, held, reply)) => {
                        let replies = self.end(ending, held, &mut orders).await;
                        for reply in replies.into_iter().chain([reply]) {
                            let _ = reply.send(());
                        }
                        return;
                    }
                    Some(order) => self.obey(order).await,
                    None => return,
                },
                Some(handed) = self.handed.recv() => self.deliver(handed),
                Some(over) = self.overs.recv() => self.finish(over).await,
                () = sleep_until(self.next_look) => self.take_ready_steps().await,
            }
        }
    }

    async fn obey(&mut self, order: WorkerOrder) {
        match order {
            WorkerOrder::Begin(assignment, reply) => {
                let begun = self.desk.begin(*assignment, Some(self.worker_link.clone())).await;
                let _ = reply.send(begun.map(|begun| self.begin(begun)));
            }
            WorkerOrder::Resume(run, reply) => {
                let now = self.desk.milliseconds_after(Duration::ZERO);
                let result = if self.stories.contains_key(&run) {
                    Ok(())
                } else {
                    self.asked.insert(run);
                    self.desk.queue.resume(run, &self.desk.pins, now).await.map_err(DeskError::from)
                };
                // The worker that had it may have ended.
                self.looked_around = None;
                self.look_soon();
                let _ = reply.send(result);
            }
            WorkerOrder::Stop(run, reply) => {
                let _ = reply.send(self.stop(run).await);
            }
            WorkerOrder::End(..) => {}
        }
    }

    /// A run that was just opened: its driver goes to work if something of it was taken.
    fn begin(&mut self, begun: Begun) -> (StoryKey, RunKey) {
        let Begun { story, key, mut driver, lock } = begun;
        if driver.hand.has_nothing_taken() {
            // It waits in the queue, if it does not wait for its editor.
            return (story, key);
        }
        let desk = Arc::clone(&self.desk);
        self.spawn(key, Vec::new(), |mut inbox| async move {
            let result = async {
                driver.work(&mut inbox).await?;
                desk.stop(&mut driver, key).await.map(Some)
            };
            let result = result.await;
            drop(driver);
            drop(lock);
            (result, inbox)
        });
        (story, key)
    }

    /// Brings a step to its story's driver, or starts one.
    fn deliver(&mut self, handed: Handed) {
        let run = handed.0.run;
        if let Some(story) = self.stories.get_mut(&run) {
            if let Err(refused) = story.inbox.send(handed) {
                // It is just ending.
                story.next.push(refused.0);
            }
            return;
        }
        let (desk, worker_link) = (Arc::clone(&self.desk), self.worker_link.clone());
        let by = if self.asked.remove(&run) { ResumedBy::Person } else { ResumedBy::Queue };
        self.spawn(run, vec![handed], move |mut inbox| async move {
            let result = desk.resume(run, by, worker_link, &mut inbox).await;
            (result, inbox)
        });
    }

    fn spawn<W>(&mut self, run: RunKey, handed: Vec<Handed>, work: impl FnOnce(UnboundedReceiver<Handed>) -> W)
    where
        W: Future<Output = (Result<Option<Reached>, DeskError>, UnboundedReceiver<Handed>)> + Send + 'static,
    {
        let (inbox, receiver) = unbounded_channel();
        for handed in handed {
            // The other end is here.
            let _ = inbox.send(handed);
        }
        let (work, over) = (work(receiver), self.over.clone());
        let task = tokio::spawn(async move {
            let ended = AssertUnwindSafe(work).catch_unwind().await;
            let (result, left) = match ended {
                Ok((result, mut inbox)) => {
                    inbox.close();
                    (result, std::iter::from_fn(|| inbox.try_recv().ok()).collect())
                }
                Err(_) => (Err(DeskError::BrokeOff { run: run.0 }), Vec::new()),
            };
            let _ = over.send(Over { run, result, left });
        });
        self.at_work.lock().unwrap_or_else(PoisonError::into_inner).insert(run);
        let _ = self.tell.send(WorkerNews::Began(run));
        self.stories.insert(run, AtWork { inbox, task, next: Vec::new() });
    }

    /// A story's task is over.
    async fn finish(&mut self, over: Over) {
        let Over { run, result, mut left } = over;
        if let Some(story) = self.stories.remove(&run) {
            left.extend(story.next);
        }
        self.at_work.lock().unwrap_or_else(PoisonError::into_inner).remove(&run);
        let now = self.desk.milliseconds_after(Duration::ZERO);
        let goes_on = matches!(result, Ok(Some(Reached::Later(_)))) && !self.ending;
        if !goes_on {
            // Steps that it had and did not do go back; a story that another program holds is left to that program for
            // a while.
            drop(std::mem::take(&mut left));
            let later = result.is_err().then(|| self.desk.milliseconds_after(LEFT_ALONE));
            let (queue, worker) = (&self.desk.queue, &self.worker_link.pools.worker);
            let back = match &result {
                // Nothing of it is to be done.
                Ok(Some(Reached::Gate(_)) | None) => queue.take_out(worker, run).await,
                _ => queue.put_back(worker, run, later, now).await,
            };
            // If putting back fails, `look_after` does it later.
            if let Err(error) = back {
                self.trouble(error.into());
            }
        }
        // An error of the desk itself would come again and again: a person has to look at it.
        if let Err(error) = &result
            && !error.is_elsewhere()
            && let Err(error) = self.desk.queue.hold(run, now).await
        {
            self.trouble(error.into());
        }
        let _ = self.tell.send(WorkerNews::Came { run, result });
        for handed in left {
            self.deliver(handed);
        }
        self.look_soon();
    }

    /// Takes the steps that there are slots for.
    async fn take_ready_steps(&mut self) {
        self.next_look = Moment::now() + LOOK;
        let now = self.desk.milliseconds_after(Duration::ZERO);
        if !self.mended {
            // If it cannot be written, taking says so.
            self.mended = self.desk.queue.mend(&self.desk.pins, now).await.is_ok();
        }
        let looks_around = self.looked_around.is_none_or(|at| at.elapsed() >= LOOK_AROUND);
        let heard = self.desk.locks.commits();
        let before = std::mem::replace(&mut self.heard, heard);
        // Without a place for a story it could take nothing: of fifty workers at one server, most would look so.
        let full = !self.worker_link.pools.has_room() && self.due.is_none_or(|due| due > now);
        if !looks_around && heard.is_some() && (before == heard || full) {
            return;
        }
        if looks_around {
            self.looked_around = Some(Moment::now());
            if let Err(error) = self.look_after().await {
                return self.trouble(error.into());
            }
        }
        let request = SlotRequest::new(&self.worker_link.pools, Vec::new());
        let outlook = match self.desk.queue.outlook(request.worker(), request.pins(), request.only()).await {
            Ok(outlook) => outlook,
            Err(error) => return self.trouble(error.into()),
        };
        self.due = outlook.due;
        let due = outlook.due.is_some_and(|due| due <= now);
        if !self.worker_link.pools.has_room() {
            // Its slots are filled by the commits of the stories at work: they are to find those whose time has come.
            if due && let Err(error) = self.desk.queue.wake(now).await {
                self.trouble(error.into());
            }
            return;
        }
        if outlook.waiting || due {
            let slots = Arc::clone(&request) as Arc<dyn Slots>;
            let taken = match self.desk.queue.take(slots, now).await {
                Ok(taken) => taken,
                Err(error) => return self.trouble(error.into()),
            };
            let mut kept: HashMap<_, _> = request.into_kept().into_iter().collect();
            for taken in taken {
                if let Some(place) = kept.remove(&(taken.run, taken.step)) {
                    self.deliver((taken, place));
                }
            }
        }
        if looks_around {
            self.troubled = false;
        }
        if outlook.waiting || outlook.due.is_some() {
            // No commit announces that a step or a server is due, so the queue is looked at again.
            self.heard = None;
        }
        if let Some(due) = outlook.due {
            let wait = Duration::from_millis(u64::try_from(due.saturating_sub(now)).unwrap_or(0));
            self.next_look = self.next_look.min(Moment::now() + wait.max(SOONEST));
        }
    }

    fn look_soon(&mut self) {
        self.next_look = Moment::now();
        self.heard = None;
    }

    fn trouble(&mut self, error: DeskError) {
        if !self.troubled {
            self.troubled = true;
            let _ = self.tell.send(WorkerNews::Trouble(error));
        }
    }

    /// Renews the leases of this worker, and puts back its runs that no driver works on. Then it looks whether the other
    /// workers are there: a story's lock is free as soon as its program has ended, in any way.
    ///
    /// # Errors
    /// [`StoreError`] if the leases cannot be read, or stories cannot be put back, as on a full disk: no worker takes those.
    async fn look_after(&mut self) -> Result<(), StoreError> {
        let worker = self.worker_link.pools.worker.clone();
        if !self.stories.is_empty() && self.renewed.elapsed() >= self.desk.queue_rules.lease / 3 {
            self.renewed = Moment::now();
            let until = self.desk.milliseconds_after(self.desk.queue_rules.lease);
            // If it cannot be said, the lease runs out and another worker finds the story held.
            let _ = self.desk.queue.renew(&worker, until).await;
        }
        let leases = self.desk.queue.leases().await?;
        let now = self.desk.milliseconds_after(Duration::ZERO);
        let (own, elsewhere): (Vec<_>, Vec<_>) = leases.into_iter().partition(|lease| lease.worker == worker);
        // A step of a run that was just taken may be on its way here from the commit that took it.
        let before = now.saturating_sub(ON_ITS_WAY);
        for lost in own.iter().filter(|own| !self.stories.contains_key(&own.run) && own.since < before) {
            self.desk.queue.put_back(&worker, lost.run, None, now).await?;
        }
        if elsewhere.is_empty() {
            return Ok(());
        }
        // A worker that has just taken a story gets its lock in a moment.
        let old = |lease: &Leased| lease.since < before || lease.since > now;
        let elsewhere: Vec<Leased> = elsewhere.into_iter().filter(old).collect();
        let looked = self.desk.locks.held(elsewhere.iter().map(|lease| lease.story.clone()).collect()).await;
        let mut held = Vec::new();
        let seen_free = std::mem::take(&mut self.seen_free);
        for (lease, is_held) in elsewhere.into_iter().zip(looked) {
            if is_held.unwrap_or(true) {
                held.push(lease);
                continue;
            }
            let key = (lease.run, lease.worker.clone());
            let seen = seen_free.get(&key).map_or(1, |seen| seen + 1);
            if seen < self.desk.locks.looks() {
                self.seen_free.insert(key, seen);
            } else {
                self.desk.queue.release(&lease.worker, lease.run, now).await?;
            }
        }
        self.pass_on(held, now).await;
        Ok(())
    }

    /// Takes stories from workers that hang: their leases have run out, and stay so for half a lease. A worker that
    /// only slept, as its machine did, renews its leases in that time. Looks are counted and not time, since this
    /// worker may have slept too. The stories go back to the queue at a later look, when their lock is free.
    async fn pass_on(&mut self, held: Vec<Leased>, now: i64) {
        let length = self.desk.queue_rules.lease;
        let overdue: Vec<Leased> = held.into_iter().filter(|lease| lease.has_run_out(now, length)).collect();
        let before = std::mem::take(&mut self.overdue);
        if overdue.is_empty() {
            return;
        }
        // No worker can renew a lease in a database that another program has locked: then all of it begins anew.
        let began = Moment::now();
        if self.desk.queue.wake(now).await.is_err() || began.elapsed() >= LOOK_AROUND {
            return;
        }
        for lease in overdue {
            let key = (lease.run, lease.worker);
            let seen = before.get(&key).filter(|(until, _)| *until == lease.until).map_or(1, |(_, seen)| seen + 1);
            if seen <= length.as_secs().div_ceil(2) {
                self.overdue.insert(key, (lease.until, seen));
            } else if let Err(error) = self.desk.locks.pass_on(&*self.desk.queue, &lease.story).await {
                self.trouble(error);
            }
        }
    }

    /// Delivers what is on its way here, but for one run: that is put back with all that this worker has of it.
    fn deliver_all_but(&mut self, run: RunKey) {
        while let Ok(handed) = self.handed.try_recv() {
            if handed.0.run != run {
                self.deliver(handed);
            }
        }
    }

    async fn stop(&mut self, run: RunKey) -> bool {
        self.asked.remove(&run);
        let had = self.stories.remove(&run);
        self.at_work.lock().unwrap_or_else(PoisonError::into_inner).remove(&run);
        let was_ours = had.is_some();
        if let Some(story) = had {
            story.task.abort();
            // How it ended is no news.
            let _ = story.task.await;
        }
        self.deliver_all_but(run);
        let now = self.desk.milliseconds_after(Duration::ZERO);
        let _ = self.desk.queue.put_back(&self.worker_link.pools.worker, run, None, now).await;
        let _ = self.desk.queue.hold(run, now).await;
        self.look_soon();
        was_ours
    }

    /// Ends the shift. It also answers callers that meanwhile order an end at once.
    async fn end(
        &mut self,
        ending: Ending,
        mut held: Vec<RunKey>,
        orders: &mut UnboundedReceiver<WorkerOrder>,
    ) -> Vec<oneshot::Sender<()>> {
        let mut replies = Vec::new();
        self.ending = true;
        self.worker_link.pools.close();
        while ending == Ending::AfterTheStep && !self.stories.is_empty() {
            tokio::select! {
                biased;
                Some(over) = self.overs.recv() => self.finish(over).await,
                Some(order) = orders.recv() => if let WorkerOrder::End(again, more, reply) = order {
                    held.extend(more);
                    replies.push(reply);
                    if again == Ending::Now {
                        break;
                    }
                },
                else => break,
            }
        }
        let now = self.desk.milliseconds_after(Duration::ZERO);
        for (_, story) in self.stories.drain() {
            story.task.abort();
            let _ = story.task.await;
        }
        // Also the steps that were taken and reached no driver.
        let _ = self.desk.queue.put_all_back(&self.worker_link.pools.worker, now).await;
        for run in held {
            let _ = self.desk.queue.hold(run, now).await;
        }
        replies
    }
}

/// The news of a worker.
#[derive(Debug)]
pub enum WorkerNews {
    /// It works on a run from now on.
    Began(RunKey),
    /// It works on it no more.
    Came {
        /// The run, as it was taken: in the place of one that was opened under other settings there is another by now.
        run: RunKey,
        /// How far it came. None if another program has taken or ended it.
        result: Result<Option<Reached>, DeskError>,
    },
    /// It cannot take anything from the queue for now; it goes on trying, and tells of the same trouble once.
    Trouble(DeskError),
}

/// How a shift ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Steps that are being done are finished.
    AfterTheStep,
    /// Calls on their way are given up.
    Now,
}

pub(super) enum WorkerOrder {
    Begin(Box<Assignment>, oneshot::Sender<Result<(StoryKey, RunKey), DeskError>>),
    Resume(RunKey, oneshot::Sender<Result<(), DeskError>>),
    Stop(RunKey, oneshot::Sender<bool>),
    End(Ending, Vec<RunKey>, oneshot::Sender<()>),
}

/// The runs that a worker works on at this moment.
pub(super) type AtThisMoment = Arc<Mutex<HashSet<RunKey>>>;
