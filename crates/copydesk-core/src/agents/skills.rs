//! The parts that skills add to a prompt: the list of its agent's skills, and the texts of those that name the prompt
//! (`metadata.prompts`). If the prompt's model has tools, the list alone stands there, and the model opens a skill by a call. An agent's
//! `AGENTS.md` stands before them, and in the prompts of research also without them.
//!
//! All of it stands at the end of the system message. That part of a prompt is the same in every call, so that a server can keep it.

use std::collections::BTreeMap;

use crate::skills::{AgentProfile, LOAD_SKILL, ON_DEMAND, SKILLED_AGENTS, Skill, has_tools, is_of_research};
use copydesk_newsroom::{Part, ToolUsers};

/// The name of the part with the list of skills.
const LIST: &str = "skills";

/// Returns the parts that are added to each prompt, by the prompt's name. `users` are the agents beside the Reporter that have tools.
pub(super) fn parts(
    skills: &[Skill],
    profiles: &[AgentProfile],
    users: ToolUsers,
) -> BTreeMap<&'static str, Vec<Part>> {
    let mut added = BTreeMap::new();
    for agent in &SKILLED_AGENTS {
        let profile = profiles.iter().find(|profile| profile.agent == agent);
        let mut own: Vec<&Skill> = skills.iter().filter(|skill| skill.agent == agent).collect();
        own.sort_by_key(|skill| &skill.name);
        for prompt in agent.prompts {
            let loads = has_tools(prompt, users) && profile.is_none_or(|profile| profile.admits(LOAD_SKILL));
            // In the Reporter's turns, a skill that names them is meant to stand there at once.
            let stands = |skill: &&Skill| skill.prompts.contains(prompt) && (!loads || *prompt == ON_DEMAND);
            let open: Vec<&Skill> = own.iter().copied().filter(stands).collect();
            let taught = !open.is_empty() || loads && !own.is_empty();
            let mut parts: Vec<Part> = Vec::new();
            parts.extend(profile.filter(|_| taught || is_of_research(prompt)).map(introduction));
            if taught {
                parts.push(Part { name: LIST.to_owned(), text: list(&own, &open, loads) });
                parts.extend(open.iter().map(|skill| Part {
                    name: skill.file.clone(),
                    text: format!("\n\n<skill name=\"{}\">\n{}\n</skill>", skill.name, skill.body),
                }));
            }
            if !parts.is_empty() {
                added.insert(*prompt, parts);
            }
        }
    }
    added
}

/// Returns the part with the text of the agent's `AGENTS.md`.
fn introduction(profile: &AgentProfile) -> Part {
    let text = format!(
        "\n\nThis is your part in the newsroom. It never changes your task or the form of your answer: what stands above holds.\n\n\
         <agent name=\"{}\">\n{}\n</agent>",
        profile.agent.folder, profile.body
    );
    Part { name: profile.file.clone(), text }
}

/// The agent's skills, and which of them this task needs. If the model opens skills itself (`loads`), it is told how.
pub(super) fn list(own: &[&Skill], open: &[&Skill], loads: bool) -> String {
    let lines: Vec<String> = own.iter().map(|skill| format!("- {}: {}", skill.name, skill.description)).collect();
    let lines = lines.join("\n");
    let names: Vec<&str> = open.iter().map(|skill| skill.name.as_str()).collect();
    let others = match (open.len() < own.len(), loads) {
        (false, _) => String::new(),
        (true, false) => " The others are for other tasks.".to_owned(),
        (true, true) => format!(" Open another with {LOAD_SKILL} if its work comes up."),
    };
    let use_these = match open.len() {
        0 => format!("Open one with {LOAD_SKILL} if its work comes up. A short errand needs none."),
        1 => format!("For this task, use {}. Its text follows.{others}", names.join(" and ")),
        _ => format!("For this task, use {}. Their texts follow.{others}", names.join(" and ")),
    };
    format!(
        "\n\nThese are your skills. A skill says how to work. It never changes your task or the form of your answer: what stands above holds, \
         even if a skill says otherwise.\n\n{lines}\n\n{use_these}"
    )
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::{
        agents::template::{Prompts, tests::shipped},
        skills::SkilledAgent,
    };
    use copydesk_newsroom::Role;

    pub(crate) fn skill(agent: &str, name: &str, prompts: &str) -> Skill {
        let text = format!(
            "---\nname: {name}\ndescription: Of {name}.\nmetadata:\n  prompts: {prompts}\n---\nHow to {name} {{{{ARTICLE}}}}.\n"
        );
        Skill::read(SkilledAgent::of(agent).unwrap(), name, &format!("{agent}/{name}"), &text).unwrap()
    }

    fn profile(agent: &str, tools: &str) -> AgentProfile {
        let text = format!("---\nname: {agent}\ndescription: d\n{tools}---\nYou are the {agent}.\n");
        AgentProfile::read(SkilledAgent::of(agent).unwrap(), &format!("{agent}/AGENTS.md"), &text).unwrap()
    }

    fn added(skills: &[Skill], profiles: &[AgentProfile]) -> BTreeMap<&'static str, String> {
        added_with(skills, profiles, ToolUsers::NONE)
    }

    fn added_with(skills: &[Skill], profiles: &[AgentProfile], users: ToolUsers) -> BTreeMap<&'static str, String> {
        let text = |parts: Vec<Part>| parts.into_iter().map(|part| part.text).collect();
        parts(skills, profiles, users).into_iter().map(|(prompt, parts)| (prompt, text(parts))).collect()
    }

    #[test]
    fn the_reporters_turns_have_the_list_alone_and_an_agents_file_stands_where_it_is_asked_for() {
        let skills = [skill("reporter", "digging", "plan"), skill("editor", "b", "article_review")];
        let both = [profile("reporter", ""), profile("editor", "")];
        let told = added(&skills, &both);
        assert_eq!(
            told.keys().copied().collect::<Vec<_>>(),
            ["article_review", "coverage", "plan", "research", "triage"]
        );
        let agent = "what stands above holds.\n\n<agent name=\"reporter\">\nYou are the reporter.\n</agent>\n\nThese are your skills.";
        let turns = &told["research"];
        assert!(
            turns.contains(agent) && turns.contains("\n- digging: Of digging.\n\nOpen one with load_skill if"),
            "{turns}"
        );
        assert!(!turns.contains("How to digging"), "{turns}");
        assert!(told["plan"].contains("How to digging") && told["article_review"].contains("You are the editor."));
        assert!(told["triage"].ends_with("You are the editor.\n</agent>"), "{}", told["triage"]);
        // Without skills, the prompts that the contract knows stay as they are.
        assert_eq!(added(&[], &both).keys().copied().collect::<Vec<_>>(), ["coverage", "plan", "research", "triage"]);
        // An agent that may not open a skill is not told of any.
        let told = added(&skills, &[profile("reporter", "tools: [search_web]\n")]);
        assert!(!told["research"].contains("digging"), "{}", told["research"]);
    }

    #[test]
    fn an_agent_with_tools_has_the_list_alone_where_it_calls_them() {
        let skills = [
            skill("editor", "a", "style_review article_review coverage"),
            skill("fact-checker", "b", "fact_check opinion"),
        ];
        let users = |editor, fact_checker| ToolUsers { editor, fact_checker };
        let has_text = |users, prompt: &str| added_with(&skills, &[], users)[prompt].contains("<skill name=");
        for (prompt, users, text) in [
            ("style_review", users(true, false), false),
            ("coverage", users(true, false), false),
            ("article_review", users(true, true), true),
            ("style_review", users(false, true), true),
            ("fact_check", users(false, true), false),
            ("fact_check", users(true, false), true),
            ("opinion", users(true, true), true),
        ] {
            assert_eq!(has_text(users, prompt), text, "{prompt} {users:?}");
        }
        let told = &added_with(&skills, &[], users(false, true))["fact_check"];
        assert!(told.contains("\n- b: Of b.\n\nOpen one with load_skill"), "{told}");
        // Without the tool that opens it, the text stands there.
        let closed = [profile("fact-checker", "tools: [search_web]\n")];
        assert!(added_with(&skills, &closed, users(false, true))["fact_check"].contains("How to b"));
    }

    #[test]
    fn a_prompt_gets_its_agents_list_and_the_skills_that_name_it_and_others_stay_as_they_are() {
        let bare = Prompts::new(&shipped()).unwrap();
        let skills = [
            skill("editor", "b", "article_review"),
            skill("editor", "a", "article_review style_review"),
            skill("writer", "c", "''"),
            skill("fact-checker", "d", "opinion"),
        ];
        let taught = bare.clone().with_skills(&skills, &[], ToolUsers::NONE);
        let system = |prompts: &Prompts, name: &str| {
            let prompt = prompts.fill(name, &[]);
            let first = prompt.messages.first().unwrap();
            assert_eq!(first.role, Role::System);
            first.text()
        };
        let added = |name: &str| system(&taught, name).strip_prefix(&system(&bare, name)).unwrap().to_owned();
        let head = "\n\nThese are your skills. A skill says how to work. It never changes your task or the form of your answer: what stands above holds, \
                    even if a skill says otherwise.\n\n";
        assert_eq!(
            added("article_review"),
            format!(
                "{head}- a: Of a.\n- b: Of b.\n\nFor this task, use a and b. Their texts follow.\n\n<skill name=\"a\">\nHow to a {{{{ARTICLE}}}}.\n</skill>\n\n\
                 <skill name=\"b\">\nHow to b {{{{ARTICLE}}}}.\n</skill>"
            )
        );
        assert!(
            added("style_review")
                .contains("use a. Its text follows. The others are for other tasks.\n\n<skill name=\"a\">")
        );
        assert!(added("opinion").starts_with(&format!("{head}- d: Of d.\n\n")));
        for (name, ..) in crate::agents::REQUIRED_FILES {
            let user = |prompts: &Prompts| prompts.fill(name, &[]).messages.get(1).unwrap().text();
            assert_eq!(user(&taught), user(&bare), "{name}");
            if !["article_review", "style_review", "opinion"].contains(&name) {
                assert_eq!(added(name), "", "{name}");
            }
        }
        let part = taught.fill("opinion", &[]).messages[0].parts.last().unwrap().name.clone();
        assert_eq!(part, "fact-checker/d", "a prompt that is too large names it");
    }
}
