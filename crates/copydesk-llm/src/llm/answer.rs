//! Reads a server's answer: lenient about its form, strict about whether it is complete.

use std::fmt::Write as _;

use serde_json::Value;

use super::{
    finish::{self, Finish},
    overflow::{self, Overflow},
    said,
    tool_calls::PartialCalls,
};
use copydesk_config::Secrets;
use copydesk_core::ports::CallError;
use copydesk_newsroom::{Answer, Usage};
use copydesk_text::{
    count, sanitise,
    wrapping::{self, Unwrapped, Wrapping},
};

/// The largest plausible count of tokens. A larger one counts as unknown, so that sums cannot overflow.
const MOST_TOKENS: u64 = 1 << 32;

/// Where servers say how many tokens of the prompt they had in their cache: OpenAI's form, which most have; that of `DeepSeek`;
/// llama.cpp's until early 2026.
const CACHED: [&str; 3] =
    ["/usage/prompt_tokens_details/cached_tokens", "/usage/prompt_cache_hit_tokens", "/timings/cache_n"];

/// Roles whose messages are not the model's answer.
const OTHERS: [&str; 6] = ["user", "human", "system", "developer", "tool", "function"];

/// Where servers put what a model thinks before it answers.
const THINKING: [&str; 4] = ["reasoning_content", "reasoning", "thinking", "thoughts"];

/// Whether a server said that its answer is complete.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum AnswerEnding {
    #[default]
    Open,
    /// It said what was used, in a chunk without a choice. That is the last one, unless it sends that now and then.
    Used,
    /// By `[DONE]`, a finish reason, or a whole body.
    Ended,
}

/// An answer that is still being received.
#[derive(Debug, Default)]
pub(super) struct PartialAnswer {
    pub(super) text: String,
    /// The model's thinking, which the server sends beside the text.
    pub(super) thinking: String,
    pub(super) citations: Vec<String>,
    pub(super) usage: Usage,
    /// The server's reason for the end.
    pub(super) finish: Option<String>,
    pub(super) ending: AnswerEnding,
    /// Whether there was a choice, or what stands for one.
    pub(super) chosen: bool,
    /// Whether the model refused, or called a tool where it was offered none.
    pub(super) declined: bool,
    /// The calls of tools, where some were offered.
    pub(super) calls: Option<PartialCalls>,
    /// The number of the choice that is read: that of the first.
    choice: Option<u64>,
    /// Whether a message of another role than the model's is being sent.
    anothers: bool,
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
        let choices = message.get("choices").and_then(Value::as_array).filter(|choices| !choices.is_empty());
        let Some(choices) = choices else { return Ok(self.add_native(message)) };
        self.chosen = true;
        let number = |choice: &Value| choice.get("index").and_then(Value::as_u64).unwrap_or(0);
        let read = *self.choice.get_or_insert_with(|| choices.iter().map(number).min().unwrap_or(0));
        let Some(choice) = choices.iter().find(|choice| number(choice) == read) else { return Ok(String::new()) };
        self.read_finish(choice.get("finish_reason"));
        self.read_cuts(message);
        self.read_cuts(choice);
        let delta = choice.get("delta").filter(|delta| !delta.is_null());
        let Some(said) = delta.or_else(|| choice.get("message")) else {
            // The form of the older completions.
            return Ok(self.push(choice.get("text").map(|text| parts_of(text, false)).unwrap_or_default()));
        };
        self.read_cuts(said);
        // An event that is the whole answer has no other end.
        self.end_if(delta.is_none() && choice.get("finish_reason").is_none());
        Ok(self.add_said(said, delta.is_none()))
    }

    pub(super) fn end_if(&mut self, ends: bool) {
        if ends {
            self.ending = AnswerEnding::Ended;
        }
    }

    pub(super) fn has_ended(&self) -> bool {
        self.ending == AnswerEnding::Ended
    }

    /// A line of Ollama's own protocol: the answer's piece at the top, and whether it is the last.
    fn add_native(&mut self, message: &Value) -> String {
        let Some(done) = message.get("done").and_then(Value::as_bool) else {
            if self.ending == AnswerEnding::Open && self.chosen && self.usage.completion_tokens.is_some() {
                self.ending = AnswerEnding::Used;
            }
            return String::new();
        };
        self.chosen = true;
        self.end_if(done);
        self.read_finish(message.get("done_reason"));
        match message.get("message") {
            Some(said) => self.add_said(said, true),
            None => self.push(message.get("response").map(|text| parts_of(text, false)).unwrap_or_default()),
        }
    }

    fn read_finish(&mut self, reason: Option<&Value>) {
        if let Some(reason) = reason.and_then(Value::as_str).filter(|reason| finish::read(reason).is_some()) {
            // A cut stays one, whatever is said after it.
            if !matches!(self.finished(), Finish::Cut | Finish::Stopped) {
                self.finish = Some(reason.to_owned());
            }
            self.end_if(true);
        }
    }

    /// Reads a cut or a fault under another name than the usual one: a reason (`native_finish_reason` of `OpenRouter`, `stop_type` of
    /// llama.cpp), or a mark that says so itself (`truncated`, `stopped_limit`).
    fn read_cuts(&mut self, fields: &Value) {
        let told = fields.as_object().into_iter().flatten().filter_map(|(key, value)| match value {
            Value::String(reason) if finish::names_a_reason(key) => Some(reason),
            Value::Bool(true) if finish::is_cut_mark(key) => Some(key),
            _ => None,
        });
        if let Some(reason) =
            told.into_iter().find(|told| matches!(finish::read(told), Some(Finish::Cut | Finish::Stopped)))
        {
            self.finish = Some(reason.clone());
        }
    }

    /// Adds what a message says. `whole`: each of its calls is one of its own.
    fn add_said(&mut self, said: &Value, whole: bool) -> String {
        let field = |name: &str| said.get(name).filter(|value| !value.is_null());
        self.declined |= field("refusal").is_some_and(|refusal| *refusal != "");
        match (&mut self.calls, field("tool_calls").filter(|calls| calls.as_array().is_none_or(|all| !all.is_empty())))
        {
            (Some(calls), Some(pieces)) => calls.add(pieces, whole),
            (None, Some(_)) => self.declined = true,
            (_, None) => {}
        }
        // The form before `tool_calls`: one call.
        if let (Some(calls), Some(call)) = (&mut self.calls, field("function_call")) {
            calls.add(&Value::Array(vec![call.clone()]), whole);
        }
        if let Some(role) = field("role").and_then(Value::as_str) {
            self.anothers = OTHERS.contains(&role);
        }
        let content = field("content").filter(|_| !self.anothers);
        // Servers that send the same thinking under two names mean one of them.
        let thought = THINKING.into_iter().find_map(|name| field(name)?.as_str().filter(|thought| !thought.is_empty()));
        self.thinking.push_str(thought.unwrap_or_default());
        let all_thought = is_thought(said);
        let mut text = content.map(|content| parts_of(content, false)).unwrap_or_default();
        self.thinking.push_str(&content.map(|content| parts_of(content, true)).unwrap_or_default());
        if all_thought {
            self.thinking.push_str(&std::mem::take(&mut text));
        }
        // Some close a stream with the whole answer, or send with each piece all that came before.
        let more = text.strip_prefix(self.text.as_str()).filter(|_| whole && !self.text.is_empty()).map(str::to_owned);
        self.push(more.unwrap_or(text))
    }

    fn push(&mut self, text: String) -> String {
        self.text.push_str(&text);
        text
    }

    /// The meaning of the server's reason; whole if it gave none.
    pub(super) fn finished(&self) -> Finish {
        self.finish.as_deref().and_then(finish::read).unwrap_or(Finish::Whole)
    }

    /// A description of an empty answer; none if there is an answer, or a call.
    pub(super) fn nothing_said(&self) -> Option<String> {
        if self.calls.as_ref().is_some_and(|calls| !calls.is_empty()) {
            return None;
        }
        let Unwrapped { text, taken_off, .. } = wrapping::unwrap(&self.text);
        // An answer of thoughts alone is told apart by its reader.
        if !sanitise::is_blank(&text) || taken_off.iter().any(|taken| !matches!(taken, Wrapping::Tokens(_))) {
            return None;
        }
        let mut told = "it is empty: ".to_owned();
        let thought = self.thinking.split_whitespace().count();
        if thought > 0 {
            let words = count(thought, "word");
            let _ = write!(
                told,
                "the model only thought ({words}) and gave no answer; raise max_tokens, or turn its thinking off"
            );
        } else if !taken_off.is_empty() {
            told.push_str("it has only the mark of an answer's end");
        } else if self.text.is_empty() {
            told.push_str(
                "the server sent no text, as some do if the prompt is longer than their context: check context_window",
            );
        } else {
            told.push_str("it has only white space");
        }
        Some(told)
    }

    fn read_usage(&mut self, message: &Value) {
        let count = |place: &str| message.pointer(place)?.as_u64().filter(|count| *count <= MOST_TOKENS);
        if message.get("usage").is_some_and(Value::is_object) {
            self.usage.prompt_tokens = count("/usage/prompt_tokens");
            self.usage.completion_tokens = count("/usage/completion_tokens");
        } else if message.get("eval_count").is_some() {
            self.usage.prompt_tokens = count("/prompt_eval_count");
            self.usage.completion_tokens = count("/eval_count");
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
        let offered = self.calls.is_some();
        let calls = self.calls.map(|calls| calls.finish(secrets)).transpose().map_err(|flawed| unusable(flawed.0))?;
        let calls = calls.unwrap_or_default();
        if offered && calls.is_empty() && self.finish.as_deref().and_then(finish::read) == Some(Finish::Calls) {
            return Err(unusable("it ends as one that calls a tool, and calls none".to_owned()));
        }
        let citations = self.citations.iter().map(|citation| secrets.hide_in_message(citation)).collect();
        Ok(Answer { text: secrets.hide_in_answer(self.text), citations, usage: self.usage, calls })
    }
}

/// A failure that a server reports within its answer.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Failed {
    /// The matching HTTP status.
    pub(super) status: u16,
    pub(super) message: String,
    /// If it is one.
    pub(super) overflow: Option<Overflow>,
}

impl Failed {
    /// The failure that an error's body reports.
    pub(super) fn of(error: &Value) -> Self {
        let status = error_status(error);
        Self { status, message: said::message(error), overflow: overflow::read(status, error) }
    }
}

/// The failure that a message reports, if it reports one.
pub(super) fn failed(message: &Value) -> Option<Failed> {
    let is_said = |value: &Value| match value {
        Value::Null | Value::Bool(false) => false,
        Value::String(text) => !text.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
        Value::Bool(true) | Value::Number(_) | Value::Array(_) => true,
    };
    let text = |key: &str| message.get(key).and_then(Value::as_str);
    // vLLM's older form; an event of the type error; FastAPI's.
    let is_error = text("object") == Some("error")
        || text("type") == Some("error")
        || message.get("choices").is_none()
            && (message.get("detail").is_some() || text("message").is_some_and(|said| !said.is_empty()));
    (message.get("error").is_some_and(is_said) || is_error).then(|| Failed::of(message))
}

/// `LiteLLM` puts the status into `code`, as a number or a string, others into `status`. Without one it counts as 500.
fn error_status(message: &Value) -> u16 {
    let status = |error: &Value, key: &str| {
        let code = error.get(key)?;
        let number = code.as_u64().or_else(|| code.as_str()?.parse().ok())?;
        u16::try_from(number).ok().filter(|status| (400..=599).contains(status))
    };
    let places = [message.get("error"), Some(message)];
    let found = places
        .into_iter()
        .flatten()
        .find_map(|error| ["code", "status", "status_code"].into_iter().find_map(|key| status(error, key)));
    found.unwrap_or(500)
}

/// Whether a message or a part of one is marked as thinking. The mark is its type, `thought` (Gemini's, also under a key of the server's
/// own), or a channel that is not the final one.
fn is_thought(part: &Value) -> bool {
    let text = |key: &str| part.get(key).and_then(Value::as_str);
    let marked = |at: &Value| ["thought", "is_thought"].iter().any(|key| at.get(key) == Some(&Value::Bool(true)));
    text("type").is_some_and(|kind| ["thinking", "reasoning", "thought", "redacted_thinking"].contains(&kind))
        || text("channel").is_some_and(|channel| !channel.is_empty() && !channel.eq_ignore_ascii_case("final"))
        || marked(part)
        || part.get("extra_content").and_then(Value::as_object).is_some_and(|own| own.values().any(marked))
}

/// The text of a content, or the thinking that stands among its parts, as Mistral sends it. Content is a string, null, a part with text, or
/// a list of strings and parts.
fn parts_of(content: &Value, thoughts: bool) -> String {
    match content {
        Value::String(text) if !thoughts => text.clone(),
        Value::Array(parts) => parts.iter().map(|part| parts_of(part, thoughts)).collect(),
        part if is_thought(part) != thoughts => String::new(),
        part => match part.get("thinking") {
            Some(inner) => parts_of(inner, false),
            None => part.get("text").and_then(Value::as_str).unwrap_or_default().to_owned(),
        },
    }
}

#[cfg(test)]
mod tests {
    use std::slice;

    use serde_json::json;

    use super::*;
    use copydesk_newsroom::ToolCall;

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
        assert!(draft.has_ended());
        let usage = Usage { prompt_tokens: Some(3), completion_tokens: Some(2), cached_tokens: None };
        assert_eq!(
            draft.into_answer(&Secrets::default()),
            Ok(Answer { text: "Good news".into(), usage, ..Answer::default() })
        );
    }

    #[test]
    fn content_is_a_text_a_part_or_a_list_of_either() {
        let thought = json!({"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]});
        for content in [
            json!("No."),
            json!({"type": "text", "text": "No."}),
            json!(["No", "."]),
            json!([thought, "No", {"text": "."}]),
        ] {
            let mut draft = PartialAnswer::default();
            draft.add(&json!({"choices": [{"message": {"content": content}}]})).unwrap();
            assert_eq!(draft.text, "No.", "{content}");
        }
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

    /// The description of an empty answer in these messages.
    fn empty(calls: bool, messages: &[Value]) -> Option<String> {
        let mut draft = PartialAnswer::new(calls);
        for message in messages {
            draft.add(message).unwrap();
        }
        draft.nothing_said()
    }

    #[test]
    fn an_answer_without_content_says_what_there_was() {
        let delta = |delta: Value| json!({"choices": [{"delta": delta, "finish_reason": "stop"}]});
        let nothing = "it is empty: the server sent no text";
        for (message, says) in [
            (delta(json!({"role": "assistant"})), nothing),
            (delta(json!({"content": null})), nothing),
            (delta(json!({"content": ""})), nothing),
            (delta(json!({"content": []})), nothing),
            (json!({"choices": [{"message": {"content": null}}]}), nothing),
            (delta(json!({"content": " \n\t\u{200b}"})), "it is empty: it has only white space"),
            (delta(json!({"content": "\n<|im_end|>"})), "it is empty: it has only the mark of an answer's end"),
            (delta(json!({"content": "</s></s>"})), "it is empty: it has only the mark"),
            (
                delta(json!({"content": "<|start_header_id|><|end_header_id|><|eot_id|>"})),
                "it is empty: it has only the mark",
            ),
            (
                delta(json!({"content": "<\u{ff5c}end\u{2581}of\u{2581}sentence\u{ff5c}>"})),
                "it is empty: it has only the mark",
            ),
            (delta(json!({"reasoning_content": "First I look."})), "it is empty: the model only thought (3 words)"),
            (delta(json!({"reasoning": "Hm", "content": ""})), "it is empty: the model only thought (1 word)"),
            (delta(json!({"thinking": "One two", "content": "\n"})), "it is empty: the model only thought (2 words)"),
            (
                json!({"message": {"role": "assistant", "content": "", "thinking": "One two"}, "done": true}),
                "it is empty: the model only thought (2 words)",
            ),
            (
                delta(json!({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "One two"}]}]})),
                "it is empty: the model only thought (2 words)",
            ),
        ] {
            let told = empty(false, std::slice::from_ref(&message)).unwrap();
            assert!(told.starts_with(says), "{message}: {told}");
        }
        let call = delta(
            json!({"content": null, "tool_calls": [{"index": 0, "function": {"name": "search", "arguments": "{}"}}]}),
        );
        assert_eq!(empty(true, &[call]), None);
        for text in ["No concerns.", "a < b", "<|", "x<|im_end|>", "<think>a</think>"] {
            assert_eq!(empty(false, &[delta(json!({"content": text}))]), None, "{text}");
        }
    }

    #[test]
    fn a_whole_answer_behind_its_pieces_is_not_said_twice() {
        let mut draft = PartialAnswer::default();
        draft.add(&json!({"choices": [{"delta": {"content": "Good news"}}]})).unwrap();
        let again = json!({"choices": [{"message": {"content": "Good news"}, "finish_reason": "stop"}]});
        assert_eq!(draft.add(&again), Ok(String::new()));
        let more = json!({"choices": [{"message": {"content": "Good news!"}, "finish_reason": null}]});
        assert_eq!(draft.add(&more), Ok("!".to_owned()));
        assert_eq!(draft.text, "Good news!");
    }

    #[test]
    fn thoughts_and_messages_of_others_are_no_answer_however_they_are_marked() {
        for delta in [
            json!({"content": "No concerns.", "extra_content": {"google": {"thought": true}}}),
            json!({"content": [{"type": "text", "text": "No concerns.", "thought": true}]}),
            json!({"content": "No concerns.", "channel": "analysis"}),
            json!({"role": "user", "content": "No concerns."}),
            json!({"role": "tool", "content": "No concerns."}),
        ] {
            let mut draft = PartialAnswer::default();
            draft.add(&json!({"choices": [{"delta": delta, "finish_reason": "stop"}]})).unwrap();
            assert!(draft.text.is_empty() && draft.nothing_said().is_some(), "{delta}");
        }
        let mut draft = PartialAnswer::default();
        draft.add(&json!({"choices": [{"delta": {"content": "A", "channel": "final", "thought": false}}]})).unwrap();
        draft.add(&json!({"choices": [{"index": 1, "delta": {"content": "OTHER"}}]})).unwrap();
        draft.add(&json!({"choices": [{"index": 0, "text": "B", "finish_reason": "stop"}]})).unwrap();
        assert_eq!(draft.text, "AB");
    }

    #[test]
    fn a_cut_is_read_under_each_of_its_names_and_stays_one() {
        let stop = |more: Value| {
            let mut choice = json!({"delta": {"content": "x"}, "finish_reason": "stop"});
            choice.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            json!({"choices": [choice]})
        };
        let finished = |messages: &[Value]| {
            let mut draft = PartialAnswer::default();
            for message in messages {
                draft.add(message).unwrap();
            }
            draft.finished()
        };
        let mut beside = stop(json!({}));
        beside["truncated"] = true.into();
        for cut in [
            vec![stop(json!({"native_finish_reason": "length"}))],
            vec![stop(json!({"stop_type": "limit"}))],
            vec![stop(json!({"stopped_limit": true}))],
            vec![beside],
            vec![stop(json!({"finish_reason": "length"})), stop(json!({}))],
        ] {
            assert_eq!(finished(&cut), Finish::Cut, "{cut:?}");
        }
        let whole =
            json!({"native_finish_reason": "STOP", "truncated": false, "stopped_limit": false, "stop_reason": 7});
        assert_eq!(finished(&[stop(whole)]), Finish::Whole);
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
        let failed = |status, message: &str| Err(Failed { status, message: message.into(), overflow: None });
        assert_eq!(PartialAnswer::default().add(&json!({"error": {"message": "no memory"}})), failed(500, "no memory"));
        assert_eq!(
            PartialAnswer::default().add(&json!({"error": {"message": "busy", "code": "429"}})),
            failed(429, "busy")
        );
        for error in [
            json!({"object": "error", "message": "busy", "code": 429}),
            json!({"type": "error", "message": "busy", "status": 429}),
            json!({"message": "busy", "status_code": "429"}),
            json!({"detail": "busy", "status": 429}),
            json!({"error": {"message": "busy", "code": 429}, "choices": [{"delta": {"content": ""}, "finish_reason": "error"}]}),
        ] {
            assert_eq!(PartialAnswer::default().add(&error), failed(429, "busy"), "{error}");
        }
        for fine in [json!(null), json!(""), json!({}), json!(false)] {
            let body = json!({"error": fine, "choices": [{"message": {"content": "x"}}]});
            assert_eq!(PartialAnswer::default().add(&body), Ok("x".to_owned()), "{fine}");
        }
    }
}
