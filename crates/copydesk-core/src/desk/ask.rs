//! Questions about a story: its passages, and what a model makes of them.

use super::{Desk, DeskError};
use crate::{
    agents::{Agents, AnsweredSentence, answer_question, ask_question},
    ports::{Area, Filter, Query, StoreError, aside},
};
use copydesk_newsroom::{Journal, Passage};
use copydesk_proof::AskedQuestion;
use copydesk_text::{in_marks, overlap::Stems, sentences::sentences};

/// Most passages that are shown, and that a model is given.
const PASSAGES: usize = 6;

/// Passages in which an answer is looked for without a model.
const CANDIDATES: usize = 48;

/// What the sources of a story say on a question.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SourceAnswer {
    pub passages: Vec<Passage>,
    /// The answer, each sentence with its passages; none if no model is configured, or it gave none.
    pub sentences: Option<Vec<AnsweredSentence>>,
    /// Why the model that is configured gave none.
    pub trouble: Option<String>,
    /// The questions that no passage answers.
    pub unanswered: OpenQuestions,
}

/// The part of a text of questions that no passage answers, as far as rules can tell.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum OpenQuestions {
    #[default]
    Nothing,
    /// These questions.
    Some(Vec<String>),
    /// All of it; the passages are the nearest.
    All,
}

impl SourceAnswer {
    /// What a reader should know first: that nothing was found, or why there are passages alone. None if there is an answer.
    pub fn note(&self) -> Option<String> {
        let note = match (&self.sentences, &self.trouble) {
            _ if self.passages.is_empty() => "No passage answers this. Try other words.",
            (None, Some(trouble)) => {
                let why = trouble.trim_end_matches('.');
                let stop = if why.ends_with('?') { "" } else { "." };
                return Some(format!("The model gave no answer: {why}{stop} These are the nearest passages."));
            }
            (None, None) => match &self.unanswered {
                OpenQuestions::All => "No passage answers this. These are the nearest passages.",
                OpenQuestions::Nothing => "No model is configured, so these are the passages alone.",
                OpenQuestions::Some(open) => {
                    let open: Vec<String> = open.iter().map(|question| in_marks(question)).collect();
                    return Some(format!("No passage answers {}.", open.join(", ")));
                }
            },
            (Some(sentences), _) if sentences.is_empty() => {
                "The model found no answer in the sources. These are the nearest passages."
            }
            (Some(_), _) => return None,
        };
        Some(note.to_owned())
    }

    /// Ranks the passages by how well they answer each question, and keeps of each the sentences around its answer. If none has one, all
    /// stay.
    fn ranked(mut self, question: &str) -> Self {
        let (mut answers, mut open) = (Vec::new(), Vec::new());
        for asked in AskedQuestion::all(question) {
            let answer = |passage: &Passage| {
                let (score, range) = asked.answered_by(&passage.text)?;
                Some((score, around(passage, range.start)))
            };
            let mut found: Vec<(f64, Passage)> = self.passages.iter().filter_map(answer).collect();
            found.sort_by(|(one, _), (other, _)| other.total_cmp(one));
            open.extend(found.is_empty().then(|| asked.text.clone()));
            answers.push(found.into_iter().map(|(_, passage)| passage).collect());
        }
        if open.len() == answers.len() {
            self.unanswered = OpenQuestions::All;
            return self.narrowed(question);
        }
        self.unanswered = if open.is_empty() { OpenQuestions::Nothing } else { OpenQuestions::Some(open) };
        self.passages = in_turn(&answers);
        self.passages.truncate(PASSAGES);
        self
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
            let weights = Stems::of(&wanted).idf_scores(&parts);
            let scored = ranges.iter().zip(weights).rev().filter(|(_, score)| *score > 0.0);
            let nearest = scored.max_by(|one, other| one.1.total_cmp(&other.1));
            nearest.map_or_else(|| passage.clone(), |(range, _)| around(passage, range.start))
        };
        self.passages = self.passages.iter().take(PASSAGES).enumerate().map(near).collect();
        self
    }
}

/// The passages of several lists, the first of each before the second of any, each once: passages overlap.
fn in_turn(lists: &[Vec<Passage>]) -> Vec<Passage> {
    let longest = lists.iter().map(Vec::len).max().unwrap_or(0);
    let mut all: Vec<Passage> = Vec::new();
    for passage in (0..longest).flat_map(|at| lists.iter().filter_map(move |list| list.get(at))) {
        if all.iter().all(|known| known.file != passage.file || known.text != passage.text) {
            all.push(passage.clone());
        }
    }
    all
}

/// The sentence of a passage that has this byte, with the one before it and the one behind it.
fn around(passage: &Passage, at: usize) -> Passage {
    let ranges = sentences(&passage.text);
    let place = ranges.iter().position(|range| at < range.end).unwrap_or(0);
    let ends = ranges.get(place.saturating_sub(1)).zip(ranges.get(place + 1).or(ranges.get(place)));
    ends.map_or_else(|| passage.clone(), |(first, last)| passage.stretch(&(first.start..last.end)))
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
            let areas = vec![Area::Story { story: journal.opening.topic.story(), texts: Some(texts) }];
            let count = if matches!(&*self.agents, Agents::Models { .. }) { PASSAGES } else { CANDIDATES };
            let query = |asked: AskedQuestion| Query {
                text: asked.text,
                areas: areas.clone(),
                filter: Filter::default(),
                count,
            };
            let queries: Vec<Query> = AskedQuestion::all(question).into_iter().map(query).collect();
            let found = self.passages.search_each(&queries).await?.into_iter();
            let lists = found.map(|found| found.hits.into_iter().map(|hit| hit.passage).collect());
            let mut passages = in_turn(&lists.collect::<Vec<_>>());
            passages.truncate(count);
            let found = SourceAnswer { passages, ..SourceAnswer::default() };
            let Agents::Models { prompts, .. } = &*self.agents else {
                let question = question.to_owned();
                return aside(move || found.ranked(&question)).await.map_err(|_| NotAnswered::BrokeOff);
            };
            if found.passages.is_empty() {
                return Ok(SourceAnswer { sentences: Some(Vec::new()), ..found });
            }
            let ask = ask_question(prompts, journal, question, &found.passages).ok_or(NotAnswered::NoPrompt)?;
            let answer = match self.model.ask(&ask, &|_| ()).await {
                Ok(answer) => answer,
                Err(why) => return Ok(SourceAnswer { trouble: Some(why.to_string()), ..found }.ranked(question)),
            };
            let (question, title) = (question.to_owned(), journal.opening.topic.source_metadata.topic_title.clone());
            // The proof of an answer takes a while: not on the thread that serves every story.
            let read = move || {
                let (sentences, trouble) = match answer_question(&answer, &found.passages, &[&question, &title]) {
                    Ok(sentences) => (Some(sentences), None),
                    Err(why) => (None, Some(why.to_string())),
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
        let said = found.clone().narrowed("Who voted to build the dock?").passages.remove(0).text;
        assert_eq!(said, "Pell voted no.\nThe dock costs $3 million. Rain fell.");
        let answered = |found: &SourceAnswer, question| found.clone().ranked(question);
        let costs = answered(&SourceAnswer { sentences: None, ..found.clone() }, "How much does the dock cost?");
        assert_eq!((costs.passages.len(), costs.note().unwrap().contains("passages alone")), (1, true));
        let deep = answered(&SourceAnswer { sentences: None, ..found }, "How deep is the water at the dock?");
        assert_eq!(deep.note().unwrap(), "No passage answers this. These are the nearest passages.");
        let down = SourceAnswer {
            trouble: Some("no server.".into()),
            passages: vec![Passage::default()],
            ..SourceAnswer::default()
        };
        assert_eq!(down.note().unwrap(), "The model gave no answer: no server. These are the nearest passages.");
    }
}
