//! The cost of skills in a story's prompts, and their cost if each prompt had the texts of all of its agent's skills.

use serde::Serialize;

use crate::skills::{LOAD_SKILL, SKILLED_AGENTS, Skill};
use copydesk_newsroom::{Journal, Outcome, Prompt, Step};
use copydesk_text::{count, thousands, tokens};

/// The saving of a story. The JSON form is stable; fields are only ever added.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct SkillSavings {
    /// Prompts that had skills.
    pub prompts: u64,
    /// Tokens of skills in them: the list of names, the texts that they got, those that the Reporter opened.
    pub tokens: u64,
    /// Those tokens if each prompt had the texts of all of its agent's skills, as they are now.
    pub tokens_of_all: u64,
}

/// The name of the prompt with which a step asks.
#[must_use]
pub fn prompt_name(step: Step, agent: &str) -> &str {
    match step {
        Step::Plan => "plan",
        Step::Turn { .. } => "research",
        Step::Coverage { .. } => "coverage",
        Step::Triage { .. } => "triage",
        Step::Revise { .. } => "revision",
        Step::Questions { .. } => "questions",
        Step::Prepare { .. } => "notes",
        _ => agent,
    }
}

impl SkillSavings {
    /// Adds `prompts` prompts of one name. `sent` is one of them, as it was sent.
    pub fn add(&mut self, name: &str, sent: &Prompt, prompts: u64, skills: &[Skill], encoding: &str) {
        let parts = sent.messages.first().map(|message| message.parts.as_slice()).unwrap_or_default();
        let Some(agent) = SKILLED_AGENTS.iter().find(|agent| agent.prompts.contains(&name)) else { return };
        if !parts.iter().any(|part| part.name == LIST) {
            return;
        }
        let is_text = |name: &str| name.ends_with("/SKILL.md");
        let of_skills = parts.iter().filter(|part| part.name == LIST || is_text(&part.name));
        let own: u64 = of_skills.map(|part| tokens::count(encoding, &part.text)).sum();
        let others = skills.iter().filter(|skill| skill.agent == agent);
        let others = others.filter(|skill| !parts.iter().any(|part| part.name == skill.file));
        let more: u64 = others.map(|skill| tokens::count(encoding, &skill.body)).sum();
        self.prompts += prompts;
        self.tokens += own * prompts;
        self.tokens_of_all += (own + more) * prompts;
    }

    /// Adds the texts that the Reporter opened: they stand in each later turn of their errand.
    pub fn add_opened(&mut self, journal: &Journal, encoding: &str) {
        for entry in journal.entries() {
            let (Step::Turn { errand, turn }, Outcome::Turn(_)) = (entry.step, &entry.outcome) else { continue };
            for (number, before) in (1..turn).filter_map(|number| Some((number, journal.turn(errand, number)?))) {
                let opened = (1..).zip(&before.calls).filter(|(_, call)| call.name == LOAD_SKILL);
                let results = opened.filter_map(|(call, _)| journal.tool(errand, number, call));
                self.tokens += results.map(|result| tokens::count(encoding, &result.text)).sum::<u64>();
            }
        }
    }

    /// In a sentence; none if no prompt had skills.
    #[must_use]
    pub fn words(&self) -> Option<String> {
        let Self { prompts, tokens, tokens_of_all } = *self;
        (prompts > 0).then(|| {
            let less = tokens_of_all.saturating_sub(tokens) * 100 / tokens_of_all.max(1);
            format!(
                "Skills: {} held {} tokens of them; with the texts of all of each agent's skills it would be {} ({less} % saved).",
                count(prompts, "prompt"),
                thousands(tokens),
                thousands(tokens_of_all),
            )
        })
    }
}

/// The name of the part with the list of skills.
pub(super) const LIST: &str = "skills";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        agents::{skills::tests::skill, template::Prompts, template::tests::shipped},
        editorial::{testing::add, testing::research::assigned},
    };
    use copydesk_newsroom::{ResearchErrand, ResearchTurn, ToolCall, ToolResult};

    const ENCODING: &str = "o200k_base";

    #[test]
    fn what_stands_in_the_prompts_is_held_beside_the_texts_of_all() {
        let skills =
            [skill("editor", "a", "article_review"), skill("editor", "b", "triage"), skill("writer", "c", "writer")];
        let bare = Prompts::new(&shipped()).unwrap();
        let taught = bare.clone().with_skills(&skills, &[]);
        let prompt = |prompts: &Prompts| prompts.fill("article_review", &[]);
        let mut saved = SkillSavings::default();
        saved.add("article_review", &prompt(&bare), 3, &skills, ENCODING);
        assert_eq!((saved.prompts, saved.words()), (0, None), "without skills there is nothing to save");
        saved.add("article_review", &prompt(&taught), 2, &skills, ENCODING);
        let other = tokens::count(ENCODING, &skills[1].body);
        assert_eq!((saved.prompts, saved.tokens_of_all - saved.tokens), (2, 2 * other), "{saved:?}");
        let before = saved.tokens;
        assert!(saved.words().unwrap().starts_with(&format!("Skills: 2 prompts held {before} tokens of them; with")));

        let mut journal = assigned();
        let errand = ResearchErrand::Pass(1);
        let call = ToolCall { id: "a".into(), name: LOAD_SKILL.into(), arguments: "{}".into() };
        let turn = |calls| Outcome::Turn(ResearchTurn { calls, ..ResearchTurn::default() });
        let result = ToolResult { text: "How to dig.".into(), ..ToolResult::default() };
        add(&mut journal, Step::Turn { errand, turn: 1 }, turn(vec![call]));
        add(&mut journal, Step::Tool { errand, turn: 1, call: 1 }, Outcome::Tool(result));
        for number in [2, 3] {
            add(&mut journal, Step::Turn { errand, turn: number }, turn(vec![]));
        }
        saved.add_opened(&journal, ENCODING);
        assert_eq!(saved.tokens - before, 2 * tokens::count(ENCODING, "How to dig."), "it is read in two turns");
    }

    #[test]
    fn a_step_asks_with_its_own_prompt() {
        let errand = ResearchErrand::Pass(1);
        assert_eq!(prompt_name(Step::Turn { errand, turn: 1 }, "reporter"), "research");
        assert_eq!(prompt_name(Step::Revise { round: 1 }, "writer"), "revision");
        assert_eq!(prompt_name(Step::Draft, "writer"), "writer");
        assert_eq!(prompt_name(Step::Prepare { round: 1 }, "publisher"), "notes");
    }
}
