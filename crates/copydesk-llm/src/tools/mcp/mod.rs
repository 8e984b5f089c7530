//! Calls the tools of MCP servers: programs that are started here, and servers over HTTP.
//!
//! Until the program ends, agents may call the tools that a server listed at first; a later change of its list adds nothing. A server gets
//! no model, no folder and no person to ask. Its messages are bounded while they are received.

mod answers;
mod connection;
mod error;
mod http;
mod listing;
mod mishaps;
mod names;
mod program;
#[cfg(test)]
#[cfg(unix)]
mod tests;
mod toolbox;

pub use error::McpError;
pub use listing::McpOffer;
pub use toolbox::{McpState, McpToolbox};
