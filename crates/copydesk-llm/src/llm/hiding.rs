//! Names in the bodies of requests: hidden before they leave, looked for once more, and brought back in answers.

use std::{borrow::Cow, str::Utf8Error};

use percent_encoding::percent_decode_str;
use reqwest::{Request, header::CONTENT_LENGTH};
use serde_json::Value;

use copydesk_core::editorial::aliasing::Aliasing;
use copydesk_core::ports::{Occasion, Withheld};
use copydesk_newsroom::Answer;

/// Puts labels in the place of names in every text of a JSON body.
pub(super) fn hide(request: &mut Request, aliasing: &Aliasing) {
    if aliasing.is_empty() {
        return;
    }
    let Some(bytes) = request.body().and_then(reqwest::Body::as_bytes) else { return };
    let Ok(mut body) = serde_json::from_slice::<Value>(bytes) else { return };
    each_in_body(&mut body, &mut |text| {
        if let Cow::Owned(hidden) = aliasing.hidden(text) {
            *text = hidden;
        }
    });
    *request.body_mut() = Some(body.to_string().into());
    request.headers_mut().remove(CONTENT_LENGTH);
}

/// Refuses a request in which a hidden name stands, or which cannot be searched for one.
pub(super) fn check(request: &Request, occasion: &Occasion) -> Result<(), Withheld> {
    let aliasing = Aliasing::of(&occasion.secrecy.aliases);
    if aliasing.is_empty() {
        return Ok(());
    }
    let host = request.url().host_str().unwrap_or_default();
    let address = percent_decode_str(request.url().as_str()).decode_utf8_lossy();
    if let Some(label) = aliasing.names(&address) {
        return Err(Withheld::Named { story: story(occasion), host: host.to_owned(), label: label.to_owned() });
    }
    match request.body().map(reqwest::Body::as_bytes) {
        None => Ok(()),
        Some(Some(body)) => check_body(body, host, occasion),
        Some(None) => Err(Withheld::Opaque { story: story(occasion), host: host.to_owned() }),
    }
}

/// The same for a body alone.
pub(super) fn check_body(body: &[u8], host: &str, occasion: &Occasion) -> Result<(), Withheld> {
    let aliasing = Aliasing::of(&occasion.secrecy.aliases);
    if aliasing.is_empty() {
        return Ok(());
    }
    match named_in(body, &aliasing) {
        Ok(None) => Ok(()),
        Ok(Some(label)) => Err(Withheld::Named { story: story(occasion), host: host.to_owned(), label }),
        Err(_) => Err(Withheld::Opaque { story: story(occasion), host: host.to_owned() }),
    }
}

/// Looks for a hidden name in what is about to leave in another way than as a request of this room. `to`: whom it goes to.
#[cfg(feature = "mcp")]
pub(crate) fn searched(told: &[u8], to: &str) -> Result<(), Withheld> {
    Occasion::now().map_or(Ok(()), |occasion| check_body(told, to, &occasion))
}

fn story(occasion: &Occasion) -> String {
    occasion.story.as_ref().map_or_else(|| "the story".to_owned(), ToString::to_string)
}

/// The label of a person who is named in what is about to leave. It must be a text.
fn named_in(body: &[u8], aliasing: &Aliasing) -> Result<Option<String>, Utf8Error> {
    let text = std::str::from_utf8(body)?;
    // JSON is read: its escapes end words, or hide letters.
    let Ok(mut body) = serde_json::from_str::<Value>(text) else { return Ok(aliasing.names(text).map(str::to_owned)) };
    let mut found = None;
    each_in_body(&mut body, &mut |text| {
        found = found.take().or_else(|| aliasing.names(text).map(str::to_owned));
    });
    Ok(found)
}

/// Brings the names back in a model's answer.
pub(super) fn restore(mut answer: Answer, aliasing: &Aliasing) -> Answer {
    answer.text = aliasing.restored(&answer.text).into_owned();
    for call in &mut answer.calls {
        let mut arguments = Value::String(std::mem::take(&mut call.arguments));
        each_argument(&mut arguments, &mut |text| *text = aliasing.restored(text).into_owned());
        arguments.as_str().unwrap_or_default().clone_into(&mut call.arguments);
    }
    answer
}

/// Changes the texts of JSON. Keys are a protocol's words and never changed: a name such as Max Weber would break `max_tokens`.
#[cfg(feature = "mcp")]
pub(crate) fn each_text(value: &mut Value, change: &dyn Fn(&str) -> Cow<'_, str>) {
    each(value, &[], &mut |text| {
        if let Cow::Owned(changed) = change(text) {
            *text = changed;
        }
    });
}

/// The keys of a chat's messages that belong to the protocol. All other values are texts.
const OF_MESSAGE: [&str; 5] = ["role", "type", "name", "id", "tool_call_id"];

/// The texts of a whole body, without the words of its protocol, such as a model's name.
fn each_in_body(body: &mut Value, see: &mut dyn FnMut(&mut String)) {
    let Value::Object(fields) = body else { return each(body, &[], see) };
    if let Some(messages) = fields.get_mut("messages") {
        return each(messages, &OF_MESSAGE, see);
    }
    let is_rpc = fields.contains_key("jsonrpc");
    for (key, value) in fields {
        match (is_rpc, key.as_str()) {
            (true, "params") => each(value, &["name"], see),
            (true, _) | (false, "model" | "encoding_format") => {}
            (false, _) => each(value, &[], see),
        }
    }
}

/// Every text in it but those under some keys.
fn each(value: &mut Value, but: &[&str], see: &mut dyn FnMut(&mut String)) {
    match value {
        Value::String(text) => see(text),
        Value::Array(values) => values.iter_mut().for_each(|value| each(value, but, see)),
        Value::Object(fields) => {
            for (key, value) in fields {
                match (key.as_str(), value) {
                    (key, _) if but.contains(&key) => {}
                    // A tool's arguments may have any key, and a chat has them as JSON in a text.
                    ("arguments", value) => each_argument(value, see),
                    (_, value) => each(value, but, see),
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Every text that a tool is given, but no key.
fn each_argument(arguments: &mut Value, see: &mut dyn FnMut(&mut String)) {
    let read = arguments.as_str().and_then(|text| serde_json::from_str::<Value>(text).ok());
    match read.filter(Value::is_object) {
        Some(mut inner) => {
            each(&mut inner, &[], see);
            *arguments = inner.to_string().into();
        }
        None => each(arguments, &[], see),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use copydesk_newsroom::Alias;

    fn aliasing() -> Aliasing {
        let alias = |name: &str, label: &str| Alias { name: name.into(), label: label.into() };
        Aliasing::of(&[alias("Max Weber", "SOURCE-1"), alias("Claude Dupont", "SOURCE-2")])
    }

    #[test]
    fn the_words_of_a_protocol_stay_and_every_text_is_hidden() {
        let mut chat = json!({
            "model": "claude-4",
            "max_tokens": 10,
            "response_format": {"schema": {"max": "weber"}},
            "messages": [
                {"role": "user", "content": "Max said\n\nWeber."},
                {"role": "assistant", "content": [{"type": "text", "text": "Claude Dupont"}],
                 "tool_calls": [{"id": "max", "function": {"name": "max", "arguments": "{\"max\": \"Weber\"}"}}]},
            ],
        });
        assert_eq!(named_in(chat.to_string().as_bytes(), &aliasing()).ok().flatten().as_deref(), Some("SOURCE-1"));
        each_in_body(&mut chat, &mut |text| *text = aliasing().hidden(text).into_owned());
        let [user, answer] = [0, 1].map(|at| chat["messages"][at].clone());
        assert_eq!(user["content"], "SOURCE-1a said\n\nSOURCE-1b.");
        assert_eq!(answer["content"][0]["text"], "SOURCE-2");
        let call = &answer["tool_calls"][0];
        assert_eq!((&call["id"], &call["function"]["name"]), (&"max".into(), &"max".into()));
        assert_eq!(call["function"]["arguments"], "{\"max\":\"SOURCE-1b\"}");
        assert_eq!((&chat["model"], &chat["response_format"]["schema"]["max"]), (&"claude-4".into(), &"weber".into()));
        assert_eq!(named_in(chat.to_string().as_bytes(), &aliasing()).ok().flatten(), None);
    }

    #[test]
    fn of_a_call_over_rpc_its_arguments_are_searched_and_of_another_body_all_but_the_model() {
        let rpc = |name: &str, text: &str| json!({"jsonrpc": "2.0", "id": "max", "method": "tools/call", "params": {"name": name, "arguments": {"name": text, "max": 3}}});
        let found = |body: serde_json::Value| named_in(body.to_string().as_bytes(), &aliasing()).ok().flatten();
        assert_eq!(found(rpc("weber_search", "nobody")), None);
        assert_eq!(found(rpc("search", "Weber")).as_deref(), Some("SOURCE-1"));
        assert_eq!(found(json!({"model": "max", "input": ["nobody"]})), None);
        assert_eq!(found(json!({"model": "max", "input": ["Dupont"]})).as_deref(), Some("SOURCE-2"));
        assert_eq!(found(json!(["Weber"])).as_deref(), Some("SOURCE-1"));
    }

    #[test]
    fn a_label_after_an_escape_in_a_models_json_comes_back() {
        let text = r#"{"articleBody": "It rained.\n\nSOURCE-1b said \u201cSOURCE-2\u201d"}"#.to_owned();
        let restored = restore(Answer { text, ..Answer::default() }, &aliasing());
        assert_eq!(restored.text, r#"{"articleBody": "It rained.\n\nWeber said \u201cClaude Dupont\u201d"}"#);
    }
}
