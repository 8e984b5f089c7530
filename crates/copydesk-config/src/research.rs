//! The section `research`.

use serde::{Deserialize, Deserializer};

use super::fields::{choice, nullable, whole, whole_or_null};
use copydesk_newsroom::{ErrandLimits, ToolUsers};

/// `research`: how far the Reporter goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResearchConfig {
    /// The agents beside the Reporter that may call tools.
    #[serde(deserialize_with = "users")]
    pub agents: ToolUsers,
    /// Whether verdicts of a story can be sent to the Reporter.
    pub triage: bool,
    /// Most passes over the questions of an assignment.
    #[serde(deserialize_with = "whole::<1, 10, _, _>")]
    pub passes: u32,
    /// Most turns of one errand.
    #[serde(deserialize_with = "whole::<2, 50, _, _>")]
    pub turns: u32,
    /// Most calls of one turn.
    #[serde(deserialize_with = "whole::<1, 32, _, _>")]
    pub calls: u32,
    /// Whether a story fails with a tool that cannot be reached.
    #[serde(rename = "when_a_tool_fails", deserialize_with = "fails")]
    pub fails_with_tools: bool,
    /// Most tokens of earlier turns in one prompt.
    #[serde(deserialize_with = "whole_or_null::<500, 10_000_000, _, _>")]
    pub conversation_tokens: Option<u64>,
    /// Most tokens of one errand.
    #[serde(deserialize_with = "whole_or_null::<1_000, 1_000_000_000, _, _>")]
    pub errand_tokens: Option<u64>,
    /// Most kilobytes that the calls of one errand bring.
    #[serde(deserialize_with = "whole_or_null::<1, 10_000_000, _, _>")]
    pub errand_kb: Option<u64>,
    #[serde(deserialize_with = "whole_or_null::<1, 10_000, _, _>")]
    pub errand_minutes: Option<u32>,
}

fn users<'de, D: Deserializer<'de>>(value: D) -> Result<ToolUsers, D::Error> {
    let named: Vec<String> = nullable(value)?.unwrap_or_default();
    let mut users = ToolUsers::NONE;
    for word in &named {
        let editor = choice(word, &[("editor", true), ("fact-checker", false)])?;
        users.editor |= editor;
        users.fact_checker |= !editor;
    }
    Ok(users)
}

fn fails<'de, D: Deserializer<'de>>(value: D) -> Result<bool, D::Error> {
    choice(&String::deserialize(value)?, &[("continue", false), ("fail", true)])
}

impl ResearchConfig {
    /// The limits of one errand.
    pub fn limits(&self) -> ErrandLimits {
        ErrandLimits {
            conversation_tokens: self.conversation_tokens,
            tokens: self.errand_tokens,
            bytes: self.errand_kb.map(|kilobytes| kilobytes << 10),
            minutes: self.errand_minutes,
        }
    }
}
