//! The tools of one server, as it lists them when it is asked first.

use rmcp::model::Tool as Listed;
use serde_json::Value;

use super::{connection::Connection, error::McpError};
use crate::llm::each_text;
use copydesk_config::McpServer;
use copydesk_newsroom::{Tool, ToolEffect};
use copydesk_text::sanitise;

/// Most tools of a server.
const MOST_TOOLS: usize = 64;
/// Most characters of a tool's own name.
const LONGEST_NAME: usize = 256;
/// Most characters of a tool's description.
const LONGEST_DESCRIPTION: usize = 4_000;
/// Most bytes of the schema of a tool's arguments.
const LONGEST_SCHEMA: usize = 32 << 10;

/// The offer of a server.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct McpOffer {
    /// Its name and version, as it says them.
    pub version: String,
    /// The version of the protocol.
    pub protocol: String,
    /// The names under which models call the tools that may be called.
    pub tools: Vec<String>,
    /// Those of them about whose calls a person is asked.
    pub asks: Vec<String>,
    /// How many it lists; more than 64 are not counted to the end if they come in pages.
    pub listed: usize,
    /// Whether only the first 64 are used.
    pub too_many: bool,
    /// The names of the tools that no agent may call.
    pub others: Vec<String>,
    /// Tools that the configuration names and the server does not have.
    pub missing: Vec<String>,
    /// Tools that are left out because their name or schema is too large.
    pub unwieldy: Vec<String>,
}

/// The offer of a server, and the tools that may be called, under their own names: models have no names for them yet.
pub(super) async fn read(connection: &Connection) -> Result<(McpOffer, Vec<Tool>), McpError> {
    let mut listed: Vec<Listed> = Vec::new();
    let mut cursor = None;
    // A server may give page after page, also empty ones.
    for _ in 0..=MOST_TOOLS {
        let page = connection.page(cursor).await?;
        listed.extend(page.tools);
        cursor = page.next_cursor;
        if cursor.is_none() || listed.len() > MOST_TOOLS {
            break;
        }
    }
    let info = connection.service.peer_info();
    let version = info.as_ref().and_then(|info| info.server_info.as_ref()).map_or_else(
        || "a server without a name".to_owned(),
        |who| sanitise::excerpt(&format!("{} {}", who.name, who.version), 100),
    );
    let protocol = info.map_or_else(String::new, |info| info.protocol_version.to_string());
    let (offer, tools) = sorted(listed, &connection.server);
    Ok((McpOffer { version, protocol, ..offer }, tools))
}

/// Tells the tools that may be called from the others.
fn sorted(listed: Vec<Listed>, server: &McpServer) -> (McpOffer, Vec<Tool>) {
    let count = listed.len();
    let named = server.tools.iter().chain(&server.acts);
    let mut missing: Vec<String> =
        named.filter(|name| !listed.iter().take(MOST_TOOLS).any(|tool| tool.name == **name)).cloned().collect();
    missing.sort();
    missing.dedup();
    let mut offer = McpOffer { listed: count, too_many: count > MOST_TOOLS, missing, ..McpOffer::default() };
    let mut tools: Vec<Tool> = Vec::new();
    for tool in listed.into_iter().take(MOST_TOOLS) {
        let tool = of_desk(tool, &server.acts);
        if tools.iter().any(|known| known.name == tool.name) {
            continue;
        }
        if !allowed(server, &tool) {
            offer.others.push(sanitise::excerpt(&tool.name, 64));
        } else if tool.name.len() > LONGEST_NAME || tool.parameters.to_string().len() > LONGEST_SCHEMA {
            offer.unwieldy.push(sanitise::excerpt(&tool.name, 64));
        } else {
            tools.push(tool);
        }
    }
    (offer, tools)
}

/// Whether the configuration lets agents call the tool.
fn allowed(server: &McpServer, tool: &Tool) -> bool {
    let named = server.tools.contains(&tool.name) || server.acts.contains(&tool.name);
    named || (server.tools.is_empty() && tool.effect == ToolEffect::Reads)
}

/// The tool in this desk's form, cleaned. It only reads if the server says so; otherwise a person is asked, unless the configuration names it.
fn of_desk(tool: Listed, acts: &[String]) -> Tool {
    let reads = tool.annotations.as_ref().and_then(|annotations| annotations.read_only_hint) == Some(true);
    let title = tool.title.as_deref().unwrap_or_default();
    let description = tool.description.as_deref().unwrap_or(title);
    let description = sanitise::clean(description).chars().take(LONGEST_DESCRIPTION).collect();
    let mut parameters = Value::Object(tool.input_schema.as_ref().clone());
    // The parser has bounded its depth.
    each_text(&mut parameters, &sanitise::clean);
    if let Value::Object(schema) = &mut parameters {
        schema.insert("type".to_owned(), "object".into());
    }
    let effect = if reads {
        ToolEffect::Reads
    } else if acts.iter().any(|named| *named == tool.name) {
        ToolEffect::Acts
    } else {
        ToolEffect::Asks
    };
    Tool { name: tool.name.into_owned(), description, parameters, effect }
}
