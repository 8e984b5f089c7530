//! The doctor's lines on what agents may call, and on what searches the web and draws pages.

use std::{sync::Arc, time::Duration};

use super::chart::Chart;
use crate::{
    cli::wiring::{
        self, research_tools,
        skills::{CALLERS, Taught},
    },
    config::Settings,
    llm::is_installed,
    newsroom::Agent,
    ports::Toolbox as _,
    skills::{AgentProfile, LOAD_SKILL},
    store::Store,
};

/// How long a search service may take to say that it is there.
const SEARCH_PATIENCE: Duration = Duration::from_secs(5);

/// Says which tools each agent may call. What its `AGENTS.md` names and this configuration does not give is told: as off, or as a problem.
pub(super) async fn of_agents(chart: &mut Chart, settings: &Settings, store: &Store, taught: &Taught) {
    // Only models read the agents' files and skills.
    let has_models = settings.article_generation.engine.has_models();
    let skills = if has_models && settings.skills.enabled { taught.skills.clone() } else { Vec::new() };
    let library = Arc::new(wiring::library(settings, store));
    let every = Taught { skills, profiles: Vec::new() };
    let configured = research_tools::tool_registry(settings, store, library, &every);
    let users = settings.tool_users();
    for (folder, name, agent) in CALLERS {
        let calls = match agent {
            Agent::Reporter => true,
            Agent::Editor => users.editor,
            _ => users.fact_checker,
        };
        let tools = if calls { configured.tools(agent).await } else { Vec::new() };
        let tools: Vec<String> = tools.into_iter().map(|tool| tool.name).collect();
        let profile = taught.profile(folder).filter(|_| has_models);
        if let Some(unknown) = profile.and_then(|profile| unknown(profile, name, &tools)) {
            chart.open("agents", &unknown);
        }
        match agent {
            Agent::Reporter => chart.fine("research tools", &callable_tools(settings, profile, name, tools)),
            _ if !calls => {}
            _ => chart.fine(&format!("tools of the {name}"), &callable_tools(settings, profile, name, tools)),
        }
    }
    let others = |profile: &&AgentProfile| !CALLERS.iter().any(|(folder, ..)| *folder == profile.agent.folder);
    for profile in taught.profiles.iter().filter(others).filter(|_| has_models) {
        if let Some(tools) = profile.tools.as_ref().filter(|tools| !tools.is_empty()) {
            let AgentProfile { file, .. } = profile;
            chart.open(
                "agents",
                &format!("{file} names {}, but this agent calls no tools: empty its list", tools.join(", ")),
            );
        }
    }
}

/// The tools that an agent may call, those that its file leaves out, and those of its file that are off.
fn callable_tools(settings: &Settings, profile: Option<&AgentProfile>, name: &str, tools: Vec<String>) -> String {
    let off: Vec<String> = profile
        .and_then(|profile| profile.tools.as_ref())
        .into_iter()
        .flatten()
        .filter(|tool| !tools.contains(tool))
        .filter_map(|tool| Some(format!("{tool} ({})", why_off(settings, tool)?)))
        .collect();
    let (may, left): (Vec<String>, Vec<String>) =
        tools.into_iter().partition(|tool| profile.is_none_or(|profile| profile.admits(tool)));
    let mut said = if may.is_empty() { "none".to_owned() } else { may.join(", ") };
    if let Some(profile) = profile.filter(|_| !left.is_empty()) {
        let left = left.join(", ");
        said.extend([format!("; {} does not name {left}, so the {name} may not call that", profile.file)]);
    }
    if !off.is_empty() {
        said.extend([format!("; off: {}", off.join(", "))]);
    }
    said
}

/// Why a built-in tool is off; none of a tool that is always on, or that is not built in.
fn why_off(settings: &Settings, tool: &str) -> Option<&'static str> {
    match tool {
        "search_web" => Some("tools.search: null"),
        LOAD_SKILL if settings.skills.enabled => Some("it has no skill"),
        LOAD_SKILL => Some("skills.enabled: false"),
        _ => None,
    }
}

/// The problem of an agent's file that names tools which nothing offers to the agent.
fn unknown(profile: &AgentProfile, name: &str, tools: &[String]) -> Option<String> {
    let is_known = |tool: &String| tools.contains(tool) || research_tools::BUILT_IN.contains(&tool.as_str());
    let named = profile.tools.as_ref()?.iter().filter(|tool| !is_known(tool));
    let named: Vec<&str> = named.map(String::as_str).collect();
    (!named.is_empty()).then(|| {
        format!(
            "{} names {}, but nothing offers that to the {name}: correct the name, or give the {name} an MCP server that has it \
             (mcp.servers, research.agents)",
            profile.file,
            named.join(", ")
        )
    })
}

/// Looks for the program that draws pages, without starting it.
pub(super) fn renderer(chart: &mut Chart, settings: &Settings) {
    const NAME: &str = "pages that need scripts";
    match &settings.tools.fetch.render {
        None => chart.fine(NAME, "refused (tools.fetch.render: null)"),
        Some(renderer) if is_installed(&renderer.program) => {
            chart.fine(NAME, &format!("{} draws them (found, not started)", renderer.program));
        }
        Some(renderer) => chart.open(
            NAME,
            &format!(
                "the program {} is not found: install it, or give its whole path (tools.fetch.render: null refuses such pages)",
                renderer.program
            ),
        ),
    }
}

/// Asks the search service whether it would answer, without searching for anything.
pub(super) async fn web_search(chart: &mut Chart, settings: &Settings) {
    const NAME: &str = "web search";
    let Some((search, service)) = research_tools::search(settings).zip(settings.search_service()) else {
        return chart.fine(NAME, "off (tools.search: null)");
    };
    let address = service.endpoint().authority();
    match tokio::time::timeout(SEARCH_PATIENCE, search.try_out()).await {
        Ok(None) => chart.fine(NAME, &format!("{address} (not tested: each search costs money)")),
        Ok(Some(Ok(()))) => chart.fine(
            NAME,
            &format!("SearXNG at {address}; it asks other search engines, so what is searched for leaves this machine"),
        ),
        Ok(Some(Err(why))) => {
            chart.open(NAME, &format!("{address} does not search: {why} (tools.search: null turns it off)"));
        }
        Err(_) => chart.open(NAME, &format!("{address} did not answer within {} s", SEARCH_PATIENCE.as_secs())),
    }
}
