//! A question about a story: what is typed, the answer from the story's sources, and the selected sentence with its passages. Plain data; the
//! answer is made elsewhere.

use std::sync::Arc;

use crate::app::{Ticket, Trouble};
use crate::widgets::{ListAndText, Sheet, TextRole};
use copydesk_core::{agents::AnsweredSentence, desk::SourceAnswer, editorial::citations};
use copydesk_newsroom::{Journal, Passage};
use copydesk_text::{in_marks, sanitise};

/// How far the answer is.
#[derive(Debug, Clone, PartialEq)]
pub enum AnswerState {
    NotYet,
    /// The answer with this ticket is waited for.
    Asked(Ticket),
    Stopped,
    Failed(Trouble),
    Answered(SourceAnswer),
}

/// A row of the answer.
#[derive(Debug, Clone, Copy)]
pub enum AnswerRow<'a> {
    Sentence(&'a AnsweredSentence),
    /// A passage and its number, from 1.
    Passage(usize, &'a Passage),
}

#[derive(Debug, Clone)]
pub struct AskPage {
    pub question: String,
    /// The question that was asked last; empty if it is to be asked again.
    asked: String,
    pub state: AnswerState,
    /// The rows of the answer, and the passages of the selected one.
    pub list: ListAndText,
    /// The run that was asked.
    journal: Arc<Journal>,
    /// The source of each passage of the answer and its line there.
    places: Vec<String>,
}

impl AskPage {
    pub fn new(journal: Arc<Journal>) -> Self {
        Self {
            question: String::new(),
            asked: String::new(),
            state: AnswerState::NotYet,
            list: ListAndText::default(),
            journal,
            places: Vec::new(),
        }
    }

    /// Whether another question is typed than the one that was asked.
    pub fn is_new(&self) -> bool {
        let typed = sanitise::one_line(&self.question);
        !typed.is_empty() && typed != self.asked
    }

    /// Notes that the typed question is asked of a run. Returns it.
    pub fn ask(&mut self, ticket: Ticket, journal: Arc<Journal>) -> String {
        self.asked = sanitise::one_line(&self.question);
        (self.state, self.list, self.journal) = (AnswerState::Asked(ticket), ListAndText::default(), journal);
        self.asked.clone()
    }

    /// Takes an answer in, if it is the one that is waited for.
    pub fn take(&mut self, ticket: Ticket, answer: Result<SourceAnswer, Trouble>) {
        if self.state != AnswerState::Asked(ticket) {
            return;
        }
        self.state = match answer {
            Ok(answer) => {
                let place = |passage| sanitise::one_line(&citations::of_passage(&self.journal, passage));
                self.places = answer.passages.iter().map(place).collect();
                AnswerState::Answered(answer)
            }
            Err(trouble) => {
                self.asked.clear();
                AnswerState::Failed(trouble)
            }
        };
        self.lay();
    }

    /// Waits no longer; false if nothing is waited for.
    pub fn stop(&mut self) -> bool {
        let waits = matches!(self.state, AnswerState::Asked(_));
        if waits {
            self.state = AnswerState::Stopped;
            self.asked.clear();
        }
        waits
    }

    fn answer(&self) -> Option<&SourceAnswer> {
        match &self.state {
            AnswerState::Answered(answer) => Some(answer),
            _ => None,
        }
    }

    /// The sentences, then all passages.
    pub fn rows(&self) -> Vec<AnswerRow<'_>> {
        let Some(answer) = self.answer() else { return Vec::new() };
        let sentences = answer.sentences.iter().flatten().map(AnswerRow::Sentence);
        let passages = (1..).zip(&answer.passages).map(|(number, passage)| AnswerRow::Passage(number, passage));
        sentences.chain(passages).collect()
    }

    /// The selected row's passages, each with its number.
    fn passages(&self) -> Vec<(usize, &Passage)> {
        let all = self.answer().map(|answer| answer.passages.as_slice()).unwrap_or_default();
        match self.rows().get(self.list.selected) {
            Some(AnswerRow::Sentence(sentence)) => {
                sentence.passages.iter().filter_map(|at| Some((at + 1, all.get(*at)?))).collect()
            }
            Some(AnswerRow::Passage(number, passage)) => vec![(*number, *passage)],
            None => Vec::new(),
        }
    }

    /// The passage to go to.
    pub fn passage(&self) -> Option<&Passage> {
        self.passages().first().map(|(_, passage)| *passage)
    }

    /// The source of the passage with that number, and its line there.
    pub fn place(&self, number: usize) -> &str {
        number.checked_sub(1).and_then(|at| self.places.get(at)).map_or("", String::as_str)
    }

    /// Lays out the selected row: the sentence, what the proof holds against it, and its passages.
    pub fn lay(&mut self) {
        let mut sheet = Sheet::default();
        if let Some(AnswerRow::Sentence(sentence)) = self.rows().get(self.list.selected) {
            sheet.line(&sanitise::one_line(&sentence.text), TextRole::Strong);
            for doubt in &sentence.doubts {
                sheet.line(&format!("! {}", sanitise::one_line(doubt)), TextRole::Concern);
            }
        }
        for (number, passage) in self.passages() {
            sheet.section(&format!("[{number}] {}", self.place(number)));
            sheet.line(&in_marks(&sanitise::one_line(&passage.text)), TextRole::Quote);
        }
        self.list.set_text(sheet);
        self.list.page.home();
    }
}
