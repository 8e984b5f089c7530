//! The text that a story's agents read, and the savings in it: context, conversations, skills, retrieval, memory.

use std::collections::BTreeMap;

use async_trait::async_trait;

use crate::agents::{ConversationSavings, SkillSavings, prompt_name};
use crate::cli::prelude::*;
use crate::editorial::{context::ContextReduction, retrieval::RetrievalRecord, savings::Savings};
use crate::newsroom::{Journal, Prompt};
use crate::ports::{Archive as _, CallRow, Records as _, RunKey};
use crate::tui::worker::context::SavingsMeter;
use crate::{cli::wiring::skills, cli::work::spending};

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
        let encoding = settings.article_generation.encoding.clone();
        let folder = skills::folder(settings);
        let prompts = prompts(store, calls).await?;
        let context = headless::context_reduction(calls);
        let memory = spending::saved_by_run(store, journal).await?;
        let journal = journal.clone();
        // Counting tokens takes a while: not on the thread that serves the screen.
        let counted = tokio::task::spawn_blocking(move || Self {
            context,
            talked: ConversationSavings::of(&journal, &encoding),
            skills: of_skills(&folder, &prompts, &journal, &encoding),
            retrieval: RetrievalRecord::of(&journal),
            memory,
        });
        Ok(counted.await?)
    }

    /// The context that stayed with the agents, and the savings of conversations and skills: a sentence each.
    pub(crate) fn of_contexts(&self) -> Vec<String> {
        [self.context.words(), self.talked.words(), self.skills.words()].into_iter().flatten().collect()
    }

    /// All of it, a sentence each.
    pub(crate) fn lines(&self) -> Vec<String> {
        let others = [self.retrieval.words(), self.memory.words()];
        self.of_contexts().into_iter().chain(others.into_iter().flatten()).collect()
    }
}

/// A prompt that stands for all of its name, since skills stand in each of them alike.
struct SharedPrompt {
    name: String,
    prompt: Prompt,
    /// How many calls had one of that name.
    calls: u64,
}

async fn prompts(store: &Store, calls: &[CallRow]) -> Result<Vec<SharedPrompt>> {
    let mut by_name: BTreeMap<&str, Vec<&CallRow>> = BTreeMap::new();
    for call in calls {
        by_name.entry(prompt_name(call.step, &call.agent)).or_default().push(call);
    }
    let mut prompts = Vec::new();
    for (name, calls) in by_name {
        let Some(call) = calls.iter().find(|call| call.removed_at.is_none()) else { continue };
        if let Some(text) = store.call_text(call.run, call.step, call.attempt).await? {
            prompts.push(SharedPrompt { name: name.to_owned(), prompt: text.prompt, calls: calls.len() as u64 });
        }
    }
    Ok(prompts)
}

/// The savings of skills.
fn of_skills(folder: &Path, prompts: &[SharedPrompt], journal: &Journal, encoding: &str) -> SkillSavings {
    let found = skills::find(folder).unwrap_or_default().skills;
    let mut saved = SkillSavings::default();
    for SharedPrompt { name, prompt, calls } in prompts {
        saved.add(name, prompt, *calls, &found, encoding);
    }
    if saved.prompts > 0 {
        saved.add_opened(journal, encoding);
    }
    saved
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
