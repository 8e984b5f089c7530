//! `copydesk ask`: a question about a story, answered from its sources.

use serde_json::json;

use crate::cli::prelude::*;
use crate::editorial::citations;
use crate::headless::Quiet;
use crate::newsroom::Passage;
use crate::ports::Records as _;

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
    // Its lines can be questions of their own.
    let question = sanitise::clean(&arguments.question.join(" ")).trim().to_owned();
    if sanitise::is_blank(&question) {
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
    let exit = if found.trouble.is_some() { Exit::Failed } else { Exit::Fine };
    if arguments.json {
        let passage = |passage: &Passage| json!({"source": passage.file, "place": citations::of_passage(&journal, passage), "text": passage.text});
        let sentences = found.sentences.as_ref().map(|sentences| {
            let sentence = |one: &crate::agents::AnsweredSentence| {
                let numbers: Vec<usize> = one.passages.iter().map(|at| at + 1).collect();
                json!({"text": one.text, "passages": numbers, "doubts": one.doubts})
            };
            sentences.iter().map(sentence).collect::<Vec<_>>()
        });
        let passages: Vec<_> = found.passages.iter().map(passage).collect();
        let told = json!({
            "question": question,
            "sentences": sentences,
            "passages": passages,
            "note": found.note(),
            "error": found.trouble,
        });
        headless::json(&told)?;
        return Ok(exit);
    }
    headless::messages(found.note());
    if found.passages.is_empty() {
        return Ok(exit);
    }
    let mut lines = Vec::new();
    for one in found.sentences.iter().flatten() {
        let numbers: Vec<String> = one.passages.iter().map(|at| format!("[{}]", at + 1)).collect();
        lines.push(sanitise::visible(&format!("{} {}", one.text, numbers.concat())));
        lines.extend(one.doubts.iter().map(|doubt| sanitise::visible(&format!("  ! {doubt}"))));
    }
    if !lines.is_empty() {
        lines.push(String::new());
    }
    for (number, passage) in (1..).zip(&found.passages) {
        lines.push(format!("[{number}] {}", sanitise::visible(&citations::of_passage(&journal, passage))));
        lines.push(format!("    {}", sanitise::excerpt(&sanitise::one_line(&passage.text), 600)));
    }
    headless::data(&lines.join("\n"))?;
    Ok(exit)
}
