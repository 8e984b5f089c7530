//! The parts and the settings of the desk.

use std::{sync::Arc, time::Duration};

use super::{lock::StoryLocks, outputs::Outputs, pools::QueueRules};
use crate::{
    agents::Agents,
    ports::{
        Archive, Clock, Memory, ModelClient, Occasion, Pages, Passages, Queue, Records, RequestBooks, RequestLedger,
        Stories, Toolbox, Watch,
    },
};
use copydesk_newsroom::{Opening, ResearchRules, RunSettings};

/// How passages are asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RetrievalRules {
    /// Most passages that one question brings.
    pub top_k: usize,
    /// Most tokens of passages that an agent is given.
    pub budget_tokens: u64,
    /// The least credibility of cited passages, from 0 to 1.
    pub min_credibility: f64,
    /// How long a search may take.
    pub timeout: Duration,
}

/// Everything that the desk works with.
pub struct Desk {
    /// The agents, which do the work.
    pub agents: Arc<Agents>,
    /// `offline` or `llm`, as events say it.
    pub engine: &'static str,
    pub model: Arc<dyn ModelClient>,
    pub records: Arc<dyn Records>,
    /// Which steps may be worked on.
    pub queue: Arc<dyn Queue>,
    pub queue_rules: Arc<QueueRules>,
    /// Stories as a whole.
    pub stories: Arc<dyn Stories>,
    pub memory: Arc<dyn Memory>,
    /// Days after which a record of the memory is not offered any more; none: never.
    pub memory_expires_after_days: Option<u32>,
    /// Reads the desk back.
    pub archive: Arc<dyn Archive>,
    pub passages: Arc<dyn Passages>,
    /// Opens the pages that a search outside cites.
    pub pages: Arc<dyn Pages>,
    /// Calls the tools of research.
    pub toolbox: Arc<dyn Toolbox>,
    /// The research of a story, if its topic's text is no assignment.
    pub research: ResearchRules,
    /// Whether a story fails with a tool that cannot be reached after the last retry. Otherwise the Reporter is told, and goes on.
    pub fails_with_tools: bool,
    /// Notes every request.
    pub ledger: Arc<dyn RequestLedger>,
    /// How the knowledge base is asked.
    pub retrieval: RetrievalRules,
    pub clock: Arc<dyn Clock>,
    /// Is told of events.
    pub watch: Arc<dyn Watch>,
    pub outputs: Outputs,
    /// The locks that keep two programs from one story.
    pub locks: StoryLocks,
    /// The name that decisions carry.
    pub editor: String,
    /// The settings that shape a run.
    pub settings: RunSettings,
    /// How many specialists of one story may work at once.
    pub specialists_of_a_story: usize,
    /// Digest of prompts and settings that shape a run.
    pub pins: String,
}

impl Desk {
    /// The time, ISO 8601 in UTC with milliseconds.
    pub(super) fn now(&self) -> String {
        format!("{:.3}", self.clock.now())
    }

    /// The occasion of work for a story.
    pub fn occasion(&self, opening: &Opening, why: String) -> Occasion {
        let (story, secrecy) = (Some(opening.topic.story()), opening.secrecy.clone());
        Occasion { story, secrecy, why, ..self.of_house("") }
    }

    /// The occasion of work for no story.
    pub fn of_house(&self, why: &str) -> Occasion {
        let books = RequestBooks { ledger: Arc::clone(&self.ledger), clock: Arc::clone(&self.clock) };
        Occasion::of_house(why, Some(books))
    }

    /// The research rules of a new run; none if no agent calls tools in it.
    pub(super) fn research_rules(&self, assigned: bool) -> Option<ResearchRules> {
        let researches = assigned || self.research.triages || !self.settings.tool_users.is_none();
        researches.then_some(ResearchRules { assigned, ..self.research })
    }

    /// The time after a while, in milliseconds since 1970.
    pub(super) fn milliseconds_after(&self, wait: Duration) -> i64 {
        self.clock.now().as_millisecond().saturating_add(i64::try_from(wait.as_millis()).unwrap_or(i64::MAX))
    }
}
