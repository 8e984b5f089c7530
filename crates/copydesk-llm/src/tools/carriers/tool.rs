//! To a tool of an MCP server that the configuration names.

use std::{collections::BTreeSet, path::Path, sync::Arc};

use async_trait::async_trait;
use serde_json::json;

use crate::{llm::searched, tools::mcp::McpToolbox};
use copydesk_config::{McpServer, Secrets};
use copydesk_core::ports::{Carrier, CarryError, Clock, Parcel, Toolbox as _};
use copydesk_newsroom::{Agent, ToolCall};

/// Hands stories to a tool.
pub struct ToolCarrier {
    toolbox: McpToolbox,
    server: String,
    tool: String,
}

impl ToolCarrier {
    /// The tool of a server. Agents may call of it what the configuration says; this connection is for the one tool alone.
    pub fn new(
        server: &McpServer,
        tool: &str,
        secrets: Secrets,
        local_only: bool,
        workspace: &Path,
        clock: Arc<dyn Clock>,
    ) -> Self {
        let named = vec![tool.to_owned()];
        let only = McpServer {
            agents: vec![Agent::Editor],
            tools: named.clone(),
            acts: named,
            sources: vec![],
            ..server.clone()
        };
        let toolbox = McpToolbox::new(vec![only], secrets, local_only, workspace, BTreeSet::new(), clock);
        Self { toolbox, server: server.name.clone(), tool: tool.to_owned() }
    }
}

#[async_trait]
impl Carrier for ToolCarrier {
    async fn carry(&self, parcel: &Parcel) -> Result<String, CarryError> {
        let withheld = |error: &dyn std::fmt::Display| CarryError::Refused(error.to_string());
        self.toolbox.may_be_reached().map_err(|error| withheld(&error))?;
        // The signed text goes as it is, or not at all: a text with labels in it is not the signed one.
        let told = [parcel.story.as_bytes(), parcel.file_name.as_bytes(), &parcel.bytes].join(&b'\n');
        searched(&told, &self.server).map_err(|error| withheld(&error))?;
        let offered = self.toolbox.tools(Agent::Editor).await;
        let Some(tool) = offered.first() else {
            let why = self.toolbox.states().await.into_iter().find_map(|state| state.found.err());
            return Err(match why {
                Some(error) => CarryError::NotNow { detail: error.to_string(), after: None },
                None => CarryError::Refused(format!("the server {} has no tool {}", self.server, self.tool)),
            });
        };
        let (content, encoding) = content(parcel);
        let arguments = json!({
            "story": parcel.story,
            "file_name": parcel.file_name,
            "media_type": parcel.media_type,
            "idempotency_key": parcel.key,
            "encoding": encoding,
            "content": content,
        });
        let call = ToolCall { id: parcel.key.clone(), name: tool.name.clone(), arguments: arguments.to_string() };
        match self.toolbox.call(Agent::Editor, &call).await {
            Ok(result) if result.unknown => Err(CarryError::Doubtful(result.text)),
            Ok(result) if result.failed => Err(CarryError::Refused(result.text)),
            Ok(result) => Ok(result.text),
            // Nothing came back, and nothing is known to have happened.
            Err(error) => Err(CarryError::Doubtful(error.to_string())),
        }
    }
}

/// The file as a text, or in base64 if it is none; and which of the two.
fn content(parcel: &Parcel) -> (String, &'static str) {
    use base64::Engine as _;
    match std::str::from_utf8(&parcel.bytes) {
        Ok(text) => (text.to_owned(), "utf-8"),
        Err(_) => (base64::engine::general_purpose::STANDARD.encode(&parcel.bytes), "base64"),
    }
}
