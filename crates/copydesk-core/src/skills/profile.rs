//! An agent's `AGENTS.md`: who it is, how it works, and the tools that it may call.

use super::{
    agents::SkilledAgent,
    front_matter::{FrontForm, SkillFields},
    problem::SkillProblem,
    skill::{LONGEST_DESCRIPTION, LONGEST_NAME},
};
use copydesk_text::sanitise;

const FORM: FrontForm = FrontForm { of: "an AGENTS.md", fields: &["name", "description", "tools"], others: "" };

/// Most characters of a tool's name: what every model server takes.
const LONGEST_TOOL: usize = 64;

/// The content of an `AGENTS.md`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentProfile {
    pub agent: &'static SkilledAgent,
    /// In one line.
    pub description: String,
    /// The tools that it may call, of those that the configuration allows; none if all of these.
    pub tools: Option<Vec<String>>,
    /// The text below the front matter.
    pub body: String,
    /// The file, as a person knows it.
    pub file: String,
}

impl AgentProfile {
    /// The name of the file.
    pub const FILE: &str = "AGENTS.md";

    /// Reads the `AGENTS.md` of an agent. `file` is its name in problems.
    ///
    /// # Errors
    /// Every problem of the file, in the order of its lines.
    pub fn read(agent: &'static SkilledAgent, file: &str, text: &str) -> Result<Self, Vec<SkillProblem>> {
        let advice = ", because it stands in prompts: move what is seldom needed to a skill";
        SkillFields::bounded(file, text, advice)?;
        let mut front = SkillFields::read(file, text, &FORM).map_err(|problem| vec![problem])?;
        let folder = agent.folder;
        if let Some((line, name)) = front.required("name", LONGEST_NAME, folder).filter(|(_, name)| name != folder) {
            let name = sanitise::visible(&name);
            front.wrong(line, format!("the name is {name}, but the folder is {folder}: make them the same"));
        }
        let described = front.required("description", LONGEST_DESCRIPTION, "who the agent is, in a sentence");
        let tools = tools(&mut front);
        let (description, body) = front.finish(described, "who the agent is and how it works")?;
        Ok(Self { agent, description, tools, body, file: file.to_owned() })
    }

    /// Whether the agent may call a tool, if the configuration allows it.
    pub fn admits(&self, tool: &str) -> bool {
        self.tools.as_ref().is_none_or(|tools| tools.iter().any(|name| name == tool))
    }
}

fn tools(front: &mut SkillFields<'_>) -> Option<Vec<String>> {
    let is_name = |name: &str| {
        (1..=LONGEST_TOOL).contains(&name.len())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
    };
    let listed = front.list("tools", "[search_web, fetch_content]")?;
    let mut tools: Vec<String> = Vec::new();
    for (line, name) in listed {
        if !is_name(&name) {
            let name = sanitise::excerpt(&name, LONGEST_TOOL);
            let message = format!("{name:?} is no tool's name: letters, digits, _ and -, at most {LONGEST_TOOL}");
            front.wrong(line, message);
        } else if !tools.contains(&name) {
            tools.push(name);
        }
    }
    Some(tools)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "---\nname: reporter\ndescription: Finds out.\ntools: [search_web, fetch_content, search_web]\n---\n\nYou find out.\n";

    fn read(text: &str) -> Result<AgentProfile, Vec<String>> {
        let reporter = SkilledAgent::of("reporter").unwrap();
        AgentProfile::read(reporter, "reporter/AGENTS.md", text)
            .map_err(|problems| problems.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn it_says_who_the_agent_is_and_which_tools_it_may_call() {
        let profile = read(GOOD).unwrap();
        let expected = AgentProfile {
            agent: SkilledAgent::of("reporter").unwrap(),
            description: "Finds out.".into(),
            tools: Some(vec!["search_web".into(), "fetch_content".into()]),
            body: "You find out.".into(),
            file: "reporter/AGENTS.md".into(),
        };
        assert_eq!(profile, expected);
        assert!(profile.admits("search_web") && !profile.admits("parse_RSS"));
        let all = read(&GOOD.replace("tools: [search_web, fetch_content, search_web]\n", "")).unwrap();
        assert!(all.admits("parse_RSS"), "{all:?}");
        let none = read(&GOOD.replace("[search_web, fetch_content, search_web]", "[]")).unwrap();
        assert!(!none.admits("search_web"), "{none:?}");
    }

    #[test]
    fn every_problem_has_its_line_and_what_to_do() {
        for (from, to, says) in [
            ("name: reporter", "name: editor", "reporter/AGENTS.md:2: the name is editor, but the folder is reporter"),
            ("name: reporter\n", "", "reporter/AGENTS.md:1: name is missing; add a line `name: reporter`"),
            ("description: Finds out.", "description: ''", "reporter/AGENTS.md:3: description is empty"),
            (
                "[search_web, fetch_content, search_web]",
                "search_web",
                "reporter/AGENTS.md:4: tools is no list of names; write `tools: [search_web, fetch_content]`, or `tools: []` for none",
            ),
            ("[search_web,", "[a b,", "reporter/AGENTS.md:4: \"a b\" is no tool's name"),
            (
                "description: Finds out.",
                "description: d\nmodel: gpt",
                "reporter/AGENTS.md:4: model is no field of an AGENTS.md; they are name, description, tools",
            ),
            ("You find out.\n", "", "reporter/AGENTS.md:6: there is no text below the front matter"),
            ("---\nname", "name", "reporter/AGENTS.md:1: the front matter is missing"),
        ] {
            assert!(GOOD.contains(from), "{from}");
            let said = read(&GOOD.replacen(from, to, 1)).unwrap_err();
            assert_eq!(said.len(), 1, "{says}: {said:?}");
            assert!(said[0].starts_with(says), "{said:?} has not {says}");
        }
    }
}
