//! Decisions: in the database before the screen is told, and then on with the story.

use crate::desk::{DeskError, Made};
use crate::editorial::choices::GateSeen;
use crate::newsroom::{Choice, StoryKey};
use crate::ports::RunKey;
use crate::tui::{
    app::news::News,
    worker::{errands::Reply, room::Backroom},
};

/// A decision as the screen asks for it.
pub(crate) struct Decision {
    pub(crate) run: RunKey,
    pub(crate) story: StoryKey,
    pub(crate) choice: Choice,
    /// What it was made on.
    pub(crate) seen: GateSeen,
    /// Kept text that is no longer needed then.
    pub(crate) forget: Option<String>,
    pub(crate) reply: Reply,
}

impl Backroom {
    /// Decides, and goes on where the gate is left.
    pub(crate) async fn decide(&mut self, decision: Decision) {
        let Decision { run, story, choice, seen, forget, .. } = &decision;
        match self.tools.desk.decide(*run, story, choice.clone(), Some(*seen)).await {
            Ok(Made { waits, unwritten }) => {
                if let Some(what) = forget {
                    // The decision stands whether the draft of it can be thrown away or not.
                    let _ = self.forget(*run, what).await;
                }
                self.look().await;
                let Decision { run, story, choice, reply, .. } = decision;
                self.say(News::Decided { run, choice });
                reply.end(Ok(()));
                if let Some(error) = unwritten {
                    self.say(News::Trouble(error.to_string()));
                }
                if waits.is_none()
                    && let Err(message) = self.go_on(&story).await
                {
                    self.say(News::Trouble(message));
                }
            }
            // The gate is shown as soon as it is in the database; whoever brought the story there still writes its files.
            Err(DeskError::Locked { .. }) if self.work.runs(story) => self.later.push(decision),
            Err(error) => decision.reply.end(Err(error.to_string())),
        }
    }

    /// Lets the flags of a run stand.
    pub(crate) async fn let_stand(&mut self, run: RunKey, story: &StoryKey, reason: &str) -> Result<(), String> {
        self.tools.desk.let_stand(run, story, reason).await.map_err(|error| error.to_string())?;
        self.look().await;
        self.say(News::Settled(run));
        Ok(())
    }

    /// Answers what was asked for while a story was being put down, and can no longer be decided.
    pub(crate) fn refuse_later(&mut self, story: &StoryKey, why: &str) {
        for decision in self.later.extract_if(.., |decision| decision.story == *story) {
            decision.reply.end(Err(format!("{why}; nothing was decided")));
        }
    }

    /// Decides what was asked for while a story was being put down.
    pub(crate) async fn decide_later(&mut self, story: &StoryKey) {
        let (now, later) = std::mem::take(&mut self.later).into_iter().partition(|decision| decision.story == *story);
        self.later = later;
        for decision in now {
            self.decide(decision).await;
        }
    }
}
