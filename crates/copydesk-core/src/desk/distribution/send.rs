//! One delivery after the other: noted, sent, noted again. Withdraws published versions.

use std::time::Duration;

use super::{Distribution, DistributionError, Planned, PublishOrder};
use crate::{
    editorial::distribution::{NextSending, NotWithdrawn, reason, withdrawn_run},
    ports::{CarryError, Occasion, RunKey},
};
use copydesk_newsroom::{DeliveryState, StoryDelivery, StoryKey, StoryWithdrawal};
use copydesk_text::sanitise;

/// Most characters of an answer that are kept.
const LONGEST_ANSWER: usize = 300;

/// The result of one delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dispatched {
    pub delivery: StoryDelivery,
    /// The planned action for it: it may have been sent before.
    pub next: NextSending,
}

impl Distribution {
    /// Sends a story to the wanted targets. The story's lock is held meanwhile, so no other program sends it or changes it.
    ///
    /// # Errors
    /// [`DistributionError`] if it may not leave the house, or the outbox cannot be written. The outbox has the deliveries
    /// before that.
    pub async fn publish(
        &self,
        run: RunKey,
        story: &StoryKey,
        wanted: &PublishOrder,
    ) -> Result<Vec<Dispatched>, DistributionError> {
        let _lock = self.locks.take(story).await?;
        let mut done = Vec::new();
        let mut secrecy = self.stories.secrecy(story).await?;
        secrecy.confidential &= !wanted.despite_confidence;
        for planned in self.plan(run, story, wanted).await? {
            let why = format!("publish: {}", planned.target());
            let (story, secrecy, books) = (Some(story.clone()), secrecy.clone(), Some(self.books()));
            let occasion = Occasion { story, secrecy, why, books };
            done.push(occasion.during(self.dispatch(planned)).await?);
        }
        Ok(done)
    }

    async fn dispatch(&self, planned: Planned) -> Result<Dispatched, DistributionError> {
        let run = planned.run;
        let next = planned.next;
        let story = planned.parcel.story.clone();
        let delivery = match (next, planned.known.clone()) {
            (NextSending::Doubtful, Some(known)) if known.state == DeliveryState::Sending => {
                let answer = "the program that sent it ended before it heard an answer".to_owned();
                let doubtful = StoryDelivery { state: DeliveryState::Unknown, answer: Some(answer), ..known.clone() };
                self.note(run, &story, Some(&known), &doubtful).await?;
                doubtful
            }
            (NextSending::Already | NextSending::Doubtful, Some(known)) => known,
            (_, known) => self.send(run, &planned, known).await?,
        };
        Ok(Dispatched { delivery, next })
    }

    /// Sends it until the target has it or refuses it, or the retries are used up. An unknown result is retried only if the target may get
    /// it twice.
    async fn send(
        &self,
        run: RunKey,
        planned: &Planned,
        known: Option<StoryDelivery>,
    ) -> Result<StoryDelivery, DistributionError> {
        let story = &planned.parcel.story;
        let mut seen = known;
        let mut backoff = self.retries.backoff;
        let mut left = self.retries.most;
        loop {
            let attempts = seen.as_ref().map_or(0, |seen| seen.attempts).saturating_add(1);
            let sending = planned.delivery(DeliveryState::Sending, attempts, &self.by);
            self.note(run, story, seen.as_ref(), &sending).await?;
            let carried = planned.target.carrier.carry(&planned.parcel).await;
            let (state, answer, after) = match carried {
                Ok(answer) => (DeliveryState::Sent, answer, None),
                Err(CarryError::Refused(why)) => (DeliveryState::Failed, why, None),
                Err(CarryError::NotNow { detail, after }) => {
                    (DeliveryState::Failed, detail, Some(after.map(Duration::from_secs)))
                }
                Err(CarryError::Doubtful(why)) => {
                    (DeliveryState::Unknown, why, planned.kind().may_repeat().then_some(None))
                }
            };
            let answer = sanitise::excerpt(&answer, LONGEST_ANSWER);
            let ended =
                StoryDelivery { state, answer: Some(answer).filter(|answer| !answer.is_empty()), ..sending.clone() };
            self.note(run, story, Some(&sending), &ended).await?;
            let wait = after.filter(|_| left > 0).map(|asked| asked.unwrap_or(backoff).max(backoff));
            let Some(wait) = wait.filter(|wait| *wait <= self.retries.longest_wait.max(backoff)) else {
                return Ok(ended);
            };
            left = left.saturating_sub(1);
            tokio::time::sleep(wait).await;
            backoff = (backoff * 2).min(self.retries.longest_backoff);
            seen = Some(ended);
        }
    }

    /// Brings a delivery to its next state, unless another program did.
    pub(super) async fn note(
        &self,
        run: RunKey,
        story: &str,
        seen: Option<&StoryDelivery>,
        next: &StoryDelivery,
    ) -> Result<(), DistributionError> {
        if self.outbox.advance(run, seen, next.clone(), &self.now()).await? {
            return Ok(());
        }
        Err(DistributionError::Overtaken { story: story.to_owned(), target: next.target.clone() })
    }
}

impl Distribution {
    /// Takes back the last version of a story that was signed off or sent. No target is told before [`Self::publish`] sends the notice.
    ///
    /// # Errors
    /// [`DistributionError::NotWithdrawn`] if there is no such version, or it has been taken back.
    pub async fn kill(&self, story: &StoryKey, why: &str) -> Result<StoryWithdrawal, DistributionError> {
        let reason = reason(why)?;
        let _lock = self.locks.take(story).await?;
        let runs = self.archive.runs_of(&story.to_string()).await?;
        let deliveries = self.outbox.deliveries(story).await?;
        let sent = deliveries.iter().filter(|kept| kept.delivery.may_be_there()).map(|kept| kept.run.as_str());
        let sent: Vec<&str> = sent.collect();
        let listed: Vec<_> = runs.iter().map(|(_, listed)| listed.clone()).collect();
        let place = withdrawn_run(&story.to_string(), &listed, &sent)?;
        let never_out = || NotWithdrawn::NeverOut { story: story.to_string() };
        let (run, _) = runs.get(place).ok_or_else(never_out)?;
        let withdrawal = StoryWithdrawal { at: self.now(), by: self.by.clone(), reason, number: 0 };
        self.outbox.kill(*run, &withdrawal).await?;
        Ok(withdrawal)
    }
}
