//! A worker's slots: how many steps of each kind it may do at once, and of how many stories. A slot is kept within the transaction
//! that takes the step, and is free again when it is dropped.

use std::{
    collections::HashMap,
    hash::BuildHasher as _,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::time::Instant as Moment;

use crate::ports::{Admission, Breaker, Budget, RunKey, ServerLimits, Slots};
use copydesk_newsroom::{Pool, Step};

/// Once in so many steps that a worker takes, the step that has waited longest comes first. So a low story is never
/// starved, and a high one waits for at most one step of a low one at each slot.
const AGED_EVERY: u64 = 4;

/// A story keeps its place while a step of it waits no longer than this for its next try. Otherwise the worker would begin the next story
/// meanwhile, and a server with one slot would forget the prompt that both tries share.
const BRIEF_PAUSE: Duration = Duration::from_secs(15);

/// How long after its pause a story's place is still kept for it.
const GRACE: Duration = Duration::from_secs(1);

/// How a worker takes from the queue (`desk.queue`, `desk.pools`, `desk.servers`).
#[derive(Debug, Clone, PartialEq)]
pub struct QueueRules {
    /// Most steps of each kind at once.
    pub pools: HashMap<Pool, usize>,
    /// How often a step that failed for now is put in again.
    pub max_redeliveries: u32,
    /// How long the first of these waits; each further one twice as long.
    pub backoff: Duration,
    /// At most so long.
    pub longest_backoff: Duration,
    /// After so long a waiting step is taken now and then before more urgent ones.
    pub ageing: Duration,
    /// How long a step is a worker's unless it says that it is still at it.
    pub lease: Duration,
    /// How long a program without a screen waits for a server that is down.
    pub give_up_after: Duration,
    /// The longest Retry-After that is waited for; beyond it the step is given up.
    pub longest_wait: Duration,
    /// When a server that fails is left alone.
    pub breaker: Breaker,
    /// The budgets of a story and of a batch.
    pub budget: Budget,
    /// By the name of the agent that asks.
    pub servers: HashMap<String, ServerLimits>,
}

/// The slots of one worker.
pub(super) struct Pools {
    /// No other worker has this name.
    pub(super) worker: String,
    pub(super) rules: Arc<QueueRules>,
    pins: String,
    /// The one story that it works on, folded.
    only: Option<String>,
    stories: usize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    used: HashMap<Pool, usize>,
    /// Places of each run that is worked on.
    runs: HashMap<RunKey, usize>,
    /// Until when a place is kept for runs that pause briefly.
    pauses: HashMap<RunKey, Moment>,
    taken: u64,
    /// No more steps are taken.
    closed: bool,
}

impl Pools {
    pub(super) fn new(
        worker: String,
        rules: Arc<QueueRules>,
        pins: String,
        stories: usize,
        only: Option<String>,
    ) -> Self {
        Self { worker, rules, pins, only, stories, state: Mutex::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // The counts are whole after each change, even if a thread broke off.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether another story could be worked on.
    pub(super) fn has_room(&self) -> bool {
        let state = self.state();
        !state.closed && state.runs.len() < self.stories
    }

    /// Keeps the place of a run whose step waits for its next try, if that is soon.
    pub(super) fn pause(&self, run: RunKey, wait: Duration) {
        if wait <= BRIEF_PAUSE {
            self.state().pauses.insert(run, Moment::now() + wait + GRACE);
        }
    }

    /// Takes nothing more.
    pub(super) fn close(&self) {
        self.state().closed = true;
    }

    fn keep(self: &Arc<Self>, run: RunKey, pool: Pool) -> Result<Slot, Admission> {
        let mut state = self.state();
        let known = state.runs.contains_key(&run);
        if state.closed || !known && state.runs.len() >= self.stories {
            return Err(Admission::StoriesFull);
        }
        let now = Moment::now();
        state.pauses.retain(|_, until| *until > now);
        let kept = state.pauses.keys().filter(|paused| **paused != run && !state.runs.contains_key(paused)).count();
        // Not the same as full: the run that pauses may stand behind this one in the queue.
        if !known && state.runs.len() + kept >= self.stories {
            return Err(Admission::PoolFull);
        }
        let used = state.used.entry(pool).or_default();
        if *used >= self.rules.pools.get(&pool).copied().unwrap_or(1) {
            return Err(Admission::PoolFull);
        }
        *used += 1;
        state.pauses.remove(&run);
        state.taken = state.taken.wrapping_add(1);
        *state.runs.entry(run).or_default() += 1;
        Ok(Slot { pools: Arc::clone(self), run, pool })
    }
}

/// A slot in a pool, kept for a step of a run as long as it lives.
pub(super) struct Slot {
    pools: Arc<Pools>,
    run: RunKey,
    pool: Pool,
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut state = self.pools.state();
        if let Some(used) = state.used.get_mut(&self.pool) {
            *used = used.saturating_sub(1);
        }
        if let Some(places) = state.runs.get_mut(&self.run) {
            *places = places.saturating_sub(1);
            if *places == 0 {
                state.runs.remove(&self.run);
            }
        }
    }
}

/// A slot with the run and the step that it is for.
pub(super) type KeptSlot = ((RunKey, Option<Step>), Slot);

/// The slots that one transaction gives back and keeps. If the transaction fails, this is dropped with the kept slots.
pub(super) struct SlotRequest {
    pools: Arc<Pools>,
    over: Mutex<Vec<Slot>>,
    kept: Mutex<Vec<KeptSlot>>,
}

impl SlotRequest {
    /// `over` are the slots of steps that are over.
    pub(super) fn new(pools: &Arc<Pools>, over: Vec<Slot>) -> Arc<Self> {
        Arc::new(Self { pools: Arc::clone(pools), over: Mutex::new(over), kept: Mutex::default() })
    }

    /// The slots that the transaction has kept, once it is committed.
    pub(super) fn into_kept(self: Arc<Self>) -> Vec<KeptSlot> {
        std::mem::take(&mut *self.kept.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Slots for SlotRequest {
    fn worker(&self) -> &str {
        &self.pools.worker
    }

    fn lease(&self) -> Duration {
        self.pools.rules.lease
    }

    fn pins(&self) -> &str {
        &self.pools.pins
    }

    fn only(&self) -> Option<&str> {
        self.pools.only.as_deref()
    }

    fn give_back(&self) {
        let over = std::mem::take(&mut *self.over.lock().unwrap_or_else(PoisonError::into_inner));
        // An earlier try of the transaction kept some, and was lost with its connection.
        let lost = std::mem::take(&mut *self.kept.lock().unwrap_or_else(PoisonError::into_inner));
        drop((over, lost));
    }

    fn admit(&self, run: RunKey, step: Option<Step>, pool: Pool) -> Admission {
        match self.pools.keep(run, pool) {
            Ok(place) => {
                self.kept.lock().unwrap_or_else(PoisonError::into_inner).push(((run, step), place));
                Admission::Admitted
            }
            Err(full) => full,
        }
    }

    fn limits(&self, asks: &str) -> Option<ServerLimits> {
        self.pools.rules.servers.get(asks).cloned()
    }

    fn ageing(&self) -> Option<Duration> {
        let turn = self.pools.state().taken.wrapping_add(1);
        turn.is_multiple_of(AGED_EVERY).then_some(self.pools.rules.ageing)
    }

    fn breaker(&self) -> Breaker {
        self.pools.rules.breaker
    }

    fn budget(&self) -> &Budget {
        &self.pools.rules.budget
    }
}

impl QueueRules {
    /// How long a step waits before it is put in again for the `redelivery`th time (1 for the first). The back-off
    /// doubles each time. Up to half of it is taken away or added, so that stories which failed together do not come
    /// back together. The same step of the same run waits the same.
    pub fn back_off(&self, run_id: &str, step: Step, redelivery: u32) -> Duration {
        let doubled = self.backoff.saturating_mul(1_u32.checked_shl(redelivery.saturating_sub(1).min(20)).unwrap_or(1));
        let spread = foldhash::fast::FixedState::default().hash_one((run_id, step, redelivery));
        let percent = 50 + u32::try_from(spread % 100).unwrap_or(50);
        doubled.min(self.longest_backoff).saturating_mul(percent) / 100
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn rules() -> QueueRules {
        QueueRules {
            pools: Pool::ALL.into_iter().map(|pool| (pool, 2)).collect(),
            max_redeliveries: 3,
            backoff: Duration::from_secs(2),
            longest_backoff: Duration::from_mins(5),
            ageing: Duration::from_mins(10),
            lease: Duration::from_mins(1),
            give_up_after: Duration::from_mins(10),
            longest_wait: Duration::from_hours(1),
            breaker: Breaker { failures: 3, rest: Duration::from_secs(5), longest: Duration::from_mins(1) },
            budget: Budget::default(),
            servers: HashMap::new(),
        }
    }

    fn pools(stories: usize) -> Arc<Pools> {
        Arc::new(Pools::new("worker".into(), Arc::new(rules()), "pins".into(), stories, None))
    }

    #[test]
    fn places_are_kept_up_to_the_maximum_and_free_again_when_dropped() {
        let pools = pools(2);
        let request = SlotRequest::new(&pools, vec![]);
        assert_eq!(request.admit(RunKey(1), None, Pool::Writer), Admission::Admitted);
        assert_eq!(request.admit(RunKey(1), None, Pool::Writer), Admission::Admitted);
        assert_eq!(request.admit(RunKey(1), None, Pool::Writer), Admission::PoolFull);
        assert_eq!(request.admit(RunKey(2), None, Pool::Review), Admission::Admitted);
        assert_eq!(request.admit(RunKey(3), None, Pool::Editor), Admission::StoriesFull);
        assert_eq!(request.admit(RunKey(2), None, Pool::Editor), Admission::Admitted, "a story in hand goes on");
        assert!(!pools.has_room());
        let mut kept = request.into_kept();
        assert_eq!(kept.len(), 4);
        // Places that are over are given back within the next transaction, not before.
        let over = kept.drain(..2).map(|(_, place)| place).collect();
        let next = SlotRequest::new(&pools, over);
        assert_eq!(next.admit(RunKey(3), None, Pool::Writer), Admission::StoriesFull);
        next.give_back();
        assert_eq!(next.admit(RunKey(3), None, Pool::Writer), Admission::Admitted);
        // A transaction that is tried again begins anew.
        next.give_back();
        assert_eq!(next.admit(RunKey(3), None, Pool::Writer), Admission::Admitted);
        // A transaction that fails keeps nothing.
        drop(next);
        assert!(pools.has_room());
        pools.close();
        assert!(!pools.has_room());
        assert_eq!(SlotRequest::new(&pools, vec![]).admit(RunKey(2), None, Pool::Writer), Admission::StoriesFull);
    }

    #[tokio::test(start_paused = true)]
    async fn a_story_that_pauses_briefly_keeps_its_place() {
        let pools = pools(1);
        let next = |run| {
            let request = SlotRequest::new(&pools, vec![]);
            (request.admit(RunKey(run), None, Pool::Writer), request)
        };
        pools.pause(RunKey(1), Duration::from_secs(2));
        assert_eq!(next(2).0, Admission::PoolFull, "the place is kept for the first story");
        assert!(pools.has_room(), "so the queue is looked at when its time has come");
        assert_eq!(next(1).0, Admission::Admitted);
        assert_eq!(next(2).0, Admission::Admitted, "it was taken, and has ended");
        pools.pause(RunKey(1), Duration::from_secs(2));
        tokio::time::advance(Duration::from_secs(4)).await;
        assert_eq!(next(2).0, Admission::Admitted, "it did not come back");
        pools.pause(RunKey(1), Duration::from_mins(1));
        assert_eq!(next(2).0, Admission::Admitted, "a long pause keeps nothing");
    }

    #[test]
    fn now_and_then_it_is_the_turn_of_what_has_waited_longest() {
        let request = SlotRequest::new(&pools(1), vec![]);
        let mut turns = Vec::new();
        for _ in 0..8 {
            // However often it is asked: a turn is over with the step that is taken.
            assert_eq!(request.ageing(), request.ageing());
            turns.push(request.ageing().is_some());
            assert_eq!(request.admit(RunKey(1), None, Pool::Writer), Admission::Admitted);
            drop(Arc::clone(&request).into_kept());
        }
        assert_eq!(turns, [false, false, false, true, false, false, false, true]);
    }

    #[test]
    fn the_back_off_doubles_and_is_spread() {
        let rules = rules();
        let wait = |run: &str, redelivery| rules.back_off(run, Step::Draft, redelivery).as_secs_f64();
        for redelivery in 1..=12 {
            let full = (2.0 * f64::from(1 << (redelivery - 1))).min(300.0);
            let waited = wait("R1", redelivery);
            assert!((full * 0.5..full * 1.5).contains(&waited), "{redelivery}: {waited}");
            assert_eq!(waited.to_bits(), wait("R1", redelivery).to_bits(), "the same each time");
        }
        let spread: std::collections::HashSet<u64> = (0..20).map(|n| wait(&format!("R{n}"), 1).to_bits()).collect();
        assert!(spread.len() > 10, "{spread:?}");
    }
}
