//! Calls the tools of one MCP server as an agent would, and prints what comes back. `.ci/mcp` runs it against other people's servers.
//!
//! `mcp_peer URL`, or `mcp_peer COMMAND ARGUMENT...`, then optionally `-- TOOL JSON`. Without a tool it calls each, with sample arguments.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example prints")]

use std::{collections::BTreeSet, path::Path, process::ExitCode, time::Duration};

use copydesk::{
    config::{Endpoint, McpAt, McpServer, Secrets},
    newsroom::{Agent, ToolCall},
    ports::Toolbox,
    tools::mcp::McpToolbox,
};
use serde_json::{Map, Value, json};

/// A value for each argument that a schema asks for.
fn sample(schema: &Value) -> Value {
    let wanted = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let kind =
        |name: &str| schema.get("properties").and_then(|properties| properties.get(name)).cloned().unwrap_or_default();
    let value =
        |kind: Value| match (kind.get("enum").and_then(|words| words.get(0)), kind.get("type").and_then(Value::as_str))
        {
            (Some(word), _) => word.clone(),
            (None, Some("number" | "integer")) => json!(2),
            (None, Some("boolean")) => json!(true),
            (None, Some("object")) => json!({}),
            (None, Some("array")) => json!([]),
            _ => json!("council"),
        };
    let fields: Map<String, Value> =
        wanted.iter().filter_map(Value::as_str).map(|name| (name.to_owned(), value(kind(name)))).collect();
    Value::Object(fields)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let mut parts = given.split(|word| word == "--");
    let (server, tool) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let Some((first, args)) = server.split_first() else {
        eprintln!("give an address, or a command with its arguments");
        return ExitCode::from(2);
    };
    let at = match first.parse() {
        Ok(base) if first.starts_with("http") => {
            McpAt::Address { endpoint: Endpoint { base, setting: "url".to_owned() }, bearer: None }
        }
        _ => McpAt::Program { command: first.clone(), args: args.to_vec(), env: [].into(), stays_home: true },
    };
    let settings = |tools| McpServer {
        name: "peer".to_owned(),
        at: at.clone(),
        agents: vec![Agent::Reporter],
        tools,
        acts: Vec::new(),
        timeout: Duration::from_secs(30),
        longest_result: 2048,
        setting: "server".to_owned(),
    };
    let toolbox =
        |tools| McpToolbox::new(vec![settings(tools)], Secrets::default(), false, Path::new("."), BTreeSet::new());
    // The first look says which tools there are; naming them allows all of them.
    let mut names: Vec<String> = Vec::new();
    for state in toolbox(vec!["*".to_owned()]).states().await {
        match state.found {
            Ok(offer) => {
                println!("{} (protocol {}): {} tools", offer.version, offer.protocol, offer.listed);
                names = offer.others;
            }
            Err(error) => {
                eprintln!("{error}");
                return ExitCode::FAILURE;
            }
        }
    }
    let toolbox = toolbox(names);
    let calls: Vec<(String, Value)> = match tool {
        [name, json, ..] => vec![(name.clone(), serde_json::from_str(json).unwrap_or_default())],
        [name] => vec![(name.clone(), json!({}))],
        [] => {
            let tools = toolbox.tools(Agent::Reporter).await;
            tools.into_iter().map(|tool| (tool.name, sample(&tool.parameters))).collect()
        }
    };
    for (name, arguments) in calls {
        let call = ToolCall { id: "1".to_owned(), name, arguments: arguments.to_string() };
        match toolbox.call(Agent::Reporter, &call).await {
            Ok(result) => println!("{}: {}{}", call.name, if result.failed { "failed: " } else { "" }, result.text),
            Err(error) => println!("{}: {error}", call.name),
        }
    }
    ExitCode::SUCCESS
}
