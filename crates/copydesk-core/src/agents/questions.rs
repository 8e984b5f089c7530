//! The questions of a fact check to the passages, which a model writes from a concern (docs/reference/contract.md). By rule they are
//! `editorial::questions`.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    reading::{self, UnusableAnswer},
    specialists::{self, ConcernAtHand},
    template::Prompts,
    writer,
};
use crate::ports::Ask;
use copydesk_newsroom::{Agent, Answer, Journal, Specialist};
use copydesk_text::sanitise;

/// The prompt's name.
const PROMPT: &str = "questions";

/// Most questions of one concern.
const MOST: usize = 5;

/// Most characters of one.
const LONGEST: usize = 400;

/// The answer.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct QuestionsAnswer {
    pub(super) questions: Vec<String>,
}

/// Asks the model of fact checks, which will judge by the passages found.
pub(super) fn ask(prompts: &Prompts, journal: &Journal, round: u32, concern: u32) -> Option<Ask> {
    let subject = ConcernAtHand::of(journal, round, concern)?;
    let values = [
        ("CONCERN_ID", concern.to_string()),
        ("CONCERN", serde_json::to_string_pretty(subject.concern).ok()?),
        ("SENTENCE", specialists::sentence(journal, round, concern)?),
        ("ARTICLE", writer::article_json(subject.article)),
        ("TOPIC_TITLE", journal.opening.topic.source_metadata.topic_title.clone()),
    ];
    let schema = reading::schema::<QuestionsAnswer>("questions");
    prompts.ask(Agent::Specialist(Specialist::FactCheck), PROMPT, &values, Some(schema))
}

/// Reads the questions: one to five, none empty or endless, each once.
pub(super) fn read(answer: &Answer) -> Result<Vec<String>, UnusableAnswer> {
    let written = reading::json::<QuestionsAnswer>(&answer.text)?.questions;
    if !(1..=MOST).contains(&written.len()) {
        return Err(UnusableAnswer::new(format!("it has {} questions; 1 to {MOST} are wanted", written.len())));
    }
    let mut questions: Vec<String> = Vec::new();
    for question in written {
        let question = sanitise::one_line(&reading::required("a question", &question)?);
        if question.chars().count() > LONGEST {
            return Err(UnusableAnswer::new(format!("a question is longer than {LONGEST} characters")));
        }
        if !questions.contains(&question) {
            questions.push(question);
        }
    }
    Ok(questions)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(text: &str) -> Result<Vec<String>, String> {
        read(&Answer { text: text.to_owned(), ..Answer::default() }).map_err(|error| error.to_string())
    }

    #[test]
    fn one_to_five_questions_are_read() {
        let two = Ok(vec!["When does work begin?".to_owned(), "Who said so?".to_owned()]);
        assert_eq!(asked(r#"{"questions":["When does\n work  begin?","Who said so?","Who said so?"]}"#), two);
        assert_eq!(asked("```json\n[\"When does work begin?\", \"\\u001b[1mWho said so?\"]\n```"), two);
        let long = format!("[\"{}\"]", "x".repeat(LONGEST + 1));
        for (text, why) in [
            ("", "it is empty"),
            ("{\"questions\":[]}", "it has 0 questions; 1 to 5 are wanted"),
            (r#"["a","b","c","d","e","f"]"#, "it has 6 questions"),
            (r#"["a"," \u200b "]"#, "a question is empty"),
            (r#"["a",[2]]"#, "not the JSON that was asked for"),
            ("When does work begin?", "not the JSON that was asked for"),
            (long.as_str(), "a question is longer than 400 characters"),
        ] {
            let said = asked(text).unwrap_err();
            assert!(said.contains(why), "{said}");
        }
    }
}
