//! Withdraws published versions.

use super::{Distribution, DistributionError};
use crate::{
    desk::lock::StoryLock,
    editorial::distribution::{NotWithdrawn, reason, withdrawn_run},
};
use copydesk_newsroom::{StoryKey, StoryWithdrawal};

/// A version that was taken back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Killed {
    /// The run's id.
    pub run: String,
    pub withdrawal: StoryWithdrawal,
}

impl Distribution {
    /// Takes back the last version of a story that was signed off or sent. No target is told before [`Self::publish`] sends the notice.
    ///
    /// # Errors
    /// [`DistributionError::NotWithdrawn`] if there is no such version, or it has been taken back.
    pub async fn kill(&self, story: &StoryKey, why: &str) -> Result<Killed, DistributionError> {
        let reason = reason(why)?;
        let _lock = StoryLock::take(&self.locks, story).await?;
        let runs = self.archive.runs_of(&story.to_string()).await?;
        let deliveries = self.outbox.deliveries(story).await?;
        let sent = deliveries.iter().filter(|kept| kept.delivery.may_be_there()).map(|kept| kept.run.as_str());
        let sent: Vec<&str> = sent.collect();
        let listed: Vec<_> = runs.iter().map(|(_, listed)| listed.clone()).collect();
        let place = withdrawn_run(&story.to_string(), &listed, &sent)?;
        let never_out = || NotWithdrawn::NeverOut { story: story.to_string() };
        let (run, listed) = runs.get(place).ok_or_else(never_out)?;
        let withdrawal = StoryWithdrawal { at: self.now(), by: self.by.clone(), reason, number: 0 };
        self.outbox.kill(*run, &withdrawal).await?;
        Ok(Killed { run: listed.run.clone(), withdrawal })
    }
}
