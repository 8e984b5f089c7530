//! Several toolboxes as one: who may call what, how long a call may take, and how much comes back.

use std::{collections::HashMap, sync::Arc, time::Duration};

use async_trait::async_trait;
use sha2::{Digest, Sha256};

use copydesk_core::ports::{ToolError, Toolbox};
use copydesk_core::skills::LOAD_SKILL;
use copydesk_newsroom::{Agent, FoundSource, HiddenText, Specialist, Tool, ToolCall, ToolEffect, ToolResult};
use copydesk_text::sanitise;

/// Most tools that an agent is told of.
const MOST_TOOLS: usize = 128;
/// Most characters of a tool's description.
const LONGEST_DESCRIPTION: usize = 2_000;
/// Most bytes of a result's text.
const MOST_TEXT: usize = 32 << 10;
/// Most sources of a result, and most bytes of one.
const MOST_FOUND: usize = 20;
const MOST_SOURCE: usize = 1 << 20;
/// Most hidden texts of a source that are kept.
const MOST_HIDDEN: usize = 20;
/// Most characters of what is known of a source: its title, its byline.
const LONGEST_LINE: usize = 300;
/// Most characters of an address.
const LONGEST_ADDRESS: usize = 2_048;

/// A toolbox, and how long it may take.
pub struct LimitedToolbox {
    pub toolbox: Arc<dyn Toolbox>,
    /// The longest that one call takes.
    pub limit: Duration,
    /// The key that says so.
    pub setting: String,
}

/// Several toolboxes as one. If two have a tool of the same name, the first one's counts.
pub struct ToolRegistry {
    pub toolboxes: Vec<LimitedToolbox>,
    /// The only tools that an agent may call; an agent that is not named may call all that the toolboxes allow.
    pub only: HashMap<Agent, Vec<String>>,
}

impl ToolRegistry {
    /// The toolboxes in the order in which they are asked.
    pub fn new(toolboxes: Vec<LimitedToolbox>) -> Self {
        Self { toolboxes, only: HashMap::new() }
    }

    fn admits(&self, agent: Agent, tool: &str) -> bool {
        admits(agent, tool) && self.only.get(&agent).is_none_or(|names| names.iter().any(|name| name == tool))
    }

    /// The tools that the agent may call, each with its toolbox.
    async fn offers(&self, agent: Agent) -> Vec<(Tool, &LimitedToolbox)> {
        let mut offers: Vec<(Tool, &LimitedToolbox)> = Vec::new();
        for limited in &self.toolboxes {
            // A toolbox that does not say in time what it has is left out.
            let tools = tokio::time::timeout(limited.limit, limited.toolbox.tools(agent)).await.unwrap_or_default();
            for tool in tools.into_iter().filter(|tool| self.admits(agent, &tool.name) && is_name(&tool.name)) {
                if offers.len() < MOST_TOOLS && !offers.iter().any(|(known, _)| known.name == tool.name) {
                    let description = bounded(&tool.description, LONGEST_DESCRIPTION);
                    offers.push((Tool { description, ..tool }, limited));
                }
            }
        }
        offers
    }
}

/// Whether an agent may call a tool at all. A toolbox may allow less.
fn admits(agent: Agent, tool: &str) -> bool {
    match agent {
        Agent::Reporter | Agent::Editor | Agent::Specialist(Specialist::FactCheck) => true,
        // It looks at words alone.
        Agent::Specialist(Specialist::StyleReview) => tool == LOAD_SKILL,
        Agent::Writer
        | Agent::ArticleReview
        | Agent::ConcernMapping
        | Agent::EvidenceSearch
        | Agent::Publisher
        | Agent::Specialist(Specialist::EvidenceFinding | Specialist::Opinion | Specialist::Attribution) => false,
    }
}

/// Whether every server takes the name.
fn is_name(name: &str) -> bool {
    (1..=64).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
}

#[async_trait]
impl Toolbox for ToolRegistry {
    async fn tools(&self, agent: Agent) -> Vec<Tool> {
        self.offers(agent).await.into_iter().map(|(tool, _)| tool).collect()
    }

    async fn call(&self, agent: Agent, call: &ToolCall) -> Result<ToolResult, ToolError> {
        let offers = self.offers(agent).await;
        let Some((tool, limited)) = offers.iter().find(|(tool, _)| tool.name == call.name) else {
            let names: Vec<&str> = offers.iter().map(|(tool, _)| tool.name.as_str()).collect();
            let names = if names.is_empty() { "there are none".to_owned() } else { names.join(", ") };
            let name = sanitise::excerpt(&call.name, 64);
            return Ok(ToolResult::failure(format!(
                "There is no tool {name:?} that you may call. Your tools: {names}."
            )));
        };
        let called = tokio::time::timeout(limited.limit, limited.toolbox.call(agent, call)).await;
        let late = || ToolError::TimedOut {
            tool: tool.name.clone(),
            seconds: limited.limit.as_secs(),
            setting: limited.setting.clone(),
        };
        match called {
            Ok(result) => result.map(cleaned),
            Err(_) if tool.effect != ToolEffect::Reads => Ok(ToolResult::unknown(&tool.name, &late().to_string())),
            Err(_) => Err(late()),
        }
    }
}

/// A result without what could harm a screen or a prompt, and not too long.
fn cleaned(result: ToolResult) -> ToolResult {
    let ToolResult { text, failed, unknown, found } = result;
    let whole = sanitise::clean(&text);
    let kept = whole.get(..whole.floor_char_boundary(MOST_TEXT)).unwrap_or_default();
    let cut = whole.len() - kept.len();
    let text = if cut == 0 { kept.to_owned() } else { format!("{kept}\n[{cut} more bytes are left out.]") };
    let found =
        found.into_iter().take(MOST_FOUND).map(source).filter(|source| !sanitise::is_blank(&source.text)).collect();
    ToolResult { text, failed, unknown, found }
}

fn source(found: FoundSource) -> FoundSource {
    let is_in_feed = found.is_in_feed();
    let FoundSource { title, address, text, published, byline, publisher, read_at, hidden, .. } = found;
    let line = |value: Option<String>| {
        value.map(|value| sanitise::excerpt(&value, LONGEST_LINE)).filter(|value| !sanitise::is_blank(value))
    };
    let text = sanitise::clean(&text);
    let text = text.get(..text.floor_char_boundary(MOST_SOURCE)).unwrap_or_default().to_owned();
    let address = sanitise::excerpt(&address, LONGEST_ADDRESS);
    FoundSource {
        title: sanitise::excerpt(&title, LONGEST_LINE),
        name: is_in_feed.then(|| format!("{address}{}", FoundSource::IN_FEED)),
        address,
        digest: hex::encode(Sha256::digest(&text)),
        text,
        published: published.filter(|day| day.parse::<jiff::civil::Date>().is_ok()),
        byline: line(byline),
        publisher: line(publisher),
        read_at: sanitise::excerpt(&read_at, LONGEST_LINE),
        hidden: hidden.into_iter().take(MOST_HIDDEN).map(hidden_line).collect(),
    }
}

/// A hidden text in one line, bounded.
fn hidden_line(HiddenText { how, text }: HiddenText) -> HiddenText {
    let line = |text: &str| sanitise::excerpt(text, HiddenText::LONGEST);
    HiddenText { how: line(&how), text: line(&text) }
}

/// At most so many characters, without what could harm a screen; lines stay.
fn bounded(text: &str, most: usize) -> String {
    sanitise::clean(text).chars().take(most).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// A toolbox that answers with its own name, or never.
    struct Scripted {
        name: &'static str,
        tools: Vec<&'static str>,
        effect: ToolEffect,
        result: Option<ToolResult>,
    }

    #[async_trait]
    impl Toolbox for Scripted {
        async fn tools(&self, _: Agent) -> Vec<Tool> {
            let tool = |name: &&str| Tool {
                name: (*name).into(),
                description: format!("{}\x1b[31m{}", self.name, "x".repeat(3_000)),
                parameters: json!({"type": "object"}),
                effect: self.effect,
            };
            self.tools.iter().map(tool).collect()
        }

        async fn call(&self, _: Agent, _: &ToolCall) -> Result<ToolResult, ToolError> {
            match &self.result {
                Some(result) => Ok(result.clone()),
                None => std::future::pending().await,
            }
        }
    }

    fn limited(name: &'static str, tools: &[&'static str], result: Option<ToolResult>) -> LimitedToolbox {
        let toolbox = Arc::new(Scripted { name, tools: tools.to_vec(), effect: ToolEffect::Reads, result });
        LimitedToolbox { toolbox, limit: Duration::from_secs(3), setting: "tools.x".into() }
    }

    fn said(text: &str) -> ToolResult {
        ToolResult { text: text.into(), ..ToolResult::default() }
    }

    fn call(name: &str) -> ToolCall {
        ToolCall { id: "1".into(), name: name.into(), arguments: "{}".into() }
    }

    #[tokio::test(start_paused = true)]
    async fn the_first_name_wins_and_each_agent_has_its_own() {
        let tool_registry = ToolRegistry::new(vec![
            limited("first", &["search_web", "search_knowledge_base", "not a name", ""], Some(said("first"))),
            limited("second", &["search_web", "other", LOAD_SKILL], Some(said("second"))),
        ]);
        let names =
            async |agent| tool_registry.tools(agent).await.into_iter().map(|tool| tool.name).collect::<Vec<_>>();
        let callers = [Agent::Reporter, Agent::Editor, Agent::Specialist(Specialist::FactCheck)];
        for agent in callers {
            assert_eq!(names(agent).await, ["search_web", "search_knowledge_base", "other", LOAD_SKILL]);
        }
        let style = Agent::Specialist(Specialist::StyleReview);
        assert_eq!(names(style).await, [LOAD_SKILL]);
        for agent in Agent::all().filter(|agent| !callers.contains(agent) && *agent != style) {
            assert_eq!(names(agent).await, [""; 0], "{agent:?}");
        }
        assert_eq!(tool_registry.call(Agent::Reporter, &call("search_web")).await.unwrap().text, "first");
        assert_eq!(tool_registry.call(Agent::Reporter, &call("other")).await.unwrap().text, "second");
        let described = &tool_registry.tools(Agent::Reporter).await[0].description;
        assert!(described.starts_with("firstxxx") && described.len() == LONGEST_DESCRIPTION);
        for (agent, name) in [(style, "search_web"), (Agent::Reporter, "no\nsuch"), (Agent::Writer, "search_web")] {
            let refused = tool_registry.call(agent, &call(name)).await.unwrap();
            assert!(refused.failed && refused.text.starts_with("There is no tool"), "{}", refused.text);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn an_agent_with_a_list_of_its_own_has_no_other_tool() {
        let tools = ["search_web", "fetch_content"];
        let only = HashMap::from([(Agent::Reporter, vec!["fetch_content".into(), "gone".into()])]);
        let tool_registry = ToolRegistry { toolboxes: vec![limited("first", &tools, Some(said("first")))], only };
        let names: Vec<String> = tool_registry.tools(Agent::Reporter).await.into_iter().map(|tool| tool.name).collect();
        assert_eq!(names, ["fetch_content"]);
        let refused = tool_registry.call(Agent::Reporter, &call("search_web")).await.unwrap();
        assert_eq!(refused.text, "There is no tool \"search_web\" that you may call. Your tools: fetch_content.");
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_that_takes_too_long_names_its_limit() {
        let tool_registry = ToolRegistry::new(vec![limited("slow", &["slow"], None)]);
        let late = tool_registry.call(Agent::Reporter, &call("slow")).await.unwrap_err();
        assert_eq!(late, ToolError::TimedOut { tool: "slow".into(), seconds: 3, setting: "tools.x".into() });
        // A tool that acts may have done it, so the call is not put in again.
        let toolbox = Arc::new(Scripted { name: "a", tools: vec!["post"], effect: ToolEffect::Acts, result: None });
        let tool_registry = ToolRegistry::new(vec![LimitedToolbox {
            toolbox,
            limit: Duration::from_secs(3),
            setting: "tools.x".into(),
        }]);
        let unknown = tool_registry.call(Agent::Reporter, &call("post")).await.unwrap();
        assert!(unknown.failed && unknown.text.starts_with("It is not known whether post did it"), "{}", unknown.text);
    }

    #[tokio::test(start_paused = true)]
    async fn what_comes_back_is_sanitised_and_bounded() {
        let source = FoundSource {
            title: "A\nB\x1b[2J".into(),
            address: "https://a.example/".into(),
            text: format!("\u{202E}{}", "ä".repeat(MOST_SOURCE)),
            digest: "false".into(),
            published: Some("yesterday".into()),
            byline: Some(" \u{200B}".into()),
            publisher: Some("City".into()),
            read_at: "2026-10-06T00:00:00Z".into(),
            hidden: vec![HiddenText { how: "x\x1b[2J\ny".into(), text: "ä".repeat(MOST_TEXT) }; MOST_HIDDEN + 5],
            name: None,
        };
        let blank = FoundSource { text: " ".into(), ..source.clone() };
        let mut found = vec![blank];
        found.extend(std::iter::repeat_n(source, 30));
        let result =
            ToolResult { text: format!("\x1b]0;x\x07{}", "ä".repeat(MOST_TEXT)), found, ..ToolResult::default() };
        let tool_registry = ToolRegistry::new(vec![limited("one", &["one"], Some(result))]);
        let result = tool_registry.call(Agent::Reporter, &call("one")).await.unwrap();
        assert!(result.text.starts_with('ä') && result.text.ends_with("[32768 more bytes are left out.]"));
        assert_eq!(result.found.len(), MOST_FOUND - 1);
        let text = "ä".repeat(MOST_SOURCE / 2);
        assert_eq!(
            result.found[0],
            FoundSource {
                title: "A B".into(),
                address: "https://a.example/".into(),
                digest: hex::encode(Sha256::digest(&text)),
                text: text.clone(),
                published: None,
                byline: None,
                publisher: Some("City".into()),
                read_at: "2026-10-06T00:00:00Z".into(),
                hidden: vec![
                    HiddenText { how: "x y".into(), text: sanitise::excerpt(&text, HiddenText::LONGEST) };
                    MOST_HIDDEN
                ],
                name: None,
            }
        );
    }
}
