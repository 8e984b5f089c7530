//! Failed steps: their attempts, and how a person retries or drops them.

use std::sync::Arc;

use super::{
    Desk, DeskError,
    decide::{ForkOrder, Forked, ForkedAnswer},
};
use crate::ports::{Archive, CallRow, MessageState, Queue, QueuedMessage, RunKey, StoreError};
use copydesk_newsroom::{Event, EventRecord, ListedRun, Step, StoryKey};
use copydesk_text::sanitise;

/// A step that failed after its last retry; its run has failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedStep {
    /// The run that failed; it has one failed step.
    pub run: RunKey,
    pub run_id: String,
    pub story: StoryKey,
    pub step: Step,
    /// When it failed for the last time: ISO 8601, UTC.
    pub since: String,
    /// How often the queue retried it.
    pub redeliveries: u32,
    /// The last error.
    pub error: String,
}

impl FailedStep {
    /// Returns the failed step of a message; none if the message names no step.
    fn of(message: QueuedMessage) -> Option<Self> {
        let step = message.step?;
        Some(Self {
            run: message.run,
            since: message.stands_since(),
            run_id: message.run_id,
            story: message.story,
            step,
            redeliveries: message.redeliveries,
            error: message.error.unwrap_or_default(),
        })
    }
}

/// Something that happened to a step before it failed for good.
#[derive(Debug, Clone, PartialEq)]
pub enum Happening {
    /// It was asked for.
    Asked {
        /// The name of the run that asked.
        run: String,
        /// The attempt, and its result.
        call: CallRow,
    },
    /// The queue retried it, parked it or gave it up; a new run retried it; its server was down, or back.
    Noted(EventRecord),
}

/// Drops a failed step: it is not to be tried again. Its run stays as it is; `by` and the reason stay in its log.
///
/// # Errors
/// [`DeskError::NoFailedStep`] if another program was quicker.
pub async fn drop_failed_step(
    queue: &dyn Queue,
    failed: &FailedStep,
    reason: &str,
    by: &str,
    at: &str,
) -> Result<(), DeskError> {
    let reason = sanitise::clean(reason);
    if queue.drop_dead(failed.run, failed.step, by, reason.trim(), at).await? {
        Ok(())
    } else {
        Err(DeskError::NoFailedStep { story: failed.story.clone() })
    }
}

/// All failed steps, those of the most urgent stories first.
///
/// # Errors
/// [`StoreError`].
pub async fn failed_steps(queue: &dyn Queue) -> Result<Vec<FailedStep>, StoreError> {
    let messages = queue.messages(Some(MessageState::Dead)).await?;
    Ok(messages.into_iter().filter_map(FailedStep::of).collect())
}

impl FailedStep {
    /// The whole story of its attempts, in order: also those of the runs before that were given up at the same step, and from which this
    /// one was tried again.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn attempts(&self, archive: &dyn Archive) -> Result<Vec<Happening>, StoreError> {
        let runs = archive.runs_of(&self.story.to_string()).await?;
        let named = |name: &str| runs.iter().find(|(_, run)| run.run == name);
        let before = |run: &ListedRun| run.took_over.as_deref().and_then(named);
        let mut story = happenings(archive, self.run, self.step).await?;
        let mut earlier = named(&self.run_id).and_then(|(_, run)| before(run));
        while let Some((key, run)) = earlier {
            let mut first = happenings(archive, *key, self.step).await?;
            if !first.iter().any(is_given_up) {
                break;
            }
            first.append(&mut story);
            story = first;
            earlier = before(run);
        }
        Ok(story)
    }
}

fn is_given_up(happening: &Happening) -> bool {
    matches!(happening, Happening::Noted(EventRecord { event: Event::StepDead { .. }, .. }))
}

/// Returns the happenings of a step in one run.
async fn happenings(archive: &dyn Archive, run: RunKey, wanted: Step) -> Result<Vec<Happening>, StoreError> {
    let mut calls = archive.call_log(run).await?;
    calls.retain(|call| call.run == run && call.step == wanted);
    let mut story = Vec::new();
    for record in archive.events(run).await? {
        match &record.event {
            // The log has the calls in the order in which they came; the stored calls have their results.
            Event::CallStarted { step, attempt, .. } if *step == wanted => {
                let call = calls.iter().find(|call| call.attempt == *attempt).cloned();
                story.extend(call.map(|call| Happening::Asked { run: record.run, call }));
            }
            Event::RunForked { at: Some(step), .. }
            | Event::StepRedelivered { step, .. }
            | Event::StepParked { step, .. }
            | Event::StepDead { step, .. }
                if *step == wanted =>
            {
                story.push(Happening::Noted(record));
            }
            Event::ServerDown { .. } | Event::ServerBack { .. } => story.push(Happening::Noted(record)),
            _ => {}
        }
    }
    Ok(story)
}

impl Desk {
    /// Opens a new run that shares everything before the step and tries that again; its gates are decided as the failed run's were. No
    /// answer that is known is asked for again. After that the failed step is gone, and the run waits in the queue.
    ///
    /// # Errors
    /// [`DeskError::NoFailedStep`] if another program was quicker; else as [`Desk::fork`].
    pub async fn retry(self: &Arc<Self>, failed: &FailedStep) -> Result<Forked, DeskError> {
        let story = &failed.story;
        let lock = self.locks.take(story).await?;
        let failed_steps = self.queue.messages(Some(MessageState::Dead)).await?;
        if !failed_steps.iter().any(|known| known.run == failed.run) {
            return Err(DeskError::NoFailedStep { story: story.clone() });
        }
        let journal = self.records.load(failed.run).await?.journal;
        let gates = journal.opening.gates;
        // The step that was to be asked anew has not been asked yet.
        let known =
            if journal.opening.anew == Some(failed.step) { ForkedAnswer::AskedAgain } else { ForkedAnswer::Taken };
        let order = ForkOrder { at: failed.step, gates, known, correction: None };
        self.fork_held(&lock, (failed.run, journal), story, order).await
    }
}
