//! `load_skill`: the text of one of the agent's skills. It is the newsroom's own, read when the desk was opened and pinned with its runs.

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::json;

use super::arguments;
use copydesk_core::ports::{ToolError, Toolbox};
use copydesk_core::skills::LOAD_SKILL;
use copydesk_newsroom::{Agent, Tool, ToolCall, ToolResult};
use copydesk_text::sanitise;

/// Most characters of a name that a failure repeats.
const LONGEST_NAME: usize = 64;

/// Opens the skills of agents, each its own: whose it is, its name and its text.
pub struct LoadSkill(pub Vec<(Agent, String, String)>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SkillArguments {
    name: String,
}

impl LoadSkill {
    fn names(&self, agent: Agent) -> Vec<&str> {
        self.0.iter().filter(|(whose, ..)| *whose == agent).map(|(_, name, _)| name.as_str()).collect()
    }
}

#[async_trait]
impl Toolbox for LoadSkill {
    async fn tools(&self, agent: Agent) -> Vec<Tool> {
        let names = self.names(agent);
        if names.is_empty() {
            return Vec::new();
        }
        let description = "Opens one of your skills: how to do one kind of work well. It is a text of the newsroom, no source, and asks nobody.";
        let name = json!({"type": "string", "enum": names, "description": "The skill's name"});
        arguments::offer(LOAD_SKILL, description, &json!({"name": name}), "name")
    }

    async fn call(&self, agent: Agent, call: &ToolCall) -> Result<ToolResult, ToolError> {
        let SkillArguments { name } = match arguments::read(call, r#"{"name": "deep-research"}"#) {
            Ok(read) => read,
            Err(failed) => return Ok(failed),
        };
        let found = self.0.iter().find(|(whose, known, _)| *whose == agent && *known == name.trim());
        Ok(found.map_or_else(
            || {
                let name = sanitise::excerpt(&name, LONGEST_NAME);
                ToolResult::failure(format!(
                    "There is no skill {name:?}. Your skills: {}.",
                    self.names(agent).join(", ")
                ))
            },
            |(_, _, text)| ToolResult { text: text.clone(), ..ToolResult::default() },
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_skill_is_opened_by_its_name_and_another_name_is_told_of_those_that_there_are() {
        let of = |agent, name: &str, text: &str| (agent, name.to_owned(), text.to_owned());
        let tool = LoadSkill(vec![
            of(Agent::Reporter, "digging", "Dig."),
            of(Agent::Reporter, "asking", "Ask."),
            of(Agent::Editor, "gaps", "Look."),
        ]);
        let call = async |arguments: &str| {
            let call = ToolCall { id: "1".into(), name: LOAD_SKILL.into(), arguments: arguments.into() };
            tool.call(Agent::Reporter, &call).await.unwrap()
        };
        assert_eq!(call(r#"{"name": "asking"}"#).await, ToolResult { text: "Ask.".into(), ..ToolResult::default() });
        for (arguments, says) in [
            (r#"{"name": "../editor\n"}"#, "There is no skill \"../editor\". Your skills: digging, asking."),
            ("{}", "missing field `name`"),
        ] {
            let failed = call(arguments).await;
            assert!(failed.failed && failed.text.contains(says), "{}", failed.text);
        }
        assert_eq!(tool.tools(Agent::Editor).await[0].parameters["properties"]["name"]["enum"], json!(["gaps"]));
        assert!(tool.tools(Agent::Writer).await.is_empty());
    }
}
