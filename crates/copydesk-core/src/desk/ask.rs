//! Questions about a story: its passages, and what a model makes of them.

use super::{Desk, DeskError};
use crate::{
    agents::{Agents, AnsweredSentence, UnusableAnswer, answer_question, ask_question},
    ports::{Area, CallError, Filter, Query, StoreError, aside},
};
use copydesk_newsroom::{Journal, Passage};

/// Most passages that are shown, and that a model is given.
const PASSAGES: usize = 6;

/// What the sources of a story say on a question.
#[derive(Debug, Clone, PartialEq)]
pub struct SourceAnswer {
    pub passages: Vec<Passage>,
    /// The answer, each sentence with its passages; none if no model is configured.
    pub sentences: Option<Vec<AnsweredSentence>>,
}

impl SourceAnswer {
    /// What a reader should know first: that nothing was found, or why there are passages alone. None if there is an answer.
    #[must_use]
    pub fn note(&self) -> Option<&'static str> {
        match &self.sentences {
            _ if self.passages.is_empty() => Some("No passage of its sources speaks of that. Try other words."),
            None => Some("No model is configured, so these are the passages alone."),
            Some(sentences) if sentences.is_empty() => {
                Some("The model found no answer in the sources. These are the nearest passages.")
            }
            Some(_) => None,
        }
    }
}

/// Why a question was not answered.
#[derive(Debug, thiserror::Error)]
pub enum NotAnswered {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Desk(#[from] DeskError),
    #[error("the prompt ask.md is missing beside the other prompts: `copydesk init` writes it")]
    NoPrompt,
    #[error("the model was not asked: {0}")]
    Call(#[from] CallError),
    #[error("the proof of the answer broke off; please report this")]
    BrokeOff,
    #[error("the model's answer cannot be used: {0}")]
    Unusable(#[from] UnusableAnswer),
}

impl Desk {
    /// Answers a question from the sources of a story, and from nothing else. Without a model it finds the passages.
    ///
    /// # Errors
    /// [`NotAnswered`] if the sources cannot be searched, or the model gives nothing that can be read.
    pub async fn answer(&self, journal: &Journal, question: &str) -> Result<SourceAnswer, NotAnswered> {
        let work = async {
            let (texts, _) = self.passages.shelve_sources(journal).await?;
            let query = Query {
                text: question.to_owned(),
                areas: vec![Area::Story { story: journal.opening.topic.story(), texts: Some(texts) }],
                filter: Filter::default(),
                count: PASSAGES,
            };
            let found = self.passages.search(&query).await?;
            let passages: Vec<Passage> = found.hits.into_iter().map(|hit| hit.passage).collect();
            let Agents::Models { prompts, .. } = &*self.agents else {
                return Ok(SourceAnswer { passages, sentences: None });
            };
            if passages.is_empty() {
                return Ok(SourceAnswer { passages, sentences: Some(Vec::new()) });
            }
            let ask = ask_question(prompts, journal, question, &passages).ok_or(NotAnswered::NoPrompt)?;
            let answer = self.model.ask(&ask, &|_| ()).await?;
            // The proof of an answer takes a while: not on the thread that serves every story.
            let read = move || answer_question(&answer, &passages).map(|sentences| (passages, sentences));
            let (passages, sentences) = aside(read).await.map_err(|_| NotAnswered::BrokeOff)??;
            Ok(SourceAnswer { passages, sentences: Some(sentences) })
        };
        self.occasion(&journal.opening, "ask".to_owned()).during(work).await
    }
}
