//! Calls tools: those built in, and those of the servers that the configuration names.

use async_trait::async_trait;

use copydesk_newsroom::{Agent, Tool, ToolCall, ToolResult};

/// Why a call gave no result at all. It may be made again later, because nothing is known to have happened. An error that a tool itself
/// reports (no such page, bad arguments) is a [`ToolResult`] that failed: the model is told and can do something else.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ToolError {
    #[error("{tool} did not answer within {seconds} s; {setting} is the limit")]
    TimedOut { tool: String, seconds: u64, setting: String },
    /// The server of the tool is not there, or stopped in the middle of the call.
    #[error("the server {server} of {tool} cannot be reached: {detail}; is it installed and running?")]
    Unreachable { tool: String, server: String, detail: String },
}

/// Calls tools. An implementation bounds the time and the size of every result, and refuses what the configuration does not allow.
#[async_trait]
pub trait Toolbox: Send + Sync {
    /// The tools that `agent` may call, in a fixed order. It may start servers to ask them, and leaves out those that do not answer.
    async fn tools(&self, agent: Agent) -> Vec<Tool>;

    /// Makes one call for `agent`. Who calls a tool that [asks](copydesk_newsroom::ToolEffect::Asks) has a person's word for it. A tool that the agent may not call, or that does not exist, gives a result that failed.
    ///
    /// Dropping the future cancels the call.
    ///
    /// # Errors
    /// [`ToolError`] if nothing came back.
    async fn call(&self, agent: Agent, call: &ToolCall) -> Result<ToolResult, ToolError>;
}
