//! `SearXNG`'s JSON: <https://docs.searxng.org/dev/search_api.html>.

use serde_json::Value;
use url::form_urlencoded::Serializer;

use super::result::{WebResult, is_web, text};
use crate::llm::JsonService;
use copydesk_config::Endpoint;
use copydesk_core::ports::CallError;

/// Searches at a `SearXNG` server.
pub(super) async fn search(http: &JsonService, endpoint: &Endpoint, query: &str) -> Result<Vec<WebResult>, CallError> {
    let asked = Serializer::new(String::new()).append_pair("q", query).append_pair("format", "json").finish();
    let answer = http.get(endpoint, &format!("/search?{asked}")).await.map_err(explained)?;
    let Some(results) = answer.get("results").and_then(Value::as_array) else {
        return Err(CallError::Unreadable {
            host: endpoint.authority(),
            detail: "its answer has no results".to_owned(),
        });
    };
    let result = |result: &Value| WebResult {
        title: text(result, "title"),
        address: text(result, "url"),
        snippet: text(result, "content"),
        date: text(result, "publishedDate").chars().take(10).collect(),
        engine: text(result, "engine"),
    };
    Ok(results.iter().map(result).filter(|result| is_web(&result.address)).collect())
}

/// Asks without a query. A server that allows JSON answers that there is none (400), and searches nowhere.
pub(super) async fn try_out(http: &JsonService, endpoint: &Endpoint) -> Result<(), CallError> {
    match http.get(endpoint, "/search?format=json").await {
        Err(CallError::Status { status: 400, .. }) => Ok(()),
        Err(error) => Err(explained(error)),
        Ok(_) => {
            let detail = "it answered a search without a query, as SearXNG does not".to_owned();
            Err(CallError::Unreadable { host: endpoint.authority(), detail })
        }
    }
}

/// `SearXNG` forbids every format that its settings do not name.
fn explained(error: CallError) -> CallError {
    match error {
        CallError::Status { host, status: 403, retry_after, .. } => {
            let message = "SearXNG forbids JSON unless search.formats in its settings.yml names json".to_owned();
            CallError::Status { host, status: 403, message, retry_after }
        }
        other => other,
    }
}
