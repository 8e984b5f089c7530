//! A journalist's question about a story, answered from its sources alone.

use std::ops::Range;

use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    reading::{self, UnusableAnswer},
    template::Prompts,
};
use crate::ports::Ask;
use copydesk_newsroom::{Agent, Answer, ArticleResponse, Journal, LedgerRow, Passage, Source, SpanKind, Specialist};
use copydesk_proof as proof;
use copydesk_text::{in_marks, sanitise};

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
/// it up. Names in the question and in the story's title (`asked`) count as known.
pub(crate) fn read(
    answer: &Answer,
    passages: &[Passage],
    asked: &[&str],
) -> Result<Vec<AnsweredSentence>, UnusableAnswer> {
    let said = reading::json::<Answered>(&answer.text)?.sentences;
    let place = |number: u32| usize::try_from(number).ok()?.checked_sub(1).filter(|at| *at < passages.len());
    let sentence = |One { text, passages: named }: One| {
        let text = sanitise::excerpt(&sanitise::one_line(&text), LONGEST);
        let mut places: Vec<usize> = named.into_iter().filter_map(place).collect();
        places.sort_unstable();
        places.dedup();
        (!text.is_empty() && !places.is_empty()).then(|| AnsweredSentence {
            doubts: doubts(&text, &places, passages, asked),
            passages: places,
            text,
        })
    };
    Ok(said.into_iter().take(MOST).filter_map(sentence).collect())
}

/// What the proof raises in a sentence, held against its passages alone.
fn doubts(text: &str, places: &[usize], passages: &[Passage], asked: &[&str]) -> Vec<String> {
    let source = |passage: &Passage| Source { name: passage.file.clone(), text: passage.text.clone() };
    let own: Vec<Source> = places.iter().filter_map(|at| passages.get(*at)).map(source).collect();
    let article = ArticleResponse { articleBody: text.to_owned(), ..ArticleResponse::default() };
    // An answer from passages has no figures of its own, so the proof's notes count, too.
    let ledger = proof::ledger(&article, &own, proof::Gravity::Note);
    let named = |text: &str| Source { name: String::new(), text: text.to_owned() };
    let files = own.iter().map(|source| named(&source.name));
    let known: Vec<Source> = own.iter().cloned().chain(files).chain(asked.iter().map(|text| named(text))).collect();
    let strangers = proof::strangers(text, &known);
    let touches = |range: &Range<usize>, row: &LedgerRow| range.start < row.end && row.start < range.end;
    let stands =
        |row: &&LedgerRow| row.rule != proof::NAME_NOT_FOUND || strangers.iter().any(|range| touches(range, row));
    let found: Vec<&LedgerRow> = ledger.findings().filter(stands).collect();
    let mut doubts: Vec<(usize, String)> = found
        .iter()
        .filter(|row| row.rule != proof::NAME_NOT_FOUND)
        .map(|row| (row.start, format!("{}: {}", in_marks(&row.text), row.note.as_deref().unwrap_or_default())))
        .collect();
    for range in strangers {
        if found
            .iter()
            .any(|row| row.rule != proof::NAME_NOT_FOUND && row.kind == SpanKind::Name && touches(&range, row))
        {
            continue;
        }
        let name = text.get(range.clone()).unwrap_or_default();
        let has = |passage: &&Passage| proof::strangers(text, &[source(passage)]).iter().all(|other| *other != range);
        let elsewhere = (1..).zip(passages).find(|(_, passage)| has(passage));
        let said = match elsewhere {
            Some((number, _)) => format!("Passage {number} has this name, and none that the sentence rests on."),
            None => "No passage has this name.".to_owned(),
        };
        doubts.push((range.start, format!("{}: {said}", in_marks(name))));
    }
    doubts.sort_by_key(|(start, _)| *start);
    doubts.into_iter().map(|(_, doubt)| doubt).collect()
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
        let read = read(&answer, &passages, &["How many people does Eastbrook have?"]).unwrap();
        assert_eq!(read.len(), 3, "{read:?}");
        assert_eq!((read[0].passages.as_slice(), read[0].doubts.len()), (&[1][..], 0));
        assert!(read[1].doubts[0].starts_with("“$2.6 million”"), "{read:?}");
        assert_eq!(read[2].doubts, ["“40,000”: No source gives this figure, and it follows from no figure there."]);
    }

    #[test]
    fn a_name_that_no_passage_has_is_doubted_unless_it_was_asked_about() {
        let passage = |text: &str| Passage { file: "Minutes".into(), text: text.into(), ..Passage::default() };
        let passages = [
            passage("The council of Eastbrook voted 7-2 on Tuesday, Mayor Inez Calloway said."),
            passage("Dana Ruiz of Halden spoke for the plan."),
        ];
        let doubts = |text: &str, asked: &[&str]| doubts(text, &[0], &passages, asked);
        assert_eq!(doubts("The council in Ohio voted 7-2.", &[]), ["“Ohio”: No passage has this name."]);
        assert_eq!(doubts("Ohio voted 7-2.", &[]), ["“Ohio”: No passage has this name."]);
        assert_eq!(
            doubts("The council of Halden voted 7-2.", &[]),
            ["“Halden”: Passage 2 has this name, and none that the sentence rests on."]
        );
        for fine in ["Ohio’s council voted 7-2.", "The council in Ohio voted 7-2."] {
            assert_eq!(doubts(fine, &["Did Ohio vote?"]), [""; 0], "{fine}");
        }
        for fine in
            ["Ms. Calloway, the mayor, spoke in Eastbrook.", "On Tuesday, Calloway’s council voted, the Minutes say."]
        {
            assert_eq!(doubts(fine, &[]), [""; 0], "{fine}");
        }
        // A question vouches for names alone.
        assert_eq!(doubts("The vote was 9-2.", &["Was it 9-2?"]).len(), 1);
        let [misspelt] = &doubts("Mayor Inez Caloway spoke.", &["What did Caloway say?"])[..] else { panic!() };
        assert!(misspelt.contains("Caloway"), "{misspelt}");
    }
}
