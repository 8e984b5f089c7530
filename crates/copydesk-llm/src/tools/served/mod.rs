//! This desk's own tools, as it serves them to other programs: what the reporter, the editor, the fact-checker and the publisher can do without a model.
//!
//! Nothing is invented here. Each tool says what a person can check, with its place in the texts that it was given. The texts of a call come
//! from strangers: they are bounded and sanitised, and no tool follows what a text says. Only what a person has signed can be sent, and only to the
//! configured targets.

mod agent;
mod arguments;
mod compared;
mod credibility;
mod desk;
mod editor;
mod fact_checker;
pub mod http;
mod knowledge;
mod places;
mod publisher;
mod refusal;
mod reporter;
mod sending;
pub mod server;
#[cfg(test)]
mod tests;
mod tool;

pub use agent::ServedAgent;
pub use desk::{ServedDesk, StyleCheck};
pub use refusal::ToolRefusal;
pub use tool::{ServedTool, ToolWork};
