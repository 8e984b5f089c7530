//! Does a step that a worker has taken: asks a model, opens pages, or applies the rules of the house.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use super::{Desk, DeskError, in_hand::Call, open::CitedPages};
use crate::{
    agents::{Agents, Plan},
    ports::{CallError, Times, ToolError, aside},
};
use copydesk_newsroom::{Agent, Answer, Failure, Journal, Outcome, Step, StoryKey, ToolCall};

/// The work of a step.
pub(super) enum StepWork {
    /// A model is asked.
    Ask(Call),
    /// The pages that a search cited are read.
    Open(CitedPages),
    /// A tool is called for the Reporter.
    Tool(ToolCall),
    Rules(Arc<Journal>),
    Prove(Arc<Journal>),
}

/// The result of the work of a step.
pub(super) enum Landed {
    /// A call came back.
    Answered { step: Step, call: Call, result: Result<Answer, CallError> },
    /// A tool gave no result.
    ToolFailed { step: Step, error: ToolError },
    /// The step is done without a call; none if no rule can do it.
    Done { step: Step, outcome: Result<Option<Box<Outcome>>, DeskError> },
}

impl StepWork {
    /// The agent, tool or rule that does it, for the ledger of requests.
    pub(super) fn whose(&self) -> &str {
        match self {
            Self::Ask(call) => call.ask.agent.name(),
            Self::Open(_) => "cited pages",
            Self::Tool(call) => &call.name,
            Self::Rules(_) => "rules",
            Self::Prove(_) => "proof",
        }
    }

    /// Does it. `ready` is since when it could have begun, in milliseconds since 1970.
    pub(super) async fn fly(self, desk: Arc<Desk>, story: StoryKey, step: Step, ready: i64) -> (Landed, Times) {
        let waited_ms = u64::try_from(desk.milliseconds_after(Duration::ZERO).saturating_sub(ready)).ok();
        let begun = Instant::now();
        let landed = self.done(desk, story, step).await;
        (landed, Times { waited_ms, ..worked_since(begun) })
    }

    async fn done(self, desk: Arc<Desk>, story: StoryKey, step: Step) -> Landed {
        match self {
            Self::Ask(call) => {
                let result = desk.model.ask(&call.ask, &|text| desk.watch.heard(&story, step, text)).await;
                Landed::Answered { step, call, result }
            }
            Self::Open(pages) => {
                let opened = desk.open(pages).await;
                Landed::Done { step, outcome: opened.map(|opened| Some(Box::new(Outcome::Opened(opened)))) }
            }
            Self::Tool(call) => match desk.toolbox.call(Agent::Reporter, &call).await {
                Ok(result) => Landed::Done { step, outcome: Ok(Some(Box::new(Outcome::Tool(result)))) },
                Err(error) => Landed::ToolFailed { step, error },
            },
            Self::Prove(journal) => Landed::Done { step, outcome: Ok(desk.prove(journal, step).await) },
            Self::Rules(journal) => {
                Landed::Done { step, outcome: Ok(by_rules(Arc::clone(&desk.agents), journal, step).await) }
            }
        }
    }
}

/// The time of work that began then and ends now.
pub(super) fn worked_since(begun: Instant) -> Times {
    Times { waited_ms: None, worked_ms: u64::try_from(begun.elapsed().as_millis()).ok() }
}

/// Does a step by rules, off the thread that serves every story: rules over a large source take a while.
pub(super) async fn by_rules(agents: Arc<Agents>, journal: Arc<Journal>, step: Step) -> Option<Box<Outcome>> {
    match aside(move || agents.plan(&journal, step)).await {
        Ok(Some(Plan::Done(outcome))) => Some(outcome),
        Ok(_) => None,
        Err(error) => {
            let message = format!("the offline rules failed ({error}); please report this with the topic");
            Some(Box::new(Outcome::Failure(Failure::of(message))))
        }
    }
}
