//! Whether the desk can work: each part, with what to do.

use std::fmt::Display;

use async_trait::async_trait;
use serde::Serialize;
use serde_json::json;

/// A part that a story needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HealthPart {
    /// Such as `database` or `agent writer`.
    pub part: String,
    pub ready: bool,
    /// Its state, or the problem and what to do.
    pub detail: String,
}

impl HealthPart {
    pub fn ready(part: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { part: part.into(), ready: true, detail: detail.into() }
    }

    /// A part with what was found of it, or why it is not ready.
    pub fn of(part: &str, found: Result<impl Into<String>, impl Display>) -> Self {
        match found {
            Ok(what) => Self::ready(part, what),
            Err(why) => Self::open(part, why.to_string()),
        }
    }

    /// A part that is not ready, and why.
    pub fn open(part: impl Into<String>, why: impl Into<String>) -> Self {
        Self { part: part.into(), ready: false, detail: why.into() }
    }
}

/// Looks at each part. An implementation bounds how long that takes, and how often it asks servers.
#[async_trait]
pub trait HealthCheck: Send + Sync {
    async fn parts(&self) -> Vec<HealthPart>;
}

/// Whether all parts are ready, and the parts as JSON.
pub(super) fn report(parts: &[HealthPart]) -> (bool, String) {
    let ready = parts.iter().all(|part| part.ready);
    (ready, format!("{:#}\n", json!({"ready": ready, "parts": parts})))
}
