//! What a story's agents read and what was saved of it: context, conversations, skills, retrieval, memory.

use std::collections::BTreeMap;

use anyhow::Result;
use async_trait::async_trait;

use crate::{
    agents::{ConversationSavings, SkillSavings, prompt_name},
    cli::{wiring::skills, work::savings},
    config::Settings,
    editorial::{context::ContextReduction, retrieval::RetrievalRecord, savings::Savings},
    headless,
    newsroom::Journal,
    ports::{Archive as _, CallRow, Records as _, RunKey},
    store::Store,
    tui::worker::context::SavingsMeter,
};

/// All that is measured of a story.
#[derive(Debug, Clone)]
pub(crate) struct StoryMeasures {
    pub(crate) context: ContextReduction,
    pub(crate) talked: ConversationSavings,
    pub(crate) skills: SkillSavings,
    pub(crate) retrieval: RetrievalRecord,
    pub(crate) memory: Savings,
}

impl StoryMeasures {
    pub(crate) async fn of(settings: &Settings, store: &Store, journal: &Journal, calls: &[CallRow]) -> Result<Self> {
        let encoding = &settings.article_generation.encoding;
        Ok(Self {
            context: headless::context_reduction(calls),
            talked: ConversationSavings::of(journal, encoding),
            skills: of_skills(settings, store, journal, calls).await?,
            retrieval: RetrievalRecord::of(journal),
            memory: savings::of_run(store, journal).await?,
        })
    }

    /// What stayed with the agents, what conversations and skills saved: a sentence each.
    pub(crate) fn of_contexts(&self) -> Vec<String> {
        [self.context.words(), self.talked.words(), self.skills.words()].into_iter().flatten().collect()
    }

    /// All of it, a sentence each.
    pub(crate) fn lines(&self) -> Vec<String> {
        let others = [self.retrieval.words(), self.memory.words()];
        self.of_contexts().into_iter().chain(others.into_iter().flatten()).collect()
    }
}

/// What skills saved. One prompt of each name is read: skills stand in each of them alike.
async fn of_skills(settings: &Settings, store: &Store, journal: &Journal, calls: &[CallRow]) -> Result<SkillSavings> {
    let encoding = &settings.article_generation.encoding;
    let found = skills::find(&skills::folder(settings)).unwrap_or_default().skills;
    let mut by_prompt: BTreeMap<&str, Vec<&CallRow>> = BTreeMap::new();
    for call in calls {
        by_prompt.entry(prompt_name(call.step, &call.agent)).or_default().push(call);
    }
    let mut saved = SkillSavings::default();
    for (name, calls) in by_prompt {
        let Some(call) = calls.iter().find(|call| call.removed_at.is_none()) else { continue };
        if let Some(text) = store.call_text(call.run, call.step, call.attempt).await? {
            saved.add(name, &text.prompt, calls.len() as u64, &found, encoding);
        }
    }
    if saved.prompts > 0 {
        saved.add_opened(journal, encoding);
    }
    Ok(saved)
}

/// Measures stories for the screen.
pub(crate) struct Measurer {
    pub(crate) settings: Settings,
    pub(crate) store: Store,
}

#[async_trait]
impl SavingsMeter for Measurer {
    async fn saved(&self, run: RunKey) -> Vec<String> {
        let of_run = async {
            let journal = self.store.load(run).await?.journal;
            let calls = self.store.call_log(run).await?;
            StoryMeasures::of(&self.settings, &self.store, &journal, &calls).await
        };
        of_run.await.map(|measures| measures.lines()).unwrap_or_default()
    }
}
