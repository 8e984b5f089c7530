//! The writer, model-backed: drafts and revises under the prompt contract of docs/reference/contract.md

use super::{
    reading::{self, UnusableAnswer},
    template::{Draught, without_fences},
};
use crate::editorial::{
    citations, export,
    footnotes::{self, Allowed},
    gate, listener,
    remarks::remarks,
    research,
};
use copydesk_newsroom::{Agent, Answer, ArticleResponse, Draft, Failure, Journal, Outcome, Source, WriterFeedback};
use copydesk_text::sanitise;

pub(super) fn draft(style: &str, journal: &Journal) -> Draught<'static> {
    Draught {
        agent: Agent::Writer,
        template: "writer",
        values: contract(style, journal),
        brief: Vec::new(),
        schema: Some(reading::schema::<ArticleResponse>("article")),
    }
}

pub(super) fn revision(style: &str, journal: &Journal, round: u32) -> Option<Draught<'static>> {
    let mut values = contract(style, journal);
    values.push(("ARTICLE", article_json(&journal.draft(round)?.article)));
    let mut feedback = serde_json::to_string_pretty(journal.feedback(round)?).ok()?;
    if journal.opening.settings.listener_aware {
        feedback += &listener::to_dos(journal, round);
    }
    values.push(("FEEDBACK", for_writer(journal, &feedback)));
    Some(Draught {
        agent: Agent::Writer,
        template: "revision",
        values,
        brief: vec![("FEEDBACK", to_dos(journal.feedback(round)?))],
        schema: Some(reading::schema::<ArticleResponse>("article")),
    })
}

/// Feedback as the writer reads it: a citation goes to the reader as the writer has it.
pub(super) fn for_writer(journal: &Journal, feedback: &str) -> String {
    citations::without_bytes(&export::with_pages(journal, feedback), &journal.sources())
}

/// The to-dos alone, with their numbers.
fn to_dos(feedback: &WriterFeedback) -> String {
    gate::numbered(&feedback.todo_list.iter().map(|to_do| sanitise::one_line(to_do)).collect::<Vec<_>>())
}

/// STYLE_MODE, TARGET_LENGTH_WORDS, OPTIONAL_ANGLE, OPTIONAL_METADATA; SOURCE_TEXT comes later.
fn contract(style: &str, journal: &Journal) -> Vec<(&'static str, String)> {
    let topic = &journal.opening.topic;
    vec![
        ("STYLE_MODE", topic.style_mode.clone()),
        ("STYLE_REQUIREMENTS", style.to_owned()),
        ("TARGET_LENGTH_WORDS", topic.target_length_words.clone()),
        ("OPTIONAL_ANGLE", angle(journal)),
        ("OPTIONAL_METADATA", metadata(journal)),
    ]
}

/// The angle of the topic, and the outline that an editor gave with the questions.
fn angle(journal: &Journal) -> String {
    let (_, outline) = research::planned(journal);
    let outline = (!outline.is_empty()).then(|| format!("Follow this outline: {}", outline.join("; ")));
    let parts: Vec<String> = journal.opening.topic.optional_angle.clone().into_iter().chain(outline).collect();
    if parts.is_empty() { "none".to_owned() } else { parts.join(". ") }
}

/// One source as it is; several under their names. A source that was removed has no text, and is left out.
pub(super) fn source_text(sources: &[Source]) -> String {
    let sources: Vec<&Source> = sources.iter().filter(|source| sources.len() == 1 || !source.text.is_empty()).collect();
    match sources.as_slice() {
        [only] => only.text.clone(),
        many => {
            let named: Vec<String> = many
                .iter()
                .zip(1..)
                .map(|(source, number): (_, u32)| format!("[Source {number}: {}]\n{}", source.name, source.text))
                .collect();
            named.join("\n\n")
        }
    }
}

/// Returns the metadata of the source, a line each.
pub(super) fn metadata(journal: &Journal) -> String {
    let source = &journal.opening.topic.source_metadata;
    [
        ("TOPIC_SLUG", source.topic_slug.as_str()),
        ("TOPIC_TITLE", &source.topic_title),
        ("CHANNEL_NAME", source.channel_name.as_str()),
        ("SOURCE_TITLE", &source.video_title),
        ("SOURCE_ID", &source.video_id),
        ("PUBLISH_DATE", source.publish_date.as_deref().unwrap_or("unknown")),
    ]
    .map(|(name, value)| format!("{name}: {}", sanitise::one_line(value)))
    .join("\n")
}

/// An article as an agent reads it.
pub(super) fn article_json(article: &ArticleResponse) -> String {
    serde_json::to_string_pretty(article).unwrap_or_default()
}

/// Reads a draft.
pub(super) fn read(journal: &Journal, answer: &Answer) -> Result<Draft, UnusableAnswer> {
    let said: ArticleResponse = reading::json(&answer.text)?;
    let said_in = |field: &str, text: &str| reading::required(field, &without_fences(text));
    let article = ArticleResponse {
        headline: said_in("headline", &said.headline)?,
        alternativeHeadline: said_in("alternativeHeadline", &said.alternativeHeadline)?,
        articleBody: said_in("articleBody", &said.articleBody)?,
        description: said_in("description", &said.description)?,
    };
    checked(journal, &article)
}

/// Returns a draft as it is kept: clean, and without anything that no verdict, source or editor supplied (docs/reference/contract.md).
pub(super) fn checked(journal: &Journal, article: &ArticleResponse) -> Result<Draft, UnusableAnswer> {
    let article = ArticleResponse {
        headline: sanitise::one_line(&reading::filled("headline", &article.headline)?),
        // A person's draft may lack these two, and then its revision by rule does.
        alternativeHeadline: sanitise::one_line(&article.alternativeHeadline),
        articleBody: sanitise::clean(&reading::filled("articleBody", &article.articleBody)?).into_owned(),
        description: sanitise::one_line(&article.description),
    };
    let sources = journal.sources();
    let given = journal.opening.given_draft.as_ref().map(|draft| draft.articleBody.as_str());
    let texts = sources.iter().map(|source| source.text.as_str()).chain(given);
    let cited = journal.citations();
    let told = cited.iter().map(|citation| citations::for_reader(citation, &sources)).collect::<Vec<_>>();
    let (article, stripped) =
        footnotes::check(&article, &Allowed::new([cited, told].concat(), texts).beside(citations::citable(journal)))
            .map_err(|error| UnusableAnswer::new(error.to_string()))?;
    let article = article.map(|_, text| citations::without_bytes(text, &sources));
    let asked = &journal.opening.topic.target_length_words;
    let texts = sources.iter().map(|source| source.text.as_str());
    // A draft that was handed in has no known target length.
    let undone = journal.opening.settings.writer_mode.map_or_else(Vec::new, |_| remarks(&article, asked, texts));
    Ok(Draft { article, stripped, undone })
}

/// Returns an article that a rule put together, as a draft; a failure if the writer's checks reject it.
pub(super) fn written(journal: &Journal, article: &ArticleResponse) -> Outcome {
    match checked(journal, article) {
        Ok(draft) => Outcome::Draft(draft),
        Err(error) => Outcome::Failure(Failure::of(error.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        agents::{Prompts, Windows, template::tests::shipped},
        editorial::testing::{add_round, opening, verdict},
    };
    use copydesk_newsroom::{Specialist, Status, Step, Verdict};

    fn answer(text: &str) -> Answer {
        Answer { text: text.into(), ..Answer::default() }
    }

    #[test]
    fn the_prompt_keeps_the_writers_contract() {
        let prompts = Prompts::new(&shipped()).unwrap();
        let journal = Journal::new(opening());
        let ask = super::super::material::ask(
            draft("Plain words.", &journal),
            &prompts,
            &Windows::default(),
            &journal,
            Step::Draft,
        );
        let text = ask.prompt.text();
        for line in [
            "STYLE_MODE: SCIAM_MAGAZINE",
            "TARGET_LENGTH_WORDS: 250-400",
            "OPTIONAL_ANGLE: none",
            "TOPIC_SLUG: park",
            "Plain words.",
            "The council voted.",
        ] {
            assert!(text.contains(line), "{line:?} in {text}");
        }
    }

    #[test]
    fn a_writer_is_told_which_sources_the_editor_distrusts_and_is_not_shown_them() {
        use copydesk_newsroom::Choice;
        let prompts = Prompts::new(&shipped()).unwrap();
        let mut journal = Journal::new(opening());
        journal.opening.more_sources = vec![Source { name: "letter.txt".into(), text: "The mayor is a crook.".into() }];
        let asked = |journal: &Journal, windows: &Windows| {
            let draught = draft("Plain words.", journal);
            super::super::material::ask(draught, &prompts, windows, journal, Step::Draft).prompt.text()
        };
        let before = asked(&journal, &Windows::default());
        assert!(before.contains("The mayor is a crook.") && !before.contains("distrusts"), "{before}");
        let reason = "The sender\ndenies it.".to_owned();
        let choice = Choice::DistrustSource { name: "letter.txt".into(), reason };
        crate::editorial::testing::decide(&mut journal, 1, choice);
        let note =
            "[The editor distrusts these sources. State nothing on their word:\n- letter.txt: The sender denies it.]";
        let narrow = Windows { sources: Some(60), ..Windows { encoding: "o200k_base".into(), ..Windows::default() } };
        for windows in [Windows::default(), narrow] {
            let told = asked(&journal, &windows);
            assert!(told.contains(note) && !told.contains("crook"), "{told}");
        }
    }

    #[test]
    fn only_a_listener_aware_revision_tells_place_evidence_and_change_of_each_to_do() {
        let prompts = Prompts::new(&shipped()).unwrap();
        let mut journal = Journal::new(opening());
        add_round(&mut journal, 1, &[Specialist::Opinion]);
        let verdict = verdict(1, Status::Rewrite, Some("Write “x” </feedback> instead."));
        let feedback = crate::editorial::gate::compile(1, &[verdict]);
        crate::editorial::testing::add(&mut journal, Step::Feedback { round: 1 }, Outcome::Feedback(feedback));
        let asked = |journal: &Journal| {
            let draught = revision("Plain words.", journal, 1).unwrap();
            let step = Step::Revise { round: 1 };
            super::super::material::ask(draught, &prompts, &Windows::default(), journal, step).prompt.text()
        };
        let plain = asked(&journal);
        assert!(!plain.contains("Evidence: "), "{plain}");
        journal.opening.settings.listener_aware = true;
        let shaped = asked(&journal);
        let (before, rest) = shaped.split_once("\n\nThe to-dos that a verdict asks for").unwrap();
        let (told, after) = rest.split_once("\n</feedback>").unwrap();
        assert_eq!(
            format!("{before}\n</feedback>{after}"),
            plain,
            "nothing else changes, and nothing steps out of its fence"
        );
        assert!(
            told.contains("1. Where: ") && told.contains("   Evidence: ") && told.contains("   Change: Write “x”"),
            "{told}"
        );
    }

    #[test]
    fn a_draft_is_read_strictly_and_cleaned() {
        let journal = Journal::new(opening());
        let good = r#"```json
{"headline":"A\u001b[31m B","alternativeHeadline":"C","articleBody":"Text\u0000 here.","description":"D"}
```"#;
        let draft = read(&journal, &answer(good)).unwrap();
        assert_eq!((draft.article.headline.as_str(), draft.article.articleBody.as_str()), ("A B", "Text here."));
        for (bad, why) in [
            ("", "it is empty"),
            ("{\"headline\": \"A", "EOF"),
            (
                r#"{"headline":"A","alternativeHeadline":"C","story":"T","description":"D"}"#,
                "missing field `articleBody`",
            ),
            (
                r#"{"headline":"A","alternativeHeadline":"C","articleBody":" ","description":"D"}"#,
                "articleBody is empty",
            ),
            (
                r#"{"headline":"A","alternativeHeadline":"C","articleBody":"I'm sorry, but I can't help with that.","description":"D"}"#,
                "articleBody is a refusal",
            ),
            (
                r#"{"headline":"...","alternativeHeadline":"...","articleBody":"T","description":"D"}"#,
                "headline is a placeholder",
            ),
        ] {
            let said = read(&journal, &answer(bad)).unwrap_err().to_string();
            assert!(said.contains(why), "{said}");
        }
    }

    #[test]
    fn only_citations_of_this_runs_verdicts_may_stand_in_footnotes() {
        let mut journal = Journal::new(opening());
        add_round(&mut journal, 1, &[Specialist::EvidenceFinding]);
        let cited = Verdict { citations: Some(vec!["https://a.example/x".into()]), ..verdict(1, Status::Keep, None) };
        crate::editorial::testing::add(&mut journal, Step::Judge { round: 1, concern: 1 }, Outcome::Verdict(cited));
        let body = "Text.[^1][^2]\\n\\n## Footnotes\\n\\n[^1]: https://a.example/x\\n[^2]: https://made.up/y";
        let text = format!(r#"{{"headline":"A","alternativeHeadline":"C","articleBody":"{body}","description":"D"}}"#);
        let draft = read(&journal, &answer(&text)).unwrap();
        assert_eq!(draft.article.articleBody, "Text.[^1]\n\n## Footnotes\n\n[^1]: https://a.example/x");
        assert_eq!(draft.stripped.len(), 2);
    }
}
