//! Reads a server's answer: lenient about its form, strict about whether it is complete.

use serde_json::Value;

use super::tool_calls::PartialCalls;
use crate::{
    config::Secrets,
    newsroom::{Answer, Usage},
    ports::CallError,
};

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
    /// Whether the model refused, or called a tool where it was offered none.
    pub(super) declined: bool,
    /// The calls of tools, where some were offered.
    pub(super) calls: Option<PartialCalls>,
}

impl PartialAnswer {
    /// Nothing yet. With `calls`, the model may call tools.
    pub(super) fn new(calls: bool) -> Self {
        Self { calls: calls.then(PartialCalls::default), ..Self::default() }
    }

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
        let delta = choice.get("delta");
        let message = delta.or_else(|| choice.get("message"));
        let field = |name: &str| message.and_then(|message| message.get(name)).filter(|value| !value.is_null());
        self.declined |= field("refusal").is_some();
        match (&mut self.calls, field("tool_calls")) {
            (Some(calls), Some(pieces)) => calls.add(pieces, delta.is_none()),
            (None, Some(_)) => self.declined = true,
            (_, None) => {}
        }
        // The form before `tool_calls`: one call.
        if let (Some(calls), Some(call)) = (&mut self.calls, field("function_call")) {
            calls.add(&Value::Array(vec![call.clone()]), delta.is_none());
        }
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

    /// The answer without secrets.
    ///
    /// # Errors
    /// [`CallError::Unusable`] if its calls break their form.
    pub(super) fn into_answer(self, secrets: &Secrets) -> Result<Answer, CallError> {
        let unusable = |detail: String| CallError::Unusable { detail };
        let calls = self.calls.map(|calls| calls.finish(secrets)).transpose().map_err(|flawed| unusable(flawed.0))?;
        let calls = calls.unwrap_or_default();
        if calls.is_empty() && self.finish.as_deref().is_some_and(is_call) {
            return Err(unusable("it ends as one that calls a tool, and calls none".to_owned()));
        }
        let citations = self.citations.iter().map(|citation| secrets.hide_in_message(citation)).collect();
        Ok(Answer { text: secrets.hide_in_answer(self.text), citations, usage: self.usage, calls })
    }
}

/// Whether a finish reason says that tools are called.
pub(super) fn is_call(reason: &str) -> bool {
    matches!(reason, "tool_calls" | "function_call")
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
    use std::slice;

    use serde_json::json;

    use super::*;
    use crate::newsroom::ToolCall;

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
        assert_eq!(
            draft.into_answer(&Secrets::default()),
            Ok(Answer { text: "Good news".into(), usage, ..Answer::default() })
        );
    }

    #[test]
    fn calls_are_taken_where_tools_were_offered_and_are_a_refusal_elsewhere() {
        let read = |calls: bool, chunks: &[Value]| {
            let mut draft = PartialAnswer::new(calls);
            for chunk in chunks {
                draft.add(chunk).unwrap();
            }
            (draft.declined, draft.into_answer(&Secrets::default()))
        };
        let call = |id: &str| ToolCall { id: id.into(), name: "search".into(), arguments: "{\"q\":1}".into() };
        let both = |text: &str, calls| Ok(Answer { text: text.into(), calls, ..Answer::default() });
        let function = json!({"name": "search", "arguments": "{\"q\":1}"});
        let whole = json!({"choices": [{"finish_reason": "stop",
            "message": {"content": "I search.", "tool_calls": [{"id": "a", "function": function}]}}]});
        assert_eq!(read(true, slice::from_ref(&whole)), (false, both("I search.", vec![call("a")])));
        assert_eq!(read(false, &[whole]), (true, both("I search.", vec![])));
        let old = ["search", ""].map(|name| {
            let arguments = if name.is_empty() { "1}" } else { "{\"q\":" };
            json!({"choices": [{"delta": {"function_call": {"name": name, "arguments": arguments}}}]})
        });
        assert_eq!(read(true, &old), (false, both("", vec![call("call_1")])));
        assert_eq!(read(false, &old), (false, both("", vec![])));
        let refused = json!({"choices": [{"message": {"refusal": "No."}}]});
        assert!(read(true, &[refused]).0);
        let none = json!({"choices": [{"delta": {"tool_calls": []}, "finish_reason": "tool_calls"}]});
        let error = read(true, &[none]).1.unwrap_err();
        assert_eq!(error.to_string(), "the answer cannot be used: it ends as one that calls a tool, and calls none");
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
