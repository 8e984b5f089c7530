//! Perplexity's chat completions. Only the pages that they rest on are used.

use serde_json::{Value, json};

use super::result::{WebResult, is_web, text};
use crate::llm::JsonService;
use copydesk_config::Perplexity;
use copydesk_core::ports::CallError;

/// Asks Perplexity, and takes `search_results`; older answers have `citations`, addresses alone.
pub(super) async fn search(http: &JsonService, search: &Perplexity, query: &str) -> Result<Vec<WebResult>, CallError> {
    let body = json!({"model": search.model, "messages": [{"role": "user", "content": query}], "stream": false});
    let answer = http.post(&search.endpoint, "/chat/completions", &search.api_key, &body).await?;
    let list = |key: &str| answer.get(key).and_then(Value::as_array).filter(|list| !list.is_empty());
    let engine = "Perplexity";
    let results: Vec<WebResult> = match (list("search_results"), list("citations")) {
        (Some(results), _) => results
            .iter()
            .map(|result| WebResult {
                title: text(result, "title"),
                address: text(result, "url"),
                snippet: text(result, "snippet"),
                date: text(result, "date"),
                engine: engine.into(),
            })
            .collect(),
        (None, Some(citations)) => citations
            .iter()
            .filter_map(Value::as_str)
            .map(|address| WebResult { address: address.into(), engine: engine.into(), ..WebResult::default() })
            .collect(),
        (None, None) => Vec::new(),
    };
    Ok(results.into_iter().filter(|result| is_web(&result.address)).collect())
}
