//! `article_generation.knowledge_base`.

use std::path::Path;

use super::{
    ArticleGeneration, KnowledgeBase, Questions,
    embedding::read_embedding,
    fields::{folder, seconds},
    reader::Section,
};

impl ArticleGeneration {
    /// Whether a model writes the questions of a fact check.
    #[must_use]
    pub fn asks_questions(&self) -> bool {
        self.engine.has_models() && self.knowledge_base.questions == Questions::Model
    }
}

pub(super) fn read_knowledge(base: &Section<'_>, workspace: &Path) -> Option<KnowledgeBase> {
    let data_dir = folder(base, "data_dir", workspace, "the folder of the knowledge base");
    let size = base.whole("chunk_size_tokens", 16..=8192, "the most tokens of a passage");
    let overlap = base.whole("chunk_overlap_tokens", 0..=4096, "the tokens that neighbouring passages share");
    if overlap >= size {
        base.problem("chunk_overlap_tokens", "is not smaller than chunk_size_tokens; a smaller number belongs there");
    }
    let source_size =
        base.whole("source_chunk_size_tokens", 16..=8192, "the most tokens of a passage of a story's source");
    let source_overlap =
        base.whole("source_chunk_overlap_tokens", 0..=4096, "the tokens that neighbouring passages of a source share");
    if source_overlap >= source_size {
        base.problem(
            "source_chunk_overlap_tokens",
            "is not smaller than source_chunk_size_tokens; a smaller number belongs there",
        );
    }
    let links_out_of_folder =
        base.yes_or_no("links_out_of_folder", "whether links are followed that lead out of the folder");
    let default_credibility =
        base.number("default_credibility", 0.0..=1.0, "how far a file is trusted that does not say it, from 0 to 1");
    let min_credibility =
        base.number("min_credibility", 0.0..=1.0, "the least credibility of what is cited, from 0 to 1");
    let top_k = base.whole("top_k", 1..=50, "how many passages a question may bring");
    let budget_tokens =
        base.whole("budget_tokens", 100..=1_000_000, "the most tokens of passages that an agent is given");
    let questions = base.one_of(
        "questions",
        &[("rule", Questions::Rule), ("model", Questions::Model)],
        "who writes what a fact check asks of the passages",
    );
    let timeout_seconds = seconds(base);
    let embedding = base.section_or_null("embedding", "the embedder", |embedding| read_embedding(embedding, workspace));
    Some(KnowledgeBase {
        data_dir,
        links_out_of_folder,
        chunk_size_tokens: usize::try_from(size).ok()?,
        chunk_overlap_tokens: usize::try_from(overlap).ok()?,
        source_chunk_size_tokens: usize::try_from(source_size).ok()?,
        source_chunk_overlap_tokens: usize::try_from(source_overlap).ok()?,
        default_credibility,
        min_credibility,
        top_k: usize::try_from(top_k).ok()?,
        budget_tokens,
        questions: questions?,
        timeout_seconds,
        embedding: embedding.flatten(),
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::{TEMPLATE, load};

    #[test]
    fn a_model_writes_questions_where_there_are_models() {
        let asks = |engine: &str, questions: &str| {
            let yaml = TEMPLATE
                .replace("engine: offline", &format!("engine: {engine}"))
                .replace("questions: rule", &format!("questions: {questions}"));
            load(Path::new("config.yaml"), &yaml, Path::new("/desk")).unwrap().article_generation.asks_questions()
        };
        assert!(asks("llm", "model") && !asks("llm", "rule") && !asks("offline", "model"));
    }
}
