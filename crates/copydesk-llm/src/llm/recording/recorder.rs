//! Writes down what models and tools answer, as it comes.

use std::{
    collections::HashSet,
    sync::{Arc, Mutex, OnceLock, PoisonError},
    time::{Duration, Instant},
};

use async_trait::async_trait;

use super::{
    file::{AnswerFault, RecordedLine, call_digest, is_confidential},
    tape::Tape,
};
use crate::llm::Client;
use copydesk_core::ports::{Ask, CallError, Heard, ModelClient, ModelProfile, ToolError, Toolbox};
use copydesk_newsroom::{Agent, Answer, Tool, ToolCall, ToolResult};

/// A client whose answers are written down.
pub struct Recorder {
    pub client: Client,
    pub tape: Arc<Tape>,
}

#[async_trait]
impl ModelClient for Recorder {
    fn card(&self, agent: Agent) -> ModelProfile {
        self.client.card(agent)
    }

    async fn ask(&self, ask: &Ask, heard: Heard<'_>) -> Result<Answer, CallError> {
        let begun = Instant::now();
        let first: OnceLock<Duration> = OnceLock::new();
        let listens = |piece: &str| {
            first.get_or_init(|| begun.elapsed());
            heard(piece);
        };
        let answer = self.client.ask(ask, &listens).await;
        let whole = begun.elapsed();
        let milliseconds = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let (request, agent) = (self.client.request_digest(ask), ask.agent.name().to_owned());
        let model = self.client.card(ask.agent).model;
        let (first_ms, whole_ms) = (milliseconds(first.into_inner().unwrap_or(whole)), milliseconds(whole));
        let recorded = match &answer {
            Ok(answer) => {
                Some(RecordedLine::Answer { request, agent, model, first_ms, whole_ms, answer: answer.clone() })
            }
            // The request comes again when the recording is played, and must then have the answer that it had the second time.
            Err(error) => AnswerFault::of(error).map(|fault| RecordedLine::NoUse {
                request,
                agent,
                model,
                first_ms,
                whole_ms,
                fault,
            }),
        };
        if let Some(recorded) = recorded {
            self.tape.write(recorded).await;
        }
        answer
    }
}

/// Tools whose results are written down, with what each agent was told of them at first, for confidential stories and for others.
pub struct ToolRecorder {
    toolbox: Arc<dyn Toolbox>,
    tape: Arc<Tape>,
    told: Mutex<HashSet<(Agent, bool)>>,
}

impl ToolRecorder {
    pub fn new(toolbox: Arc<dyn Toolbox>, tape: Arc<Tape>) -> Self {
        Self { toolbox, tape, told: Mutex::default() }
    }
}

#[async_trait]
impl Toolbox for ToolRecorder {
    async fn tools(&self, agent: Agent) -> Vec<Tool> {
        let tools = self.toolbox.tools(agent).await;
        let confidential = is_confidential();
        let is_new = self.told.lock().unwrap_or_else(PoisonError::into_inner).insert((agent, confidential));
        if is_new {
            let (tools_of, tools) = (agent.name().to_owned(), tools.clone());
            self.tape.write(RecordedLine::Tools { tools_of, confidential, tools }).await;
        }
        tools
    }

    async fn call(&self, agent: Agent, call: &ToolCall) -> Result<ToolResult, ToolError> {
        let result = self.toolbox.call(agent, call).await?;
        let recorded = RecordedLine::Tool { call: call_digest(call), tool: call.name.clone(), result: result.clone() };
        self.tape.write(recorded).await;
        Ok(result)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::llm::{AnswerFile, ToolPlayer};
    use copydesk_core::ports::Occasion;
    use copydesk_newsroom::{Secrecy, ToolEffect};

    /// Offers a tool of another machine to stories that are not confidential.
    struct Guarded;

    #[async_trait]
    impl Toolbox for Guarded {
        async fn tools(&self, _: Agent) -> Vec<Tool> {
            let confidential = Occasion::now().is_some_and(|now| now.secrecy.confidential);
            let names: &[&str] = if confidential { &["kb_search"] } else { &["kb_search", "search_web"] };
            let tool = |name: &&str| Tool {
                name: (*name).to_owned(),
                description: "Searches.".into(),
                parameters: json!({}),
                effect: ToolEffect::Reads,
            };
            names.iter().map(tool).collect()
        }

        async fn call(&self, _: Agent, _: &ToolCall) -> Result<ToolResult, ToolError> {
            Ok(ToolResult::failure("no"))
        }
    }

    /// The names of the tools that a story is offered.
    async fn offered(toolbox: &dyn Toolbox, confidential: bool) -> Vec<String> {
        let secrecy = Secrecy { confidential, ..Secrecy::default() };
        let occasion = Occasion { secrecy, ..Occasion::default() };
        let tools = occasion.during(toolbox.tools(Agent::Reporter)).await;
        tools.into_iter().map(|tool| tool.name).collect()
    }

    #[tokio::test]
    async fn a_confidential_story_is_offered_again_what_it_was_offered_whichever_came_first() {
        let folder = tempfile::tempdir().unwrap();
        for first in [true, false] {
            let file = folder.path().join(format!("{first}.jsonl"));
            let recorder = ToolRecorder::new(Arc::new(Guarded), Tape::begin(&file, Box::new(|_| {})).unwrap());
            for confidential in [first, !first, first] {
                offered(&recorder, confidential).await;
            }
            let player = ToolPlayer(AnswerFile::open(&file).unwrap());
            assert_eq!(offered(&player, true).await, ["kb_search"]);
            assert_eq!(offered(&player, false).await, ["kb_search", "search_web"]);
            assert_eq!(std::fs::read_to_string(&file).unwrap().lines().count(), 3, "each list once");
        }
    }
}
