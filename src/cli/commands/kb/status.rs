//! `copydesk kb status`: what is indexed, how, and what is missing.

use serde_json::json;

use crate::cli::prelude::*;
use crate::config::KnowledgeBase;
use crate::knowledge::{self, FolderStatus};
use crate::ports::{Index as _, Stock, StoppedFile};
use crate::text::{count, thousands};

#[derive(Debug, Args)]
pub(crate) struct StatusArgs {
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub(crate) async fn status(settings: &Settings, store: &Store, arguments: &StatusArgs) -> Result<Exit> {
    let stock = store.stock().await?;
    let version = store.version().await?;
    let base = &settings.article_generation.knowledge_base;
    let configured = base.embedding.is_some();
    let standing = knowledge::standing(store, base).await?;
    if arguments.json {
        let mut object = stock_json(&stock, &version);
        if let Some(object) = object.as_object_mut() {
            object.insert("folder".into(), json!(base.data_dir.path.to_string_lossy()));
            object.insert("folder_missing".into(), json!(standing.missing));
            object.insert("folder_files".into(), json!(standing.files));
            object.insert("not_indexed".into(), json!(standing.not_indexed));
            object.insert("stopped_their_reader".into(), json!(standing.stopped));
            let hidden: serde_json::Map<String, serde_json::Value> =
                standing.hidden.iter().map(|(name, texts)| (name.clone(), json!(texts))).collect();
            object.insert("hidden_text".into(), hidden.into());
            object.insert("embedder_configured".into(), json!(configured));
        }
        headless::json(&object)?;
        return Ok(Exit::Fine);
    }
    let mut lines = folder(base, &stock, standing);
    lines.extend(stock_words(&stock, configured));
    if !configured {
        lines.push("No embedder is configured (knowledge_base.embedding): the search matches words only.".into());
    }
    lines.push(format!("Version of the index: {version}"));
    headless::data(&lines.join("\n"))?;
    Ok(Exit::Fine)
}

/// The folder, and what of it is not in the index.
fn folder(base: &KnowledgeBase, stock: &Stock, standing: FolderStatus) -> Vec<String> {
    let path = &base.data_dir.path;
    let files = usize::try_from(stock.files).unwrap_or(usize::MAX);
    let mut lines = vec![format!("Folder: {}", sanitise::one_line(&path.display().to_string()))];
    lines.extend(knowledge::absence(path, files).filter(|_| standing.missing));
    if standing.not_indexed > 0 {
        lines.push(format!(
            "{} of its {} not in the index: `copydesk kb index` reads them, or says of each why it cannot.",
            standing.not_indexed,
            if standing.files == 1 { "1 file is".to_owned() } else { format!("{} files are", standing.files) },
        ));
    }
    lines.extend(standing.problems);
    for StoppedFile { name, why, .. } in standing.stopped {
        lines.push(format!(
            "{name} stopped its reader and is left alone: {why}. `copydesk kb index --again` tries once more."
        ));
    }
    for (name, texts) in standing.hidden {
        let name = sanitise::visible(&name);
        lines.extend(texts.iter().map(|text| format!("Hidden text in {name}, which is not searched: {text}")));
    }
    lines
}

pub(crate) fn stock_json(stock: &Stock, version: &str) -> serde_json::Value {
    json!({
        "files": stock.files, "passages": stock.passages, "story_texts": stock.story_texts,
        "story_passages": stock.story_passages, "without_vector": stock.without_vector, "refused": stock.refused,
        "embedder": stock.embedder.as_ref().map(|(identity, _)| identity),
        "dimension": stock.embedder.as_ref().map(|(_, length)| length), "kb_index_version": version,
    })
}

pub(crate) fn stock_words(stock: &Stock, configured: bool) -> Vec<String> {
    let mut lines = vec![
        format!("Knowledge base: {} in {}.", count(stock.passages, "passage"), count(stock.files, "file")),
        format!("Stories: {} in {}.", count(stock.story_passages, "passage"), count(stock.story_texts, "text")),
    ];
    if let Some((identity, length)) = &stock.embedder {
        let missing = match (stock.without_vector, stock.refused) {
            (0, 0) => "every passage has its vectors".to_owned(),
            (0, refused) => format!("every passage has its vectors but {refused} of which the embedder makes none"),
            _ => format!("{}, `copydesk kb index` makes the others", with_vectors(stock)),
        };
        lines.push(format!("Vectors: {missing}; {length} numbers each, by {}.", sanitise::one_line(identity)));
    } else if configured {
        lines.push(format!("Vectors: {}, `copydesk kb index` makes them.", with_vectors(stock)));
    }
    lines
}

/// How many passages have vectors, as a sentence has it.
pub(crate) fn with_vectors(stock: &Stock) -> String {
    let all = stock.passages + stock.story_passages;
    let with = all.saturating_sub(stock.without_vector + stock.refused);
    format!(
        "{} of {} vectors",
        thousands(with),
        if all == 1 { "1 passage has".into() } else { format!("{} passages have", thousands(all)) }
    )
}
