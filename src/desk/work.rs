//! What is done for a step that a worker has taken: a model is asked, pages are opened, or the rules of the house are applied.

use std::sync::Arc;

use super::{Desk, DeskError, open::CitedPages};
use crate::{
    agents::{Agents, Plan},
    newsroom::{Answer, CallKey, Failure, Journal, OpenedCitation, Outcome, Step, StoryKey},
    ports::{Ask, CallError},
};

/// What is done for a step.
pub(super) enum StepWork {
    /// A model is asked.
    Ask(CallKey, Arc<Ask>),
    /// The pages that a search cited are read.
    Open(CitedPages),
    Rules(Arc<Journal>),
}

/// What became of a step.
pub(super) enum Landed {
    /// A call came back.
    Call { key: CallKey, ask: Arc<Ask>, result: Result<Answer, CallError> },
    /// The pages that a search cited are read.
    Opened { step: Step, result: Result<Vec<OpenedCitation>, DeskError> },
    /// Rules have done it; none if no rule can.
    Ruled { step: Step, outcome: Option<Box<Outcome>> },
}

impl StepWork {
    /// Does it.
    pub(super) async fn fly(self, desk: Arc<Desk>, story: StoryKey, step: Step) -> Landed {
        match self {
            Self::Ask(key, ask) => {
                let result = desk.model.ask(&ask, &|text| desk.watch.heard(&story, step, text)).await;
                Landed::Call { key, ask, result }
            }
            Self::Open(pages) => Landed::Opened { step, result: desk.open(pages).await },
            Self::Rules(journal) => {
                Landed::Ruled { step, outcome: by_rules(Arc::clone(&desk.agents), journal, step).await }
            }
        }
    }
}

/// Does a step by rules, off the thread that serves every story: rules over a large source take a while.
pub(super) async fn by_rules(agents: Arc<Agents>, journal: Arc<Journal>, step: Step) -> Option<Box<Outcome>> {
    match tokio::task::spawn_blocking(move || agents.plan(&journal, step)).await {
        Ok(Some(Plan::Done(outcome))) => Some(outcome),
        Ok(_) => None,
        Err(error) => {
            let message = format!("the offline rules failed ({error}); please report this with the topic");
            Some(Box::new(Outcome::Failure(Failure::of(message))))
        }
    }
}
