//! The cost of skills: the tokens that they add to each prompt, and the most that they may take of it.

use serde::Serialize;

use super::{material::Windows, skills};
use crate::skills::{AgentProfile, SKILLED_AGENTS, Skill, SkilledAgent};
use copydesk_newsroom::{Agent, Part, Specialist, ToolUsers};
use copydesk_text::{thousands, tokens};

/// Skills may take this part of a prompt, so that its material has the rest: one in three.
const SHARE: u64 = 3;

/// The cost of a prompt's skills.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillCost {
    /// The prompt's name.
    pub prompt: &'static str,
    /// The skills whose text it gets; none if it gets their names alone, or the file of its agent.
    pub skills: Vec<String>,
    /// Tokens of all that is added.
    pub tokens: u64,
    /// Tokens that would be added if the prompt got the text of each of its agent's skills.
    pub tokens_of_all: u64,
    /// The agent of the prompt, and the most tokens that skills may take of it; none if its window is not known.
    most: Option<(Agent, u64)>,
}

impl SkillCost {
    /// Returns the problem and its remedy, if the skills take too much of the prompt.
    fn problem(&self) -> Option<String> {
        let prompt = self.prompt;
        let (agent, most) = self.most.filter(|(_, most)| self.tokens > *most)?;
        let (who, add) = match self.skills.as_slice() {
            [] => ("AGENTS.md and the list of skills".to_owned(), "add"),
            [one] => (one.clone(), "adds"),
            several => (several.join(" and "), "add"),
        };
        Some(format!(
            "{who} {add} {} tokens to the prompt {prompt}, and a third of what {}_llm can take is {}: take {prompt} out of a \
             skill's metadata.prompts, shorten a skill, or use a model with a larger context_window",
            thousands(self.tokens),
            agent.name(),
            thousands(most),
        ))
    }
}

/// Returns the problems of prompts whose skills take too much of them.
pub fn skill_problems(skills: &[Skill], profiles: &[AgentProfile], windows: &Windows, users: ToolUsers) -> Vec<String> {
    // A token has a byte at least, so that short texts need no count whenever the program starts.
    let fits = |(prompt, parts): (&&'static str, &Vec<Part>)| {
        let bytes: usize = parts.iter().map(|part| part.text.len()).sum();
        windows.most_of_skills(prompt).is_none_or(|(_, most)| bytes as u64 <= most)
    };
    if skills::parts(skills, profiles, users).iter().all(fits) {
        return Vec::new();
    }
    skill_costs(skills, profiles, windows, users).iter().filter_map(SkillCost::problem).collect()
}

impl Windows {
    /// The agent that is asked with a prompt, and the most tokens that skills may take of it; none if its window is not known.
    fn most_of_skills(&self, prompt: &str) -> Option<(Agent, u64)> {
        let agent = asked_with(prompt)?;
        Some((agent, self.prompts.get(&agent)? / SHARE))
    }
}

/// Returns the cost of the skills of each prompt, with the files of their agents, in the order of the prompts' names.
pub fn skill_costs(skills: &[Skill], profiles: &[AgentProfile], windows: &Windows, users: ToolUsers) -> Vec<SkillCost> {
    let tokens_of = |parts: &[Part]| parts.iter().map(|part| tokens::count(&windows.encoding, &part.text)).sum();
    let open: Vec<Skill> =
        skills.iter().map(|skill| Skill { prompts: skill.agent.prompts.to_vec(), ..skill.clone() }).collect();
    let all = skills::parts(&open, profiles, ToolUsers::NONE);
    let cost = |(prompt, parts): (&'static str, Vec<Part>)| {
        let stands = |skill: &&Skill| parts.iter().any(|part| part.name == skill.file);
        let open = skills.iter().filter(stands);
        SkillCost {
            prompt,
            skills: open.map(|skill| skill.name.clone()).collect(),
            tokens: tokens_of(&parts),
            tokens_of_all: all.get(prompt).map_or(0, |parts| tokens_of(parts)),
            most: windows.most_of_skills(prompt),
        }
    };
    skills::parts(skills, profiles, users).into_iter().map(cost).collect()
}

/// The tokens of an agent's skills if its model opens them by calls, and if it does not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SkillTokens {
    pub agent: &'static str,
    pub skills: u64,
    /// Their names and descriptions, which stand in every prompt.
    pub names: u64,
    /// The names with one opened skill of average length.
    pub one: u64,
    /// The names with the texts of all.
    pub all: u64,
}

/// Returns the cost of each agent's skills in tokens of `encoding`. The tool that opens them is not counted.
pub fn skill_tokens(skills: &[Skill], encoding: &str) -> Vec<SkillTokens> {
    let of_agent = |agent: &'static SkilledAgent| {
        let own: Vec<&Skill> = skills.iter().filter(|skill| skill.agent == agent).collect();
        let number = own.len() as u64;
        let texts: u64 = own.iter().map(|skill| tokens::count(encoding, &skill.body)).sum();
        let names = tokens::count(encoding, &skills::list(&own, &[], true));
        let one = names + texts.checked_div(number)?;
        Some(SkillTokens { agent: agent.folder, skills: number, names, one, all: names + texts })
    };
    SKILLED_AGENTS.iter().filter_map(of_agent).collect()
}

/// Returns the agent that is asked with a prompt.
fn asked_with(prompt: &str) -> Option<Agent> {
    match prompt {
        "revision" => Some(Agent::Writer),
        "questions" => Some(Agent::Specialist(Specialist::FactCheck)),
        "plan" | "research" => Some(Agent::Reporter),
        "coverage" | "triage" => Some(Agent::Editor),
        "notes" => Some(Agent::Publisher),
        name => Agent::all().find(|agent| agent.name() == name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        agents::{skills::tests::skill, template::tests::shipped},
        skills::is_of_research,
    };

    fn windows(limit: u64) -> Windows {
        Windows {
            encoding: "o200k_base".into(),
            prompts: Agent::all().map(|agent| (agent, limit)).collect(),
            sources: None,
        }
    }

    #[test]
    fn every_prompt_of_an_agent_is_one_that_somebody_is_asked_with() {
        let files = shipped();
        for prompt in SKILLED_AGENTS.iter().flat_map(|agent| agent.prompts) {
            let known = files.contains_key(prompt) || is_of_research(prompt);
            assert!(known && asked_with(prompt).is_some(), "{prompt}");
        }
        let all: Vec<&str> = SKILLED_AGENTS.iter().flat_map(|agent| agent.prompts).copied().collect();
        assert!(!all.contains(&"evidence_search"), "what leaves the newsroom has no skill");
    }

    #[test]
    fn a_prompt_has_the_text_of_its_own_skills_and_not_of_all_its_agents() {
        let skills = [skill("fact-checker", "d", "questions"), skill("fact-checker", "e", "opinion")];
        let costs = skill_costs(&skills, &[], &windows(30_000), ToolUsers::NONE);
        let [opinion, questions] = &costs[..] else { panic!("{costs:?}") };
        assert_eq!((opinion.prompt, questions.prompt), ("opinion", "questions"));
        assert!(opinion.tokens < opinion.tokens_of_all, "{opinion:?}");
        let both = [skill("fact-checker", "d", "questions"), skill("fact-checker", "e", "questions")];
        let costs = skill_costs(&both, &[], &windows(30_000), ToolUsers::NONE);
        assert_eq!(costs[0].tokens, costs[0].tokens_of_all);
        assert_eq!(costs[0].tokens_of_all, questions.tokens_of_all);
    }

    #[test]
    fn skills_may_take_a_third_of_a_prompt() {
        let skills = [skill("fact-checker", "d", "questions"), skill("fact-checker", "e", "questions")];
        let costs = skill_costs(&skills, &[], &windows(30_000), ToolUsers::NONE);
        let [cost] = &costs[..] else { panic!("{costs:?}") };
        assert_eq!((cost.prompt, cost.problem()), ("questions", None));
        assert_eq!(skill_costs(&skills, &[], &windows(cost.tokens * 3), ToolUsers::NONE)[0].problem(), None);
        let said = skill_costs(&skills, &[], &windows(cost.tokens * 3 - 1), ToolUsers::NONE)[0].problem().unwrap();
        let tokens = cost.tokens;
        let says = format!(
            "d and e add {tokens} tokens to the prompt questions, and a third of what fact_check_llm can take is {}: take questions out of a skill's",
            tokens - 1
        );
        assert!(said.starts_with(&says), "{said}");
        let unknown = Windows { prompts: std::collections::HashMap::new(), ..windows(0) };
        assert_eq!(skill_costs(&skills, &[], &unknown, ToolUsers::NONE)[0].problem(), None);
    }
}
