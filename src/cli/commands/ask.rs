//! `copydesk ask`: a question about a story, answered from its sources.

use std::sync::Arc;

use serde_json::json;

use crate::cli::prelude::*;
use crate::editorial::citations;
use crate::headless::Quiet;
use crate::newsroom::{Journal, Passage, Source};
use crate::ports::Records as _;
use crate::text::sanitise;

#[derive(Debug, Args)]
pub(crate) struct AskArgs {
    /// channel/slug, a slug, or a run id.
    story: String,
    /// The question.
    #[arg(required = true)]
    question: Vec<String>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub(crate) async fn ask(config: Option<&Path>, arguments: AskArgs) -> Result<Exit> {
    let settings = settings::load(config)?;
    let question = sanitise::one_line(&arguments.question.join(" "));
    if question.is_empty() {
        return Err(wrong_use("the question is empty"));
    }
    let store = wiring::store(&settings)?;
    let (key, _) = story::run(&store, &arguments.story).await?;
    let journal = store.load(key).await?.journal;
    let library = Arc::new(wiring::library(&settings, &store));
    let desk = wiring::desk_with(&settings, &store, Arc::new(Quiet), library)?;
    let bar = headless::Bar::of_time("reading the sources");
    let found = desk.answer(&journal, &question).await;
    drop(bar);
    let found = found?;
    if arguments.json {
        let passage = |passage: &Passage| json!({"source": passage.file, "place": place(&journal, passage), "text": passage.text});
        let sentences = found.sentences.as_ref().map(|sentences| {
            let sentence = |one: &crate::agents::AnsweredSentence| {
                let numbers: Vec<usize> = one.passages.iter().map(|at| at + 1).collect();
                json!({"text": one.text, "passages": numbers, "doubts": one.doubts})
            };
            sentences.iter().map(sentence).collect::<Vec<_>>()
        });
        let passages: Vec<_> = found.passages.iter().map(passage).collect();
        let told = json!({"question": question, "sentences": sentences, "passages": passages});
        headless::json(&told)?;
        return Ok(Exit::Fine);
    }
    if found.passages.is_empty() {
        headless::message("No passage of its sources speaks of that. Try other words.");
        return Ok(Exit::Fine);
    }
    let mut lines = Vec::new();
    match &found.sentences {
        None => headless::message("No model is configured, so these are the passages alone."),
        Some(sentences) if sentences.is_empty() => {
            headless::message("The model found no answer in the sources. These are the nearest passages.");
        }
        Some(sentences) => {
            for one in sentences {
                let numbers: Vec<String> = one.passages.iter().map(|at| format!("[{}]", at + 1)).collect();
                lines.push(sanitise::visible(&format!("{} {}", one.text, numbers.concat())));
                lines.extend(one.doubts.iter().map(|doubt| sanitise::visible(&format!("  ! {doubt}"))));
            }
            lines.push(String::new());
        }
    }
    for (number, passage) in (1..).zip(&found.passages) {
        lines.push(format!("[{number}] {}", sanitise::visible(&place(&journal, passage))));
        lines.push(format!("    {}", sanitise::excerpt(&sanitise::one_line(&passage.text), 600)));
    }
    headless::data(&lines.join("\n"))?;
    Ok(Exit::Fine)
}

/// The source of a passage, and its line there.
fn place(journal: &Journal, passage: &Passage) -> String {
    let text = journal.texts().find(|(name, _)| *name == passage.file).map_or("", |(_, text)| text);
    let source = Source { name: passage.file.clone(), text: text.to_owned() };
    citations::for_reader(&passage.citation(), &[source])
}
