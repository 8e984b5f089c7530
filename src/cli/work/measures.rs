//! The text that a story's agents read, and the savings in it: context, conversations, retrieval, memory.

use crate::agents::ConversationSavings;
use crate::cli::prelude::*;
use crate::cli::work::spending;
use crate::editorial::{context::ContextReduction, retrieval::RetrievalRecord, savings::Savings};
use crate::newsroom::Journal;
use crate::ports::CallRow;

/// All that is measured of a story.
#[derive(Debug, Clone)]
pub(crate) struct StoryMeasures {
    pub(crate) context: ContextReduction,
    pub(crate) talked: ConversationSavings,
    pub(crate) retrieval: RetrievalRecord,
    pub(crate) memory: Savings,
}

impl StoryMeasures {
    pub(crate) async fn of(settings: &Settings, store: &Store, journal: &Journal, calls: &[CallRow]) -> Result<Self> {
        let encoding = settings.article_generation.encoding.clone();
        let context = headless::context_reduction(calls);
        let memory = spending::saved_by_run(store, journal).await?;
        let journal = journal.clone();
        // Counting tokens takes a while.
        let counted = tokio::task::spawn_blocking(move || Self {
            context,
            talked: ConversationSavings::of(&journal, &encoding),
            retrieval: RetrievalRecord::of(&journal),
            memory,
        });
        Ok(counted.await?)
    }

    /// The context that stayed with the agents, and the savings of conversations: a sentence each.
    pub(crate) fn of_contexts(&self) -> Vec<String> {
        [self.context.words(), self.talked.words()].into_iter().flatten().collect()
    }
}
