//! Gives recorded answers of models and tools. No server is asked, and no tool is called.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use async_trait::async_trait;

use super::file::{RecordingError, Reel, call_digest, is_confidential, read};
use crate::{
    llm::Client,
    newsroom::{Agent, Answer, Tool, ToolCall, ToolResult},
    ports::{Ask, CallError, Card, Heard, ModelClient, ToolError, Toolbox},
};

/// A recording that was read.
pub struct AnswerFile {
    path: PathBuf,
    reel: Reel,
    /// How often each request was asked.
    asked: Mutex<HashMap<String, usize>>,
}

impl AnswerFile {
    /// Reads a recording whole.
    ///
    /// # Errors
    /// [`RecordingError`] if it is missing, damaged, or none.
    pub fn open(path: &Path) -> Result<Arc<Self>, RecordingError> {
        Ok(Arc::new(Self { path: path.to_owned(), reel: read(path)?, asked: Mutex::default() }))
    }

    /// How many answers of models it has.
    #[must_use]
    pub fn count(&self) -> usize {
        self.reel.answers.values().map(Vec::len).sum()
    }

    /// Answers to the same request come in the order in which they were recorded, because an answer that was no use was
    /// asked for again. After the last, the last comes again.
    fn next<'r, T>(&self, of: &'r HashMap<String, Vec<T>>, request: String) -> Option<&'r T> {
        let answers = of.get(&request)?;
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let turn = asked.entry(request).or_default();
        let answer = answers.get(*turn).or(answers.last());
        *turn += 1;
        answer
    }
}

/// Answers as models did.
pub struct Player {
    /// Knows the models and their settings.
    pub client: Client,
    pub recording: Arc<AnswerFile>,
}

impl Player {
    /// The host that calls have in the record.
    pub const HOST: &'static str = "recorded";
}

#[async_trait]
impl ModelClient for Player {
    fn card(&self, agent: Agent) -> Card {
        Card { host: Self::HOST.to_owned(), ..self.client.card(agent) }
    }

    async fn ask(&self, ask: &Ask, heard: Heard<'_>) -> Result<Answer, CallError> {
        let AnswerFile { path, reel, .. } = &*self.recording;
        let answer = self.recording.next(&reel.answers, self.client.request_digest(ask));
        let answer = answer.ok_or_else(|| CallError::NotRecorded {
            agent: ask.agent.name().to_owned(),
            file: path.display().to_string(),
        })?;
        heard(&answer.text);
        Ok(answer.clone())
    }
}

/// Results as tools gave them.
pub struct ToolPlayer(pub Arc<AnswerFile>);

#[async_trait]
impl Toolbox for ToolPlayer {
    async fn tools(&self, agent: Agent) -> Vec<Tool> {
        self.0.reel.tools.get(&(agent.name().to_owned(), is_confidential())).cloned().unwrap_or_default()
    }

    async fn call(&self, _: Agent, call: &ToolCall) -> Result<ToolResult, ToolError> {
        let result = self.0.next(&self.0.reel.results, call_digest(call)).cloned();
        Ok(result.unwrap_or_else(|| {
            ToolResult::failure(format!("The recording has no result of this call of {}.", call.name))
        }))
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    #[tokio::test]
    async fn tools_answer_as_they_did_and_a_call_that_nobody_recorded_fails() {
        let call =
            |arguments: &str| ToolCall { id: "1".into(), name: "search_web".into(), arguments: arguments.into() };
        let mut text = "{\"copydesk_recording\":1,\"version\":\"0\"}\n".to_owned();
        let tool = r#"{"name":"search_web","description":"Searches.","parameters":{},"effect":"reads"}"#;
        writeln!(text, r#"{{"tools_of":"reporter","tools":[{tool}]}}"#).unwrap();
        for found in ["one", "two"] {
            let digest = call_digest(&call("{}"));
            writeln!(text, r#"{{"call":"{digest}","tool":"search_web","result":{{"text":"{found}"}}}}"#).unwrap();
        }
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("tape.jsonl");
        std::fs::write(&file, text).unwrap();
        let player = ToolPlayer(AnswerFile::open(&file).unwrap());
        let tools = player.tools(Agent::Reporter).await;
        assert_eq!(tools.iter().map(|tool| tool.name.as_str()).collect::<Vec<_>>(), ["search_web"]);
        assert_eq!(player.tools(Agent::Editor).await, []);
        let mut said = Vec::new();
        for arguments in ["{}", "{}", "{}", "{\"q\":1}"] {
            let result = player.call(Agent::Reporter, &call(arguments)).await.unwrap();
            said.push((result.text, result.failed));
        }
        let missing = "The recording has no result of this call of search_web.";
        let expected = [("one", false), ("two", false), ("two", false), (missing, true)];
        assert_eq!(said, expected.map(|(text, failed)| (text.to_owned(), failed)));
    }
}
