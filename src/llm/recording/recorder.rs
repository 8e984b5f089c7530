//! Writes down what models and tools answer, as it comes.

use std::{
    collections::HashSet,
    sync::{Arc, Mutex, PoisonError},
};

use async_trait::async_trait;

use super::{
    file::{RecordedLine, call_digest},
    tape::Tape,
};
use crate::{
    llm::Client,
    newsroom::{Agent, Answer, Tool, ToolCall, ToolResult},
    ports::{Ask, CallError, Card, Heard, ModelClient, ToolError, Toolbox},
};

/// A client whose answers are written down.
pub struct Recorder {
    pub client: Client,
    pub tape: Arc<Tape>,
}

#[async_trait]
impl ModelClient for Recorder {
    fn card(&self, agent: Agent) -> Card {
        self.client.card(agent)
    }

    async fn ask(&self, ask: &Ask, heard: Heard<'_>) -> Result<Answer, CallError> {
        let answer = self.client.ask(ask, heard).await?;
        let recorded = RecordedLine::Answer {
            request: self.client.request_digest(ask),
            agent: ask.agent.name().to_owned(),
            model: self.client.card(ask.agent).model,
            answer: answer.clone(),
        };
        self.tape.write(recorded).await;
        Ok(answer)
    }
}

/// Tools whose results are written down, with what each agent was told of them at first.
pub struct ToolRecorder {
    toolbox: Arc<dyn Toolbox>,
    tape: Arc<Tape>,
    told: Mutex<HashSet<Agent>>,
}

impl ToolRecorder {
    #[must_use]
    pub fn new(toolbox: Arc<dyn Toolbox>, tape: Arc<Tape>) -> Self {
        Self { toolbox, tape, told: Mutex::default() }
    }
}

#[async_trait]
impl Toolbox for ToolRecorder {
    async fn tools(&self, agent: Agent) -> Vec<Tool> {
        let tools = self.toolbox.tools(agent).await;
        let is_new = self.told.lock().unwrap_or_else(PoisonError::into_inner).insert(agent);
        if is_new {
            self.tape.write(RecordedLine::Tools { tools_of: agent.name().to_owned(), tools: tools.clone() }).await;
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
