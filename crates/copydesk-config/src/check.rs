//! Settings that are right by themselves and do not fit together.

use std::collections::HashSet;

use super::{
    DatabasePlace, Engine, McpAt, McpServer, PublishTarget, Questions, SearchProvider, Settings, TargetPlace,
    desk::at_home, targets::MailSecurity,
};
use copydesk_newsroom::{Agent, PathName, Specialist};
use copydesk_text::words::words;

/// Each problem with its key.
pub(super) fn check(settings: &Settings) -> Vec<(String, String)> {
    let mut problems = Problems(Vec::new());
    check_generation(settings, &mut problems);
    check_desk(settings, &mut problems);
    check_targets(settings, &mut problems);
    check_effects(settings, &mut problems);
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
            TargetPlace::Mcp(tool) if !settings.mcp.iter().any(|known| known.name == tool.server) => {
                problems.add(
                    at("server"),
                    format!("is {:?}, which is none of mcp.servers: add it there, or name one of them", tool.server),
                );
            }
            _ => {}
        }
    }
}

/// Reports what is turned on and changes nothing, because rules do the work of a model or because the part that would use it is off.
fn check_effects(settings: &Settings, problems: &mut Problems) {
    let generation = &settings.article_generation;
    let opinion = settings.proof.second_opinion;
    if !generation.engine.has_models() {
        let name = generation.engine.name();
        let mut idle = |is_on: bool, key: &str, remedy: &str| {
            if is_on {
                problems.add(key, format!("has no effect with engine: {name}, which asks no model: {remedy}"));
            }
        };
        let searches =
            settings.tools.search.as_ref().is_some_and(|search| search.provider == SearchProvider::Perplexity);
        idle(!settings.research.agents.is_none(), "research.agents", "take the agents out");
        idle(settings.skills.enabled, "skills.enabled", "set it to false");
        idle(opinion.is_some(), "proof.second_opinion", "set it to null");
        let asks = generation.knowledge_base.questions == Questions::Model;
        idle(asks, "article_generation.knowledge_base.questions", "set it to rule");
        let evidence = generation.perplexity.is_some() && !searches;
        let remedy = "set it to null, or let the agents search with it (tools.search.provider: perplexity)";
        idle(evidence, "article_generation.perplexity", remedy);
        return;
    }
    // With skills the style review opens the Editor's, by a model of its own.
    let opens = settings.skills.enabled;
    if settings.research.agents.editor && generation.models.editor.is_none() && !opens {
        let message = "has editor, whose work rules do: give article_generation.agents.editor_llm a model, or take editor out here";
        problems.add("research.agents", message);
    }
    if let Some(agent) = opinion {
        if !settings.proof.enabled {
            problems.add(
                "proof.second_opinion",
                "has no effect with proof.enabled: false: set it to null, or enabled to true",
            );
        } else if generation.models.of(agent).is_none() {
            problems.add("proof.second_opinion", "names an agent that has no model: name another, or set it to null");
        }
    }
}

fn check_mcp(settings: &Settings, problems: &mut Problems) {
    /// Most characters of a server's name: it may stand before the name of a tool, which has at most 64.
    const LONGEST_NAME: usize = 24;
    problems.check_unique("mcp.servers", "name", settings.mcp.iter().map(|server| server.name.as_str()));
    for server in &settings.mcp {
        problems.check_name(&server.setting, &server.name, LONGEST_NAME);
        check_users(settings, server, problems);
        for (key, tools) in [("acts", &server.acts), ("sources", &server.sources)] {
            for tool in tools.iter().filter(|tool| !server.tools.is_empty() && !server.tools.contains(tool)) {
                let message = format!("has {tool:?}, which `tools` does not allow: add it there, or take it out here");
                problems.add(format!("{}.{key}", server.setting), message);
            }
        }
    }
}

/// Reports agents that call no tools of a server, and what the server has for agents if it has none.
fn check_users(settings: &Settings, server: &McpServer, problems: &mut Problems) {
    const FACT_CHECKER: Agent = Agent::Specialist(Specialist::FactCheck);
    let (generation, users) = (&settings.article_generation, settings.research.agents);
    let at = |key: &str| format!("{}.{key}", server.setting);
    let others = [("editor", Agent::Editor, users.editor), ("fact-checker", FACT_CHECKER, users.fact_checker)];
    for (word, ..) in others.into_iter().filter(|(_, agent, calls)| server.agents.contains(agent) && !calls) {
        let message = format!("has {word}, who calls no tools: add {word} to research.agents, or take it out here");
        problems.add(at("agents"), message);
    }
    let is_rule = !generation.engine.has_models() || generation.models.reporter.is_none();
    if server.agents.contains(&Agent::Reporter) && is_rule {
        let engine = if generation.engine.has_models() { "" } else { "set engine: llm and " };
        let message = format!(
            "has reporter, whose work rules do with the built-in tools alone: {engine}give article_generation.agents.reporter_llm a model, or take reporter out here"
        );
        problems.add(at("agents"), message);
    }
    if !server.agents.is_empty() {
        return;
    }
    let is_target = |target: &PublishTarget| matches!(&target.at, TargetPlace::Mcp(tool) if tool.server == server.name);
    if !settings.publisher.targets.iter().any(is_target) {
        let message =
            "is [], and none of publisher.targets names the server: say who may call its tools, or take the server out";
        problems.add(at("agents"), message);
        return;
    }
    for (key, tools) in [("tools", &server.tools), ("acts", &server.acts), ("sources", &server.sources)] {
        if !tools.is_empty() {
            let remedy = if key == "tools" { "null" } else { "[]" };
            problems.add(at(key), format!("has no effect as long as `agents` is []: set it to {remedy}"));
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
    let may_send = |at: &McpAt| matches!(at, McpAt::Program(program) if !program.stays_home);
    for server in settings.mcp.iter().filter(|server| may_send(&server.at)) {
        problems.add(
            format!("{}.stays_home", server.setting),
            "is false, and privacy.local_only is true: set stays_home to true if the program sends nothing to other machines; otherwise take the server out, or set privacy.local_only to false",
        );
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::{TEMPLATE, load};

    const PERPLEXITY: &str = "perplexity:\n    api_base: http://127.0.0.1:9\n    api_key: pplx-abcdef\n    model: sonar\n    timeout_seconds: 45";
    const SEARCH: &str =
        "search:\n    provider: perplexity\n    api_base: null\n    timeout_seconds: 15\n    most_results: 10";

    fn problems(yaml: &str) -> Vec<String> {
        let error = load(Path::new("config.yaml"), yaml, Path::new("/desk")).err();
        let problems = error.into_iter().flat_map(|error| error.problems);
        problems.map(|problem| format!("{} {}", problem.key, problem.message)).collect()
    }

    /// The template with the first `from` of a section replaced.
    fn with(yaml: &str, section: &str, from: &str, to: &str) -> String {
        let (before, rest) = yaml.split_once(section).unwrap();
        assert!(rest.contains(from), "{section}: {from}");
        format!("{before}{section}{}", rest.replacen(from, to, 1))
    }

    #[test]
    fn what_only_models_use_is_refused_without_them() {
        for (key, section, off, on) in [
            ("research.agents", "\nresearch:\n", "agents: []", "agents: [fact-checker]"),
            ("skills.enabled", "\nskills:\n", "enabled: false", "enabled: true"),
            ("proof.second_opinion", "\nproof:\n", "second_opinion: null", "second_opinion: writer_llm"),
            (
                "article_generation.knowledge_base.questions",
                "  knowledge_base:\n",
                "questions: rule",
                "questions: model",
            ),
            ("article_generation.perplexity", "\narticle_generation:\n", "perplexity: null", PERPLEXITY),
        ] {
            let yaml = with(TEMPLATE, section, off, on);
            let told = problems(&yaml);
            let says = format!("{key} has no effect with engine: offline, which asks no model: ");
            assert!(matches!(&told[..], [told] if told.starts_with(&says)), "{told:?}");
            assert_eq!(problems(&yaml.replace("engine: offline", "engine: llm")), [""; 0], "{key}");
        }
        // The Reporter by rule searches with it.
        let searches = TEMPLATE.replace("perplexity: null", PERPLEXITY).replace("search: null", SEARCH);
        assert_eq!(problems(&searches), [""; 0]);
    }

    #[test]
    fn a_second_opinion_that_nobody_gives_is_refused() {
        let yaml = TEMPLATE.replace("engine: offline", "engine: llm");
        let asked = yaml.replace("second_opinion: null", "second_opinion: article_review_llm");
        assert_eq!(problems(&asked), [""; 0]);
        assert_eq!(
            problems(&with(&asked, "\nproof:\n", "enabled: true", "enabled: false")),
            ["proof.second_opinion has no effect with proof.enabled: false: set it to null, or enabled to true"]
        );
        let nobody = with(&asked, "    article_review_llm:", "\n      use: local", " null");
        assert_eq!(
            problems(&nobody),
            ["proof.second_opinion names an agent that has no model: name another, or set it to null"]
        );
    }
}
