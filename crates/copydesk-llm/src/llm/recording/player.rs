//! Gives recorded answers of models and tools. No server is asked, and no tool is called.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use async_trait::async_trait;

use super::file::{RecordedAnswer, RecordingError, Reel, call_digest, is_confidential, read};
use crate::llm::Client;
use copydesk_config::WatchedRecording;
use copydesk_core::ports::{Ask, CallError, Heard, ModelClient, ModelProfile, ToolError, Toolbox};
use copydesk_newsroom::{Agent, Answer, Tool, ToolCall, ToolResult};

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
    /// How a person watches it; none if a configuration names the recording.
    pub watched: Option<WatchedRecording>,
}

impl Player {
    /// The host that calls have in the record.
    pub const HOST: &'static str = "recorded";
}

/// How often words come.
const APART: Duration = Duration::from_millis(50);

/// Tells an answer as it came, so many times as fast: nothing at first, then a few words at a time.
async fn told_in_time(recorded: &RecordedAnswer, speed: f64, heard: Heard<'_>) {
    let RecordedAnswer { answer, first, whole } = recorded;
    tokio::time::sleep(first.div_f64(speed)).await;
    let writing = whole.saturating_sub(*first).div_f64(speed);
    let Ok(answer) = answer else { return tokio::time::sleep(writing).await };
    let pieces: Vec<&str> = answer.text.split_inclusive(' ').collect();
    let turns = (writing.as_millis() / APART.as_millis()).max(1);
    let at_once = pieces.len().div_ceil(usize::try_from(turns).unwrap_or(usize::MAX)).max(1);
    let turns = u32::try_from(pieces.len().div_ceil(at_once)).unwrap_or(u32::MAX);
    for words in pieces.chunks(at_once) {
        heard(&words.concat());
        tokio::time::sleep(writing.checked_div(turns).unwrap_or_default()).await;
    }
}

#[async_trait]
impl ModelClient for Player {
    fn card(&self, agent: Agent) -> ModelProfile {
        let host = self.watched.as_ref().map(|watched| format!("the recording of {}", watched.recorded_on));
        ModelProfile { host: host.unwrap_or_else(|| Self::HOST.to_owned()), ..self.client.card(agent) }
    }

    async fn ask(&self, ask: &Ask, heard: Heard<'_>) -> Result<Answer, CallError> {
        let AnswerFile { path, reel, .. } = &*self.recording;
        let answer = self.recording.next(&reel.answers, self.client.request_digest(ask));
        let agent = || ask.agent.name().to_owned();
        let recorded = answer.ok_or_else(|| match &self.watched {
            Some(_) => CallError::RecordingEnds { agent: agent() },
            None => CallError::NotRecorded { agent: agent(), file: path.display().to_string() },
        })?;
        match self.watched.as_ref().and_then(|watched| watched.speed) {
            Some(speed) => told_in_time(recorded, speed, heard).await,
            None => {
                if let Ok(answer) = &recorded.answer {
                    heard(&answer.text);
                }
            }
        }
        recorded.answer.clone().map_err(CallError::from)
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

    #[tokio::test(start_paused = true)]
    async fn a_watched_answer_comes_as_it_came_and_faster() {
        let answer = Answer { text: "The council voted seven to two.".into(), ..Answer::default() };
        let text = answer.text.clone();
        let recorded =
            RecordedAnswer { answer: Ok(answer), first: Duration::from_secs(4), whole: Duration::from_secs(10) };
        for (speed, first, whole) in [(1.0, 4_000, 10_000), (4.0, 1_000, 2_500)] {
            let begun = tokio::time::Instant::now();
            let heard = Mutex::new(Vec::new());
            told_in_time(&recorded, speed, &|words| {
                heard.lock().unwrap().push((begun.elapsed().as_millis(), words.to_owned()));
            })
            .await;
            let heard = heard.into_inner().unwrap();
            assert_eq!(heard[0], (first, "The ".to_owned()));
            assert_eq!(heard.len(), 6, "word by word: {heard:?}");
            assert_eq!(heard.iter().map(|(_, words)| words.as_str()).collect::<String>(), text);
            assert_eq!(begun.elapsed().as_millis(), whole);
        }
    }

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
