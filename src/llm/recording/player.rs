//! Gives recorded answers.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use async_trait::async_trait;

use super::file::{RecordingError, read};
use crate::{
    llm::Client,
    newsroom::{Agent, Answer},
    ports::{Ask, CallError, Card, Heard, ModelClient},
};

/// Answers from a recording. No server is asked.
pub struct Player {
    /// Knows the models and their settings.
    client: Client,
    path: PathBuf,
    answers: HashMap<String, Vec<Answer>>,
    /// How often each request was asked.
    asked: Mutex<HashMap<String, usize>>,
}

impl Player {
    /// The host that calls have in the record.
    pub const HOST: &'static str = "recorded";

    /// Reads a recording whole.
    ///
    /// # Errors
    /// [`RecordingError`] if it is missing, damaged, or none.
    pub fn open(client: Client, path: &Path) -> Result<Self, RecordingError> {
        Ok(Self { client, path: path.to_owned(), answers: read(path)?, asked: Mutex::default() })
    }

    /// How many answers it has.
    #[must_use]
    pub fn count(&self) -> usize {
        self.answers.values().map(Vec::len).sum()
    }
}

#[async_trait]
impl ModelClient for Player {
    fn card(&self, agent: Agent) -> Card {
        Card { host: Self::HOST.to_owned(), ..self.client.card(agent) }
    }

    /// The answers to one request come in the order in which they were recorded, because an answer that was no use was asked for again.
    /// After the last, the last comes again.
    async fn ask(&self, ask: &Ask, heard: Heard<'_>) -> Result<Answer, CallError> {
        let request = self.client.request_digest(ask);
        let missing =
            || CallError::NotRecorded { agent: ask.agent.name().to_owned(), file: self.path.display().to_string() };
        let answers = self.answers.get(&request).ok_or_else(missing)?;
        let turn = {
            let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
            let turn = asked.entry(request).or_default();
            *turn += 1;
            *turn - 1
        };
        let answer = answers.get(turn).or(answers.last()).ok_or_else(missing)?;
        heard(&answer.text);
        Ok(answer.clone())
    }
}
