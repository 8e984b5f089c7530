//! Calls the tools of one MCP server as an agent would, and prints what comes back. `.ci/mcp` runs it against other people's servers.
//!
//! `mcp_peer URL`, or `mcp_peer COMMAND ARGUMENT...`, then optionally `-- TOOL JSON`. Without a tool it calls each, with sample arguments.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example prints")]

use std::{collections::BTreeSet, path::Path, process::ExitCode, sync::Arc, time::Duration};

use copydesk::{
    config::{Endpoint, McpAddress, McpAt, McpProgram, McpServer, Secrets},
    newsroom::{Agent, ToolCall},
    ports::{Clock, Toolbox},
    tools::mcp::McpToolbox,
};
use serde_json::{Map, Value, json};

struct Now;

impl Clock for Now {
    #[allow(clippy::disallowed_methods, reason = "an example has no other clock")]
    fn now(&self) -> jiff::Timestamp {
        jiff::Timestamp::now()
    }
}

/// A value for each argument that a schema asks for; `first` is the schema of the server's first tool, where one is to be repeated.
fn sample(schema: &Value, first: &Value) -> Value {
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
    let field = |name: &str| if name == "schema" { first.clone() } else { value(kind(name)) };
    let fields: Map<String, Value> =
        wanted.iter().filter_map(Value::as_str).map(|name| (name.to_owned(), field(name))).collect();
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
            McpAt::Address(McpAddress { endpoint: Endpoint { base, setting: "url".to_owned() }, bearer: None })
        }
        _ => {
            McpAt::Program(McpProgram { command: first.clone(), args: args.to_vec(), env: [].into(), stays_home: true })
        }
    };
    // What a tool does is the peer's matter here, so all that are named may act.
    let settings = |tools: Vec<String>| McpServer {
        name: "peer".to_owned(),
        at: at.clone(),
        agents: vec![Agent::Reporter],
        acts: tools.clone(),
        tools,
        sources: Vec::new(),
        timeout: Duration::from_secs(30),
        longest_result: 2048,
        setting: "server".to_owned(),
    };
    let toolbox = |tools| {
        let (servers, taken) = (vec![settings(tools)], BTreeSet::new());
        McpToolbox::new(servers, Secrets::default(), false, Path::new("."), taken, Arc::new(Now))
    };
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
    // The conformance suite names its calls so.
    #[allow(clippy::disallowed_methods, reason = "an example is told by the suite")]
    let context =
        std::env::var("MCP_CONFORMANCE_CONTEXT").ok().and_then(|text| serde_json::from_str::<Value>(&text).ok());
    let wanted = context.as_ref().and_then(|context| context.get("toolCalls")?.as_array());
    let calls: Vec<(String, Value)> = match tool {
        [name, json, ..] => vec![(name.clone(), serde_json::from_str(json).unwrap_or_default())],
        [name] => vec![(name.clone(), json!({}))],
        [] => {
            let tools = toolbox.tools(Agent::Reporter).await;
            let as_call = |call: &Value| Some((call.get("name")?.as_str()?.to_owned(), call.get("arguments")?.clone()));
            let first = tools.first().map(|tool| tool.parameters.clone()).unwrap_or_default();
            match wanted {
                Some(wanted) => wanted.iter().filter_map(as_call).collect(),
                None => tools.into_iter().map(|tool| (tool.name, sample(&tool.parameters, &first))).collect(),
            }
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
