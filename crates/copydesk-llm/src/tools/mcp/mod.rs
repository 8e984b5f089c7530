//! Calls the tools of MCP servers: programs that are started here, and servers over HTTP.
//!
//! Until the program ends, agents may call the tools that a server listed at first; a later change of its list adds nothing. A server gets
//! no model, no folder and no person to ask. Its messages are bounded while they are received.

mod error;

#[cfg(feature = "mcp")]
mod answers;
#[cfg(feature = "mcp")]
mod connection;
#[cfg(feature = "mcp")]
mod http;
#[cfg(feature = "mcp")]
mod listing;
#[cfg(feature = "mcp")]
mod mishaps;
#[cfg(feature = "mcp")]
mod names;
#[cfg(feature = "mcp")]
mod program;
#[cfg(all(test, feature = "mcp", unix))]
mod tests;
#[cfg(feature = "mcp")]
mod toolbox;

pub use error::McpError;
#[cfg(feature = "mcp")]
pub use {
    listing::McpOffer,
    toolbox::{McpState, McpToolbox},
};
