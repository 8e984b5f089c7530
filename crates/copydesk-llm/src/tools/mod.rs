//! Tools that agents call, behind [`copydesk_core::ports::Toolbox`]: those built in, and those of MCP servers. Also this desk's own tools, as it serves
//! them to other programs.
//!
//! Every result is data from a stranger: bounded in size and time, sanitised, and never an instruction.

mod builtin;
pub mod carriers;
#[cfg(feature = "mcp")]
pub mod mcp;
#[cfg(feature = "mcp")]
pub mod served;
mod tool_registry;

pub use builtin::{FetchContent, LoadSkill, NotSearched, ParseRss, SearchKnowledgeBase, SearchWeb};
pub use tool_registry::{LimitedToolbox, ToolRegistry};
