//! Questions about a story: its passages, and what a model makes of them.

use super::{Desk, DeskError};
use crate::{
    agents::{Agents, AnsweredSentence, answer_question, ask_question},
    ports::{Area, Filter, Query, StoreError, aside},
};
use copydesk_newsroom::{Journal, Passage};
use copydesk_text::{overlap::Stems, sentences::sentences};

/// Most passages that are shown, and that a model is given.
const PASSAGES: usize = 6;

/// What the sources of a story say on a question.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SourceAnswer {
    pub passages: Vec<Passage>,
    /// The answer, each sentence with its passages; none if no model is configured, or it gave none.
    pub sentences: Option<Vec<AnsweredSentence>>,
    /// Why the model that is configured gave none.
    pub trouble: Option<String>,
}

impl SourceAnswer {
    /// What a reader should know first: that nothing was found, or why there are passages alone. None if there is an answer.
    #[must_use]
    pub fn note(&self) -> Option<String> {
        let note = match (&self.sentences, &self.trouble) {
            _ if self.passages.is_empty() => "No passage of its sources speaks of that. Try other words.",
            (None, Some(trouble)) => {
                let why = trouble.trim_end_matches('.');
                let stop = if why.ends_with('?') { "" } else { "." };
                return Some(format!("The model gave no answer: {why}{stop} These are the nearest passages."));
            }
            (None, None) => "No model is configured, so these are the passages alone.",
            (Some(sentences), _) if sentences.is_empty() => {
                "The model found no answer in the sources. These are the nearest passages."
            }
            (Some(_), _) => return None,
        };
        Some(note.to_owned())
    }

    /// Keeps of each passage the sentences around the one that is nearest to the question and to what the model said by it.
    fn narrowed(mut self, question: &str) -> Self {
        let said = |at: usize| {
            let of_it = self.sentences.iter().flatten().filter(move |sentence| sentence.passages.contains(&at));
            of_it.map(|sentence| sentence.text.as_str())
        };
        let near = |(at, passage): (usize, &Passage)| {
            let answered: Vec<&str> = said(at).collect();
            let wanted = if answered.is_empty() { question.to_owned() } else { answered.join(" ") };
            let ranges = sentences(&passage.text);
            let parts: Vec<&str> = ranges.iter().filter_map(|range| passage.text.get(range.clone())).collect();
            let scores = Stems::of(&wanted).idf_scores(&parts);
            let nearest = (1..=scores.len()).rev().map(|end| end - 1).max_by(|one, other| {
                let score = |at: &usize| scores.get(*at).copied().unwrap_or(0.0);
                score(one).total_cmp(&score(other))
            });
            let at = nearest.filter(|at| scores.get(*at).is_some_and(|score| *score > 0.0));
            // With the sentence before and the one behind.
            let ends =
                at.and_then(|at| Some((ranges.get(at.saturating_sub(1))?, ranges.get(at + 1).or(ranges.get(at))?)));
            ends.map_or_else(|| passage.clone(), |(first, last)| passage.stretch(&(first.start..last.end)))
        };
        self.passages = self.passages.iter().enumerate().map(near).collect();
        self
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
    #[error("the proof of the answer broke off; please report this")]
    BrokeOff,
}

impl Desk {
    /// Answers a question from the sources of a story, and from nothing else. Without a model it finds the passages.
    ///
    /// # Errors
    /// [`NotAnswered`] if the sources cannot be searched. If the model gives nothing, the passages come with the reason.
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
            let found = SourceAnswer { passages, ..SourceAnswer::default() };
            let Agents::Models { prompts, .. } = &*self.agents else { return Ok(found.narrowed(question)) };
            if found.passages.is_empty() {
                return Ok(SourceAnswer { sentences: Some(Vec::new()), ..found });
            }
            let ask = ask_question(prompts, journal, question, &found.passages).ok_or(NotAnswered::NoPrompt)?;
            let answer = match self.model.ask(&ask, &|_| ()).await {
                Ok(answer) => answer,
                Err(why) => return Ok(SourceAnswer { trouble: Some(why.to_string()), ..found }.narrowed(question)),
            };
            let question = question.to_owned();
            // The proof of an answer takes a while: not on the thread that serves every story.
            let read = move || {
                let (sentences, trouble) = match answer_question(&answer, &found.passages) {
                    Ok(sentences) => (Some(sentences), None),
                    Err(why) => (None, Some(format!("its answer cannot be used: {why}"))),
                };
                SourceAnswer { sentences, trouble, ..found }.narrowed(&question)
            };
            aside(read).await.map_err(|_| NotAnswered::BrokeOff)
        };
        self.occasion(&journal.opening, "ask".to_owned()).during(work).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_passage_is_the_sentences_around_the_answer_at_their_place() {
        let page = "Home. Agenda. The council met on Tuesday.\nIt voted five to two to build the dock. Pell voted no.\nThe dock costs $3 million. Rain fell.";
        let passage = Passage { file: "minutes".into(), start: 100, text: page.into(), ..Passage::default() };
        let found = SourceAnswer { passages: vec![passage], ..SourceAnswer::default() };
        let [voted] = &found.clone().narrowed("Who voted to build the dock?").passages[..] else { panic!() };
        assert_eq!(
            (voted.start, voted.text.as_str()),
            (114, "The council met on Tuesday.\nIt voted five to two to build the dock. Pell voted no.")
        );
        let rare = found.clone().narrowed("What does the dock cost?");
        assert!(rare.passages[0].text.contains("$3 million"), "{rare:?}");
        let cost = AnsweredSentence { text: "It costs $3 million.".into(), passages: vec![0], doubts: vec![] };
        let found = SourceAnswer { sentences: Some(vec![cost]), ..found };
        let said = &found.narrowed("Who voted to build the dock?").passages[0].text;
        assert_eq!(said, "Pell voted no.\nThe dock costs $3 million. Rain fell.");
        let down = SourceAnswer {
            trouble: Some("no server.".into()),
            passages: vec![Passage::default()],
            ..SourceAnswer::default()
        };
        assert_eq!(down.note().unwrap(), "The model gave no answer: no server. These are the nearest passages.");
    }
}
