//! Tells from a server's refusal which field of the request it does not take. Each server words it differently: `Unsupported parameter`
//! (OpenAI), `Extra inputs are not permitted` (FastAPI, Mistral), `System role not supported` (the templates of many models).

use serde_json::Value;

use copydesk_config::RequestFields;
use copydesk_core::ports::RequestField;
use copydesk_text::pattern::TextPattern;

/// That something is not taken at all, rather than taken with another value.
static REFUSES: TextPattern = TextPattern::new(
    r"unsupported|not (yet )?(supported|permitted|allowed|enabled|recogni[sz]ed|accepted|implemented|available)|unrecogni[sz]ed|unknown|unexpected|extra (inputs|fields)|no longer|deprecated|(does ?n[o']t|cannot) (support|accept|take|allow|recogni[sz]e)|does not support|only the default|not a valid (field|parameter|argument)|requires|must be verified to|only [^.]{0,20} (is|are) (allowed|supported|permitted)|unavailable|(conversion|parse grammar|initialize samplers)[^.]{0,20}\b(failed|grammar)|failed to (parse|initialize) (the )?(json schema|grammar|samplers)|response_format\S* must be|invalid (field|parameter|argument)",
);

/// That a system message is not taken. Templates that want turns of user and assistant refuse it so, too.
static SYSTEM: TextPattern = TextPattern::new(
    r"(system|developer)[ _'`\x22-]*(role|message|prompt|instruction)s?[^.]{0,40}(not (yet )?(supported|allowed|enabled|permitted|accepted|available)|unsupported|not support|n't support|not accept)|(role|message|prompt|instruction)s?[^.]{0,40}(not support|not accept|not allow|unsupported|unexpected|invalid)[^.]{0,40}\bsystem\b|(not|n't) (support|accept|allow)[^.]{0,20}system[ _'`\x22-]*(role|message|prompt|instruction)|(unexpected|invalid|unsupported|unknown) role[^.]{0,10}system|developer instruction is not enabled|only user[^.]{0,20}assistant roles?|roles must alternate|input should be 'user'[^.]{0,40}assistant",
);

/// That a server which says that it failed means a refusal.
static MEANS_IT: TextPattern = TextPattern::new(r"not supported|unsupported|not support|n't support|requires");

/// That an answer may not be so long, with the most that is allowed.
static MOST: TextPattern = TextPattern::new(
    r"\bmax\w*tokens\b[^.]{0,60}(?:too (?:large|high|big|long)|exceed|must be|should be|less than|range|maximum|at most)(?s:.{0,80}?)(?:at most|<=?|less than(?: or equal to)?|maximum(?: value)?(?: is| of|:)?|up to|exceeds?|\[\d, ?)\D{0,20}(\d+)",
);

/// The name of the field that asks for a stream, and of no other.
static STREAM: TextPattern = TextPattern::new(
    r"[`'\x22]stream[`'\x22]|\bstream(?:ing)?\b (?:is|mode|does|parameter|not)|\b(to|support) stream(ing)?\b",
);

/// The field that a refusal names. `words`: all that the server said, in lower case. `body`: what was sent.
pub(super) fn find(status: u16, words: &str, fields: &RequestFields, body: &Value) -> Option<RequestField> {
    // A server that is busy, or wants a key, refuses no field.
    if !matches!(status, 400 | 404 | 405 | 415 | 422 | 500 | 501) {
        return None;
    }
    // Templates fail with any of these.
    if SYSTEM.is_match(words) && fields.system_role {
        return Some(RequestField::SystemRole);
    }
    if let Some(most) = most_tokens(words, fields, body) {
        return Some(RequestField::MostTokens(most));
    }
    let refuses = if status == 500 { &MEANS_IT } else { &REFUSES };
    if status == 404 || !refuses.is_match(words) {
        return None;
    }
    let names = |name: &str, field: &str| words.contains(name) && body.get(field).is_some();
    if names("stream_options", "stream_options") {
        return Some(RequestField::StreamOptions);
    }
    if STREAM.is_match(words) && body.get("stream").is_some() {
        return Some(RequestField::Stream);
    }
    if let Some(field) = max_tokens(words, fields) {
        return Some(field);
    }
    if let Some(field) = fields.extra.keys().find(|field| names(&field.to_lowercase(), field)) {
        return Some(RequestField::Extra(field.clone()));
    }
    let others = [
        ("temperature", "temperature", RequestField::Temperature),
        ("response_format", "response_format", RequestField::ResponseFormat),
        ("json_schema", "response_format", RequestField::ResponseFormat),
        ("json schema", "response_format", RequestField::ResponseFormat),
        ("grammar", "response_format", RequestField::ResponseFormat),
        ("tool", "tools", RequestField::Tools),
    ];
    others.into_iter().find(|(name, field, _)| names(name, field)).map(|(.., field)| field)
}

/// The most tokens that an answer may have, if more were asked for.
fn most_tokens(words: &str, fields: &RequestFields, body: &Value) -> Option<u64> {
    let most = MOST.captures(words)?.get(1)?.as_str().parse().ok()?;
    body.get(&fields.max_tokens)?.as_u64().filter(|asked| (1..*asked).contains(&most)).map(|_| most)
}

/// The limit of an answer under another name: newer models of OpenAI's want `max_completion_tokens`, older servers do not know that.
fn max_tokens(words: &str, fields: &RequestFields) -> Option<RequestField> {
    const NEWER: &str = "max_completion_tokens";
    let field = fields.max_tokens.clone();
    if !words.contains(&field.to_lowercase()) {
        return None;
    }
    let usual = field == "max_tokens";
    Some(RequestField::MaxTokens { wanted: usual.then(|| NEWER.to_owned()), field })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn sent() -> Value {
        json!({"max_tokens": 8192, "stream": true, "stream_options": {}, "temperature": 0.7, "response_format": {}, "tools": []})
    }

    fn found(words: &str) -> Option<RequestField> {
        find(400, &words.to_lowercase(), &RequestFields::default(), &sent())
    }

    #[test]
    fn the_field_is_known_by_the_words_of_each_server() {
        let max_tokens =
            RequestField::MaxTokens { field: "max_tokens".into(), wanted: Some("max_completion_tokens".into()) };
        for (words, field) in [
            (
                "max_tokens is too large: 8192. This model supports at most 1024 completion tokens",
                RequestField::MostTokens(1024),
            ),
            (
                "`max_tokens` must be less than or equal to `1024`, the maximum value for `max_tokens` is less than the context",
                RequestField::MostTokens(1024),
            ),
            ("Invalid max_tokens value, the valid range of max_tokens is [1, 1024]", RequestField::MostTokens(1024)),
            ("Unsupported value: 'stream' does not support true with this model", RequestField::Stream),
            ("Your organization must be verified to stream this model.", RequestField::Stream),
            (
                "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
                max_tokens.clone(),
            ),
            ("max_tokens\nExtra inputs are not permitted", max_tokens),
            ("body.stream_options: Extra inputs are not permitted", RequestField::StreamOptions),
            ("Unrecognized request argument supplied: stream_options", RequestField::StreamOptions),
            ("unknown field `stream_options`", RequestField::StreamOptions),
            ("System role not supported", RequestField::SystemRole),
            ("Jinja Exception: System role not supported", RequestField::SystemRole),
            (
                "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
                RequestField::SystemRole,
            ),
            ("Developer instruction is not enabled for models/gemma-3-4b-it", RequestField::SystemRole),
            ("Only user and assistant roles are supported!", RequestField::SystemRole),
            ("Conversation roles must alternate user/assistant/user/assistant/...", RequestField::SystemRole),
            (
                "messages: Unexpected role \"system\". The Messages API accepts a top-level `system` parameter",
                RequestField::SystemRole,
            ),
            (
                "Unsupported value: 'temperature' does not support 0.7 with this model. Only the default (1) value is supported.",
                RequestField::Temperature,
            ),
            ("invalid temperature: only 1 is allowed for this model", RequestField::Temperature),
            ("This model doesn't support streaming", RequestField::Stream),
            ("This response_format type is unavailable now", RequestField::ResponseFormat),
            ("'response_format.type' must be 'json_schema' or 'text'", RequestField::ResponseFormat),
            ("JSON schema conversion failed:\nUnrecognized schema: {}", RequestField::ResponseFormat),
            (
                "Failed to initialize samplers: Unexpected empty grammar stack after accepting piece: <think>",
                RequestField::ResponseFormat,
            ),
            ("'response_format.type' json_object is not supported", RequestField::ResponseFormat),
            ("gemma:2b does not support tools", RequestField::Tools),
            (
                "\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set",
                RequestField::Tools,
            ),
            ("tools param requires --jinja flag", RequestField::Tools),
        ] {
            assert_eq!(found(words), Some(field), "{words}");
        }
    }

    #[test]
    fn a_refusal_of_something_else_names_no_field() {
        for words in [
            "Incorrect API key",
            "max_tokens is too large: 200000. This model supports at most 16384 completion tokens",
            "temperature must be between 0 and 2",
            "The system is overloaded, try again",
            "no such model",
            "unsupported model",
            "invalid message",
            "system message: cannot allocate memory",
        ] {
            assert_eq!(found(words), None, "{words}");
        }
        let busy = "stream_options is not supported";
        assert_eq!(find(429, busy, &RequestFields::default(), &sent()), None);
        let down = |words| find(500, words, &RequestFields::default(), &sent());
        assert_eq!(down("unknown error in a tool"), None);
        assert_eq!(down("tools param requires --jinja flag"), Some(RequestField::Tools));
        assert_eq!(find(400, "does not support tools", &RequestFields::default(), &json!({})), None, "none were sent");
    }

    #[test]
    fn what_is_not_sent_is_not_blamed_and_a_newer_name_is_taken_back() {
        let newer = RequestFields {
            max_tokens: "max_completion_tokens".into(),
            stream_options: false,
            system_role: false,
            extra: [("Top_K".to_owned(), 3.into())].into_iter().collect(),
        };
        let body = json!({"max_completion_tokens": 9, "Top_K": 3});
        let find = |words: &str| find(400, words, &newer, &body);
        assert_eq!(find("system role not supported"), None);
        assert_eq!(find("unknown field stream_options"), None);
        let taken_back = RequestField::MaxTokens { field: "max_completion_tokens".into(), wanted: None };
        assert_eq!(find("unknown field max_completion_tokens"), Some(taken_back));
        assert_eq!(find("unknown field top_k"), Some(RequestField::Extra("Top_K".into())));
    }
}
