//! `mcp`: servers whose tools the agents may call.

use std::time::Duration;

use super::{
    fields::{endpoint, seconds},
    mcp_settings::{McpAt, McpServer},
    reader::Section,
};
use copydesk_newsroom::{Agent, Specialist};

/// The agents that may be given tools, each by its word.
const AGENTS: [(&str, Agent); 3] = [
    ("reporter", Agent::Reporter),
    ("editor", Agent::Editor),
    ("fact-checker", Agent::Specialist(Specialist::FactCheck)),
];

/// Most characters of a server's name: it may stand before the name of a tool, which has at most 64.
const LONGEST_NAME: usize = 24;

/// The servers of `mcp.servers`; a server with a problem has reported it, and is left out.
pub(super) fn read_mcp(section: &Section<'_>) -> Vec<McpServer> {
    let servers = section.sections_or_null("servers", "a list of MCP servers", read_server);
    let servers: Vec<McpServer> = servers.into_iter().flatten().collect();
    for (at, server) in servers.iter().enumerate() {
        if servers.iter().take(at).any(|other| other.name == server.name) {
            section.problem(
                &format!("servers[{at}].name"),
                format!("is {:?}, as another server's; a name of its own belongs there", server.name),
            );
        }
    }
    servers
}

fn read_server(server: &Section<'_>) -> Option<McpServer> {
    let name = server.text("name", "a short name for the server");
    if !name.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c)) || name.len() > LONGEST_NAME {
        server.problem("name", format!("is {name:?}; at most {LONGEST_NAME} letters, digits, _ and - belong there"));
    }
    let at = read_place(server);
    let words = AGENTS.map(|(word, _)| word).join(", ");
    let mut agents = Vec::new();
    for word in server.texts_if_any("agents", &format!("a list of agents ({words})")) {
        match AGENTS.iter().find(|(known, _)| *known == word) {
            Some((_, agent)) => agents.push(*agent),
            None => server.problem("agents", format!("holds {word:?}; only {words} belong there")),
        }
    }
    let tools = server.texts_or_null("tools", "a list of tools");
    let acts = server.texts_if_any("acts", "a list of tools that may act without a person's consent");
    for tool in acts.iter().filter(|tool| !tools.is_empty() && !tools.contains(tool)) {
        server.problem(
            "acts",
            format!("holds {tool:?}, which `tools` does not allow: add it there, or take it out here"),
        );
    }
    let timeout = Duration::from_secs_f64(seconds(server));
    let longest = server.whole("longest_result_kb", 1..=16_384, "the most kilobytes of a result");
    let sources = server.texts_if_any("sources", "a list of tools whose texts are kept as sources");
    for tool in sources.iter().filter(|tool| !tools.is_empty() && !tools.contains(tool)) {
        server.problem(
            "sources",
            format!("holds {tool:?}, which `tools` does not allow: add it there, or take it out here"),
        );
    }
    Some(McpServer {
        name,
        at: at?,
        agents,
        tools,
        acts,
        sources,
        timeout,
        longest_result: usize::try_from(longest).unwrap_or(1) * 1024,
        setting: server.path_of("").trim_end_matches('.').to_owned(),
    })
}

fn read_place(server: &Section<'_>) -> Option<McpAt> {
    match (server.has("command"), server.has("url")) {
        (true, false) => Some(McpAt::Program {
            command: server.text("command", "the program that serves the tools"),
            args: server.texts_if_any("args", "the program's arguments"),
            env: server.secrets("env", "the program's environment, such as {API_KEY: abc}, or {}"),
            stays_home: server.yes_or_no("stays_home", "whether the program sends nothing to other machines"),
        }),
        (false, true) => {
            let bearer = server.secret_or_null("bearer", "the token that the server asks for");
            endpoint(server, "url").map(|endpoint| McpAt::Address { endpoint, bearer })
        }
        (both, _) => {
            let message = if both { "and url are both there" } else { "is missing, and so is url" };
            server.problem("command", format!("{message}; one of them belongs there"));
            server.pass_over(&["command", "args", "env", "stays_home", "url", "bearer"]);
            None
        }
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
      agents: [reporter, fact-checker]
      tools: null
      acts: []
      timeout_seconds: 30
      longest_result_kb: 256
      sources: [open_page]
    - name: wire
      url: http://127.0.0.1:8765/mcp
      bearer: wire-token-0123456789
      agents: [editor]
      tools: [search, post]
      acts: [post]
      timeout_seconds: 1.5
      longest_result_kb: 1
      sources: []"#;

    fn read(servers: &str) -> Result<Settings, ConfigError> {
        let yaml = TEMPLATE.replace("servers: null", servers);
        load(Path::new("config/config.yaml"), &yaml, Path::new("/desk"))
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
        assert!(settings.endpoints().contains(&&endpoint));
        let key = Secret::new("archive-key-0123456789".into());
        let archive = McpServer {
            name: "archive".into(),
            at: McpAt::Program {
                command: "./bin/archive".into(),
                args: vec!["--read-only".into()],
                env: [("ARCHIVE_KEY".to_owned(), key)].into(),
                stays_home: true,
            },
            agents: vec![Agent::Reporter, Agent::Specialist(Specialist::FactCheck)],
            tools: Vec::new(),
            acts: Vec::new(),
            sources: vec!["open_page".into()],
            timeout: Duration::from_secs(30),
            longest_result: 256 * 1024,
            setting: "mcp.servers[0]".into(),
        };
        let wire = McpServer {
            name: "wire".into(),
            at: McpAt::Address { endpoint, bearer: Some(Secret::new("wire-token-0123456789".into())) },
            agents: vec![Agent::Editor],
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
        let bad = SERVERS
            .replace("name: wire", "name: archive")
            .replace("[reporter, fact-checker]", "[reporter, writer]")
            .replace("tools: [search, post]", "tools: [search]")
            .replace("bearer: wire-token-0123456789", "bearer: null\n      stays_home: true")
            .replace("longest_result_kb: 256", "longest_result_kb: 0")
            .replace("sources: []", "sources: [open_page]")
            .replace("{ARCHIVE_KEY: archive-key-0123456789}", "{ARCHIVE_KEY: \"\"}");
        assert_eq!(
            problems(&bad),
            [
                "mcp.servers[0].env.ARCHIVE_KEY is empty; a non-empty text belongs there",
                "mcp.servers[0].agents holds \"writer\"; only reporter, editor, fact-checker belong there",
                "mcp.servers[0].longest_result_kb is out of range; the most kilobytes of a result, a whole number from 1 to 16384, belongs there",
                "mcp.servers[1].name is \"archive\", as another server's; a name of its own belongs there",
                "mcp.servers[1].stays_home is not a key of this section; its keys are name, bearer, url, agents, tools, acts, timeout_seconds, longest_result_kb, sources",
                "mcp.servers[1].acts holds \"post\", which `tools` does not allow: add it there, or take it out here",
                "mcp.servers[1].sources holds \"open_page\", which `tools` does not allow: add it there, or take it out here",
            ]
        );
        let neither =
            SERVERS.replace("      url: http://127.0.0.1:8765/mcp\n", "").replace("name: wire", "name: a wire");
        assert_eq!(
            problems(&neither),
            [
                "mcp.servers[1].command is missing, and so is url; one of them belongs there",
                "mcp.servers[1].name is \"a wire\"; at most 24 letters, digits, _ and - belong there",
            ]
        );
    }

    #[test]
    fn a_local_desk_asks_no_server_that_may_send_its_texts_away() {
        assert_eq!(
            problems(
                &SERVERS.replace("stays_home: true", "stays_home: false").replace("127.0.0.1", "tools.example.com")
            ),
            [
                "mcp.servers[0].stays_home is false, and privacy.local_only is true: set stays_home to true if the program sends nothing to other machines; otherwise take the server out, or set privacy.local_only to false",
                "mcp.servers[1].url names tools.example.com, which is not this machine, and privacy.local_only is true: a local address or, where the part may be null, null belongs there; or set privacy.local_only to false",
            ]
        );
    }
}
