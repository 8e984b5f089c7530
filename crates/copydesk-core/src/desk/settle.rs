//! An editor accepts the flags of a story: it leaves the review queue, and nothing else changes. A run that has ended takes no more
//! entries, so the decision is an event of its log, with name, time and reason.

use super::{Desk, DeskError, lock::StoryLock};
use crate::{
    editorial::choices::{self, Refused},
    ports::RunKey,
};
use copydesk_newsroom::{Event, EventRecord, StoryKey};

impl Desk {
    /// Accepts the flags of a run, for a reason.
    ///
    /// # Errors
    /// [`DeskError::Refused`] if it has none that are open, or nothing is said; [`DeskError::Locked`] while the story is worked on.
    pub async fn accept_flags(&self, run: RunKey, story: &StoryKey, reason: &str) -> Result<(), DeskError> {
        let _lock = StoryLock::take(&self.locks, story).await?;
        let refused = |reason| DeskError::Refused { story: story.clone(), reason };
        let listed = self.archive.listed(&[run]).await?;
        let (_, listed) = listed.first().ok_or_else(|| refused(Refused::Overtaken))?;
        let reason = choices::accept_flags(listed, reason).map_err(refused)?;
        let (by, at) = (self.editor.clone(), self.now());
        if !self.stories.settle_flags(run, &reason, &by, &at).await? {
            return Err(refused(Refused::Overtaken));
        }
        let (story, flags) = (listed.story.clone(), listed.reasons());
        let event = Event::FlagsSettled { by, flags, reason };
        self.watch.happened(&EventRecord { at, story, run: listed.run.clone(), event });
        Ok(())
    }
}
