//! The steps of a run that wait in the queue, that its worker has taken, and that are on their way.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::Arc,
};

use tokio::sync::mpsc;

use super::{
    calls::{PosedQuestion, Spent},
    pools::{Pools, Slot, SlotRequest},
};
use crate::ports::{Committed, OverBudget, QueueChanges, QueuedStep, RunKey, Start, Taken};
use copydesk_newsroom::{Event, Pool, Step};

/// A step that a worker has taken, with its slot.
pub(super) type Handed = (Taken, Slot);

/// The connection of a run to its worker.
#[derive(Clone)]
pub(super) struct WorkerLink {
    pub(super) pools: Arc<Pools>,
    /// Takes steps of other runs that a commit has handed out.
    pub(super) others: mpsc::UnboundedSender<Handed>,
}

/// Attempts and redeliveries of a step, as its message had them.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Delivery {
    /// Attempts of this delivery that were no use.
    pub(super) attempts: u32,
    /// How often the step was put in again.
    pub(super) redeliveries: u32,
}

/// A call of a step: its question goes with it from the plan to the answer.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Call {
    pub(super) question: PosedQuestion,
    /// The number of its attempt.
    pub(super) attempt: u32,
    /// Whether it was in flight at an interruption, under that number.
    pub(super) repeats: bool,
    /// The tokens and the time of all attempts so far.
    pub(super) spent: Spent,
}

/// A step that waits to be taken.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Want {
    /// None if no model is asked.
    pub(super) call: Option<Call>,
    /// Milliseconds since 1970.
    pub(super) not_before: Option<i64>,
    /// Since when it is in the queue; none until the commit that puts it there. Milliseconds since 1970.
    pub(super) queued_at: Option<i64>,
    pub(super) delivery: Delivery,
    /// Why it was put in again.
    pub(super) error: Option<String>,
    /// Whether the queue does not have it so yet.
    pub(super) is_new: bool,
}

/// A step that begins.
pub(super) struct StepBegins {
    pub(super) step: Step,
    /// None if no model is asked.
    pub(super) call: Option<Call>,
    /// Since when it could have begun, in milliseconds since 1970.
    pub(super) ready: i64,
}

/// How a run stands when its messages are written.
#[derive(Debug, Clone, Copy)]
pub(super) struct AtCommit {
    pub(super) published: bool,
    pub(super) at_gate: bool,
    pub(super) paused: bool,
    /// Milliseconds since 1970.
    pub(super) now: i64,
}

impl AtCommit {
    /// Returns the message of a run that is left to any worker: none if it waits for its editor.
    pub(super) fn left_to_others(self) -> Option<QueuedStep> {
        let pool = if self.published { Pool::Publisher } else { Pool::Editor };
        (self.published || !self.at_gate).then(|| QueuedStep::new(None, pool))
    }
}

/// The steps of one run.
#[derive(Default)]
pub(super) struct InHand {
    /// The worker that it works for; none if it only opens the run.
    worker_link: Option<WorkerLink>,
    /// Steps that wait to be taken.
    wants: BTreeMap<Step, Want>,
    /// Steps that were taken and are not begun yet, and the files of a run that has ended.
    mine: BTreeMap<Option<Step>, Slot>,
    /// The times since which the last steps from the worker could be taken, until the next commit.
    ready: HashMap<Option<Step>, i64>,
    flying: HashMap<Step, Slot>,
    /// Slots of steps that are over: given back with the next commit.
    over: Vec<Slot>,
    /// Steps that have a message.
    queued: HashSet<Option<Step>>,
    deliveries: HashMap<Step, Delivery>,
    /// The tools that act, by the steps that call them.
    acts: HashMap<Step, String>,
    /// When the story came into the queue.
    arrived: Option<i64>,
    /// Steps whose call could pass the budget.
    over_budget: Vec<(Step, OverBudget)>,
}

impl InHand {
    pub(super) fn new(worker_link: Option<WorkerLink>) -> Self {
        Self { worker_link, ..Self::default() }
    }

    /// Says that the story comes into the queue at that time.
    pub(super) fn arrives(&mut self, at: i64) {
        self.arrived = Some(at);
    }

    /// Takes in the step that its worker has taken for it. A step that is on its way already is neither begun again nor
    /// taken out.
    pub(super) fn receive(&mut self, (taken, slot): Handed) {
        if taken.step.is_some_and(|step| self.flying.contains_key(&step)) {
            return;
        }
        self.arrived = Some(taken.arrived);
        self.ready.insert(taken.step, taken.ready);
        self.queued.insert(taken.step);
        if let Some(step) = taken.step {
            let delivery = Delivery { attempts: taken.attempts, redeliveries: taken.redeliveries };
            self.deliveries.insert(step, delivery);
        }
        self.mine.insert(taken.step, slot);
    }

    /// Whether a step waits to be taken or is on its way.
    pub(super) fn has(&self, step: Step) -> bool {
        self.wants.contains_key(&step) || self.flying.contains_key(&step)
    }

    /// Whether the worker has the files of the run, which has ended.
    pub(super) fn has_files(&self) -> bool {
        self.mine.contains_key(&None)
    }

    pub(super) fn has_nothing_taken(&self) -> bool {
        self.mine.is_empty() && self.flying.is_empty()
    }

    pub(super) fn delivery(&self, step: Step) -> Delivery {
        self.deliveries.get(&step).copied().unwrap_or_default()
    }

    /// Puts a step in as it was delivered.
    pub(super) fn want(&mut self, step: Step, call: Option<Call>) {
        let delivery = self.delivery(step);
        self.wants.insert(step, Want { call, delivery, ..Want::default() });
    }

    /// Says that a step calls a tool that acts: it is written down before the call.
    pub(super) fn acts(&mut self, step: Step, tool: String) {
        self.acts.insert(step, tool);
    }

    /// Puts a step in again.
    pub(super) fn want_again(&mut self, step: Step, want: Want) {
        self.deliveries.insert(step, want.delivery);
        self.wants.insert(step, Want { is_new: true, ..want });
    }

    /// Keeps the story's place at its worker if the next try is soon.
    pub(super) fn pause(&self, run: Option<RunKey>, wait: std::time::Duration) {
        if let (Some(worker_link), Some(run)) = (&self.worker_link, run) {
            worker_link.pools.pause(run, wait);
        }
    }

    /// A step is on its way no more; its slot is free with the next commit.
    pub(super) fn lands(&mut self, step: Step) {
        self.over.extend(self.flying.remove(&step));
    }

    /// A step is done. Returns whether it has a message, which is over then.
    pub(super) fn is_done(&mut self, step: Step) -> bool {
        self.queued.remove(&Some(step))
    }

    /// Gives up everything that is readied or on its way.
    pub(super) fn abandon(&mut self) {
        self.flying.clear();
        self.wants.clear();
        self.over_budget.clear();
    }

    /// The next step that the budget does not allow, with its call.
    pub(super) fn stopped_by_budget(&mut self) -> Option<(Step, OverBudget, Option<Call>)> {
        let (step, over) = self.over_budget.pop()?;
        Some((step, over, self.wants.remove(&step).and_then(|want| want.call)))
    }

    /// Notes the changes to the run's messages in `queue`. `with_call` adds the data that a step's call needs.
    pub(super) fn deal(
        &mut self,
        at: AtCommit,
        queue: &mut QueueChanges,
        with_call: impl Fn(Step, &Call, QueuedStep) -> QueuedStep,
    ) {
        if queue.clear {
            self.queued.clear();
        }
        // Steps that were taken and need not be done, or no longer.
        let files = at.published && !queue.clear;
        let wants = &self.wants;
        let unneeded = self.mine.extract_if(.., |step, _| match step {
            Some(step) => !wants.contains_key(step),
            None => !files,
        });
        for (step, slot) in unneeded {
            self.queued.remove(&step);
            queue.done.push(step);
            self.over.push(slot);
        }
        // A run that is only opened is left to the worker that takes it, and a paused run to the person who unpauses it.
        let leaves = self.worker_link.is_none() || at.paused && self.wants.is_empty() && self.flying.is_empty();
        if (at.published && !self.queued.contains(&None) || leaves && !at.published)
            && let Some(put) = at.left_to_others()
        {
            queue.put.push(put);
            self.queued.insert(None);
        }
        // A message for the whole run stands for the steps that are ready.
        let ready = std::mem::take(&mut self.ready);
        let ready_at = |step| ready.get(&Some(step)).or_else(|| ready.get(&None)).copied().unwrap_or(at.now);
        for (step, want) in &mut self.wants {
            want.queued_at.get_or_insert_with(|| ready_at(*step));
            let taken = self.mine.contains_key(&Some(*step));
            // One whose time has not come stands in the queue as it is, unless it was taken all the same.
            let due = want.not_before.is_none_or(|then| then <= at.now) || taken;
            if self.queued.insert(Some(*step)) || want.is_new || due {
                let put = QueuedStep {
                    not_before: want.not_before,
                    attempts: want.delivery.attempts,
                    redeliveries: want.delivery.redeliveries,
                    error: want.error.clone(),
                    taken,
                    start: self
                        .acts
                        .get(step)
                        .map(|tool| Start::Act(Event::ToolActs { step: *step, tool: tool.clone() })),
                    ..QueuedStep::new(Some(*step), Pool::of(*step))
                };
                queue.put.push(match &want.call {
                    Some(call) => with_call(*step, call, put),
                    None => put,
                });
            }
            want.is_new = false;
        }
        queue.arrived = self.arrived;
    }

    /// Returns the slots that the next commit gives back and takes; none without a worker.
    pub(super) fn request(&mut self) -> Option<Arc<SlotRequest>> {
        let over = std::mem::take(&mut self.over);
        self.worker_link.as_ref().map(|worker_link| SlotRequest::new(&worker_link.pools, over))
    }

    /// Takes in the result of a commit; steps of other runs go to the worker.
    pub(super) fn committed(&mut self, run: RunKey, committed: &mut Committed, request: Option<Arc<SlotRequest>>) {
        let mut slots: HashMap<_, _> = request.map(SlotRequest::into_kept).unwrap_or_default().into_iter().collect();
        for taken in std::mem::take(&mut committed.taken) {
            let Some(slot) = slots.remove(&(taken.run, taken.step)) else { continue };
            if taken.run == run {
                self.arrived = Some(taken.arrived);
                self.mine.insert(taken.step, slot);
            } else if let Some(worker_link) = &self.worker_link {
                // If the worker is gone its slots are, too.
                let _ = worker_link.others.send((taken, slot));
            }
        }
        // Their slots are free again with the next commit.
        self.over.extend(committed.put_off.iter().filter_map(|step| self.mine.remove(step)));
        let over = std::mem::take(&mut committed.over_budget);
        self.over_budget.extend(over.into_iter().filter_map(|(step, over)| Some((step?, over))));
    }

    /// Whether a step is about to begin.
    pub(super) fn begins(&self, step: Step) -> bool {
        self.mine.contains_key(&Some(step)) && !self.over_budget.iter().any(|(over, _)| *over == step)
    }

    /// The steps that begin now: from now on they are on their way.
    pub(super) fn begin(&mut self) -> Vec<StepBegins> {
        let steps: Vec<Step> = self.wants.keys().copied().filter(|step| self.begins(*step)).collect();
        let mut begun = Vec::new();
        for step in steps {
            if let (Some(slot), Some(want)) = (self.mine.remove(&Some(step)), self.wants.remove(&step)) {
                self.flying.insert(step, slot);
                let ready = want.queued_at.max(want.not_before).unwrap_or_default();
                begun.push(StepBegins { step, call: want.call, ready });
            }
        }
        begun
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{desk::pools::tests::rules, ports::Slots as _};

    const REVIEW: Step = Step::Review { round: 1 };

    /// A step that a worker has taken and that could be taken since then.
    fn taken(step: Option<Step>, ready: i64) -> Handed {
        let run = RunKey(1);
        let pools = Pools::new("worker".into(), Arc::new(rules()), "pins".into(), 1, None);
        let request = SlotRequest::new(&Arc::new(pools), vec![]);
        request.admit(run, step, Pool::Editor);
        let slot = request.into_kept().pop().unwrap().1;
        (Taken { run, step, pool: Pool::Editor, attempts: 0, redeliveries: 0, arrived: 0, ready }, slot)
    }

    /// Since when the review could begin, of a run that commits at 5,000 and, once the worker has the step, at 8,000.
    fn ready(first: Option<Handed>, want: Want) -> i64 {
        let mut hand = InHand::default();
        if let Some(handed) = first {
            hand.receive(handed);
        }
        hand.want_again(REVIEW, want);
        for now in [5_000, 8_000] {
            let at = AtCommit { published: false, at_gate: false, paused: false, now };
            hand.deal(at, &mut QueueChanges::default(), |_, _, put| put);
            hand.receive(taken(Some(REVIEW), 7_000));
        }
        hand.begin().pop().unwrap().ready
    }

    #[test]
    fn a_step_waits_from_when_it_could_begin() {
        assert_eq!(ready(None, Want::default()), 5_000, "since the commit that put it into the queue");
        assert_eq!(ready(Some(taken(Some(REVIEW), 3_000)), Want::default()), 3_000, "another program put it in");
        assert_eq!(ready(Some(taken(None, 2_000)), Want::default()), 2_000, "whatever was ready");
        let later = Want { not_before: Some(6_500), ..Want::default() };
        assert_eq!(ready(None, later), 6_500, "after the pause before a retry");
    }
}
