//! Tools: what a model may call, a call that it asks for, and what came of it.

use serde::{Deserialize, Serialize};

use super::FoundSource;

/// The effect of a tool on other systems.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolEffect {
    /// It only reads: after a crash it may be called again.
    Reads,
    /// It sends, writes or publishes, and the configuration allows it: a call that a crash interrupted is never repeated.
    Acts,
    /// It acts, and a person allows each call before it is made. If nobody can be asked, it is not called.
    Asks,
}

/// A tool as a model is told of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    /// Letters, digits, `_` and `-`, at most 64: what every server takes.
    pub name: String,
    pub description: String,
    /// The JSON schema of its arguments: an object.
    pub parameters: serde_json::Value,
    pub effect: ToolEffect,
}

impl Tool {
    /// Returns name, description and parameters as one text for a model.
    pub fn text(&self) -> String {
        format!("{}: {}\n{}", self.name, self.description, self.parameters)
    }
}

/// A call that a model asks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolCall {
    /// The call's name in the conversation, unique within its turn.
    pub id: String,
    /// The tool's name, as the model wrote it: there may be no such tool.
    pub name: String,
    /// The arguments as the model wrote them. They should be a JSON object, and may be anything.
    pub arguments: String,
}

/// Most characters of a call's id that a person is shown. Some servers put kilobytes into it.
const SHOWN_ID: usize = 40;

impl ToolCall {
    /// The id as a person is shown it.
    pub fn short_id(id: &str) -> String {
        id.chars().take(SHOWN_ID).collect()
    }

    /// The call in one line: `call_1: search_web {"query":"park"}`.
    pub fn line(&self) -> String {
        format!("{}: {} {}", Self::short_id(&self.id), self.name, self.arguments)
    }

    /// The text of an argument; none if the arguments are no JSON object, or have no such text.
    pub fn argument(&self, name: &str) -> Option<String> {
        let arguments: serde_json::Value = serde_json::from_str(&self.arguments).ok()?;
        arguments.get(name)?.as_str().map(str::to_owned)
    }

    /// Bytes that are sent of it.
    pub fn bytes(&self) -> usize {
        self.id.len() + self.name.len() + self.arguments.len()
    }
}

/// The result of a call.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolResult {
    /// The text for the model, which reads it as data. If the call failed: the reason, and the alternative.
    pub text: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub failed: bool,
    /// Whether it may have been done all the same: a person is asked what happened.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unknown: bool,
    /// Texts that it brought home whole. They become sources of the story if the findings rest on them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub found: Vec<FoundSource>,
}

impl ToolResult {
    /// The result of a call that failed.
    pub fn failure(text: impl Into<String>) -> Self {
        Self { text: text.into(), failed: true, ..Self::default() }
    }

    /// The result of a call that may have been done, and must not be repeated.
    pub fn unknown(tool: &str, why: &str) -> Self {
        let text = format!("It is not known whether {tool} did it: {why}. Do not call it again; tell the editor.");
        Self { unknown: true, ..Self::failure(text) }
    }
}
