//! Requests to the outside, and the knowledge base.
//!
//! - [`llm`] talks to model servers. It has the only client that sends anything out of the house.
//! - [`tools`] gives searches, pages and MCP to the agents.
//! - [`knowledge`] cuts documents into passages, embeds and ranks them.
//!
//! Nothing here knows the database or the screen.

#![cfg_attr(test, allow(clippy::string_slice, reason = "a test that cuts at a wrong place should stop there"))]

pub mod knowledge;
pub mod llm;
mod process;
pub mod tools;
