//! A journalist's question about a story, answered from its sources alone.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    reading::{self, UnusableAnswer},
    template::Prompts,
};
use crate::ports::Ask;
use copydesk_newsroom::{Agent, Answer, ArticleResponse, Journal, Passage, Source, Specialist};
use copydesk_proof as proof;
use copydesk_text::sanitise;

/// The prompt's name.
const PROMPT: &str = "ask";

/// Most sentences of an answer.
const MOST: usize = 12;

/// Longest sentence, in characters.
const LONGEST: usize = 1_000;

/// A sentence of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnsweredSentence {
    pub text: String,
    /// The places of its passages among those that were shown, from 0; never empty.
    pub passages: Vec<usize>,
    /// What the proof holds against it: words that its passages do not have so.
    pub doubts: Vec<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Answered {
    sentences: Vec<One>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct One {
    text: String,
    /// The numbers of the passages that it rests on.
    passages: Vec<u32>,
}

/// The question to the model of fact checks; none if there is no prompt for it.
pub(crate) fn ask(prompts: &Prompts, journal: &Journal, question: &str, passages: &[Passage]) -> Option<Ask> {
    let numbered = |(number, passage): (usize, &Passage)| format!("[{number}] ({}) {}", passage.file, passage.text);
    let values = [
        ("QUESTION", question.to_owned()),
        ("PASSAGES", (1..).zip(passages).map(numbered).collect::<Vec<_>>().join("\n\n")),
        ("TOPIC_TITLE", journal.opening.topic.source_metadata.topic_title.clone()),
    ];
    let schema = reading::schema::<Answered>("answer");
    prompts.ask(Agent::Specialist(Specialist::FactCheck), PROMPT, &values, Some(schema))
}

/// Reads an answer, and proves each sentence by the passages that it names. A sentence that names none is left out, because nobody could look
/// it up.
pub(crate) fn read(answer: &Answer, passages: &[Passage]) -> Result<Vec<AnsweredSentence>, UnusableAnswer> {
    let said = reading::json::<Answered>(&answer.text)?.sentences;
    let place = |number: u32| usize::try_from(number).ok()?.checked_sub(1).filter(|at| *at < passages.len());
    let sentence = |One { text, passages: named }: One| {
        let text = sanitise::excerpt(&sanitise::one_line(&text), LONGEST);
        let mut places: Vec<usize> = named.into_iter().filter_map(place).collect();
        places.sort_unstable();
        places.dedup();
        (!text.is_empty() && !places.is_empty()).then(|| AnsweredSentence {
            doubts: doubts(&text, places.iter().filter_map(|at| passages.get(*at))),
            passages: places,
            text,
        })
    };
    Ok(said.into_iter().take(MOST).filter_map(sentence).collect())
}

/// What the proof raises in a sentence, held against its passages alone.
fn doubts<'p>(text: &str, passages: impl Iterator<Item = &'p Passage>) -> Vec<String> {
    let sources: Vec<Source> =
        passages.map(|passage| Source { name: passage.file.clone(), text: passage.text.clone() }).collect();
    let article = ArticleResponse { articleBody: text.to_owned(), ..ArticleResponse::default() };
    // An answer from passages has no figures of its own, so the proof's notes count, too.
    let ledger = proof::ledger(&article, &sources, proof::Gravity::Note);
    ledger.findings().map(|row| format!("“{}”: {}", row.text, row.note.as_deref().unwrap_or_default())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use copydesk_newsroom::Usage;

    #[test]
    fn a_sentence_without_its_passage_is_left_out_and_the_others_are_proved() {
        let passage = |text: &str| Passage { file: "Minutes".into(), text: text.into(), ..Passage::default() };
        let passages = [passage("The council voted 7-2 on Tuesday."), passage("The plan costs $2.4 million.")];
        let text = r#"```json
{"sentences": [{"text": "It costs $2.4 million.", "passages": [2]}, {"text": "It costs $2.6 million.", "passages": [2, 2]},
{"text": "Everybody is glad.", "passages": []}, {"text": "Nine.", "passages": [9]},
{"text": "Eastbrook has 40,000 people.", "passages": [1]}]}
```"#;
        let answer = Answer { text: text.into(), citations: vec![], usage: Usage::default(), calls: vec![] };
        let read = read(&answer, &passages).unwrap();
        assert_eq!(read.len(), 3, "{read:?}");
        assert_eq!((read[0].passages.as_slice(), read[0].doubts.len()), (&[1][..], 0));
        assert!(read[1].doubts[0].starts_with("“$2.6 million”"), "{read:?}");
        assert_eq!(read[2].doubts, ["“40,000”: No source gives this figure, and it follows from no figure there."]);
    }
}
