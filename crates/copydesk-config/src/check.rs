//! Settings that are right by themselves and do not fit together.

use std::collections::HashSet;

use super::{
    DatabasePlace, Engine, McpAt, SearchProvider, Settings, TargetPlace, desk::at_home, targets::MailSecurity,
};
use copydesk_newsroom::{Agent, PathName, Specialist};
use copydesk_text::words::words;

/// Each problem with its key.
pub(super) fn check(settings: &Settings) -> Vec<(String, String)> {
    let mut problems = Problems(Vec::new());
    check_generation(settings, &mut problems);
    check_desk(settings, &mut problems);
    check_targets(settings, &mut problems);
    check_mcp(settings, &mut problems);
    let search = settings.tools.search.as_ref();
    if let Some(search) = search {
        let has_address = search.api_base.is_some();
        match search.provider {
            SearchProvider::Searxng if !has_address => {
                problems.add("tools.search.api_base", "must be the address of the server");
            }
            SearchProvider::Perplexity if has_address => {
                problems.add(
                    "tools.search.api_base",
                    "must be null, because article_generation.perplexity names the address",
                );
            }
            SearchProvider::Perplexity if settings.article_generation.perplexity.is_none() => problems.add(
                "tools.search.provider",
                "is perplexity, and article_generation.perplexity is null: fill that in, or name searxng",
            ),
            _ => {}
        }
    }
    for text in settings.flags.rules.sensitive.words.iter().filter(|text| words(text).is_empty()) {
        problems.add("flags.sensitive.words", format!("has {text:?}, in which there is no word"));
    }
    if settings.privacy.local_only {
        check_privacy(settings, &mut problems);
    }
    problems.0
}

struct Problems(Vec<(String, String)>);

impl Problems {
    fn add(&mut self, key: impl Into<String>, message: impl Into<String>) {
        self.0.push((key.into(), message.into()));
    }

    /// Reports a name that two entries of a list have.
    fn check_unique<'a>(&mut self, list: &str, key: &str, names: impl Iterator<Item = &'a str>) {
        let mut seen = HashSet::new();
        for (at, name) in names.enumerate() {
            if !seen.insert(name) {
                self.add(
                    format!("{list}[{at}].{key}"),
                    format!("must be a name of its own; {name:?} stands there twice"),
                );
            }
        }
    }

    /// Reports a name that cannot stand in file names, messages and the names of tools.
    fn check_name(&mut self, entry: &str, name: &str, longest: usize) {
        if !name.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c)) || name.len() > longest {
            self.add(format!("{entry}.name"), format!("must be at most {longest} letters, digits, _ and -"));
        }
    }
}

fn check_generation(settings: &Settings, problems: &mut Problems) {
    let generation = &settings.article_generation;
    let at = |key: &str| format!("article_generation.{key}");
    if generation.engine == Engine::Recorded && generation.recording.is_none() {
        problems.add(at("recording"), "must be the file that `run --record` wrote, because engine is recorded");
    }
    let base = &generation.knowledge_base;
    for (prefix, size, overlap) in [
        ("", base.chunk_size_tokens, base.chunk_overlap_tokens),
        ("source_", base.source_chunk_size_tokens, base.source_chunk_overlap_tokens),
    ] {
        if overlap >= size {
            let key = at(&format!("knowledge_base.{prefix}chunk_overlap_tokens"));
            problems.add(key, format!("must be smaller than {prefix}chunk_size_tokens"));
        }
    }
    let styles = &generation.allowed_styles;
    for style in styles.iter().filter(|style| PathName::new(style.as_str()).is_err()) {
        problems.add(at("allowed_styles"), format!("has {style:?}, which cannot be a file's name"));
    }
    if !styles.contains(&generation.default_style_mode) {
        problems.add(at("default_style_mode"), format!("must be one of allowed_styles ({})", styles.join(", ")));
    }
}

fn check_desk(settings: &Settings, problems: &mut Problems) {
    let (desk, prices) = (&settings.desk, &settings.prices);
    problems.check_unique("prices", "model", prices.iter().map(|price| price.model.as_str()));
    let first = prices.first().map(|price| &price.currency);
    if (desk.budget.story_cost.is_some() || desk.budget.batch_cost.is_some())
        && (first.is_none() || prices.iter().any(|price| Some(&price.currency) != first))
    {
        let message = "or batch_cost is set, but `prices` does not have the models' prices in one currency: give them, or set null";
        problems.add("desk.budget.story_cost", message);
    }
    let hosts: Vec<String> = desk.servers.own.iter().map(|own| at_home(&own.host)).collect();
    problems.check_unique("desk.servers.own", "host", hosts.iter().map(String::as_str));
    for (at, host) in hosts.iter().enumerate().filter(|(_, host)| host.contains(['/', ' '])) {
        let key = format!("desk.servers.own[{at}].host");
        problems.add(key, format!("must be a host with its port, such as 127.0.0.1:1234; {host:?} is none"));
    }
}

fn check_targets(settings: &Settings, problems: &mut Problems) {
    /// Most characters of a target's name.
    const LONGEST_NAME: usize = 40;
    let targets = &settings.publisher.targets;
    problems.check_unique("publisher.targets", "name", targets.iter().map(|target| target.name.as_str()));
    for target in targets {
        problems.check_name(&target.setting, &target.name, LONGEST_NAME);
        let at = |key: &str| format!("{}.{key}", target.setting);
        match &target.at {
            TargetPlace::Email(mail) => {
                if mail.user.is_some() != mail.password.is_some() {
                    problems.add(at("password"), "and user go together: give both, or null for both");
                }
                if mail.security == MailSecurity::None && mail.password.is_some() && !mail.endpoint.is_loopback() {
                    problems.add(
                        at("security"),
                        "must be starttls or tls; with none the password would cross the network for all to read",
                    );
                }
            }
            TargetPlace::Mcp { server, .. } if !settings.mcp.iter().any(|known| known.name == *server) => {
                problems.add(
                    at("server"),
                    format!("is {server:?}, which is none of mcp.servers: add it there, or name one of them"),
                );
            }
            _ => {}
        }
    }
}

fn check_mcp(settings: &Settings, problems: &mut Problems) {
    const FACT_CHECKER: Agent = Agent::Specialist(Specialist::FactCheck);
    /// Most characters of a server's name: it may stand before the name of a tool, which has at most 64.
    const LONGEST_NAME: usize = 24;
    problems.check_unique("mcp.servers", "name", settings.mcp.iter().map(|server| server.name.as_str()));
    let engine = settings.article_generation.engine;
    if !engine.has_models() && !settings.research.agents.is_none() {
        let engine = engine.name();
        let message = format!("has no effect with engine: {engine}, which asks no model: take the agents out");
        problems.add("research.agents", message);
    }
    for server in &settings.mcp {
        problems.check_name(&server.setting, &server.name, LONGEST_NAME);
        let users = settings.research.agents;
        let others = [("editor", Agent::Editor, users.editor), ("fact-checker", FACT_CHECKER, users.fact_checker)];
        for (word, ..) in others.into_iter().filter(|(_, agent, calls)| server.agents.contains(agent) && !calls) {
            let message = format!("has {word}, who calls no tools: add {word} to research.agents, or take it out here");
            problems.add(format!("{}.agents", server.setting), message);
        }
        for (key, tools) in [("acts", &server.acts), ("sources", &server.sources)] {
            for tool in tools.iter().filter(|tool| !server.tools.is_empty() && !server.tools.contains(tool)) {
                let message = format!("has {tool:?}, which `tools` does not allow: add it there, or take it out here");
                problems.add(format!("{}.{key}", server.setting), message);
            }
        }
    }
}

/// Reports what could send texts to other machines.
fn check_privacy(settings: &Settings, problems: &mut Problems) {
    let mut endpoints = settings.endpoints();
    if let DatabasePlace::Server(server) = &settings.database {
        endpoints.extend(server.endpoints.iter().cloned());
    }
    for endpoint in endpoints.into_iter().filter(|endpoint| !endpoint.is_loopback()) {
        let host = endpoint.host();
        let message = format!(
            "names {host}, which is not this machine, and privacy.local_only is true: give a local address, or null if the part may be null; or set privacy.local_only to false"
        );
        problems.add(&endpoint.setting, message);
    }
    let may_send = |at: &McpAt| matches!(at, McpAt::Program { stays_home: false, .. });
    for server in settings.mcp.iter().filter(|server| may_send(&server.at)) {
        problems.add(
            format!("{}.stays_home", server.setting),
            "is false, and privacy.local_only is true: set stays_home to true if the program sends nothing to other machines; otherwise take the server out, or set privacy.local_only to false",
        );
    }
}
