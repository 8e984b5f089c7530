//! Reads a server's answer: lenient about its form, strict about whether it is complete.

use serde_json::Value;

use crate::newsroom::{Answer, Usage};

/// The largest plausible count of tokens. A larger one counts as unknown, so that sums cannot overflow.
const MOST_TOKENS: u64 = 1 << 32;

/// Where servers say how many tokens of the prompt they had in their cache: OpenAI's form, which most have; that of `DeepSeek`;
/// llama.cpp's until early 2026.
const CACHED: [&str; 3] =
    ["/usage/prompt_tokens_details/cached_tokens", "/usage/prompt_cache_hit_tokens", "/timings/cache_n"];

/// An answer that is still being received.
#[derive(Debug, Default)]
pub(super) struct PartialAnswer {
    pub(super) text: String,
    pub(super) citations: Vec<String>,
    pub(super) usage: Usage,
    pub(super) finish: Option<String>,
    /// Whether the server said that the answer is complete: by `[DONE]`, a finish reason, or a whole body.
    pub(super) ended: bool,
    /// Whether there was content, even if empty.
    pub(super) spoke: bool,
    /// Whether the model refused or called a tool instead of answering.
    pub(super) declined: bool,
}

impl PartialAnswer {
    /// Adds one chunk of a stream or a whole body. Returns the text that is new.
    pub(super) fn add(&mut self, message: &Value) -> Result<String, Failed> {
        if let Some(failed) = failed(message) {
            return Err(failed);
        }
        self.read_usage(message);
        self.read_citations(message);
        // A last chunk with usage alone has no choice.
        let Some(choice) = message.get("choices").and_then(Value::as_array).and_then(|choices| choices.first()) else {
            return Ok(String::new());
        };
        if let Some(reason) = choice.get("finish_reason").and_then(Value::as_str).filter(|reason| !reason.is_empty()) {
            self.finish = Some(reason.to_owned());
            self.ended = true;
        }
        let message = choice.get("delta").or_else(|| choice.get("message"));
        let field = |name: &str| message.and_then(|message| message.get(name)).filter(|value| !value.is_null());
        self.declined |= field("refusal").is_some() || field("tool_calls").is_some();
        let content = field("content");
        self.spoke |= content.is_some();
        let text = content.map(content_text).unwrap_or_default();
        self.text.push_str(&text);
        Ok(text)
    }

    fn read_usage(&mut self, message: &Value) {
        let count = |place: &str| message.pointer(place)?.as_u64().filter(|count| *count <= MOST_TOKENS);
        if message.get("usage").is_some_and(Value::is_object) {
            self.usage.prompt_tokens = count("/usage/prompt_tokens");
            self.usage.completion_tokens = count("/usage/completion_tokens");
        }
        self.usage.cached_tokens = CACHED.into_iter().find_map(count).or(self.usage.cached_tokens);
    }

    /// Perplexity sends `citations` (addresses) and, later versions, `search_results` (objects with `url`).
    fn read_citations(&mut self, message: &Value) {
        let list = |key: &str| message.get(key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let addresses = list("citations").iter().filter_map(Value::as_str);
        let results = list("search_results").iter().filter_map(|result| result.get("url").and_then(Value::as_str));
        for citation in addresses.chain(results) {
            if !citation.trim().is_empty() && !self.citations.iter().any(|known| known == citation) {
                self.citations.push(citation.to_owned());
            }
        }
    }

    pub(super) fn into_answer(self) -> Answer {
        Answer { text: self.text, citations: self.citations, usage: self.usage, calls: Vec::new() }
    }
}

/// A failure that a server reports within its answer.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Failed {
    /// The matching HTTP status.
    pub(super) status: u16,
    pub(super) message: String,
}

/// The failure that a message reports, if it reports one.
pub(super) fn failed(message: &Value) -> Option<Failed> {
    let error = message.get("error").filter(|error| !error.is_null())?;
    Some(Failed { status: error_status(error), message: error_message(error) })
}

/// LiteLLM puts the status into `code`, as a number or a string. Without a code it counts as 500.
fn error_status(error: &Value) -> u16 {
    let code = error.get("code");
    let number = code.and_then(Value::as_u64).or_else(|| code?.as_str()?.parse().ok());
    number.and_then(|number| u16::try_from(number).ok()).filter(|status| (400..=599).contains(status)).unwrap_or(500)
}

/// Content is a string, null, or a list of parts with text.
fn content_text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|part| part.get("text").and_then(Value::as_str)).collect(),
        _ => String::new(),
    }
}

/// The message of an error body: `{"error": {"message": …}}`, `{"error": "…"}`, `{"message": …}`, `{"detail": …}`.
pub(super) fn error_message(error: &Value) -> String {
    let inner = error.get("error").unwrap_or(error);
    let said = [inner.get("message"), inner.get("detail"), Some(inner)].into_iter().flatten().find_map(Value::as_str);
    said.map_or_else(|| inner.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_stream_is_put_together_from_its_chunks() {
        let mut draft = PartialAnswer::default();
        let chunks = [
            json!({"choices": [{"delta": {"role": "assistant", "content": ""}}]}),
            json!({"choices": [{"delta": {"content": "Good "}}]}),
            json!({"choices": [{"delta": {"content": "news"}, "finish_reason": "stop"}]}),
            json!({"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 2}}),
        ];
        let heard: String = chunks.iter().map(|chunk| draft.add(chunk).unwrap()).collect();
        assert_eq!(heard, "Good news");
        assert!(draft.ended);
        let usage = Usage { prompt_tokens: Some(3), completion_tokens: Some(2), cached_tokens: None };
        assert_eq!(draft.into_answer(), Answer { text: "Good news".into(), usage, ..Answer::default() });
    }

    #[test]
    fn a_count_that_no_call_can_have_is_unknown() {
        let mut draft = PartialAnswer::default();
        let usage =
            |sent: u64, got: u64| json!({"choices": [], "usage": {"prompt_tokens": sent, "completion_tokens": got}});
        draft.add(&usage(u64::MAX, MOST_TOKENS)).unwrap();
        assert_eq!(draft.usage, Usage { completion_tokens: Some(MOST_TOKENS), ..Usage::default() });
    }

    #[test]
    fn cached_tokens_are_read_in_the_form_of_each_server() {
        let cached = |chunks: &[Value]| {
            let mut draft = PartialAnswer::default();
            for chunk in chunks {
                draft.add(chunk).unwrap();
            }
            draft.usage.cached_tokens
        };
        let usage = |usage: Value| json!({"choices": [], "usage": usage});
        assert_eq!(cached(&[usage(json!({"prompt_tokens_details": {"cached_tokens": 1024}}))]), Some(1024));
        assert_eq!(cached(&[usage(json!({"prompt_cache_hit_tokens": 64, "prompt_tokens_details": null}))]), Some(64));
        let timings = json!({"choices": [], "timings": {"cache_n": 290, "prompt_n": 120}});
        assert_eq!(cached(&[timings, usage(json!({"prompt_tokens": 410}))]), Some(290));
        assert_eq!(cached(&[usage(json!({"prompt_tokens_details": {"cached_tokens": 0}}))]), Some(0));
        let wrong = json!({"cached_tokens": "many", "prompt_tokens_details": {"cached_tokens": u64::MAX}});
        assert_eq!(cached(&[usage(wrong)]), None);
    }

    #[test]
    fn citations_come_in_two_forms() {
        let mut draft = PartialAnswer::default();
        let body = json!({"citations": ["https://a"], "search_results": [{"url": "https://a"}, {"url": "https://b"}],
            "choices": [{"message": {"content": [{"type": "text", "text": "x"}]}}]});
        draft.add(&body).unwrap();
        assert_eq!((draft.text.as_str(), draft.citations), ("x", vec!["https://a".to_owned(), "https://b".to_owned()]));
    }

    #[test]
    fn an_error_inside_a_stream_is_an_error() {
        let failed = |status, message: &str| Err(Failed { status, message: message.into() });
        assert_eq!(PartialAnswer::default().add(&json!({"error": {"message": "no memory"}})), failed(500, "no memory"));
        assert_eq!(
            PartialAnswer::default().add(&json!({"error": {"message": "busy", "code": "429"}})),
            failed(429, "busy")
        );
        assert_eq!(error_message(&json!({"error": "plain"})), "plain");
        assert_eq!(error_message(&json!({"detail": [1]})), "{\"detail\":[1]}");
    }
}
