//! Searches the web at a service that the configuration names.

use std::fmt::Write as _;

use serde_json::{Value, json};
use url::form_urlencoded::Serializer;

use super::HttpService;
use copydesk_config::{Endpoint, Perplexity};
use copydesk_core::ports::CallError;
use copydesk_newsroom::{Answer, Usage};
use copydesk_text::sanitise;

/// Most results that stand in an answer about a claim: each is a page to open.
const MOST_PAGES: usize = 6;

/// Most characters of a result in such an answer.
const LONGEST: usize = 400;

/// The results of a search as a service of evidence gives them: a text, and the addresses as citations. Nobody has weighed them; the pages
/// are opened and held against the claim later.
pub(super) fn as_evidence(results: &[WebResult]) -> Answer {
    let results = results.get(..results.len().min(MOST_PAGES)).unwrap_or_default();
    let found = match results.len() {
        0 => "A search found no page on this claim.",
        _ => "A search found these pages. Nobody has weighed them.",
    };
    let mut text = found.to_owned();
    for (number, result) in (1..).zip(results) {
        let (title, snippet) = (sanitise::one_line(&result.title), sanitise::one_line(&result.snippet));
        let line = sanitise::excerpt(&format!("{title}: {snippet}"), LONGEST);
        // Writing to a text cannot fail.
        let _: std::fmt::Result = write!(text, "\n[{number}] {line}");
    }
    let citations = results.iter().map(|result| result.address.clone()).collect();
    Answer { text, citations, usage: Usage::default(), calls: Vec::new() }
}

/// A result of a search, as the service wrote it.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct WebResult {
    pub title: String,
    pub address: String,
    pub snippet: String,
    pub date: String,
    /// Who found it.
    pub engine: String,
}

/// Whether an address can be opened.
fn is_web(address: &str) -> bool {
    address.starts_with("https://") || address.starts_with("http://")
}

/// A text of an object; empty if there is none.
fn text(of: &Value, key: &str) -> String {
    of.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// Asks Perplexity, and takes `search_results`; older answers have `citations`, addresses alone.
///
/// # Errors
/// [`CallError`] if it does not answer.
pub async fn search_perplexity(
    http: &HttpService,
    search: &Perplexity,
    query: &str,
) -> Result<Vec<WebResult>, CallError> {
    let body = json!({"model": search.model, "messages": [{"role": "user", "content": query}], "stream": false});
    let answer = http.json(&search.endpoint, "/chat/completions", Some(&search.api_key), Some(&body)).await?;
    let list = |key: &str| answer.get(key).and_then(Value::as_array).filter(|list| !list.is_empty());
    let found = list("search_results").or_else(|| list("citations")).map(Vec::as_slice).unwrap_or_default();
    let result = |result: &Value| WebResult {
        title: text(result, "title"),
        address: result.as_str().map_or_else(|| text(result, "url"), str::to_owned),
        snippet: text(result, "snippet"),
        date: text(result, "date"),
        engine: "Perplexity".to_owned(),
    };
    Ok(found.iter().map(result).filter(|result| is_web(&result.address)).collect())
}

/// Searches at a `SearXNG` server, in its JSON: <https://docs.searxng.org/dev/search_api.html>.
///
/// # Errors
/// [`CallError`] if it does not answer as such a server does.
pub async fn search_searxng(http: &HttpService, endpoint: &Endpoint, query: &str) -> Result<Vec<WebResult>, CallError> {
    let asked = Serializer::new(String::new()).append_pair("q", query).append_pair("format", "json").finish();
    let answer = http.json(endpoint, &format!("/search?{asked}"), None, None).await.map_err(explained)?;
    let Some(results) = answer.get("results").and_then(Value::as_array) else {
        let (host, detail) = (endpoint.authority(), "its answer has no results".to_owned());
        return Err(CallError::Unreadable { host, detail });
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
///
/// # Errors
/// [`CallError`] if it does not answer as such a server does.
pub async fn try_searxng(http: &HttpService, endpoint: &Endpoint) -> Result<(), CallError> {
    match http.json(endpoint, "/search?format=json", None, None).await {
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
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_pages_to_open_and_nobody_has_weighed_them() {
        let result = |n: usize| WebResult {
            title: format!("Page {n}\u{1b}[2J"),
            address: format!("https://a.example/{n}"),
            snippet: "x ".repeat(900),
            ..WebResult::default()
        };
        let answer = as_evidence(&(0..9).map(result).collect::<Vec<_>>());
        assert_eq!(answer.citations.len(), MOST_PAGES);
        assert!(
            answer.text.lines().count() == MOST_PAGES + 1
                && answer.text.len() < 3_000
                && !answer.text.contains('\u{1b}')
        );
        assert_eq!(as_evidence(&[]).text, "A search found no page on this claim.");
    }
}
