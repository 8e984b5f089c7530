//! `mcp`: servers of the Model Context Protocol, whose tools the agents may call.

use std::{collections::BTreeMap, time::Duration};

use serde::{Deserialize, Deserializer, de::Error};
use serde_yaml::Mapping;

use super::{
    Endpoint, Secret,
    fields::{choice, list, nullable, read, secrets, some_time, whole},
};
use copydesk_newsroom::{Agent, Specialist};

/// A server of the Model Context Protocol.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct McpServer {
    /// Letters, digits, `_` and `-`; no other server has it.
    pub name: String,
    /// The program to start, or the address to call. It also refuses unknown keys.
    #[serde(flatten)]
    pub at: McpAt,
    /// The agents that may call its tools.
    #[serde(deserialize_with = "tool_users")]
    pub agents: Vec<Agent>,
    /// The tools that may be called; empty: all that only read.
    #[serde(deserialize_with = "list")]
    pub tools: Vec<String>,
    /// The tools that may act without a person's consent.
    pub acts: Vec<String>,
    /// The tools whose texts are kept as sources, with their address.
    pub sources: Vec<String>,
    /// How long a start or a call may take.
    #[serde(rename = "timeout_seconds", deserialize_with = "some_time")]
    pub timeout: Duration,
    /// Most bytes of a result's text.
    #[serde(rename = "longest_result_kb", deserialize_with = "kilobytes")]
    pub longest_result: usize,
    /// The key of this server, such as `mcp.servers[0]`.
    #[serde(skip)]
    pub setting: String,
}

/// How a server of tools is reached.
#[derive(Debug, Clone, PartialEq)]
pub enum McpAt {
    Program(McpProgram),
    Address(McpAddress),
}

/// A program that is started and spoken to over its standard input and output.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct McpProgram {
    /// A file, or a name that is looked up in the search path.
    pub command: String,
    pub args: Vec<String>,
    /// Its environment variables beside `PATH`, `HOME` and `LANG`.
    #[serde(deserialize_with = "secrets")]
    pub env: BTreeMap<String, Secret>,
    /// Whether the configuration says that it sends nothing to other machines.
    pub stays_home: bool,
}

/// An address that is spoken to over HTTP.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct McpAddress {
    #[serde(rename = "url")]
    pub endpoint: Endpoint,
    /// The token that it asks for.
    #[serde(deserialize_with = "nullable")]
    pub bearer: Option<Secret>,
}

impl<'de> Deserialize<'de> for McpAt {
    /// Reads the keys of a server that its kind decides.
    fn deserialize<D: Deserializer<'de>>(value: D) -> Result<Self, D::Error> {
        let keys = Mapping::deserialize(value)?;
        match (keys.contains_key("command"), keys.contains_key("url")) {
            (true, false) => Ok(Self::Program(read(keys)?)),
            (false, true) => Ok(Self::Address(read(keys)?)),
            _ => Err(D::Error::custom("must have one of the keys command and url")),
        }
    }
}

/// Reads `mcp`, whose only key is `servers`.
pub(super) fn servers<'de, D: Deserializer<'de>>(value: D) -> Result<Vec<McpServer>, D::Error> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Mcp {
        #[serde(deserialize_with = "list")]
        servers: Vec<McpServer>,
    }
    Mcp::deserialize(value).map(|mcp| mcp.servers)
}

/// The agents that may be given tools.
fn tool_users<'de, D: Deserializer<'de>>(value: D) -> Result<Vec<Agent>, D::Error> {
    // The others work without tools: a name without effect would be a promise.
    let agents = [
        ("reporter", Agent::Reporter),
        ("editor", Agent::Editor),
        ("fact-checker", Agent::Specialist(Specialist::FactCheck)),
    ];
    Vec::<String>::deserialize(value)?.iter().map(|word| choice(word, &agents)).collect()
}

fn kilobytes<'de, D: Deserializer<'de>>(value: D) -> Result<usize, D::Error> {
    whole::<1, 16_384, _, usize>(value).map(|kilobytes| kilobytes << 10)
}

impl McpServer {
    /// Its secrets.
    pub fn secrets(&self) -> impl Iterator<Item = &Secret> {
        let (env, bearer) = match &self.at {
            McpAt::Program(program) => (Some(program.env.values()), None),
            McpAt::Address(address) => (None, address.bearer.as_ref()),
        };
        env.into_iter().flatten().chain(bearer)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::{ConfigError, Settings, TEMPLATE, load};
    use crate::{Endpoint, Secret};

    const SERVERS: &str = r#"servers:
    - name: archive
      command: ./bin/archive
      args: ["--read-only"]
      env: {ARCHIVE_KEY: archive-key-0123456789}
      stays_home: true
      agents: [reporter]
      tools: null
      acts: []
      timeout_seconds: 30
      longest_result_kb: 256
      sources: [open_page]
    - name: wire
      url: http://127.0.0.1:8765/mcp
      bearer: wire-token-0123456789
      agents: [reporter]
      tools: [search, post]
      acts: [post]
      timeout_seconds: 1.5
      longest_result_kb: 1
      sources: []"#;

    /// A desk whose Reporter and Editor have models.
    fn with_models() -> String {
        TEMPLATE
            .replace("engine: offline", "engine: llm")
            .replace("reporter_llm: null", "reporter_llm:\n      use: local\n      tool_calls: native")
            .replace("editor_llm: null", "editor_llm:\n      use: local")
    }

    fn loaded(yaml: &str) -> Result<Settings, ConfigError> {
        load(Path::new("config/config.yaml"), yaml, Path::new("/desk"))
    }

    fn read(servers: &str) -> Result<Settings, ConfigError> {
        loaded(&with_models().replace("servers: null", servers))
    }

    fn problems(servers: &str) -> Vec<String> {
        let error = read(servers).unwrap_err();
        error.problems.into_iter().map(|p| format!("{} {}", p.key, p.message)).collect()
    }

    #[test]
    fn servers_are_programs_or_addresses() {
        assert_eq!(read("servers: null").unwrap().mcp, []);
        let settings = read(SERVERS).unwrap();
        let endpoint =
            Endpoint { base: "http://127.0.0.1:8765/mcp".parse().unwrap(), setting: "mcp.servers[1].url".into() };
        assert!(settings.endpoints().contains(&endpoint));
        let key = Secret::new("archive-key-0123456789".into());
        let archive = McpServer {
            name: "archive".into(),
            at: McpAt::Program(McpProgram {
                command: "./bin/archive".into(),
                args: vec!["--read-only".into()],
                env: [("ARCHIVE_KEY".to_owned(), key)].into(),
                stays_home: true,
            }),
            agents: vec![Agent::Reporter],
            tools: Vec::new(),
            acts: Vec::new(),
            sources: vec!["open_page".into()],
            timeout: Duration::from_secs(30),
            longest_result: 256 * 1024,
            setting: "mcp.servers[0]".into(),
        };
        let wire = McpServer {
            name: "wire".into(),
            at: McpAt::Address(McpAddress { endpoint, bearer: Some(Secret::new("wire-token-0123456789".into())) }),
            agents: vec![Agent::Reporter],
            tools: vec!["search".into(), "post".into()],
            acts: vec!["post".into()],
            sources: Vec::new(),
            timeout: Duration::from_millis(1500),
            longest_result: 1024,
            setting: "mcp.servers[1]".into(),
        };
        assert_eq!(settings.mcp, [archive, wire]);
        let said = settings.secrets().hide_in_message("archive-key-0123456789 and wire-token-0123456789");
        assert_eq!(said, "[secret] and [secret]");
    }

    #[test]
    fn each_problem_is_told_with_its_key() {
        let wrong = |from: &str, to: &str| {
            assert!(SERVERS.contains(from), "{from}");
            problems(&SERVERS.replace(from, to)).join("\n")
        };
        for (from, to, says) in [
            ("archive-key-0123456789", "\"\"", "mcp.servers[0].env.ARCHIVE_KEY is empty"),
            (
                "[reporter]",
                "[reporter, editor]",
                "mcp.servers[0].agents has editor, who calls no tools: add editor to research.agents, or take it out here",
            ),
            ("[reporter]", "[writer]", "mcp.servers[0].agents must be one of reporter, editor, fact-checker"),
            (
                "longest_result_kb: 256",
                "longest_result_kb: 0",
                "mcp.servers[0].longest_result_kb must be a whole number from 1 to 16384",
            ),
            (
                "bearer: wire-token-0123456789",
                "bearer: null\n      stays_home: true",
                "mcp.servers[1].stays_home is not a key of this section; its keys are url, bearer",
            ),
            ("      url: http://127.0.0.1:8765/mcp\n", "", "mcp.servers[1] must have one of the keys command and url"),
            ("http://127.0.0.1:8765/mcp", "wire", "mcp.servers[1].url must be a server's address such as"),
        ] {
            let told = wrong(from, to);
            assert!(told.starts_with(says), "{told}");
        }
        let bad = SERVERS
            .replace("name: wire", "name: archive")
            .replace("tools: [search, post]", "tools: [search]")
            .replace("sources: []", "sources: [open_page]");
        assert_eq!(
            problems(&bad),
            [
                "mcp.servers[1].name must be a name of its own; \"archive\" stands there twice",
                "mcp.servers[1].acts has \"post\", which `tools` does not allow: add it there, or take it out here",
                "mcp.servers[1].sources has \"open_page\", which `tools` does not allow: add it there, or take it out here",
            ]
        );
        let name = "mcp.servers[1].name must be at most 24 letters, digits, _ and -";
        assert_eq!(wrong("name: wire", "name: a wire"), name);
    }

    #[test]
    fn agents_that_call_tools_may_have_those_of_a_server() {
        let servers = SERVERS.replace("[reporter]", "[editor, fact-checker]");
        let users = |yaml: String| {
            yaml.replace("servers: null", &servers).replace("\n  agents: []", "\n  agents: [fact-checker, editor]")
        };
        let settings = loaded(&users(with_models())).unwrap();
        assert_eq!(settings.mcp[0].agents, [Agent::Editor, Agent::Specialist(Specialist::FactCheck)]);
        for (yaml, says) in [
            (TEMPLATE.to_owned(), "research.agents: has no effect with engine: offline"),
            (
                TEMPLATE.replace("engine: offline", "engine: llm"),
                "research.agents: has editor, whose work rules do: give article_generation.agents.editor_llm a model",
            ),
        ] {
            let refused = loaded(&users(yaml)).unwrap_err().to_string();
            assert!(refused.contains(says), "{refused}");
        }
    }

    #[test]
    fn a_reporter_by_rule_gets_no_server() {
        for (engine, says) in [
            (
                "offline",
                "set engine: llm and give article_generation.agents.reporter_llm a model, or take reporter out here",
            ),
            (
                "llm",
                "built-in tools alone: give article_generation.agents.reporter_llm a model, or take reporter out here",
            ),
        ] {
            let yaml = TEMPLATE.replace("engine: offline", &format!("engine: {engine}"));
            let refused = loaded(&yaml.replace("servers: null", SERVERS)).unwrap_err().to_string();
            let told =
                refused.contains("mcp.servers[0].agents: has reporter, whose work rules do") && refused.contains(says);
            assert!(told, "{refused}");
        }
    }

    #[test]
    fn a_server_is_for_an_agent_or_a_target() {
        let servers = SERVERS.replace("[reporter]", "[]");
        let alone = "mcp.servers[1].agents is [], and none of publisher.targets names the server";
        assert!(problems(&servers).iter().any(|told| told.starts_with(alone)), "{:?}", problems(&servers));
        let target =
            |server: &str| format!("{{name: {server}, kind: mcp, format: html, server: {server}, tool: post}}");
        let targets = format!("targets: [{}, {}]", target("archive"), target("wire"));
        let yaml = TEMPLATE.replace("targets: null", &targets);
        let told = |servers: &str| {
            let error = loaded(&yaml.replace("servers: null", servers)).err();
            let problems = error.into_iter().flat_map(|error| error.problems);
            problems.map(|told| format!("{} {}", told.key, told.message)).collect::<Vec<_>>()
        };
        assert_eq!(
            told(&servers),
            [
                "mcp.servers[0].sources has no effect as long as `agents` is []: set it to []",
                "mcp.servers[1].tools has no effect as long as `agents` is []: set it to null",
                "mcp.servers[1].acts has no effect as long as `agents` is []: set it to []",
            ]
        );
        let plain = servers.replace("[search, post]", "null").replace("[post]", "[]").replace("[open_page]", "[]");
        assert_eq!(told(&plain), [""; 0]);
    }

    #[test]
    fn a_local_desk_asks_no_server_that_may_send_its_texts_away() {
        assert_eq!(
            problems(
                &SERVERS.replace("stays_home: true", "stays_home: false").replace("127.0.0.1", "tools.example.com")
            ),
            [
                "mcp.servers[0].stays_home is false, and privacy.local_only is true: set stays_home to true if the program sends nothing to other machines; otherwise take the server out, or set privacy.local_only to false",
                "mcp.servers[1].url names tools.example.com, which is not this machine, and privacy.local_only is true: give a local address, or null if the part may be null; or set privacy.local_only to false",
            ]
        );
    }
}
